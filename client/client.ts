/** The client that `connect` gives: one short method per operation, each handed on. */
import { ERROR_CODES, ProtocolError } from "../protocol/errors.ts";
import { isJsonObject } from "../protocol/json.ts";
import { checkObject } from "../protocol/unknown_option.ts";
import type {
  CallToolResult,
  CompleteResult,
  DiscoverResult,
  GetPromptResult,
  JsonObject,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  SubscriptionFilter,
  Tool,
} from "../protocol/types.ts";
import type { CompleteOptions, CompletionRef, ListKinds, Page, ServerFacts } from "./client_types.ts";
import type { Connection } from "./connection.ts";
import type { InputSettings, Round } from "./input/asking_call.ts";
import { KnownTools } from "./tools/known_tools.ts";
import { LISTEN } from "./changes/listen_stream.ts";
import type { CallOptions, PendingInput, ReadOptions, RequestOptions, Verdict } from "./options.ts";
import { walkPages } from "./walk_pages.ts";
import { LISTS } from "./lists.ts";
import { cacheMode, callTimes, metaEntries } from "./request_settings.ts";
import type { CacheMode, CallTimes } from "./request_settings.ts";
import { readCompletion, readContents, readDiscover, readPage, readPrompt } from "./results.ts";
import type { DeclaredList, ListShape } from "./results.ts";
import type { Subscription, SubscriptionOptions, Watch, WatchOptions } from "./changes/subscription_types.ts";
import { runRounds } from "./input/run_rounds.ts";
import { listen } from "./changes/listen.ts";
import { callTool } from "./tools/tool_call.ts";
import { toolFunctions } from "./tools/tool_functions.ts";
import { watch } from "./changes/watch.ts";

/** What a client is made of. */
export interface McpClientSettings {
  /** The connection. */
  readonly connection: Connection;
  /** Who answers the server's questions. */
  readonly inputs: InputSettings;
}

/** A connected client whose tools and prompts are untyped: `ClientOf` lays the types over it. */
export class McpClient {
  /** Tools as functions. */
  readonly tools: { readonly [name: string]: unknown };
  readonly #connection: Connection;
  readonly #inputs: InputSettings;
  readonly #known: KnownTools;

