/** What a handler is given: the types of its context, and of the questions that it may ask. */
import type { AuthInfo } from "./auth/auth_info.ts";
import type {
  Awaitable,
  ClientCapabilities,
  ElicitResult,
  ElicitUrlResult,
  Era,
  Implementation,
  InputRequests,
  JsonObject,
  LogLevel,
  Root,
  SamplingParams,
  SamplingResult,
} from "./types.ts";
import type { FromFields, JsonSchema, SchemaOutput, StandardSchema } from "./schema.ts";

/** One field of a form: a flat subset of JSON Schema. */
export type FormField = JsonSchema & {
  readonly type: "string" | "number" | "integer" | "boolean" | "array";
};

/** The fields of a form, `required: true` inside the field. */
export interface FormFields {
  /** A field by its name. */
  readonly [name: string]: FormField;
}

/** A question, typed by its answer. It is the wire's input request. */
export interface Question<Answer> {
  /** The method that asks. */
  readonly method: string;
  /** Its params. */
  readonly params?: object | undefined;
  /** Types only; never there at run time. */
  readonly "~answer"?: Answer;
}

/** The answer to a form. */
export type FormAnswer<F> = ElicitResult<F extends StandardSchema ? SchemaOutput<F> : FromFields<F>>;

/** The answers to a set of questions. */
export type Answers<Q> = { readonly [K in keyof Q]: Q[K] extends Question<infer A> ? A : never };

/** A result that asks for input; the handler is called again with the answers. */
export interface InputRequired {
  /** Tells it from a complete result. */
  readonly resultType: "input_required";
  /** The questions, by key. */
  readonly inputRequests?: InputRequests | undefined;
  /** Sealed state that comes back with the answers. */
  readonly requestState?: string | undefined;
}

/** Publishes changes to whoever listens, on every instance that shares the bus. */
export interface Notify {
  /** The list of tools has changed. */
  toolsChanged(): Promise<void>;
  /** The list of prompts has changed. */
  promptsChanged(): Promise<void>;
  /** The list of resources has changed. */
  resourcesChanged(): Promise<void>;
  /** The contents of a resource have changed. */
  resourceUpdated(uri: string | URL): Promise<void>;
}

/** What is known about a request before anything runs; `visible` gets it. */
export interface CallInfo {
  /** "tools/call", … */
  readonly method: string;
  /** The revision this request is spoken in. */
  readonly protocolVersion: string;
  /** "modern" or "legacy". */
  readonly era: Era;
  /** What the request came over. */
  readonly transport: "http" | "stdio" | "memory";
  /** The verified caller, when the server has `auth`. */
  readonly auth: AuthInfo | undefined;
  /** The client's own words about itself: never a proof of identity. */
  readonly client: { readonly info: Implementation | undefined; readonly capabilities: ClientCapabilities };
  /** HTTP headers, without credentials where the server has `auth`; empty on other transports. */
  readonly headers: Headers;
  /** The request's `_meta`. */
  readonly meta: JsonObject;
}

/** What a handler gets beside its arguments. */
export interface Context extends CallInfo {
  /** Aborted by cancel, disconnect (per era), deadline and shutdown. */
  readonly signal: AbortSignal;
  /** Reports progress; does nothing when nobody asked. Never goes back. */
  progress(progress: number, total?: number, message?: string): Promise<void>;
  /** Sends a log message to the client, when it asked for that level. */
  log(level: LogLevel, data: unknown, logger?: string): Promise<void>;
  /**
   * Asks a person: a form (fields or any Standard Schema), or a `URL` to visit. In revisions without a handshake the
   * handler is suspended here and runs again from its start when the answer is there (MCP 2026-07-28, Multi Round-Trip
   * Requests): what it does before a question is done again, unless it stands in {@linkcode Context.once}. A question is
   * known by its key, so it has to be the same in every run.
   */
  elicit<const F extends FormFields | StandardSchema | URL>(
    message: string,
    form: F,
    options?: AskOptions,
  ): Promise<F extends URL ? ElicitUrlResult : FormAnswer<F>>;
  /** Asks the client's model; a text is sent as one message of the user. `maxTokens` is 1,024 when absent. */
  sample(
    prompt: string | SamplingParams,
    options?: AskOptions & { readonly maxTokens?: number | undefined },
  ): Promise<SamplingResult>;
  /** Asks for the client's roots. */
  roots(options?: AskOptions): Promise<readonly Root[]>;
  /** Asks several things at once; the names are their keys on the wire. */
  ask<const Q extends { readonly [key: string]: Question<unknown> }>(questions: Q): Promise<Answers<Q>>;
  /** The answers that came with this request, checked; for handlers that return {@linkcode inputRequired} by hand. */
  answers<const Q extends { readonly [key: string]: Question<unknown> }>(questions: Q): Partial<Answers<Q>>;
  /** The state given to {@linkcode inputRequired} in the round before. */
  readonly state: unknown;
  /**
   * Runs `fn` once over all rounds of this call and keeps its JSON result in the sealed state. When a round is lost on its
   * way, `fn` runs again: at least once, not exactly once.
   */
  once<T>(key: string, fn: () => Awaitable<T>): Promise<T>;
  /** As `server.notify`, for handlers that are defined before their server. */
  readonly notify: Notify;
}

/** How a single question is asked. */
export interface AskOptions {
  /** Its key on the wire; made from its kind and its params when absent. */
  readonly key?: string | undefined;
  /** Milliseconds to wait on a handshake connection; in every revision, what is no positive, finite number is a TypeError. */
  readonly timeout?: number | undefined;
}
