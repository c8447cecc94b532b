/** Every way into a server, in every revision, for what no client would send: raw text in, messages out. */
import assert from "node:assert/strict";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import { encodeHeaderValue } from "../../protocol/headers.ts";
import type { LimitOptions } from "../../protocol/limits.ts";
import type { JsonObject, RequestId } from "../../protocol/types.ts";
import type { Server } from "../../server/server_types.ts";
import { meta } from "../server/calls.ts";
import { helloOf } from "../server/handshake_client.ts";
import { pipeTo } from "../server/pipe.ts";

/** Any JSON, read loosely: what is expected of it is asserted by each test. */
// deno-lint-ignore no-explicit-any
export type Json = any;

/** Headers that are added or, when undefined, left out. */
export type Extra = { readonly [name: string]: string | undefined };

/** What came back. */
export interface Came {
  /** The HTTP status; undefined where there are none. */
  readonly status: number | undefined;
  /** The HTTP headers. */
  readonly headers: Headers;
  /** The messages, in order. */
  readonly messages: readonly Json[];
  /** The response: the last message that is no call. */
  readonly response: Json;
}

/** An open door. */
export interface Entry {
  /** Writes a text or bytes, and reads the answer. Over a pipe the first line that comes is the answer. */
  send(body: string | Uint8Array, headers?: Extra): Promise<Came>;
  /** Sends a request as a client of this revision would. */
  call(method: string, params?: JsonObject, id?: RequestId, headers?: Extra): Promise<Came>;
  /** The text of a request as a client of this revision would write it. */
  text(method: string, params?: JsonObject, id?: RequestId): string;
  /** Sends what is not answered. */
  notify(method: string, params?: JsonObject): Promise<void>;
  /** Makes the HTTP request itself; undefined where there is none. */
  readonly fetch: ((init: RequestInit, headers?: Extra) => Promise<Response>) | undefined;
  /** Ends the door and the server behind it. Over a pipe it gives the lines that nobody read. */
  close(): Promise<readonly Json[]>;
}

/** A way into a server. */
export interface Door {
  /** For the name of a test. */
  readonly name: string;
  /** The revision that is spoken. */
  readonly version: string;
  /** Does it go through HTTP? */
  readonly http: boolean;
  /** Is there a session behind it? */
  readonly session: boolean;
  /** Opens it. A handshake is over by then. */
  open(server: Server, limits?: LimitOptions): Promise<Entry>;
}

/** All doors: HTTP alone and in a session, and a pipe of lines. Servers need `sessions: true`. */
export const DOORS: readonly Door[] = DIALECTS.flatMap(({ version, handshake }): Door[] => {
  const shakes = handshake !== undefined;
  const http = (session: boolean): Door => ({
    name: `${version} over HTTP${session ? " in a session" : ""}`,
    version,
    http: true,
    session,
    open: (server) => openHttp(server, version, session),
  });
  const stdio: Door = {
    name: `${version} over stdio`,
    version,
    http: false,
    session: shakes,
    open: (server, limits) => openPipe(server, version, shakes, limits),
  };
  return [http(shakes), stdio];
});

/** Those through HTTP. */
export const HTTP_DOORS: readonly Door[] = DOORS.filter(({ http }) => http);

/** Runs a test for each door, each in a step of its name. */
export async function atEach(
  t: Deno.TestContext,
  doors: readonly Door[],
  make: () => Server,
  test: (entry: Entry, door: Door) => Promise<void>,
  limits?: LimitOptions,
): Promise<void> {
  for (const door of doors) {
    await t.step(door.name, async () => {
      const entry = await door.open(make(), limits);
      try {
        await test(entry, door);
      } finally {
        await entry.close();
      }
    });
  }
}

function texts(version: string, shakes: boolean): Pick<Entry, "text"> {
  return {
    text(method, params = {}, id = 1) {
      const own = params._meta as JsonObject | undefined;
      const full = shakes ? params : { ...params, _meta: meta({ ...own, "io.modelcontextprotocol/protocolVersion": version }) };
      return JSON.stringify({ jsonrpc: "2.0", id, method, params: full });
    },
  };
}

