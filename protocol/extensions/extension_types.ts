/** What an extension looks like: described, as a server serves it, and on a client. */
import type { CallInfo, Context } from "../context.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { JsonSchema, Schema, SchemaInput, SchemaOutput } from "../schema.ts";
import type { Awaitable } from "../types.ts";

/** One method of an extension. */
export interface ExtensionMethod {
  /** The params, without `_meta`. */
  readonly params: Schema;
  /** The result. */
  readonly result: Schema;
  /** The member of the params, a string, that the HTTP header `Mcp-Name` repeats; none when absent. */
  readonly header?: string | undefined;
  /**
   * Do results say how long, and for whom, they may be kept (MCP 2026-07-28, Caching)? Then `ttlMs` and `cacheScope` of a handler's
   * result go where the revision has them, 0 and "private" when absent. False when absent.
   */
  readonly cacheable?: boolean | undefined;
  /**
   * The member of the result that is a list of things which stand for themselves: on a client, one that nests too deep is then left
   * out and told to `onError`, and the others stay. Without it the whole answer is refused.
   */
  readonly list?: string | undefined;
}

/** The methods of an extension, by name. */
export interface ExtensionMethods {
  /** One method. */
  readonly [method: string]: ExtensionMethod;
}

/** The functions that answer the methods of an extension. */
export type ExtensionHandlers<M extends ExtensionMethods> = {
  readonly [K in keyof M]: (params: SchemaOutput<M[K]["params"]>, ctx: Context) => Awaitable<SchemaInput<M[K]["result"]>>;
};

/** A change stream that an extension takes part in. */
export interface ListenStream {
  /** Who listens. */
  readonly info: CallInfo;
  /**
   * Sends a notification of the extension, after the acknowledgement. Resolves when there is room for more; what is sent while
   * as many wait as `subscriptionBuffer` allows is dropped.
   *
   * @throws {TypeError} For a notification that the extension did not describe.
   */
  notify(method: string, params: JsonObject): Promise<void>;
  /** Calls a function once, when the stream has ended. */
  onEnd(listener: () => void): void;
}

/** Opens the part of a change stream that one key asks for. What it returns is acknowledged; undefined leaves the key out. */
export type ListenHandler = (wanted: JsonValue, stream: ListenStream) => Awaitable<JsonValue | undefined>;

/** Those functions, by key of the filter. A key without one is never acknowledged. */
export interface ListenHandlers {
  /** Opens the part that this key asks for. */
  readonly [key: string]: ListenHandler;
}

/** A method with the function that answers it. */
export interface ServedMethod extends ExtensionMethod {
  /** Answers with the result. */
  readonly handler: (params: never, ctx: Context) => unknown;
}

/** An extension as a server serves it: what `serve` returns. */
export interface ServerExtension {
  /** The identifier. */
  readonly id: string;
  /** What is declared under it. */
  readonly settings: JsonObject;
  /** Does it exist in the revisions with a handshake too? */
  readonly handshake: boolean;
  /** Is it answered to clients that do not declare it, too? */
  readonly undeclared: boolean;
  /** `resultType` values that its results may have. */
  readonly resultTypes: readonly string[];
  /** Its methods. */
  readonly methods: { readonly [method: string]: ServedMethod };
  /** The notifications that it may send. */
  readonly notifications: readonly string[];
  /** The keys of filters that it serves. */
  readonly listen: { readonly [key: string]: { readonly schema: JsonSchema; readonly open: ListenHandler } };
}

/** What an extension needs of a client. `O` are the options of its requests. */
export interface Requester<O> {
  /** Sends a request. */
  request(method: string, params?: object, options?: O): Promise<JsonObject>;
}

/** An extension on a connected client. */
export interface ExtensionClient<M extends ExtensionMethods, O> {
  /**
   * Calls a method. The result is checked by its schema.
   *
   * @throws {TransportError} "not_mcp" when the result does not fit; everything that `client.request` throws.
   */
  request<K extends keyof M & string>(
    method: K,
    params: SchemaInput<M[K]["params"]>,
    options?: O,
  ): Promise<SchemaOutput<M[K]["result"]>>;
}

/** A described extension. Give it to `connect({ extensions })` as it is, and what `serve` returns to `defineServer({ extensions })`. */
export interface Extension<M extends ExtensionMethods = ExtensionMethods> {
  /** The identifier. */
  readonly id: string;
  /** What is declared under it. */
  readonly settings: JsonObject;
  /** Does it exist in the revisions with a handshake too? */
  readonly handshake: boolean;
  /** `resultType` values that results may have. */
  readonly resultTypes: readonly string[];
  /** The methods whose results may have these types; all when absent. */
  readonly resultMethods: readonly string[] | undefined;
  /** The members of params that `Mcp-Name` repeats, by method. */
  readonly headers: { readonly [method: string]: string };
  /**
   * The server's side.
   *
   * @param handlers Answer its methods.
   * @param listen Open what the keys of a filter ask for.
   * @throws {TypeError} For a method without a function, and a key that the extension did not describe.
   */
  serve(handlers: ExtensionHandlers<M>, listen?: ListenHandlers): ServerExtension;
  /** The client's side: typed calls over a connected client. */
  on<O>(client: Requester<O>): ExtensionClient<M, O>;
}
