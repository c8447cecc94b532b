/**
 * Serves over HTTP under Node: on a port of its own, or inside Express, Fastify and `node:http`.
 *
 * @example A port under Node
 * ```ts
 * import { serveNode } from "@causeway/mcp/node";
 * import { defineServer, tool } from "@causeway/mcp/server";
 *
 * const hello = tool({ name: "hello", handler: () => "Hello!" });
 * const server = defineServer({ name: "greeter", version: "1.0.0", tools: [hello] });
 *
 * const running = await serveNode(server, { port: 0 }); // 0 takes a free port
 * console.log(`Serving at ${new URL("mcp", running.url)}`);
 * await running.close();
 * ```
 *
 * @module
 */
import { NodeRequest, sendNodeResponse } from "srvx/node";
import { TransportError } from "../protocol/errors.ts";
import { WATCH_INTERVAL } from "../protocol/limits.ts";
import { checkObject, checkOptionNames } from "../protocol/unknown_option.ts";
import { withCaller } from "./node_caller.ts";
import type { NodeHandlerOptions } from "./node_caller.ts";
import { settingsOf } from "./served_settings.ts";
import type { Served } from "./transport.ts";

export type { NodeHandlerOptions } from "./node_caller.ts";
export type { AuthInfo } from "./transport.ts";

