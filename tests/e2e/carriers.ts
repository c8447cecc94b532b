/** Opens the conformance fixture over HTTP, over stdio and in process. */
import { type Client, connect, type ConnectOptions } from "@causeway/mcp/client";
import { fixtureServer } from "../conformance/fixture/server.ts";

/** The three ways to the same server. */
export const CARRIERS = ["http", "stdio", "memory"] as const;

/** The name of a way. */
export type Carrier = typeof CARRIERS[number];

/** A client and whatever must end after it. */
export interface Opened {
  /** The connected client. */
  readonly client: Client;
  /** Ends the client, then the server. */
  close(): Promise<void>;
}

const OPEN: { readonly [K in Carrier]: (options: ConnectOptions) => Promise<Opened> } = {
  http: overHttp,
  stdio: overStdio,
  memory: inProcess,
};

/** Connects to a fresh fixture. */
export function open(carrier: Carrier, options: ConnectOptions): Promise<Opened> {
  return OPEN[carrier](options);
}

async function overHttp(options: ConnectOptions): Promise<Opened> {
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => {} }, (await fixtureServer()).fetch);
  try {
    const client = await connect(`http://127.0.0.1:${http.addr.port}/mcp`, options);
    return {
      client,
      async close() {
        await client.close();
        await http.shutdown();
      },
    };
  } catch (error) {
    await http.shutdown();
    throw error;
  }
}

async function overStdio(options: ConnectOptions): Promise<Opened> {
  const client = await connect({
    command: Deno.execPath(),
    args: ["run", "--quiet", new URL("../conformance/stdio.ts", import.meta.url).href],
    inheritEnv: ["XDG_CACHE_HOME", "DENO_DIR"],
  }, options);
  return { client, close: () => client.close() };
}

async function inProcess(options: ConnectOptions): Promise<Opened> {
  const client = await connect(await fixtureServer(), options);
  return { client, close: () => client.close() };
}
