/** What the tests of the wire share: requests as raw HTTP, answers as the messages that were really written. */
import assert from "node:assert/strict";
import type { Server } from "../../server/mod.ts";

/** Any JSON, read loosely: what is expected of it is asserted by each test. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** The part of a server that these tests talk to. */
export type Wired = Pick<Server, "fetch">;

/** The revision that is spoken. */
export const VERSION = "2026-07-28";

/** Every capability that a client can declare. */
export const ALL_CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };

/** The three required members of `_meta`, and more of them. */
export function metaWith(more: Json = {}): Json {
  return {
    "io.modelcontextprotocol/protocolVersion": VERSION,
    "io.modelcontextprotocol/clientInfo": { name: "wire", version: "1" },
    "io.modelcontextprotocol/clientCapabilities": {},
    ...more,
  };
}

/** The `_meta` of a client with these capabilities. */
export function metaOfClient(capabilities: Json, more: Json = {}): Json {
  return metaWith({ "io.modelcontextprotocol/clientCapabilities": capabilities, ...more });
}

/** A complete request. */
export function request(method: string, params: Json = {}, meta: Json = metaWith(), id: unknown = 1): Json {
  return { jsonrpc: "2.0", id, method, params: { ...params, _meta: meta } };
}

/** Headers that go with a message; `undefined` takes one away. */
export type HeaderChanges = { readonly [name: string]: string | undefined };

/** What came back. */
export interface Reply {
  /** The HTTP status. */
  readonly status: number;
  /** The HTTP headers. */
  readonly headers: Headers;
  /** The body as it was written. */
  readonly text: string;
  /** The messages in the body. */
  readonly messages: Json[];
  /** The last message; undefined for an empty body. */
  readonly last: Json;
  /** The result of the last message; fails the test when there is none. */
  readonly result: Json;
  /** The error of the last message; fails the test when there is none. */
  readonly error: Json;
}

/** Makes the HTTP request for a message, or for a text as it is. */
export function httpRequest(message: Json, changes: HeaderChanges = {}, init: RequestInit = {}): Request {
  const value = typeof message === "string" || message instanceof Uint8Array ? undefined : message;
  const params = value?.params ?? {};
  const name = value?.method === "resources/read" ? params.uri : params.name;
  const given: Record<string, string | undefined> = {
    "content-type": "application/json",
    "accept": "application/json, text/event-stream",
    "mcp-protocol-version": params._meta?.["io.modelcontextprotocol/protocolVersion"] ?? VERSION,
    "mcp-method": typeof value?.method === "string" ? value.method : undefined,
    "mcp-name": ["tools/call", "prompts/get", "resources/read"].includes(value?.method) ? name : undefined,
    ...changes,
  };
  const headers = Object.entries(given).filter((pair): pair is [string, string] => typeof pair[1] === "string");
  const body = value === undefined ? message : JSON.stringify(value);
  return new Request("http://localhost/mcp", { method: "POST", headers, body, ...init });
}

/** Posts a message, or a text as it is, and reads the whole answer. */
export async function post(server: Wired, message: Json, changes: HeaderChanges = {}, init: RequestInit = {}): Promise<Reply> {
  return await readReply(await server.fetch(httpRequest(message, changes, init)));
}

/** Posts a complete request. */
export function call(server: Wired, method: string, params: Json = {}, meta: Json = metaWith(), id: unknown = 1): Promise<Reply> {
  return post(server, request(method, params, meta, id));
}

/** Calls a tool. */
export function callTool(server: Wired, name: string, args: Json = {}, meta: Json = metaWith(), more: Json = {}): Promise<Reply> {
  return call(server, "tools/call", { name, arguments: args, ...more }, meta);
}

/** Asserts that an answer is one error with this code, status and id (`null` for none), and gives it back. */
export function refused(reply: Reply, code: number, status: number, id: unknown = 1): Json {
  assert.deepEqual([reply.last?.error?.code, reply.status], [code, status], reply.text);
  assert.equal(reply.last.id, id ?? undefined);
  assert.equal(reply.messages.length, 1);
  return reply.last.error;
}

/** Reads a whole answer. */
export async function readReply(response: Response): Promise<Reply> {
  const text = await response.text();
  const isStream = response.headers.get("content-type") === "text/event-stream";
  const messages = isStream ? eventsOf(text) : text === "" ? [] : [JSON.parse(text)];
  const last = messages.at(-1);
  return {
    status: response.status,
    headers: response.headers,
    text,
    messages,
    last,
    get result(): Json {
      assert.ok(last !== undefined && "result" in last, text);
      return last.result;
    },
    get error(): Json {
      assert.ok(last !== undefined && "error" in last, text);
      return last.error;
    },
  };
}

/** An open stream. */
export interface OpenStream {
  /** The HTTP response. */
  readonly response: Response;
  /** The next message; undefined at the end. */
  next(): Promise<Json>;
  /** Everything up to the end. */
  rest(): Promise<Json[]>;
  /** Leaves early. */
  leave(): Promise<void>;
}

/** Posts a request whose answer is a stream that is read step by step. */
export async function open(server: Wired, message: Json): Promise<OpenStream> {
  const response = await server.fetch(httpRequest(message));
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream() as Json).getReader();
  let text = "";
  const next = async (): Promise<Json> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end >= 0) {
        const [message] = eventsOf(text.slice(0, end + 2));
        text = text.slice(end + 2);
        if (message !== undefined) return message;
        continue;
      }
      const { done, value } = await reader.read();
      if (done) return undefined;
      text += value;
    }
  };
  return {
    response,
    next,
    rest: async () => {
      const all = [];
      for (let one = await next(); one !== undefined; one = await next()) all.push(one);
      return all;
    },
    leave: () => reader.cancel() as Promise<void>,
  };
}

/** Opens a change stream and reads its acknowledgement. */
export async function listen(
  server: Wired,
  notifications: Json,
  id: unknown = "l",
): Promise<OpenStream & { readonly acknowledged: Json }> {
  const stream = await open(server, request("subscriptions/listen", { notifications }, metaWith(), id));
  return { ...stream, acknowledged: await stream.next() };
}

function eventsOf(text: string): Json[] {
  return text.split("\n\n").flatMap((event) => {
    const data = event.split("\n").filter((line) => line.startsWith("data:")).map((line) => line.slice(5).trimStart());
    return data.length === 0 ? [] : [JSON.parse(data.join("\n"))];
  });
}
