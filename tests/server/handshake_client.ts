/** A bare client of the handshake revisions on a real channel, which keeps every message that came; for the tests of the server. */
import assert from "node:assert/strict";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcRequest, RequestId } from "../../protocol/types.ts";
import type { Server } from "../../server/server_types.ts";
import { serveChannel } from "../../transports/serve_channel.ts";
import { channelPair } from "../testing/carriers.ts";

/** Any JSON, read loosely: what is expected of it is asserted by each test. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** The revisions that begin with a handshake, newest first. */
export const HANDSHAKE_VERSIONS: readonly string[] = DIALECTS.filter(({ handshake }) => handshake !== undefined)
  .map(({ version }) => version);

/** Every capability that a client can declare. */
export const ALL = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: { listChanged: true } };

/** One end of a channel that a server serves. */
export interface HandshakeClient {
  /** Everything that came, in order. */
  readonly received: JsonRpcMessage[];
  /** Writes a message. */
  write(message: Json): Promise<void>;
  /** Sends a request and waits for its response. */
  call(method: string, params?: Json, id?: RequestId): Promise<Json>;
  /** Calls a tool; gives the whole response. */
  tool(name: string, args?: Json, meta?: JsonObject, id?: RequestId): Promise<Json>;
  /** Sends a notification. */
  notify(method: string, params?: Json): Promise<void>;
  /** Waits for the n-th message (from 0) that is a call of the method. */
  incoming(method: string, n?: number): Promise<Json>;
  /** Answers a request of the server. */
  answer(request: JsonRpcRequest, result: Json): Promise<void>;
  /** Ends the channel, and waits until the server has left it. */
  close(): Promise<void>;
}

/** Opens a channel on which nothing was said. */
export function openChannel(server: Server): HandshakeClient {
  const { near, far } = channelPair();
  const served = serveChannel(server, far);
  const writer = near.writable.getWriter();
  const received: JsonRpcMessage[] = [];
  const waiting = new Set<() => void>();
  const read = (async () => {
    for await (const message of near.readable) {
      received.push(message);
      for (const look of [...waiting]) look();
    }
  })().catch(() => undefined);
  const find = (fits: (message: Json) => boolean, n = 0): Promise<Json> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = received.filter(fits)[n];
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
    });
  let next = 1;
  const client: HandshakeClient = {
    received,
    write: (message) => writer.write(message),
    async call(method, params, id = next++) {
      await writer.write({ jsonrpc: "2.0", id, method, ...(params === undefined ? {} : { params }) });
      return await find((message) => !("method" in message) && message.id === id);
    },
    tool: (name, args = {}, meta, id) =>
      client.call("tools/call", { name, arguments: args, ...(meta === undefined ? {} : { _meta: meta }) }, id),
    notify: (method, params) => writer.write({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) } as Json),
    incoming: (method, n) => find((message) => message.method === method, n),
    answer: ({ id }, result) => writer.write({ jsonrpc: "2.0", id, result }),
    async close() {
      await writer.close().catch(() => undefined);
      await served;
      await read;
    },
  };
  return client;
}

/** Opens a channel and shakes hands on it. */
export async function shakeHands(
  server: Server,
  version: string = HANDSHAKE_VERSIONS[0] as string,
  capabilities: Json = ALL,
): Promise<HandshakeClient> {
  const client = openChannel(server);
  const { result } = await client.call("initialize", helloOf(version, capabilities), "hello");
  assert.equal(result.protocolVersion, version);
  await client.notify("notifications/initialized");
  return client;
}

/** The params of `initialize`. */
export function helloOf(protocolVersion: string, capabilities: Json = {}): Json {
  return { protocolVersion, capabilities, clientInfo: { name: "client", version: "1" } };
}
