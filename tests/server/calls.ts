/** What the tests of the server share: requests, answers in process and over `fetch`, and gates that tests open. */
import type { JsonObject, JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../../protocol/types.ts";
import { defineServer } from "../../server/server.ts";
import type { ServerOptions } from "../../server/options/server_options.ts";
import type { ServerPrompt } from "../../server/components/prompt.ts";
import type { ServerResource } from "../../server/components/resource.ts";
import type { Server } from "../../server/server_types.ts";
import type { ServerTool } from "../../server/components/tool_types.ts";
import type { Connection, MessageInfo, Principal } from "../../transports/transport.ts";

/** The revision that the requests of these tests speak. */
export const VERSION = "2026-07-28";

/** The `_meta` that every request carries. */
export function meta(extra: JsonObject = {}): JsonObject {
  return {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientCapabilities": {},
    ...extra,
  };
}

/** A request with its `_meta`. */
export function request(method: string, params: JsonObject = {}, id: string | number = 1): JsonRpcRequest {
  const own = params._meta as JsonObject | undefined;
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta(own) } };
}

/** A request that calls a tool. */
export function toolCall(name: string, args?: JsonObject, id: string | number = 1): JsonRpcRequest {
  return request("tools/call", args === undefined ? { name } : { name, arguments: args }, id);
}

/** A server of components, without the types that nobody needs here. */
export function serverOf(
  parts: {
    // deno-lint-ignore no-explicit-any -- any tool will do
    readonly tools?: readonly ServerTool<string, any, any>[];
    readonly resources?: readonly ServerResource[];
    // deno-lint-ignore no-explicit-any -- any prompt will do
    readonly prompts?: readonly ServerPrompt<string, any>[];
  },
  options: Partial<ServerOptions> = {},
): Server {
  return defineServer({ name: "test", version: "1.0.0", ...options, ...parts }) as Server;
}

/** How a message is handed over. */
export interface HandOptions {
  /** The verified caller. */
  readonly principal?: Principal | undefined;
  /** What the message comes over; a fresh in-memory connection by default. */
  readonly connection?: Connection | undefined;
  /** HTTP headers. */
  readonly headers?: Headers | undefined;
}

/** What came back for a request. */
export interface Answered {
  /** What preceded the response. */
  readonly notifications: readonly JsonRpcNotification[];
  /** The response; undefined when the request was given up. */
  readonly response: JsonRpcResponse | undefined;
}

/** Hands a message to a server and reads its answer to the end. */
export async function answerOf(server: Server, message: JsonRpcMessage, options: HandOptions = {}): Promise<Answered> {
  const answer = await server.handle(message, infoOf(options));
  if (answer === undefined) return { notifications: [], response: undefined };
  if (!(Symbol.asyncIterator in answer)) return { notifications: [], response: answer as JsonRpcResponse };
  const all: JsonRpcMessage[] = [];
  for await (const one of answer) all.push(one);
  return {
    notifications: all.filter((one): one is JsonRpcNotification => "method" in one),
    response: all.find((one): one is JsonRpcResponse => !("method" in one)),
  };
}

/** What a carrier tells about a message. */
export function infoOf(options: HandOptions = {}): MessageInfo {
  return {
    principal: options.principal,
    connection: options.connection ?? { transport: "memory" },
    headers: options.headers,
    onDisconnect: () => () => undefined,
  };
}

/** The result of a request; fails when there is none. */
export async function resultOf(server: Server, message: JsonRpcMessage, options: HandOptions = {}): Promise<JsonObject> {
  const { response } = await answerOf(server, message, options);
  if (response === undefined || !("result" in response)) throw new Error(`Expected a result, found ${JSON.stringify(response)}`);
  return response.result;
}

/** The error of a request; fails when there is none. */
export async function errorOf(
  server: Server,
  message: JsonRpcMessage,
  options: HandOptions = {},
): Promise<{ readonly code: number; readonly message: string; readonly data?: JsonObject }> {
  const { response } = await answerOf(server, message, options);
  if (response === undefined || !("error" in response)) throw new Error(`Expected an error, found ${JSON.stringify(response)}`);
  return response.error as { readonly code: number; readonly message: string; readonly data?: JsonObject };
}

/** The text of the first block of a tool's result. */
export function textOf(result: JsonObject): string {
  const [block] = result.content as readonly JsonObject[];
  if (typeof block?.text !== "string") throw new Error(`Expected a text block, found ${JSON.stringify(result)}`);
  return block.text;
}

/** The headers that go with a message. */
export function headersFor(message: JsonRpcMessage, extra: { readonly [name: string]: string } = {}): Headers {
  const headers = new Headers({
    "content-type": "application/json",
    accept: "application/json, text/event-stream",
    "mcp-protocol-version": VERSION,
  });
  if ("method" in message) {
    headers.set("mcp-method", message.method);
    const name = message.params?.name ?? message.params?.uri;
    if (typeof name === "string") headers.set("mcp-name", name);
  }
  for (const [name, value] of Object.entries(extra)) headers.set(name, value);
  return headers;
}

/** A POST of a message to loopback. */
export function httpRequest(
  message: JsonRpcMessage,
  extra: { readonly [name: string]: string } = {},
  signal?: AbortSignal,
): Request {
  return new Request("http://localhost/mcp", {
    method: "POST",
    headers: headersFor(message, extra),
    body: JSON.stringify(message),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The bodies of the events of an SSE answer. */
export async function eventsOf(response: Response): Promise<JsonRpcMessage[]> {
  const text = await response.text();
  return text.split("\n").filter((line) => line.startsWith("data: ")).map((line) => JSON.parse(line.slice("data: ".length)));
}

/** A promise, and what settles it. */
export interface Gate {
  /** Waits for the opening. */
  readonly passed: Promise<void>;
  /** Opens; a second time does nothing. */
  readonly open: () => void;
}

/** Makes a closed gate. */
export function gate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}
