/** The client as programs see it, typed by the server it speaks to. */
import type { Served, ServerTypes } from "../transports/transport.ts";
import type {
  CallToolResult,
  CompleteResult,
  DiscoverResult,
  Era,
  GetPromptResult,
  Implementation,
  JsonObject,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  ServerCapabilities,
  SubscriptionFilter,
  Tool,
} from "../protocol/types.ts";
import type { CallOptions, MaybePending, ReadOptions, RequestOptions, Verdict } from "./options.ts";
import type { Subscription, SubscriptionOptions, Watch, WatchOptions } from "./changes/subscription_types.ts";

/** The types behind `typeof server`. */
export type TypesOf<S> = S extends { readonly "~types"?: infer T } ? NonNullable<T> : never;
/** The tools behind `typeof server`. */
export type ToolsOf<S> = TypesOf<S> extends { readonly tools: infer T extends ToolTypes } ? T : never;
/** The prompts behind `typeof server`. */
export type PromptsOf<S> = TypesOf<S> extends { readonly prompts: infer P extends PromptTypes } ? P : never;
/** Types of tools, by name. */
export type ToolTypes = ServerTypes["tools"];
/** Types of prompts, by name. */
export type PromptTypes = ServerTypes["prompts"];

/** Arguments that may be left out when nothing in them is required. */
export type Rest<A, O> = [A] extends [never] ? [args?: A, options?: O]
  // deno-lint-ignore ban-types -- the empty object type asks whether A has required members
  : {} extends A ? [args?: A, options?: O]
  : [args: A, options?: O];

/** A connected client, typed by `typeof server`. */
export type Client<S extends Served = Served> = ClientOf<ToolsOf<S>, PromptsOf<S>>;

/** What is known about the server: the same shape in every revision. */
export interface ServerFacts {
  /** The revision in use. */
  readonly protocolVersion: string;
  /** The revision's era. */
  readonly era: Era;
  /** How the server names itself; not verified. Where no probe was sent (`verdict`, a pinned revision), known from the first answer. */
  readonly info: Implementation | undefined;
  /** What the server can do. Where no probe was sent, empty until `discover()` was called. */
  readonly capabilities: ServerCapabilities;
  /** What the server tells the model. */
  readonly instructions: string | undefined;
  /** Handshake revisions over HTTP only. */
  readonly sessionId: string | undefined;
}

/** One page of a list. */
export interface Page<T> {
  /** What the page holds. */
  readonly items: readonly T[];
  /** Asks for the next page; undefined on the last one. The empty string is a cursor. */
  readonly nextCursor: string | undefined;
}

/** What the four lists hold. */
export interface ListKinds {
  /** `tools/list`. */
  readonly tools: Tool;
  /** `resources/list`. */
  readonly resources: Resource;
  /** `resources/templates/list`. */
  readonly resourceTemplates: ResourceTemplate;
  /** `prompts/list`. */
  readonly prompts: Prompt;
}

/** The spec's methods that `request` knows by name. */
export interface ClientMethods {
  /** Asks what the server is. */
  "server/discover": { params: JsonObject; result: DiscoverResult };
  /** Asks for one page of tools. */
  "tools/list": {
    params: { readonly cursor?: string | undefined };
    result: { readonly tools: readonly Tool[]; readonly nextCursor?: string | undefined };
  };
  /** Calls a tool. */
  "tools/call": { params: { readonly name: string; readonly arguments?: object | undefined }; result: CallToolResult };
  /** Reads a resource. */
  "resources/read": { params: { readonly uri: string }; result: ReadResourceResult };
  /** Renders a prompt. */
  "prompts/get": {
    params: { readonly name: string; readonly arguments?: { readonly [name: string]: string } | undefined };
    result: GetPromptResult;
  };
  /** Completes an argument. */
  "completion/complete": { params: JsonObject; result: CompleteResult };
  /** Asks for a sign of life; handshake revisions only. */
  "ping": { params: JsonObject; result: JsonObject };
}

/** What is to be completed. */
export type CompletionRef<Name extends string = string> = { readonly prompt: Name } | { readonly template: string };

/** Options of `complete`. */
export interface CompleteOptions extends RequestOptions {
  /** The values that were chosen for other arguments or variables. */
  readonly context?: { readonly [name: string]: string } | undefined;
}

/** A tool as a function. (Written as a method so that a typed client is a `Client` too.) */
export type ToolFunction<A, R> = { call(...rest: Rest<A, CallOptions>): Promise<ToolValue<R>> }["call"];

/** What `client.tools.x()` resolves with: the structured content, or the text when there is none. */
export type ToolValue<R> = undefined extends R ? Exclude<R, undefined> | string : R;

