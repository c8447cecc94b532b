/** What a handler sees and does, over one exchange. */
import type { Answers, CallInfo, Context, Notify, Question } from "../protocol/context.ts";
import { ERROR_CODES, ProtocolError } from "../protocol/errors.ts";
import type { CheckValue } from "../protocol/json_schema.ts";
import { ownMember } from "../protocol/json.ts";
import type { AuthInfo } from "../protocol/auth/auth_info.ts";
import type { ClientCapabilities, Era, Implementation, JsonObject, JsonValue, LogLevel } from "../protocol/types.ts";
import { readAnswers } from "./answers.ts";
import { jsonFault } from "./json_safe.ts";
import { createProgress } from "./progress.ts";
import type { ReportProgress } from "./progress.ts";
import type { Exchange } from "./core.ts";

const LEVELS: readonly LogLevel[] = ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"];

/** The context of one call. */
export class HandlerContext implements Context {
  /** The opened state of the round before. */
  readonly state: unknown;
  readonly #exchange: Exchange;
  readonly #compileForm: ((schema: JsonObject) => CheckValue) | undefined;
  #progress: ReportProgress | undefined;

  /** Looks at an exchange. `compileForm` is there when answers came with the request. */
  constructor(exchange: Exchange, state?: unknown, compileForm?: (schema: JsonObject) => CheckValue) {
    this.#exchange = exchange;
    this.state = state;
    this.#compileForm = compileForm;
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

  /** Over what the request came. */
  get transport(): "http" | "stdio" | "memory" {
    return this.#exchange.info.connection.transport;
  }

  /** The verified caller. */
  get auth(): AuthInfo | undefined {
    return this.#exchange.info.principal;
  }

  /** The client's own words about itself. */
  get client(): { readonly info: Implementation | undefined; readonly capabilities: ClientCapabilities } {
    const { clientInfo, clientCapabilities } = this.#exchange.request;
    return { info: clientInfo, capabilities: clientCapabilities };
  }

  /** HTTP headers; empty on other transports. */
  get headers(): Headers {
    const headers = this.#exchange.info.headers;
    return headers instanceof Headers ? headers : new Headers();
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
    const rank = LEVELS.indexOf(level);
    if (rank < 0) throw new TypeError(`ctx.log: Expected one of ${LEVELS.join(", ")} as level`);
    if (asked === undefined || rank < LEVELS.indexOf(asked)) return Promise.resolve();
    const fault = data === undefined ? "ctx.log: Expected data" : jsonFault(data, "ctx.log");
    if (fault !== undefined) throw new TypeError(fault);
    return this.#exchange.emit(this.#exchange.dialect.writeLog(level, data as JsonValue, logger));
  }

  /** The answers that came with this request and fit their questions. */
  answers<const Q extends { readonly [key: string]: Question<unknown> }>(questions: Q): Partial<Answers<Q>> {
    if (this.#compileForm === undefined) return {};
    return readAnswers(ownMember(this.#exchange.request.params, "inputResponses"), questions, this.#compileForm);
  }

  /** Asks a person. */
  elicit(): never {
    return notOffered("ctx.elicit");
  }

  /** Asks the client's model. */
  sample(): never {
    return notOffered("ctx.sample");
  }

  /** Asks for the client's roots. */
  roots(): never {
    return notOffered("ctx.roots");
  }

  /** Asks several things at once. */
  ask(): never {
    return notOffered("ctx.ask");
  }

  /** Runs `fn` once over all rounds of this call. */
  once(): never {
    return notOffered("ctx.once");
  }
}

/** What is known about a request before anything runs. */
export function callInfo(exchange: Exchange): CallInfo {
  return new HandlerContext(exchange);
}

function notOffered(what: string): never {
  const message = `${what}: This release asks by hand only, return inputRequired() and read ctx.answers()`;
  throw new ProtocolError(ERROR_CODES.internal_error, message);
}
