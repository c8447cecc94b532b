/** What the tests of carriers share: requests, reading to the end, and a server that does what a request says. */
import type { JsonObject, JsonRpcMessage, JsonRpcRequest, RequestId } from "../../protocol/types.ts";
import type { MessageInfo, Served } from "../../transports/transport.ts";

/** Makes a request. */
export function request(id: RequestId, method = "tools/call", params: JsonObject = {}): JsonRpcRequest {
  return { jsonrpc: "2.0", id, method, params };
}

/** Reads everything. */
export async function collect<T>(source: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const one of source) all.push(one);
  return all;
}

/** Catches what a promise rejects with. */
export async function rejection(work: Promise<unknown>): Promise<Error & { reason?: string; data?: unknown; code?: number }> {
  try {
    await work;
  } catch (error) {
    return error as Error & { reason?: string };
  }
  throw new Error("Expected a rejection, found none");
}

/** A server that echoes params, and what it saw. */
export interface Echo extends Served {
  /** Every message. */
  readonly seen: JsonRpcMessage[];
  /** What came with every message. */
  readonly infos: MessageInfo[];
  /** Ids of requests whose disconnect listener was called. */
  readonly gone: (RequestId | undefined)[];
}

/**
 * Answers a request by its method: "progress" with two notifications first, "hang" never, "throw" not at all,
 * "big" with `params.size` characters, anything else with its params.
 */
export function echoServer(): Echo {
  const seen: JsonRpcMessage[] = [];
  const infos: MessageInfo[] = [];
  const gone: (RequestId | undefined)[] = [];
  return {
    seen,
    infos,
    gone,
    handle(message, info) {
      seen.push(message);
      infos.push(info);
      if (!("method" in message) || !("id" in message)) return Promise.resolve(undefined);
      info.onDisconnect(() => gone.push(message.id));
      if (message.method === "hang") return new Promise(() => undefined);
      if (message.method === "throw") return Promise.reject(new Error("secret"));
      if (message.method === "progress") return Promise.resolve(progress(message));
      const result = message.method === "big" ? { text: "a".repeat(Number(message.params?.size)) } : message.params ?? {};
      return Promise.resolve({ jsonrpc: "2.0", id: message.id, result });
    },
  };
}

async function* progress(message: JsonRpcRequest): AsyncGenerator<JsonRpcMessage> {
  const meta = message.params?._meta as { readonly progressToken?: string } | undefined;
  for (const step of [1, 2]) {
    yield {
      jsonrpc: "2.0",
      method: "notifications/progress",
      params: { progressToken: meta?.progressToken ?? message.id, progress: step },
    };
  }
  await Promise.resolve();
  yield { jsonrpc: "2.0", id: message.id, result: { done: true } };
}

/** The result that a response holds. */
export function resultOf(message: JsonRpcMessage | undefined): JsonObject {
  if (message === undefined || !("result" in message)) throw new Error(`Expected a result, found ${JSON.stringify(message)}`);
  return message.result;
}