/** What can be served: a server, or any object with a fetch handler. */
export interface Fetchable {
  /** Answers one request; called without `this`. */
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

/** Options of {@linkcode serveNode}. */
export interface ServeNodeOptions {
  /** The port; 8000 by default. With 0 the system chooses a free one. */
  readonly port?: number | undefined;
  /** The address to listen on; `127.0.0.1` by default. `0.0.0.0` takes requests from everywhere, as containers need it. */
  readonly host?: string | undefined;
  /** Closes the server at once, when aborted. */
  readonly signal?: AbortSignal | undefined;
}

/** A running HTTP server. */
export interface NodeServer {
  /** Where it is reached, without a path. */
  readonly url: URL;
  /** The port it listens on. */
  readonly port: number;
  /** Resolves when it has closed: nothing listens, and no connection is open. */
  readonly finished: Promise<void>;
  /**
   * Takes no more connections and closes those that wait. Requests that are being answered have `drain` milliseconds (0 by
   * default) to end, then their connections are broken off.
   */
  close(options?: { readonly drain?: number | undefined }): Promise<void>;
  /** Closes it at once. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** What is used of a request of `node:http`, described so that no declaration needs Node's types. */
export interface NodeRequestLike {
  /** Its method. */
  readonly method?: string | undefined;
  /** Its target. */
  readonly url?: string | undefined;
  /** Its headers. */
  readonly headers: object;
}

/** What is used of a response of `node:http`. */
export interface NodeResponseLike {
  /** Writes status and headers. */
  writeHead(status: number, headers?: object): unknown;
  /** Ends it. */
  end(data?: unknown): unknown;
}

/** What is used of Fastify's reply. */
export interface FastifyReplyLike {
  /** The response of `node:http` below it. */
  readonly raw: NodeResponseLike;
  /** Tells Fastify that it is answered by somebody else. */
  hijack(): unknown;
}

/** A handler for `node:http`, Express and Fastify. */
export type NodeHandler = (request: NodeRequestLike, response: NodeResponseLike | FastifyReplyLike) => void;

/**
 * Makes a handler for `node:http`, for Express (`app.all("/mcp", handler)`) and for Fastify (`app.all("/mcp", handler)`). A
 * client that leaves cancels its call; a client that reads slowly slows the stream down; a stream begins with its headers at
 * once. A body that the framework has parsed is taken as it was parsed.
 *
 * @param server A server, or any object with a fetch handler. What it throws is answered with status 500 and told to the
 * server's `onError`, or else to Node as a warning.
 * @param options Who calls, when the application knows.
 * @throws {TypeError} For what has no fetch handler, for an option that nobody reads, and for `auth` beside a server without
 * `respond`.
 */
export function toNodeHandler<R extends object = object>(server: Fetchable, options: NodeHandlerOptions<R> = {}): NodeHandler {
  checkFetchable(server, "toNodeHandler.server");
  const fetch = withCaller(server, options);
  const onError = settingsOf(server as Fetchable & Served).onError ?? warn;
  return (request, response) => {
    if (!("hijack" in response)) {
      void answer((converted) => fetch(converted, request), request as Incoming, response as Outgoing, onError);
      return;
    }
    response.hijack();
    const { raw, body } = request as NodeRequestLike & { readonly raw: Incoming; readonly body?: unknown };
    raw.body ??= body;
    void answer((converted) => fetch(converted, request), raw, response.raw as Outgoing, onError);
  };
}

const KNOWN: ReadonlySet<string> = new Set(["port", "host", "signal"]);

function checkFetchable(server: Fetchable, path: string): void {
  if (typeof server?.fetch !== "function") throw new TypeError(`${path}: Expected a server, or an object with fetch`);
}

/**
 * Listens on a port under Node. Also runs under Bun and Deno, which have their own ways.
 *
 * @param server A server, or any object with a fetch handler.
 * @param options Where to listen, and what ends it.
 * @throws {TypeError} For what has no fetch handler, and for an option that nobody reads.
 * @throws {TransportError} "unreachable" when it cannot listen there.
 */
export async function serveNode(server: Fetchable, options: ServeNodeOptions = {}): Promise<NodeServer> {
  checkFetchable(server, "serveNode.server");
  checkObject(options, "serveNode.options");
  checkOptionNames(options, KNOWN, "serveNode.");
  const { port = 8000, host = "127.0.0.1", signal } = options;
  signal?.throwIfAborted();
  const listener = builtin<NodeHttp>("node:http").createServer(toNodeHandler(server));
  await listen(listener, port, host);
  const finished = new Promise<void>((resolve) => void listener.once("close", resolve));
  const close = async (given: { readonly drain?: number | undefined } = {}): Promise<void> => {
    signal?.removeEventListener("abort", abort);
    if (listener.listening) listener.close();
    await drained(listener, finished, given.drain ?? 0);
    listener.closeAllConnections();
    await finished;
  };
  const abort = (): void => void close();
  signal?.addEventListener("abort", abort, { once: true });
  if (signal?.aborted === true) abort();
  const used = listener.address().port;
  return { url: urlOf(host, used), port: used, finished, close, [Symbol.asyncDispose]: () => close() };
}

async function answer(
  fetch: Fetchable["fetch"],
  request: Incoming,
  response: Outgoing,
  onError: (error: unknown) => void,
): Promise<void> {
  try {
    takeParsedBody(request);
    const answered = await fetch(webRequest(request, response));
    if (answered.headers.get("content-type")?.startsWith("text/event-stream") === true) sendHeaders(response, answered);
    await sendNodeResponse(response as never, answered);
  } catch (error) {
    onError(error);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  }
}

/** The request as the web has it, under the target that the client asked for: routers of Express cut off where they stand. */
function webRequest(request: Incoming, response: Outgoing): Request {
  const converted: Request = new NodeRequest({ req: request as never, res: response as never });
  const { url, originalUrl = url } = request;
  if (originalUrl !== url) {
    request.url = originalUrl;
    // Reading the URL fixes it.
    void converted.url;
    request.url = url;
  }
  if (originalUrl?.charCodeAt(0) !== SLASH) takeAuthority(converted, originalUrl ?? "");
  return converted;
}

const SLASH = 0x2f;

/** A target in absolute form says which host is meant, whatever the Host header says (RFC 9112 § 3.2.2). */
function takeAuthority({ headers }: Request, target: string): void {
  const authority = /^[a-z][a-z\d+.-]*:\/\/([^/?#]*)/i.exec(target)?.[1];
  if (authority !== undefined) headers.set("host", authority);
}

/** Parsers of frameworks read the body to its end; what they made of it is all that is left. */
function takeParsedBody(request: Incoming): void {
  const { body } = request;
  if (body === undefined || body === null || !request.readableEnded || request.rawBody !== undefined) return;
  const { Buffer } = builtin<NodeBuffer>("node:buffer");
  const known = typeof body === "string" || body instanceof Uint8Array;
  request.rawBody = Buffer.from(known ? body : JSON.stringify(body));
}

/** A stream may stay silent for long; its client has to know before that it was accepted. */
function sendHeaders(response: Outgoing, { status, statusText, headers }: Response): void {
  if (response.destroyed || response.headersSent) return;
  response.writeHead(status, statusText, [...headers].flat());
  response.flushHeaders();
}

async function listen(listener: NodeListener, port: number, host: string): Promise<void> {
  try {
    await new Promise<void>((resolve, reject) => {
      listener.once("error", reject);
      listener.listen({ port, host }, resolve);
    });
  } catch (cause) {
    const why = String((cause as { readonly code?: unknown } | null)?.code ?? cause);
    const found = why === "EADDRINUSE" ? "the port is in use" : `the system refused it (${why})`;
    throw new TransportError("unreachable", `Listening on ${urlOf(host, port).host}: ${found}`, { cause });
  }
}

/** Waits until everything is answered, at most `drain` milliseconds. A connection that becomes idle meanwhile is closed. */
async function drained(listener: NodeListener, finished: Promise<void>, drain: number): Promise<void> {
  if (drain <= 0) return;
  const idle = setInterval(() => listener.closeIdleConnections(), WATCH_INTERVAL);
  let late: ReturnType<typeof setTimeout> | undefined;
  await Promise.race([finished, new Promise<void>((resolve) => late = setTimeout(resolve, drain))]);
  clearTimeout(late);
  clearInterval(idle);
}

function urlOf(host: string, port: number): URL {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return new URL(`http://${name.includes(":") ? `[${name}]` : name}:${port}/`);
}

function warn(error: unknown): void {
  builtin<NodeProcess>("node:process").emitWarning(error instanceof Error ? error : String(error));
}

function builtin<T>(name: string): T {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const module = process?.getBuiltinModule?.(name);
  if (module === undefined) throw new TypeError(`Loading ${name}: this platform does not have it`);
  return module as T;
}

// The parts of Node's modules that are used, described here so that no declaration needs their types.

interface Incoming extends NodeRequestLike {
  url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly readableEnded: boolean;
  body?: unknown;
  rawBody?: unknown;
}

interface Outgoing extends NodeResponseLike {
  readonly destroyed: boolean;
  readonly headersSent: boolean;
  writeHead(status: number, reason?: string | object, headers?: readonly string[]): { end(): unknown };
  flushHeaders(): void;
  destroy(): void;
}

interface NodeListener {
  readonly listening: boolean;
  once(event: "error", listener: (error: Error) => void): unknown;
  once(event: "close", listener: () => void): unknown;
  listen(where: { readonly port: number; readonly host: string }, done: () => void): unknown;
  address(): { readonly port: number };
  close(): unknown;
  closeIdleConnections(): void;
  closeAllConnections(): void;
}

interface NodeHttp {
  createServer(handler: NodeHandler): NodeListener;
}

interface NodeBuffer {
  readonly Buffer: { from(value: string | Uint8Array): Uint8Array };
}

interface NodeProcess {
  emitWarning(warning: Error | string): void;
}