async function openHttp(server: Server, version: string, session: boolean): Promise<Entry> {
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, server.fetch);
  const url = `http://127.0.0.1:${http.addr.port}/mcp`;
  const fixed: Record<string, string> = { "mcp-protocol-version": version };
  const { text } = texts(version, session);
  const fetchIt = (init: RequestInit, extra: Extra = {}): Promise<Response> => {
    const all = { ...fixed, ...extra };
    return fetch(url, {
      ...init,
      headers: Object.entries(all).filter((pair): pair is [string, string] => pair[1] !== undefined),
    });
  };
  const send = async (body: string | Uint8Array, extra: Extra = {}): Promise<Came> => {
    const usual = { "content-type": "application/json", accept: "application/json, text/event-stream" };
    const headers = { ...usual, ...session ? {} : named(body), ...extra };
    const response = await fetchIt({ method: "POST", body: body as BodyInit }, headers);
    return cameFrom(response);
  };
  if (session) {
    const hello = await send(text("initialize", helloOf(version, {}), "hello"), { "mcp-protocol-version": undefined });
    assert.equal(hello.response.result?.protocolVersion, version, JSON.stringify(hello.response));
    fixed["mcp-session-id"] = hello.headers.get("mcp-session-id") ?? assert.fail("Expected a session id");
    await send(JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" }));
  }
  return {
    send,
    text,
    call: (method, params, id, headers) => send(text(method, params, id), headers),
    async notify(method, params = {}) {
      const { status } = await send(JSON.stringify({ jsonrpc: "2.0", method, params }));
      assert.equal(status, 202);
    },
    fetch: fetchIt,
    async close() {
      await server.close();
      await http.shutdown();
      return [];
    },
  };
}

/** The headers that repeat what a body says. */
function named(body: string | Uint8Array): Extra {
  try {
    const { method, params } = JSON.parse(typeof body === "string" ? body : new TextDecoder().decode(body));
    const name = params?.name ?? params?.uri;
    return {
      "mcp-method": typeof method === "string" ? method : undefined,
      "mcp-name": typeof name === "string" ? encodeHeaderValue(name) : undefined,
    };
  } catch {
    return {};
  }
}

async function cameFrom(response: Response): Promise<Came> {
  const { status, headers } = response;
  const text = await response.text();
  const events = headers.get("content-type") === "text/event-stream";
  const lines = events ? text.split("\n").filter((line) => /^data: ./.test(line)).map((line) => line.slice(6)) : [text];
  const messages = lines.filter((line) => line !== "").map((line) => JSON.parse(line));
  return { status, headers, messages, response: messages.findLast((message) => !("method" in message)) };
}

async function openPipe(server: Server, version: string, shakes: boolean, limits: LimitOptions = "default"): Promise<Entry> {
  const pipe = pipeTo(server, limits);
  const { text } = texts(version, shakes);
  const send = async (body: string | Uint8Array): Promise<Came> => {
    await pipe.write(body);
    await pipe.write("\n");
    const messages: Json[] = [];
    do messages.push(await pipe.next()); while ("method" in messages.at(-1));
    return { status: undefined, headers: new Headers(), messages, response: messages.at(-1) };
  };
  if (shakes) {
    const { response } = await send(text("initialize", helloOf(version, {}), "hello"));
    assert.equal(response.result?.protocolVersion, version, JSON.stringify(response));
    await pipe.write('{"jsonrpc":"2.0","method":"notifications/initialized"}\n');
  }
  return {
    send,
    text,
    call: (method, params, id) => send(text(method, params, id)),
    notify: (method, params = {}) => pipe.write(`${JSON.stringify({ jsonrpc: "2.0", method, params })}\n`),
    fetch: undefined,
    async close() {
      const rest = await pipe.end();
      await server.close();
      return rest;
    },
  };
}
