/** `testClient`: a client of a server in this process, in any revision and over any carrier. */
import type { Client } from "../client/client_types.ts";
import { connect } from "../client/connect.ts";
import type { ConnectOptions } from "../client/options.ts";
import { resolveLimits } from "../protocol/limits.ts";
import { checkObject } from "../protocol/unknown_option.ts";
import { sealerOf } from "../server/input/sealer_of.ts";
import { partsOf } from "../server/server_parts.ts";
import { lines } from "../transports/byte_stream.ts";
import { serveChannel } from "../transports/serve_channel.ts";
import { checkServed } from "../transports/served_settings.ts";
import { connectInMemory } from "../transports/in_memory.ts";
import type { AuthInfo, Served } from "../transports/transport.ts";
import { localFetch } from "./local_fetch.ts";
import type { Responding } from "./local_fetch.ts";
import { localPipe } from "./local_pipe.ts";
import { recordedIn } from "./recorded.ts";
import { createWireLog } from "./wire_log.ts";
import type { WireEntry } from "./wire_log.ts";

/** A client with the wire in view. */
export type TestClient<S extends Served> = Client<S> & {
  /** Every message so far, in order. */
  readonly wire: readonly WireEntry[];
};

/** Options of {@linkcode testClient}: those of `connect`, and how the server is reached. */
export interface TestClientOptions extends ConnectOptions {
  /**
   * How messages travel: "memory" hands copies of values over; "http" goes through requests and responses of the platform, though
   * through no socket; "stdio" goes through lines of bytes, though through no process. "memory" by default.
   */
  readonly over?: "memory" | "http" | "stdio" | undefined;
  /** The caller that the server's handlers see; nobody by default. */
  readonly auth?: AuthInfo<unknown> | undefined;
  /** The address over HTTP, for servers with `path` or `hosts`; `http://localhost/mcp` by default. */
  readonly url?: string | URL | undefined;
}

/**
 * Connects to a server in this process, in any revision and over any carrier. Nothing listens, and nothing is started.
 *
 * ```ts
 * import { defineServer, tool } from "@causeway/mcp/server";
 * import { testClient } from "@causeway/mcp/testing";
 *
 * const add = tool({
 *   name: "add",
 *   args: { a: { type: "number", required: true }, b: { type: "number", required: true } },
 *   handler: ({ a, b }) => ({ sum: a + b }),
 * });
 * const server = defineServer({ name: "sums", version: "1.0.0", tools: [add] });
 *
 * for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
 *   for (const over of ["memory", "http", "stdio"] as const) {
 *     await using client = await testClient(server, { protocol, over });
 *     const { sum } = await client.tools.add({ a: 2, b: 3 });
 *     if (sum !== 5 || client.wire.at(-1)?.from !== "server") throw new Error(`Wrong over ${over} in ${protocol}`);
 *   }
 * }
 * ```
 *
 * @param server What `defineServer` gave; over "memory" and "stdio" anything with `handle`.
 * @param options Those of `connect`, and the way.
 * @throws {TypeError} For a malformed option, and for a server without `respond` over HTTP.
 * @throws What `connect` throws.
 */
export async function testClient<S extends Served>(server: S, options: TestClientOptions = {}): Promise<TestClient<S>> {
  checkServed(server, "testClient.server");
  checkObject(options, "testClient.options");
  const { over = "memory", auth, url = "http://localhost/mcp", ...rest } = options;
  sealQuietly(server);
  const log = createWireLog();
  const client = await open(server, over, { auth, url, rest, log });
  return Object.defineProperty(client, "wire", { value: log.entries, enumerable: true }) as TestClient<S>;
}

/** In a test nobody else has to open what a server seals: it does not warn about missing `stateKeys`. */
function sealQuietly(server: Served): void {
  const core = partsOf(server)?.core;
  if (core !== undefined) sealerOf(core, () => undefined);
}

interface Terms {
  readonly auth: AuthInfo<unknown> | undefined;
  readonly url: string | URL;
  readonly rest: ConnectOptions;
  readonly log: ReturnType<typeof createWireLog>;
}

async function open<S extends Served>(server: S, over: string, { auth, url, rest, log }: Terms): Promise<Client<S>> {
  switch (over) {
    case "memory": {
      const { limits, onError } = rest;
      const carrier = connectInMemory(server, { principal: auth, limits: resolveLimits(limits), onError });
      return await connect<S>(recordedIn(carrier, log), rest);
    }
    case "http": {
      if (!("respond" in server)) throw new TypeError("testClient: Expected a server with respond, as defineServer gives it");
      return await connect<S, URL>(new URL(url), { ...rest, fetch: localFetch(server as S & Responding, auth, log) });
    }
    case "stdio": {
      const pipe = localPipe(log);
      void serveChannel(server, lines(pipe.server), { auth });
      return await connect<S>(lines(pipe.client), rest);
    }
    default:
      throw new TypeError('testClient.over: Expected "memory", "http" or "stdio"');
  }
}
