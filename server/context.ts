/** What a handler sees and does, over one exchange. */
import type { Answers, AskOptions, CallInfo, Context, FormAnswer, FormFields, Notify, Question } from "../protocol/context.ts";
import type { AuthInfo } from "../protocol/auth/auth_info.ts";
import type { StandardSchema } from "../protocol/schema.ts";
import type {
  Awaitable,
  ClientCapabilities,
  ElicitUrlResult,
  Era,
  Implementation,
  JsonObject,
  JsonValue,
  LogLevel,
  Root,
  SamplingParams,
  SamplingResult,
} from "../protocol/types.ts";
import { LOG_LEVELS } from "../protocol/log_level.ts";
import { onDemand } from "../protocol/on_demand.ts";
import { ask, formOf } from "./input/ask.ts";
import type { CallInput } from "./input/call_input.ts";
import { jsonCopy } from "./json/json_copy.ts";
import { jsonFault } from "./json/json_fault.ts";
import { createProgress } from "./requests/progress.ts";
import type { ReportProgress } from "./requests/progress.ts";
import { quiet } from "./quiet.ts";
import type { QuestionKeys } from "./input/question_keys.ts";
import { RunOnce } from "./input/run_once.ts";
import type { Exchange } from "./core.ts";

/** What handlers that ask for input need; most never do. */
const ASKING = onDemand(() => import("./input/asking.ts"));

type Asking = NonNullable<typeof ASKING.loaded>;

/** A question, or what makes it when that is loaded. */
type Built<Answer> = Question<Answer> | ((asking: Asking) => Question<Answer>);

/** The context of one call. */
export class HandlerContext implements Context {
  /** The opened state of the round before. */
  readonly state: unknown;
  readonly #exchange: Exchange;
  #input: CallInput | undefined;
  #keys: QuestionKeys | undefined;
  #once: RunOnce | undefined;
  #loading: Promise<unknown> | undefined;
  #progress: ReportProgress | undefined;

  /** Looks at an exchange. `input` is there when earlier rounds have left something. */
  constructor(exchange: Exchange, input?: CallInput) {
    this.#exchange = exchange;
    this.#input = input;
    this.state = input?.state;
  }

  /** The method. */
  get method(): string {
    return this.#exchange.request.method;
  }

  /** The revision this request is spoken in. */
  get protocolVersion(): string {
    return this.#exchange.dialect.version;
  }

  /** "modern" or "legacy". */
  get era(): Era {
    return this.#exchange.dialect.era;
  }

  /** What the request came over. */
  get transport(): "http" | "stdio" | "memory" {
    return this.#exchange.info.connection.transport;
  }

  /** The verified caller. */
  get auth(): AuthInfo | undefined {
    return this.#exchange.info.principal as AuthInfo | undefined;
  }

  /** The client's own words about itself. */
  get client(): { readonly info: Implementation | undefined; readonly capabilities: ClientCapabilities } {
    const { clientInfo, clientCapabilities } = this.#exchange.request;
    return { info: clientInfo, capabilities: clientCapabilities };
  }

  /** HTTP headers, without credentials where the server has `auth`; empty on other transports. */
  get headers(): Headers {
    const headers = this.#exchange.info.headers;
    if (!(headers instanceof Headers)) return new Headers();
    return this.#exchange.core.options.auth === undefined ? headers : withoutCredentials(headers);
  }

  /** The request's `_meta`. */
  get meta(): JsonObject {
    return this.#exchange.request.meta;
  }

  /** Aborted by cancel, disconnect, deadline and shutdown. */
  get signal(): AbortSignal {
    return this.#exchange.signal;
  }

  /** Tells listeners about changes. */
  get notify(): Notify {
    return this.#exchange.core.notify;
  }

  /** Reports progress; does nothing when nobody asked. */
  progress(progress: number, total?: number, message?: string): Promise<void> {
    this.#progress ??= createProgress(this.#exchange);
    return this.#progress(progress, total, message);
  }

  /** Sends a log message to the client, when it asked for that level. */
  log(level: LogLevel, data: unknown, logger?: string): Promise<void> {
    const asked = this.#exchange.request.logLevel;
    const rank = LOG_LEVELS.indexOf(level);
    if (rank < 0) throw new TypeError(`ctx.log: Expected one of ${LOG_LEVELS.join(", ")} as level`);
    if (asked === undefined || rank < LOG_LEVELS.indexOf(asked)) return Promise.resolve();
    const fault = data === undefined ? "ctx.log: Expected data" : jsonFault(data, "ctx.log");
    if (fault !== undefined) throw new TypeError(fault);
    if (typeof (logger ?? "") !== "string") throw new TypeError("ctx.log: Expected a string as logger");
    return this.#exchange.emit(this.#exchange.dialect.writeLog(level, data as JsonValue, logger));
  }

  /** The answers that came with this request and fit their questions. */
  answers<const Q extends { readonly [key: string]: Question<unknown> }>(questions: Q): Partial<Answers<Q>> {
    return this.#input?.answers(questions) ?? {};
  }

