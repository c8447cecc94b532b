/** What programs hand to `connect` and to single requests. */
import type { JsonRpcRequest } from "../protocol/types.ts";
import type {
  Awaitable,
  ClientCapabilities,
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
  ElicitUrlResult,
  Era,
  HeadersLike,
  Implementation,
  InputRequests,
  InputResponses,
  JsonObject,
  LimitOptions,
  LogLevel,
  Progress,
  ProtocolVersion,
  Root,
  SamplingParams,
  SamplingResult,
} from "../protocol/types.ts";
import type { AuthProvider } from "./authorized_fetch.ts";

/** Options of every request. */
export interface RequestOptions {
  /** Aborting rejects with the signal's reason, as `fetch` does, and cancels on the server. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds without an answer or progress; 30,000 by default. */
  readonly timeout?: number | undefined;
  /** Milliseconds in all, over progress and input rounds; 600,000 by default. */
  readonly totalTimeout?: number | undefined;
  /** Called for each progress notification, before the call resolves. Throwing ends the call. */
  readonly onProgress?: ((progress: Progress) => void) | undefined;
  /** Asks for log messages of this request, from this severity on; none by default. */
  readonly logLevel?: LogLevel | undefined;
  /** Entries added to `_meta`. Keys follow the rules of MCP 2026-07-28, Basic § General fields. */
  readonly meta?: JsonObject | undefined;
  /** Lets the handlers of `inputs` tell this call from others: they get it as `ctx.request.label`. It is not sent. */
  readonly label?: unknown;
  /** W3C trace context; malformed values are refused. */
  readonly trace?: { readonly traceparent: string; readonly tracestate?: string | undefined } | undefined;
}

/** Options of requests whose answers may be cached. */
export interface ReadOptions extends RequestOptions {
  /** "refresh" asks the server and stores; "bypass" asks the server and stores nothing. */
  readonly cache?: "refresh" | "bypass" | undefined;
}

/** Options of the three requests that may ask for input. */
export interface CallOptions extends RequestOptions {
  /** "auto" (default) answers through `inputs`, or throws InputRequiredError; "manual" returns the questions. */
  readonly input?: "auto" | "manual" | undefined;
  /** Answers to an earlier round. */
  readonly inputResponses?: InputResponses | undefined;
  /** The state of an earlier round, unchanged. */
  readonly requestState?: string | undefined;
}

/** Questions of the server, returned in manual mode. */
export interface PendingInput<R> {
  /** Tells the questions from a result. */
  readonly resultType: "input_required";
  /** The questions, by key. */
  readonly inputRequests: InputRequests;
  /** The opaque state that goes back with the answers. */
  readonly requestState?: string | undefined;
  /**
   * Sends the answers and goes on, in manual mode again. `options` replace those of the call, one by one. It is not enumerable:
   * the rest is plain JSON, which a program can keep, and go on with by the options `inputResponses` and `requestState`.
   */
  resume(responses: InputResponses, options?: RequestOptions): Promise<R | PendingInput<R>>;
}

/** The result, and in manual mode also the questions. */
export type MaybePending<R, O> = O extends { readonly input: "manual" } ? R | PendingInput<R> : R;

/** What an input handler gets beside the params. */
export interface InputContext {
  /** Aborts when the call ends (its caller gave up, its total time is over, another handler failed), or the server asks no more. */
  readonly signal: AbortSignal;
  /** The key of the question in its round; where servers send requests of their own, the id of the request. */
  readonly key: string;
  /**
   * The call that led to it, with the `label` of its options. In a stateless revision the question comes in the answer to that
   * call, and over HTTP on its stream. In the handshake revisions, what comes on a channel, or on the stream that belongs to no
   * call, does not tell: it is undefined then, however many calls are open.
   */
  readonly request: { readonly method: string; readonly name?: string | undefined; readonly label?: unknown } | undefined;
}

/** Answers to a server's questions, by kind; the declared capabilities follow from them. */
export interface InputHandlers {
  /** A form. Defaults of the requested schema are filled in afterwards. */
  readonly form?: ((params: ElicitFormParams, ctx: InputContext) => Awaitable<ElicitResult>) | undefined;
  /** A page to visit. The address is never fetched or opened by this package. */
  readonly url?: ((params: ElicitUrlParams, ctx: InputContext) => Awaitable<ElicitUrlResult>) | undefined;
  /** A completion by this application's model. */
  readonly sampling?: ((params: SamplingParams, ctx: InputContext) => Awaitable<SamplingResult>) | undefined;
  /** The roots to show: file URIs without `..`. */
  readonly roots?: readonly Root[] | ((ctx: InputContext) => Awaitable<readonly Root[]>) | undefined;
}

