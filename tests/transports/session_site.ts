/** A server with sessions on a real port, around a handler that does what a request says; and a client that is `fetch`. */
import assert from "node:assert/strict";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcRequest } from "../../protocol/types.ts";
import { createSessionTokens } from "../../server/http/session_tokens.ts";
import { storedEvents } from "../../server/stores/events.ts";
import { memoryStore } from "../../server/stores/memory.ts";
import { storedSessions } from "../../server/stores/sessions.ts";
import type { Store } from "../../server/stores/store.ts";
import { sessionsOnDemand } from "../../transports/sessions/sessions_on_demand.ts";
import { createHttpHandler } from "../../transports/streamable_http_server.ts";
import { createHttpSessions } from "../../transports/streamable_http_session.ts";
import type { HttpSessions } from "../../transports/streamable_http_session.ts";
import type { AuthInfo, MessageInfo, Session } from "../../transports/transport.ts";

/** Any JSON, read loosely. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** What a site is made of. */
export interface SiteOptions {
  /** Bounds. */
  readonly limits?: Limits | undefined;
  /** The keys of session ids. */
  readonly keys?: readonly string[] | undefined;
  /** A store that sites share. */
  readonly store?: Store | undefined;
  /** Makes the sessions at their first use alone, and is waited for; its rejection is a load that failed. */
  readonly load?: (() => Promise<void>) | undefined;
}

/** One event of a stream. */
export interface SseEvent {
  /** The id. */
  readonly id: string | undefined;
  /** The message; undefined for an event without data. */
  readonly message: Json;
  /** The retry field. */
  readonly retry: string | undefined;
}

/** A stream that is read event by event. */
export interface EventReading {
  /** The next event; undefined at the end. */
  next(): Promise<SseEvent | undefined>;
  /** Everything up to the end. */
  rest(): Promise<SseEvent[]>;
  /** Leaves early. */
  leave(): Promise<void>;
}

/** A running server, and what its handler saw. */
export interface Site {
  /** Sessions that the handler saw, in the order of their initialize. */
  readonly sessions: Session[];
  /** Connections by message, in the order they came. */
  readonly infos: MessageInfo[];
  /** Requests whose disconnect listener was called, by name. */
  readonly gone: string[];
  /** Errors that were reported. */
  readonly errors: unknown[];
  /** Lets a request of the method "gate" go on. */
  open(name: string): void;
  /** Sends a message on the stream of an open request of the method "stream". */
  emit(name: string, message: JsonRpcMessage | "end"): void;
  /** Posts a message. */
  post(message: Json, headers?: HeadersInit, init?: RequestInit): Promise<Response>;
  /** Any other request. */
  send(method: string, headers?: HeadersInit, init?: RequestInit): Promise<Response>;
  /** Opens a session and gives its id. */
  initialize(version?: string, headers?: HeadersInit): Promise<string>;
  /** Ends the sessions, then the server. */
  close(): Promise<void>;
}

/** Makes a request. */
export function call(method: string, params: JsonObject = {}, id: string | number = 1): JsonRpcRequest {
  return { jsonrpc: "2.0", id, method, params };
}

/** Makes `initialize`. */
export function hello(version = "2025-11-25", params: JsonObject = {}): JsonRpcRequest {
  return call(
    "initialize",
    { protocolVersion: version, capabilities: {}, clientInfo: { name: "c", version: "1" }, ...params },
    0,
  );
}