  /** Asks a person: a form, or a page to visit. */
  elicit<const F extends FormFields | StandardSchema | URL>(
    message: string,
    form: F,
    options?: AskOptions,
  ): Promise<F extends URL ? ElicitUrlResult : FormAnswer<F>> {
    const build = () => form instanceof URL ? ask.url(message, form) : ask.form(message, form);
    return this.#one("ctx.elicit", build, options) as Promise<
      F extends URL ? ElicitUrlResult : FormAnswer<F>
    >;
  }

  /** Asks the client's model. */
  sample(
    prompt: string | SamplingParams,
    options?: AskOptions & { readonly maxTokens?: number | undefined },
  ): Promise<SamplingResult> {
    const given = jsonCopy(prompt);
    const maxTokens = options?.maxTokens;
    return this.#one("ctx.sample", () => ({ sampling }) => sampling(given, maxTokens), options);
  }

  /** Asks for the client's roots. */
  roots(options?: AskOptions): Promise<readonly Root[]> {
    return this.#one("ctx.roots", ask.roots, options);
  }

  /** Asks several things at once. */
  ask<const Q extends { readonly [key: string]: Question<unknown> }>(questions: Q): Promise<Answers<Q>> {
    const build = () =>
      Object.entries(questions).map(([key, question]) => {
        // A copy would be without the schema that the form was made of.
        return [key, formOf(question) === undefined ? jsonCopy(question) : question, `ctx.ask.${key}`] as const;
      });
    // A suspended handler may never wait for what it began.
    return quiet(this.#many("ctx.ask", build, undefined).then((answers) => Object.fromEntries(answers) as Answers<Q>));
  }

  /** Runs `fn` once over all rounds of this call. */
  once<T>(key: string, fn: () => Awaitable<T>): Promise<T> {
    const once = this.#input === undefined ? (this.#once ??= new RunOnce()).run(key, fn) : this.#input.once(key, fn);
    return quiet(once as Promise<T>);
  }

  /** Registers a listener that is called once when the request is answered, cancelled or given up; without its signal. */
  whenSettled(listener: () => void): () => void {
    return this.#exchange.whenSettled(listener);
  }

  /** Where answers come from; made when it is first needed. */
  inputBy({ createInput }: Pick<Asking, "createInput">): CallInput {
    return this.#input ??= createInput(this.#exchange, this.#once);
  }

  /**
   * Settles once the handler's questions have been put, and rejects when they cannot be; undefined when none is held up.
   * The first question of a process loads what asks, and a handler may have ended before.
   */
  get loading(): Promise<unknown> | undefined {
    return this.#loading;
  }

  /** Was a question asked that the next round has to answer? */
  get suspended(): boolean {
    return this.#input !== undefined && this.#input.suspended;
  }

  #one<Answer>(what: string, build: () => Built<Answer>, options: AskOptions | undefined): Promise<Answer> {
    const one = () => [[options?.key, build(), what]] as const;
    return quiet(this.#many(what, one, options?.timeout).then((answers) => [...answers.values()][0] as Answer));
  }

  async #many(
    what: string,
    build: () => readonly (readonly [key: string | undefined, question: Built<unknown>, path: string])[],
    timeout: number | undefined,
  ): Promise<ReadonlyMap<string, unknown>> {
    const { dialect, request } = this.#exchange;
    if (dialect.handshake === undefined && !dialect.mayAskForInput(request.method)) {
      throw new TypeError(`${what}: An answer to ${request.method} cannot ask for input`);
    }
    // Before anything is waited for, because the handler may change what it made them of.
    const built = build();
    // Behind those that wait already, because the order of equal questions tells them apart.
    const asking = this.#loading === undefined && ASKING.loaded || await this.#load();
    asking.checkAskTimeout(timeout, what);
    const keys = this.#keys ??= new asking.QuestionKeys();
    const questions = new Map(built.map(([key, given, path]) => {
      const question = typeof given === "function" ? given(asking) : given;
      return [keys.keyOf(question, key, path), question];
    }));
    return questions.size === 0 ? questions : await this.inputBy(asking).ask(questions, { timeout });
  }

  #load(): Promise<Asking> {
    const loaded = ASKING.load();
    // Who waits for this goes on after those who wait for the part itself.
    this.#loading ??= quiet(loaded.finally(() => this.#loading = undefined));
    return loaded;
  }
}

/** What a handler sees of a request. */
export function contextOf(exchange: Exchange): HandlerContext {
  return new HandlerContext(exchange);
}

/** What is known about a request before anything runs. */
export const callInfo: (exchange: Exchange) => CallInfo & { readonly signal: AbortSignal } = contextOf;

/** No token passes on (MCP 2026-07-28, Authorization § Token Handling). */
function withoutCredentials(headers: Headers): Headers {
  const rest = new Headers(headers);
  for (const name of ["authorization", "dpop"]) rest.delete(name);
  return rest;
}