/** What the negotiation found, as plain JSON: give it to a later `connect` to skip the probe. */
export interface Verdict {
  /** The revision. */
  readonly protocolVersion: string;
  /** The revision's era. */
  readonly era: Era;
  /** Milliseconds since the epoch. */
  readonly at: number;
}

/**
 * Where cached answers are kept. Keys are digests: no credential, address or URI stands in them. Whoever can write to a store
 * decides what its clients are answered, so it must be as trustworthy as the servers.
 */
export interface CacheStore {
  /** The value that was set under the key, or undefined. */
  get(key: string): Awaitable<unknown>;
  /** Keeps a value, which is a text, for `ttlMs` milliseconds. */
  set(key: string, value: unknown, ttlMs: number): Awaitable<void>;
  /** Forgets a key. */
  delete(key: string): Awaitable<void>;
}

/**
 * Runs around every request of a client, each round of input included. It sees the request as the program made it; the
 * revision's own members, and the HTTP headers, are written from what it hands to `next`. The id stays the same.
 * `server/discover` while connecting and change streams pass it by.
 */
export type ClientMiddleware = (
  request: JsonRpcRequest,
  next: (request?: JsonRpcRequest) => Promise<JsonObject>,
) => Awaitable<JsonObject>;

/** One round of a call that goes on after a result of an extension's type. */
export interface ExtensionRound {
  /** The options of the call. */
  readonly options: CallOptions;
  /** When the call must be over, on the clock of `performance.now()`. */
  readonly deadline: number;
  /** Answers to what the round before asked. */
  readonly inputResponses: InputResponses | undefined;
}

/** How such a round ends: with the result that the call gives, or with questions that are answered for the next one. */
export type ExtensionStep =
  | { readonly type: "complete"; readonly result: JsonObject }
  | { readonly type: "input_required"; readonly requests: InputRequests };

/** What an extension may use of a client. */
export interface ExtensionHost {
  /** Stands for the client's connection: the same object as in each of its {@linkcode ExtensionCall}s. */
  readonly connection: object;
  /** Runs rounds to their end: questions go to the client's `inputs`, or are returned in manual mode. Gives the result as it came. */
  run(
    call: { readonly method: string; readonly name?: string | undefined },
    round: (round: ExtensionRound) => Promise<ExtensionStep>,
    options: CallOptions,
  ): Promise<JsonObject | PendingInput<JsonObject>>;
}

/** A call whose result is of an extension's type. */
export interface ExtensionCall {
  /** The method. */
  readonly method: string;
  /** The options of the call, as the program gave them. */
  readonly options: CallOptions;
  /** Stands for the connection that it is made on. */
  readonly connection: object;
  /** Sends another request. */
  request(method: string, params: JsonObject, options: RequestOptions): Promise<JsonObject>;
}

/** An extension as a client speaks it. */
export interface ClientExtension {
  /** A prefixed identifier, for example "com.example/audit". */
  readonly id: string;
  /** What is declared under the id in the capabilities; an empty object by default. */
  readonly settings?: JsonObject | undefined;
  /** `resultType` values that its results may have. */
  readonly resultTypes?: readonly string[] | undefined;
  /** The methods whose results may have them; all when absent. */
  readonly resultMethods?: readonly string[] | undefined;
  /** The members of params that the HTTP header `Mcp-Name` repeats, by method. */
  readonly headers?: { readonly [method: string]: string } | undefined;
  /** Is it declared in the revisions with a handshake too? False when absent. */
  readonly handshake?: boolean | undefined;
  /** Called with each client that speaks it, once that is connected. */
  readonly attach?: ((client: object, host: ExtensionHost) => void) | undefined;
  /**
   * Goes on after a result of one of its types. What it returns runs once per round, to the result that the call gives in the
   * end. When it returns undefined, and without it, the call gives the result of the extension's type.
   */
  readonly follow?:
    | ((result: JsonObject, call: ExtensionCall) => ((round: ExtensionRound) => Promise<ExtensionStep>) | undefined)
    | undefined;
}