  /** A client of an open connection. */
  constructor({ connection, inputs }: McpClientSettings) {
    const { limits } = connection.settings;
    this.#connection = connection;
    this.#inputs = inputs;
    this.#known = new KnownTools({
      mirrors: () => connection.mirrors,
      capacity: limits.pages * limits.pageSize,
      report: (error) => connection.report(error),
    });
    this.tools = toolFunctions(
      async (name, args, options) => await this.callTool(name, args, options) as CallToolResult,
      (error) => connection.cleaned(error),
    );
  }

  /** What is known about the server. */
  get server(): ServerFacts {
    return this.#connection.facts;
  }

  /** What the negotiation found, for a later connection. */
  get verdict(): Verdict {
    return this.#connection.verdict;
  }

  /** `server/discover`. */
  async discover(options: ReadOptions = {}): Promise<DiscoverResult> {
    return readDiscover(await this.#ask("server/discover", {}, options, cacheMode(options)));
  }

  /** `ping`. */
  async ping(options: RequestOptions = {}): Promise<void> {
    await this.#ask("ping", {}, options);
  }

  /** Every page of `tools/list`. */
  async listTools(options: ReadOptions = {}): Promise<readonly Tool[]> {
    return await this.#listTools(options, this.#times(options));
  }

  /** Every page of `resources/list`. */
  listResources(options: ReadOptions = {}): Promise<readonly Resource[]> {
    return this.#list("resources", options);
  }

  /** Every page of `resources/templates/list`. */
  listResourceTemplates(options: ReadOptions = {}): Promise<readonly ResourceTemplate[]> {
    return this.#list("resourceTemplates", options);
  }

  /** Every page of `prompts/list`. */
  listPrompts(options: ReadOptions = {}): Promise<readonly Prompt[]> {
    return this.#list("prompts", options);
  }

  /** One page of a list. */
  async listPage<K extends keyof ListKinds>(kind: K, cursor?: string, options: ReadOptions = {}): Promise<Page<ListKinds[K]>> {
    if (!Object.hasOwn(LISTS, kind)) {
      throw new TypeError(`client.listPage: Expected ${Object.keys(LISTS).join(", ")} as the kind of list`);
    }
    const times = this.#times(options);
    const page = await this.#page<ListKinds[K]>(LISTS[kind], cursor, options, times);
    if (kind !== "tools") return page;
    const items = this.#known.remember(page.items as readonly Tool[], false) as readonly ListKinds[K][];
    return { ...page, items };
  }

  /** `tools/call`. */
  async callTool(
    tool: string | Tool,
    args?: object,
    options: CallOptions = {},
  ): Promise<CallToolResult | PendingInput<CallToolResult>> {
    const refresh = ({ options: { signal }, times }: Round): Promise<unknown> =>
      this.#listTools({ signal, cache: "refresh" }, times);
    return await callTool(
      { connection: this.#connection, inputs: this.#inputs, known: this.#known, refresh },
      tool,
      args,
      options,
    );
  }

  /** `resources/read`. */
  async readResource(
    uri: string | URL,
    options: CallOptions & ReadOptions = {},
  ): Promise<ReadResourceResult | PendingInput<ReadResourceResult>> {
    const name = uri instanceof URL ? uri.href : uri;
    if (typeof name !== "string") throw new TypeError("client.readResource: Expected a URI");
    return await this.#rounds("resources/read", name, { uri: name }, options, readContents, cacheMode(options));
  }

  /** `prompts/get`. */
  async getPrompt(
    name: string,
    args?: object,
    options: CallOptions = {},
  ): Promise<GetPromptResult | PendingInput<GetPromptResult>> {
    if (typeof name !== "string") throw new TypeError("client.getPrompt: Expected the name of a prompt");
    const params = args === undefined ? { name } : { name, arguments: args as JsonObject };
    return await this.#rounds("prompts/get", name, params, options, readPrompt);
  }

  /** `completion/complete`. */
  async complete(
    ref: CompletionRef,
    argument: { readonly name: string; readonly value: string },
    options: CompleteOptions = {},
  ): Promise<CompleteResult["completion"]> {
    checkObject(ref, "client.complete.ref");
    if (typeof ("prompt" in ref ? ref.prompt : ref.template) !== "string") {
      throw new TypeError("client.complete.ref: Expected { prompt } or { template }");
    }
    checkObject(argument, "client.complete.argument");
    checkObject(options, "options");
    const { context, ...rest } = options;
    const params = {
      ref: "prompt" in ref ? { type: "ref/prompt", name: ref.prompt } : { type: "ref/resource", uri: ref.template },
      argument: { name: argument.name, value: argument.value },
      ...(context === undefined ? {} : { context: { arguments: context } }),
    };
    return readCompletion(await this.#ask("completion/complete", params, rest));
  }

  /** Any method but `subscriptions/listen`. */
  async request(method: string, params: object = {}, options: RequestOptions = {}): Promise<JsonObject> {
    if (typeof method !== "string" || method === "") throw new TypeError("client.request: Expected a method");
    if (method === LISTEN) throw new TypeError(`client.request: ${LISTEN} is a stream; use listen or watch`);
    if (method === "initialize") throw new TypeError("client.request: connect has sent initialize where it belongs");
    if (!isJsonObject(params)) throw new TypeError("client.request: Expected params as one object");
    return await this.#rounds(method, undefined, params, options, (result) => result) as JsonObject;
  }

  /** Sends a notification. */
  async notify(method: string, params?: object): Promise<void> {
    if (typeof method !== "string" || method === "") throw new TypeError("client.notify: Expected a method");
    if (method === "notifications/cancelled") throw new TypeError("client.notify: Cancel a request through its signal");
    if (params !== undefined && !isJsonObject(params)) throw new TypeError("client.notify: Expected params as one object");
    await this.#connection.notify(method, params);
  }

  /** `subscriptions/listen`. */
  listen(filter: SubscriptionFilter, options: SubscriptionOptions = {}): Promise<Subscription> {
    return listen(this.#connection, filter, options);
  }

  /** Changes, opened on first use. */
  watch(filter: SubscriptionFilter, options: WatchOptions = {}): Watch {
    return watch(this.#connection, filter, options);
  }

  /** Ends everything. */
  close(): Promise<void> {
    return this.#connection.close();
  }

  /** Closes the client. */
  [Symbol.asyncDispose](): Promise<void> {
    return this.#connection.close();
  }

  #times(options: RequestOptions): CallTimes {
    return callTimes(options, this.#connection.settings.limits, this.#connection.watch);
  }

  async #list<K extends keyof ListKinds>(kind: K, options: ReadOptions): Promise<readonly ListKinds[K][]> {
    return await this.#walk<ListKinds[K]>(LISTS[kind], options, this.#times(options));
  }

  async #listTools(options: ReadOptions, times: CallTimes): Promise<readonly Tool[]> {
    return this.#known.remember(await this.#walk<Tool>(LISTS.tools, options, times), true);
  }

  async #walk<T>(shape: DeclaredList, options: ReadOptions, times: CallTimes): Promise<readonly T[]> {
    const { settings: { limits: { pages, listLength }, cache: caching } } = this.#connection;
    // Only declared capabilities are used (MCP 2026-07-28, Architecture § Capability Negotiation).
    if (this.#connection.lacks(shape.capability)) {
      metaEntries(options);
      cacheMode(options);
      options.signal?.throwIfAborted();
      return [];
    }
    let later = false;
    const walk = (options: ReadOptions): Promise<readonly T[]> =>
      walkPages({
        method: shape.method,
        pages,
        length: listLength,
        ask: (cursor) => {
          later = cursor !== undefined;
          return this.#page<T>(shape, cursor, options, times);
        },
      });
    try {
      return await walk(options);
    } catch (error) {
      // A server that was not asked what it has may tell it now.
      const code = error instanceof ProtocolError ? error.code : undefined;
      if (code === ERROR_CODES.method_not_found && !this.server.capabilities[shape.capability]) return [];
      // A page of the cache led to a cursor that the server has forgotten (MCP 2026-07-28, Caching § Interaction with Pagination).
      const forgotten = later && code === ERROR_CODES.invalid_params;
      if (!forgotten || options.cache !== undefined || caching === undefined) throw error;
      return await walk({ ...options, cache: "refresh" });
    }
  }

  async #page<T>(shape: ListShape, cursor: string | undefined, options: ReadOptions, times: CallTimes): Promise<Page<T>> {
    const params = cursor === undefined ? {} : { cursor };
    const answer = await this.#connection.request({
      method: shape.method,
      params,
      options,
      times,
      meta: metaEntries(options),
      cache: cacheMode(options),
    });
    const { jsonDepth } = this.#connection.settings.limits;
    return readPage<T>(shape, answer.result, jsonDepth, (error) => this.#connection.report(error));
  }

  async #ask(method: string, params: JsonObject, options: RequestOptions, cache?: CacheMode): Promise<JsonObject> {
    const times = this.#times(options);
    return (await this.#connection.request({ method, params, options, times, meta: metaEntries(options), cache })).result;
  }

  async #rounds<R>(
    method: string,
    name: string | undefined,
    params: JsonObject,
    options: CallOptions,
    read: (result: JsonObject) => R,
    cache?: CacheMode,
  ): Promise<R | PendingInput<R>> {
    const connection = this.#connection;
    const meta = metaEntries(options);
    const send = (round: Round): ReturnType<Connection["request"]> =>
      connection.request({ ...round, method, params, meta, cache });
    return await runRounds(connection, this.#inputs, { method, name, send, read }, options);
  }
}