/**
 * A connected client, by the types of its tools and prompts.
 *
 * Every method that sends rejects with a `ProtocolError` when the server answers with an error, with a `TransportError` when the
 * connection fails, a time is over or an answer cannot be read, with an `AuthorizationError` when the server wants other
 * credentials, with the signal's reason when `options.signal` aborts, and with a `TypeError` for malformed arguments.
 */
export interface ClientOf<T extends ToolTypes, P extends PromptTypes> {
  /** What is known about the server. */
  readonly server: ServerFacts;
  /** Plain JSON; a later `connect` takes it. */
  readonly verdict: Verdict;
  /** Tools as functions: structured content (or the text) comes back, an `isError` result is thrown as ToolError. */
  readonly tools: { readonly [N in keyof T]: ToolFunction<T[N]["args"], T[N]["result"]> };

  /** `server/discover`; refused on handshake connections. */
  discover(options?: ReadOptions): Promise<DiscoverResult>;
  /** `ping`; refused on 2026-07-28. */
  ping(options?: RequestOptions): Promise<void>;

  /**
   * Walks every page. A server that does not declare the capability `tools` has none: the list is empty, and nothing is sent
   * (MCP 2026-07-28, Architecture § Capability Negotiation). One that was not asked what it declares, because it is pinned or
   * remembered, is asked for the list; when it has no such method, the list is empty too.
   */
  listTools(options?: ReadOptions): Promise<readonly Tool[]>;
  /** Walks every page; as with `listTools`, empty when the server does not declare the capability `resources`. */
  listResources(options?: ReadOptions): Promise<readonly Resource[]>;
  /** Walks every page; as with `listTools`, empty when the server does not declare the capability `resources`. */
  listResourceTemplates(options?: ReadOptions): Promise<readonly ResourceTemplate[]>;
  /** Walks every page; as with `listTools`, empty when the server does not declare the capability `prompts`. */
  listPrompts(options?: ReadOptions): Promise<readonly Prompt[]>;
  /** One page. The server is asked whether or not it declares the list, and its error is passed on: -32601 for an unknown method. */
  listPage<K extends keyof ListKinds>(kind: K, cursor?: string, options?: ReadOptions): Promise<Page<ListKinds[K]>>;

  /**
   * Calls a tool. An `isError` result resolves: the tool ran. Where the call needs input that nobody gives, it rejects with an
   * `InputRequiredError`, as `readResource` and `getPrompt` do; with `{ input: "manual" }` it resolves with the questions.
   */
  callTool<N extends keyof T & string, const O extends CallOptions = CallOptions>(
    name: N,
    ...rest: Rest<T[N]["args"], O>
  ): Promise<MaybePending<CallToolResult<T[N]["result"]>, O>>;
  /**
   * Calls a tool by a listed definition, so that its `Mcp-Param-*` headers go out with the first request. The arguments are always
   * given: `{}` for a tool without any.
   */
  callTool<const O extends CallOptions = CallOptions>(
    tool: Tool,
    args: object | undefined,
    options?: O,
  ): Promise<MaybePending<CallToolResult, O>>;

  /** Reads a resource. */
  readResource<const O extends CallOptions & ReadOptions = ReadOptions>(
    uri: string | URL,
    options?: O,
  ): Promise<MaybePending<ReadResourceResult, O>>;

  /** Renders a prompt. */
  getPrompt<N extends keyof P & string, const O extends CallOptions = CallOptions>(
    name: N,
    ...rest: Rest<P[N], O>
  ): Promise<MaybePending<GetPromptResult, O>>;

  /** Completes a prompt argument or a template variable. */
  complete(
    ref: CompletionRef<keyof P & string>,
    argument: { readonly name: string; readonly value: string },
    options?: CompleteOptions,
  ): Promise<CompleteResult["completion"]>;

  /** Any method. `subscriptions/listen` is refused: use `listen`. */
  request<M extends keyof ClientMethods>(
    method: M,
    params?: ClientMethods[M]["params"],
    options?: RequestOptions,
  ): Promise<ClientMethods[M]["result"]>;
  /** Any other method, such as an extension's. */
  request<M extends string>(
    method: M extends "subscriptions/listen" ? never : M,
    params?: object,
    options?: RequestOptions,
  ): Promise<JsonObject>;
  /** Sends a notification. */
  notify(method: string, params?: object): Promise<void>;

  /** `subscriptions/listen`, as 2026-07-28 has it; resolves with the acknowledgement. */
  listen(filter: SubscriptionFilter, options?: SubscriptionOptions): Promise<Subscription>;
  /** Changes in every revision. */
  watch(filter: SubscriptionFilter, options?: WatchOptions): Watch;

  /** Ends subscriptions, the session and the child process, in bounded time. */
  close(): Promise<void>;
  /** Closes the client. */
  [Symbol.asyncDispose](): Promise<void>;
}
