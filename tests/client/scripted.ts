/** Hand-written peers for tests of the client. */
import { ProtocolError } from "../../protocol/errors.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcRequest } from "../../protocol/types.ts";
import type { MessageInfo, Served } from "../../transports/transport.ts";

/** What a script gives for a request: a result, messages that end in the response, or nothing for an endless wait. */
export type Scripted = JsonObject | AsyncIterable<JsonRpcMessage> | undefined;

/** Answers requests. What it throws as ProtocolError becomes the error response. */
export type Script = (request: JsonRpcRequest, info: MessageInfo) => Scripted | Promise<Scripted>;

/** What a 2026-07-28 server says about itself. */
export const DISCOVERED: JsonObject = {
  resultType: "complete",
  supportedVersions: ["2026-07-28"],
  capabilities: { tools: {}, resources: {}, prompts: {}, future: {} },
  instructions: "Be kind",
  ttlMs: 0,
  cacheScope: "private",
  _meta: { "io.modelcontextprotocol/serverInfo": { name: "scripted", version: "1.2.3" } },
};

/** A server in this process that follows a script and keeps what it received. */
export interface ScriptedServer extends Served {
  /** Every message, in order, `server/discover` included. */
  readonly received: JsonRpcMessage[];
  /** The requests other than `server/discover`. */
  requests(method?: string): JsonRpcRequest[];
}

/** Makes a server from a script; `server/discover` is answered unless the script does. */
export function scripted(script: Script): ScriptedServer {
  const received: JsonRpcMessage[] = [];
  return {
    received,
    requests: (method) =>
      received.filter((message): message is JsonRpcRequest =>
        "method" in message && "id" in message && message.method !== "server/discover" &&
        (method === undefined || message.method === method)
      ),
    handle: async (message, info) => {
      received.push(structuredClone(message));
      if (!("method" in message) || !("id" in message)) return undefined;
      try {
        const answer = await script(message, info) ?? (message.method === "server/discover" ? DISCOVERED : undefined);
        if (answer === undefined) return await new Promise<undefined>((resolve) => info.onDisconnect(() => resolve(undefined)));
        if (Symbol.asyncIterator in answer) return answer;
        return { jsonrpc: "2.0", id: message.id, result: answer as JsonObject };
      } catch (error) {
        if (!(error instanceof ProtocolError)) throw error;
        const { code, message: text, data } = error;
        return {
          jsonrpc: "2.0",
          id: message.id,
          error: data === undefined ? { code, message: text } : { code, message: text, data },
        };
      }
    },
  };
}

/** A complete result. */
export function complete(members: JsonObject = {}): JsonObject {
  return { resultType: "complete", ...members };
}

/** A tool result with one text. */
export function text(words: string): JsonObject {
  return complete({ content: [{ type: "text", text: words }] });
}

/** The `_meta` of a request. */
export function metaOf(request: JsonRpcRequest | undefined): JsonObject {
  return request?.params?._meta as JsonObject;
}

/** A progress notification. */
export function progress(token: string | number, value: number, more: JsonObject = {}): JsonRpcMessage {
  return { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: token, progress: value, ...more } };
}

/** The token under which a request wants progress. */
export function tokenOf(request: JsonRpcRequest): string | number {
  return metaOf(request).progressToken as string | number;
}

/** A promise with its ends. */
export function deferred<T = void>(): { readonly promise: Promise<T>; readonly resolve: (value: T) => void } {
  let resolve: (value: T) => void = () => undefined;
  const promise = new Promise<T>((settle) => resolve = settle);
  return { promise, resolve };
}

/** Counts the abort listeners of a signal. */
export function countListeners(signal: AbortSignal): () => number {
  let count = 0;
  const add = signal.addEventListener.bind(signal);
  const remove = signal.removeEventListener.bind(signal);
  signal.addEventListener = (...args: Parameters<typeof add>): void => {
    count++;
    add(...args);
  };
  signal.removeEventListener = (...args: Parameters<typeof remove>): void => {
    count--;
    remove(...args);
  };
  return () => count;
}