/** A log message of the server. */
export interface LogMessage {
  /** Its severity. */
  readonly level: LogLevel;
  /** What is logged: any JSON value. */
  readonly data: unknown;
  /** Which part of the server logs. */
  readonly logger?: string | undefined;
}

/** Options for every target. */
export interface ConnectOptions {
  /** Name and version told to the server; this package's own by default. */
  readonly info?: Implementation | undefined;
  /**
   * One revision to pin, or a list to allow; all by default, newest first. With one stateless revision nothing is sent at
   * connect: whether the server is there shows at the first call, whose answer gives `client.server` the server's name; `discover()`
   * gives it the capabilities.
   */
  readonly protocol?: ProtocolVersion | readonly ProtocolVersion[] | undefined;
  /** Who answers the server's questions, in every revision. */
  readonly inputs?: InputHandlers | undefined;
  /** Merged with what `inputs` imply; a contradiction throws. */
  readonly capabilities?: ClientCapabilities | undefined;
  /**
   * Keeps answers of `discover`, the lists and `readResource` for as long as the server says (MCP 2026-07-28, Caching), in
   * memory or in a store of your own. Off by default.
   *
   * Public answers in a store of your own are shared by all clients of the same URL with the same `headers`, whoever calls;
   * private ones are only ever given to the same caller over the same connection. The caller is known by `auth` and by headers
   * that hold credentials; `auth` is asked before a private answer is taken from the cache, too. A `fetch` or a carrier of
   * your own that changes between callers by itself must not be used together with the cache.
   *
   * Changes that a `watch` or `listen` of the client brings take away what they make stale. A call with `meta`, `trace`,
   * `onProgress` or `logLevel` passes the cache by, and so does one to which middleware has added `_meta`.
   *
   * ```ts
   * import { connect } from "@causeway/mcp/client";
   * import { defineServer, tool } from "@causeway/mcp/server";
   *
   * const hello = tool({ name: "hello", handler: () => "Hello!" });
   * const server = defineServer({ name: "greeter", version: "1.0.0", tools: [hello], cache: { tools: { ttlMs: 60_000 } } });
   * const client = await connect(server, { cache: true });
   * await client.listTools(); // asks the server
   * await client.listTools(); // is answered at once, for a minute
   * await client.listTools({ cache: "refresh" }); // asks the server again
   * await client.close();
   * ```
   */
  readonly cache?: boolean | CacheStore | undefined;
  /** Time, size and count limits; the preset "default" when absent. */
  readonly limits?: LimitOptions | undefined;
  /** Answer several questions of one round at once; one after the other, in key order, by default. */
  readonly parallelInputs?: boolean | undefined;
  /**
   * From `client.verdict` of an earlier connection; skips the probe while it is young.
   *
   * Where the first request shows that the server has changed its revision, the client negotiates once and repeats it. A
   * request that may change something, such as a tool call, is repeated only when the refusal can mean nothing but that it did
   * not run: an error that says that it was not read (-32022, -32020, -32700, -32600, -32601), or an HTTP status 400, 404, 405,
   * 406 or 415. Any other refusal is reported, and the next request goes out in the right revision.
   */
  readonly verdict?: Verdict | undefined;
  /** Runs around every request, outermost first. */
  readonly use?: readonly ClientMiddleware[] | undefined;
  /** Extensions that this client speaks. */
  readonly extensions?: readonly ClientExtension[] | undefined;
  /** Takes log messages of the server. */
  readonly onLog?: ((message: LogMessage) => void) | undefined;
  /** Told of faults that belong to no call; silent when absent. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Aborts connecting. It has no effect on an open client. */
  readonly signal?: AbortSignal | undefined;
}

/** Options for URLs. */
export interface HttpConnectOptions extends ConnectOptions {
  /** A bearer token, a function that gives one, or a provider (`@causeway/mcp/client/auth`). */
  readonly auth?: string | (() => Awaitable<string | undefined>) | AuthProvider | undefined;
  /**
   * Lets what `auth` gives go over plain http to any host, where everybody on the way can read it and use it. Off by default: then
   * credentials go over https, and over http to loopback hosts alone.
   */
  readonly allowInsecureAuth?: boolean | undefined;
  /** Sent with every request. */
  readonly headers?: HeadersLike | undefined;
  /** Sends the HTTP requests; the runtime's `fetch` by default. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** The GET stream of the handshake revisions: opened when someone listens (true, the default), or never (false). */
  readonly getStream?: boolean | undefined;
}