/** Serves sessions on a free port of loopback. */
export function sessionSite(options: SiteOptions = {}): Site {
  const limits = resolveLimits(options.limits);
  const sessions: Session[] = [];
  const infos: MessageInfo[] = [];
  const gone: string[] = [];
  const errors: unknown[] = [];
  const onError = (error: unknown): void => void errors.push(error);
  const gates = new Map<string, () => void>();
  const emitters = new Map<string, (message: JsonRpcMessage | "end") => void>();
  const handle = async (message: JsonRpcMessage, info: MessageInfo) => {
    infos.push(info);
    const session = info.connection.session;
    if (!("method" in message)) return undefined;
    const params = (message.params ?? {}) as Json;
    if (!("id" in message)) {
      if (message.method === "notifications/initialized" && session?.state !== undefined) {
        session.update({ ...session.state, initialized: true });
      }
      return undefined;
    }
    const answer = (result: JsonObject): JsonRpcMessage => ({ jsonrpc: "2.0", id: message.id, result });
    const name = String(params.name ?? "");
    if (message.method === "initialize") {
      if (params.refuse) return { jsonrpc: "2.0", id: message.id, error: { code: -32602, message: "No" } } as JsonRpcMessage;
      if (params.throw) throw new Error("secret");
      if (session !== undefined) {
        sessions.push(session);
        session.update({
          version: params.protocolVersion,
          clientInfo: params.clientInfo,
          clientCapabilities: params.capabilities,
          initialized: false,
          subscriptions: [],
        });
      }
      return answer({ protocolVersion: params.protocolVersion });
    }
    info.onDisconnect(() => gone.push(name));
    if (message.method === "update" && session?.state !== undefined) session.update({ ...session.state, ...params.state });
    if (message.method === "gate") await new Promise<void>((resolve) => gates.set(name, resolve));
    if (message.method === "stream") return streamOf(name, emitters);
    return answer({ ...params, state: session?.state as Json });
  };
  const makeSessions = (): HttpSessions =>
    createHttpSessions({
      handle,
      limits,
      dialects: DIALECTS,
      tokens: createSessionTokens({ keys: options.keys, lifetime: limits.sessionAge, onProcessKey: () => undefined }),
      records: options.store === undefined ? undefined : storedSessions(options.store),
      events: storedEvents(options.store ?? memoryStore()),
      shared: options.keys !== undefined,
      onError,
    });
  const { load } = options;
  const held = load === undefined
    ? makeSessions()
    : sessionsOnDemand({ dialects: DIALECTS, limits, onError, load: () => load().then(makeSessions) });
  const handler = createHttpHandler(handle, limits, { sessions: held, dialects: DIALECTS });
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, (request) => {
    const principal = request.headers.get("x-test-principal");
    return handler(request, principal === null ? undefined : { principal, scopes: [] } as unknown as AuthInfo, undefined);
  });
  const url = `http://127.0.0.1:${http.addr.port}/`;
  const post: Site["post"] = (message, headers = {}, init = {}) =>
    fetch(url, {
      method: "POST",
      body: typeof message === "string" ? message : JSON.stringify(message),
      headers: {
        "content-type": "application/json",
        "accept": "application/json, text/event-stream",
        ...headers as Record<string, string>,
      },
      ...init,
    });
  return {
    sessions,
    infos,
    gone,
    errors,
    open: (name) => gates.get(name)?.(),
    emit: (name, message) => emitters.get(name)?.(message),
    post,
    send: (method, headers = {}, init = {}) => fetch(url, { method, headers, ...init }),
    async initialize(version = "2025-11-25", headers = {}) {
      const response = await post(hello(version), headers);
      assert.equal(response.status, 200, await response.text());
      const id = response.headers.get("mcp-session-id") ?? assert.fail("no session id");
      const initialized = { jsonrpc: "2.0", method: "notifications/initialized" };
      const accepted = await post(initialized, { "mcp-session-id": id, ...headers as Record<string, string> });
      assert.deepEqual([accepted.status, await accepted.text()], [202, ""]);
      return id;
    },
    async close() {
      await held.close();
      await http.shutdown();
    },
  };
}

/** Reads the events of a response. */
export function eventsOf(response: Response): EventReading {
  assert.equal(response.status, 200);
  assert.equal(response.headers.get("content-type"), "text/event-stream");
  const reader = (response.body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream() as Json).getReader();
  let text = "";
  const next = async (): Promise<SseEvent | undefined> => {
    for (;;) {
      const end = text.indexOf("\n\n");
      if (end < 0) {
        const { done, value } = await reader.read();
        if (done) return undefined;
        text += value;
        continue;
      }
      const event = readEvent(text.slice(0, end));
      text = text.slice(end + 2);
      if (event !== undefined) return event;
    }
  };
  return {
    next,
    async rest() {
      const all: SseEvent[] = [];
      for (let event = await next(); event !== undefined; event = await next()) all.push(event);
      return all;
    },
    leave: () => reader.cancel() as Promise<void>,
  };
}

/** Asserts that a response refuses with a status and a sentence, and gives the error. */
export async function refusedWith(response: Response, status: number, sentence: RegExp, code = -32600): Promise<Json> {
  const body = await response.json();
  assert.deepEqual([response.status, body.error?.code], [status, code], JSON.stringify(body));
  assert.match(body.error.message, sentence);
  return body;
}

function readEvent(text: string): SseEvent | undefined {
  const field = (name: string): string | undefined =>
    text.split("\n").find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2);
  const [id, data, retry] = [field("id"), field("data"), field("retry")];
  if (id === undefined && data === undefined && retry === undefined) return undefined;
  return { id, message: data === undefined || data === "" ? undefined : JSON.parse(data), retry };
}

async function* streamOf(
  name: string,
  emitters: Map<string, (message: JsonRpcMessage | "end") => void>,
): AsyncGenerator<JsonRpcMessage> {
  const waiting: (JsonRpcMessage | "end")[] = [];
  let wake = (): void => undefined;
  emitters.set(name, (message) => {
    waiting.push(message);
    wake();
  });
  try {
    for (;;) {
      const message = waiting.shift();
      if (message === "end") return;
      if (message !== undefined) yield message;
      else await new Promise<void>((resolve) => wake = resolve);
    }
  } finally {
    emitters.delete(name);
  }
}
