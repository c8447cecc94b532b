/** What a middleware sees and gives: the types of the onion around the methods of a server. */
import type { CallInfo, InputRequired } from "../../protocol/context.ts";
import type {
  Awaitable,
  CallToolResult,
  GetPromptResult,
  JsonObject,
  Prompt,
  ReadResourceResult,
  Resource,
  ResourceTemplate,
  Tool,
} from "../../protocol/types.ts";

/** What is known about a request, with the signal that ends it. */
export interface CallFacts extends CallInfo {
  /** Aborted by cancel, disconnect (per era), deadline and shutdown. */
  readonly signal: AbortSignal;
}

/** The requests a middleware can see with their types, and their results. */
export interface ServerMethods {
  /** One page of tools. */
  "tools/list": {
    params: { readonly cursor?: string | undefined };
    result: { readonly tools: readonly Tool[]; readonly nextCursor?: string | undefined };
  };
  /** A tool is called. */
  "tools/call": {
    params: { readonly name: string; readonly arguments?: JsonObject | undefined };
    result: CallToolResult | InputRequired;
  };
  /** One page of resources. */
  "resources/list": {
    params: { readonly cursor?: string | undefined };
    result: { readonly resources: readonly Resource[]; readonly nextCursor?: string | undefined };
  };
  /** One page of templates. */
  "resources/templates/list": {
    params: { readonly cursor?: string | undefined };
    result: { readonly resourceTemplates: readonly ResourceTemplate[]; readonly nextCursor?: string | undefined };
  };
  /** A resource is read. */
  "resources/read": { params: { readonly uri: string }; result: ReadResourceResult | InputRequired };
  /** One page of prompts. */
  "prompts/list": {
    params: { readonly cursor?: string | undefined };
    result: { readonly prompts: readonly Prompt[]; readonly nextCursor?: string | undefined };
  };
  /** A prompt is rendered. */
  "prompts/get": {
    params: { readonly name: string; readonly arguments?: { readonly [name: string]: string } | undefined };
    result: GetPromptResult | InputRequired;
  };
}

/** The result of a method. */
export type ResultOf<M extends string> = M extends keyof ServerMethods ? ServerMethods[M]["result"] : JsonObject;

/** One request on its way through the onion. */
export interface Call<M extends string = string> {
  /** The method. */
  readonly method: M;
  /**
   * The params as the client sent them; they are checked behind the middleware. `_meta` is in `info.meta`, and what belongs to
   * the rounds of a request that asks for input is left out.
   */
  readonly params: M extends keyof ServerMethods ? ServerMethods[M]["params"] : JsonObject;
  /** Who asks, how, and until when. */
  readonly info: CallFacts;
}

/**
 * Runs around every request but `ping`, once per round of a request that asks for input. Call `next` to go on; return
 * something else, or throw, to stop.
 *
 * - `next()` goes on with the call as it is, `next({ ...call, params })` with other params, which are checked as the client's
 *   would be. Method and `info` stay. In each round the params have to be changed alike, because the state of a round is bound
 *   to them.
 * - The result is in the form of the newest revision, whatever the client speaks. What a middleware gives is written for the
 *   client's revision. A result that is not the one that `next` gave is for its caller only (`cacheScope` "private"), unless
 *   it says `cacheScope: "public"` itself. Give a new object; what `next` gave is shared with other requests.
 * - `next` runs what is inside at most once: a second call, or one after the middleware has settled, is rejected with a
 *   `TypeError`. A middleware that never calls it answers the request itself.
 * - A `ProtocolError` reaches the client, a `ToolError` becomes a result of `tools/call`, everything else is masked and goes to
 *   `onError`. What a handler threw arrives here as it was thrown.
 * - A result that asks for input passes through; only handlers can ask.
 * - The time of a middleware counts against the deadline of the handler, and its request holds a slot.
 *
 * The answers to `initialize`, `logging/setLevel`, `resources/subscribe` and `resources/unsubscribe` are those of their
 * revision. For `subscriptions/listen`, `next` resolves when the stream ends.
 */
export type Middleware = (call: Call, next: (call?: Call) => Promise<JsonObject>) => Awaitable<JsonObject>;
