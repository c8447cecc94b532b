/** A server of the handshake revisions behind a channel, written by hand, that may say anything at any time. */
import type { Channel, JsonObject, JsonRpcMessage } from "../../client/mod.ts";

/** The server's side. */
export interface OldPeer {
  /** For `connect`. */
  readonly channel: Channel;
  /** What the client sent. */
  readonly received: JsonRpcMessage[];
  /** Sends a message. */
  send(message: JsonObject): void;
  /** Waits for a message, one that has come already included. */
  until<T extends JsonRpcMessage>(wanted: (message: JsonRpcMessage) => boolean): Promise<T>;
  /** The response to a request of the server. */
  response(id: string | number): Promise<JsonObject>;
}

/** Options of {@linkcode oldPeer}. */
export interface OldPeerOptions {
  readonly version?: string;
  readonly capabilities?: JsonObject;
  /** Answers a request; undefined gives an empty result, null none at all. */
  readonly answer?: (method: string, params: JsonObject) => JsonObject | null | undefined;
}

/** Makes one. */
export function oldPeer({ version = "2025-11-25", capabilities = {}, answer = () => undefined }: OldPeerOptions = {}): OldPeer {
  const up = new TransformStream<JsonRpcMessage, JsonRpcMessage>();
  const down = new TransformStream<JsonRpcMessage, JsonRpcMessage>(undefined, undefined, { highWaterMark: 1000 });
  const writer = down.writable.getWriter();
  const received: JsonRpcMessage[] = [];
  const waiting = new Set<() => void>();
  const send = (message: JsonObject): void =>
    void writer.write({ jsonrpc: "2.0", ...message } as JsonRpcMessage).catch(() => undefined);
  void (async () => {
    for await (const message of up.readable) {
      received.push(message);
      for (const look of [...waiting]) look();
      if (!("method" in message) || !("id" in message)) continue;
      const { id, method, params = {} } = message;
      if (method === "initialize") {
        const serverInfo = { name: "old", version: "1" };
        send({ id, result: { protocolVersion: version, capabilities, serverInfo } });
        continue;
      }
      const given = answer(method, params);
      if (given !== null) send({ id, result: given ?? {} });
    }
    await writer.close();
  })().catch(() => undefined);
  const until: OldPeer["until"] = (wanted) =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = received.find(wanted);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found as never);
      };
      waiting.add(look);
      look();
    });
  return {
    channel: { readable: down.readable, writable: up.writable },
    received,
    send,
    until,
    response: (id) => until((message) => !("method" in message) && message.id === id) as unknown as Promise<JsonObject>,
  };
}
