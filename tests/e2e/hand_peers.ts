/** Servers written by hand, and a client of ours connected to them in every revision over every carrier. */
import { connect } from "../../client/mod.ts";
import type { Client, ConnectOptions, JsonObject, ProtocolVersion } from "../../client/mod.ts";
import { SUPPORTED_VERSIONS } from "../../protocol/dialects/mod.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../../protocol/types.ts";
import { testClient } from "../../testing/test_client.ts";
import type { MessageInfo, Served } from "../../transports/transport.ts";

/** Any JSON, read loosely. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** What answers a request: a result, an error, messages that end in the response, or nothing for an endless wait. */
export type Answerer = (request: JsonRpcRequest, info: MessageInfo) => Answered | Promise<Answered>;

/** What an answerer gives. */
export type Answered = JsonObject | { readonly error: JsonObject } | AsyncIterable<JsonRpcMessage> | undefined;

/** A server by hand. */
export interface HandPeer extends Served {
  /** Every message that came, the handshake included. */
  readonly received: JsonRpcMessage[];
}

/** Makes one: it speaks every revision, and answers the handshake by itself. */
export function handPeer(answer: Answerer, capabilities: JsonObject = { tools: { listChanged: true } }): HandPeer {
  const received: JsonRpcMessage[] = [];
  return {
    received,
    handle: async (message, info) => {
      received.push(structuredClone(message));
      if (!("method" in message) || !("id" in message)) return undefined;
      const { id, method, params } = message;
      if (method === "initialize") {
        const serverInfo = { name: "hand", version: "1" };
        return { jsonrpc: "2.0", id, result: { protocolVersion: params?.protocolVersion, capabilities, serverInfo } };
      }
      const given = await answer(message, info);
      if (given === undefined) {
        return await new Promise<undefined>((resolve) => void info.onDisconnect(() => resolve(undefined)));
      }
      if (Symbol.asyncIterator in given) return given as AsyncIterable<JsonRpcMessage>;
      if ("error" in given) return { jsonrpc: "2.0", id, error: given.error } as Json;
      return { jsonrpc: "2.0", id, result: { resultType: "complete", ...given } };
    },
  };
}

/** A way to a server by hand. */
export interface Way {
  /** For the name of a test. */
  readonly name: string;
  /** The revision. */
  readonly version: ProtocolVersion;
  /** What goes between. */
  readonly over: "http" | "stdio" | "memory";
}

/** All ways. */
export const WAYS: readonly Way[] = (SUPPORTED_VERSIONS as readonly ProtocolVersion[]).flatMap((version) =>
  (["http", "stdio", "memory"] as const).map((over) => ({ name: `${version} over ${over}`, version, over }))
);

/** Runs a test over each way, with a fresh peer. */
export async function overEach(
  t: Deno.TestContext,
  make: () => HandPeer,
  test: (client: Client, peer: HandPeer, way: Way) => Promise<void>,
  options: ConnectOptions = {},
  ways: readonly Way[] = WAYS,
): Promise<void> {
  for (const way of ways) {
    await t.step(way.name, async () => {
      const peer = make();
      const all = { protocol: way.version, ...options };
      if (way.over === "http") return await overHttp(peer, all, (client) => test(client, peer, way));
      const client = await testClient(peer, { over: way.over, ...all });
      try {
        await test(client as unknown as Client, peer, way);
      } finally {
        await client.close();
      }
    });
  }
}

/** Serves a peer on a port: one JSON answer, or events. */
export async function overHttp(peer: Served, options: ConnectOptions, test: (client: Client) => Promise<void>): Promise<void> {
  const pending = new Set<Set<() => void>>();
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, async (request) => {
    if (request.method !== "POST") return new Response(null, { status: request.method === "DELETE" ? 204 : 405 });
    const gone = new Set<() => void>();
    pending.add(gone);
    const leave = (): void => gone.forEach((listener) => listener());
    request.signal.addEventListener("abort", leave);
    const info: MessageInfo = {
      principal: undefined,
      connection: { transport: "http" },
      headers: request.headers,
      onDisconnect(listener) {
        gone.add(listener);
        return () => gone.delete(listener);
      },
    };
    const answer = await peer.handle(await request.json(), info);
    if (answer === undefined) return new Response(null, { status: 202 });
    if (!(Symbol.asyncIterator in answer)) return Response.json(answer);
    const messages = answer[Symbol.asyncIterator]();
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        const { done, value } = await messages.next();
        if (done === true) controller.close();
        else controller.enqueue(new TextEncoder().encode(`data: ${JSON.stringify(value)}\n\n`));
      },
      async cancel() {
        leave();
        await messages.return?.();
      },
    });
    return new Response(body, { headers: { "content-type": "text/event-stream" } });
  });
  const client = await connect(`http://127.0.0.1:${http.addr.port}/mcp`, options);
  try {
    await test(client);
  } finally {
    await client.close();
    // Deno tells a handler of a client that has gone only when the request came in one piece.
    for (const gone of pending) gone.forEach((listener) => listener());
    await http.shutdown();
  }
}

/** Catches what a call rejects with. */
export async function failure(call: Promise<unknown>): Promise<Json> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error("Expected a rejection, found none");
}
