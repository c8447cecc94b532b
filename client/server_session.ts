/** The session of a connection that began with a handshake, and what is done again when the server has lost it. */
import { ERROR_CODES, ProtocolError, TransportError } from "../protocol/errors.ts";
import { isJsonObject } from "../protocol/json.ts";
import { STREAM_HELD } from "../protocol/limits.ts";
import { onDemand } from "../protocol/on_demand.ts";
import type { JsonObject, JsonRpcNotification, ServerCapabilities, SubscriptionFilter } from "../protocol/types.ts";
import type { Call, ConnectionSettings } from "./connection_settings.ts";
import { callTimes } from "./request_settings.ts";
import type { ListenRequest, ListenSink } from "./changes/listen_types.ts";
import type { AskTerms, SessionChanges } from "./changes/session_changes.ts";
import { inTime } from "./in_time.ts";
import { untilAborted } from "./waits/until_aborted.ts";
import type { Wire } from "./wire.ts";

const CHANGES = onDemand(() => import("./changes/session_changes.ts"));

/** What a session needs. */
export interface ServerSessionOptions {
  /** What the connection is made of. */
  readonly settings: Pick<ConnectionSettings, "inputs" | "onLog" | "getStream" | "limits" | "overHttp" | "secrets">;
  /** Its carrier. */
  readonly wire: Wire;
  /** Opens the connection anew. */
  readonly open: () => Promise<void>;
  /** Sends a request of the client's own, past the middleware. */
  readonly ask: (call: Call) => Promise<unknown>;
  /** What the server declared. */
  readonly capabilities: () => ServerCapabilities;
  /** Told of faults that belong to no call. */
  readonly report: (error: unknown) => void;
}

/** Is the session gone, so that only a new one helps? With `ran: false` the request was refused unread. */
function isSessionLost(error: unknown, { ran }: { readonly ran: boolean }): boolean {
  if (!(error instanceof TransportError) || error.reason !== "session_lost") return false;
  return ran || !isJsonObject(error.data) || error.data.ran !== true;
}

/** The session of one connection. */
export class ServerSession {
  readonly #options: ServerSessionOptions;
  readonly #end = new AbortController();
  #begun = false;
  /** The watches; undefined before the first one. */
  #changes: SessionChanges | undefined;
  #generation = 0;
  #renewing: Promise<void> | undefined;
  /** Params of the last `logging/setLevel`. */
  #level: JsonObject | undefined;
  /** The params that this session was told last. */
  #told: JsonObject | undefined;
  /** The levels that are being sent, one after the other. */
  #levels: Promise<unknown> = Promise.resolve();
  /** The session was opened anew because a stream had lost it, and nothing has come in the new one yet. */
  #renewedForStream = false;
  /** Sessions that were opened anew for a stream and lost soon after, one after the other. */
  readonly #renewals: QuickLosses;

  /** No session yet. */
  constructor(options: ServerSessionOptions) {
    this.#options = options;
    this.#renewals = new QuickLosses(options.settings.limits.streamRetries);
  }

  /** The first handshake is over. Whoever may be asked, or wants log messages, listens from now on. */
  begin(): void {
    if (this.#begun) return;
    this.#begun = true;
    const { inputs, onLog } = this.#options.settings;
    const wanted = onLog !== undefined || Object.values(inputs).some((handler) => handler !== undefined);
    // A server need not offer that stream: it may still ask on the streams of calls.
    if (wanted) this.#listen(this.#end.signal, () => undefined, (error) => isNotOffered(error) || this.#options.report(error));
  }

  /** Takes a notification that belongs to no call. */
  take(notification: JsonRpcNotification): void {
    this.#renewedForStream = false;
    this.#changes?.take(notification);
  }

  /** Opens a watch; what keeps watches is loaded with the first one. See {@linkcode SessionChanges.open}. */
  async watch(request: ListenRequest, sink: ListenSink): Promise<SubscriptionFilter> {
    const parts = CHANGES.loaded ?? await untilAborted(CHANGES.load(), request.signal);
    const { capabilities, report, settings: { limits } } = this.#options;
    this.#changes ??= new parts.SessionChanges({
      ask: (method, params, terms) => this.#ask(method, params, terms),
      capabilities,
      listen: (signal, onGap, onLost) =>
        this.#listen(signal, onGap, (error) => onLost(isNotOffered(error) ? noStream(error) : error)),
      atOnce: limits.serverRequests,
      report,
    });
    return await this.#changes.open(request, sink);
  }

  /** Remembers the level of log messages that the program set. */
  setLevel(params: JsonObject): void {
    this.#level = this.#told = params;
  }

  /**
   * Sends a level once the one before it was answered: the level that is sent last must hold.
   *
   * @param call The call that needs the level; one that has given up meanwhile sends nothing.
   */
  inTurn<T>(tell: () => Promise<T>, call?: Pick<Call, "method" | "options" | "times">): Promise<T> {
    let left = false;
    const done = this.#levels.then(() => left ? undefined as T : tell());
    this.#levels = done.catch(() => undefined);
    return call === undefined ? done : inTime(done, this.#options.wire.watch, call, () => void (left = true));
  }

  /**
   * Sets the level that a call wants, when it is not that of the session. Without a session over HTTP the server could not
   * keep it, and one that does not declare `logging` has none (MCP 2025-11-25, Logging § Capabilities).
   *
   * @throws {ProtocolError} -32602 when there is no such level; any other refusal is reported, and the call goes on.
   * @throws {TransportError} When the answer does not come.
   */
  useLevel({ options: { signal, logLevel: level }, times }: Call): Promise<void> | undefined {
    const { capabilities, settings: { overHttp }, wire: { transport } } = this.#options;
    if (capabilities().logging === undefined || (overHttp && transport.sessionId === undefined)) return undefined;
    const tell = async (): Promise<void> => {
      if (this.#told?.level !== level) await this.#setLevel({ level }, { options: { signal }, times });
    };
    return this.inTurn(tell, { method: "logging/setLevel", options: { signal }, times });
  }

  /**
   * Sends a request in the session. When the server does not know the session any more, one new handshake is made for all
   * who find that out, and the request, which never ran, is sent once more (MCP 2025-11-25, Streamable HTTP § Session
   * Management).
   *
   * @param send Sends it, under a fresh id each time.
   * @param call Whose time and signal end waiting for the handshake; with `onSessionLost` "fail" the loss is told instead.
   */
  async run<T>(send: () => Promise<T>, call: Call | undefined): Promise<T> {
    if (call?.onSessionLost === "fail") return await send();
    const until = (work: Promise<void>): Promise<void> =>
      call === undefined ? work : inTime(work, this.#options.wire.watch, call);
    if (this.#renewing !== undefined) await until(this.#renewing);
    const generation = this.#generation;
    try {
      return await send();
    } catch (error) {
      if (!isSessionLost(error, { ran: false })) throw error;
      await until(this.#renew(generation));
    }
    return await send();
  }

  /** The connection ends. */
  end(): void {
    this.#end.abort();
  }

  #renew(generation: number): Promise<void> {
    if (generation !== this.#generation) return this.#renewing ?? Promise.resolve();
    this.#renewing ??= this.#openAnew().finally(() => this.#renewing = undefined);
    return this.#renewing;
  }

  async #openAnew(): Promise<void> {
    try {
      await this.#options.open();
    } catch (cause) {
      if (!(cause instanceof TransportError)) throw cause;
      const text = `Opening the session again: ${cause.message}`;
      throw new TransportError("session_lost", text, { cause, data: { ran: false } });
    }
    this.#generation++;
    void this.#restore();
  }

  /** Never rejects. */
  async #restore(): Promise<void> {
    const params = this.#level;
    this.#told = undefined;
    if (params !== undefined) {
      const options = {};
      const terms = { options, times: callTimes(options, this.#options.settings.limits, this.#options.wire.watch) };
      await this.inTurn(() => this.#setLevel(params, terms)).catch(this.#options.report);
    }
    await this.#changes?.restore();
  }

  async #setLevel(params: JsonObject, terms: Pick<Call, "options" | "times">): Promise<void> {
    try {
      await this.#options.ask({ method: "logging/setLevel", params, meta: undefined, onSessionLost: "fail", ...terms });
    } catch (error) {
      if (!(error instanceof ProtocolError) || error.code === ERROR_CODES.invalid_params) throw error;
      // What it refused once is not sent again.
      this.#told = params;
      this.#options.report(error);
    }
  }

  async #ask(method: string, params: JsonObject, { timeout, signal, again }: AskTerms): Promise<void> {
    const options = { timeout, signal };
    const times = callTimes(options, this.#options.settings.limits, this.#options.wire.watch);
    await this.#options.ask({ method, params, options, times, meta: undefined, onSessionLost: again ? "repeat" : "fail" });
  }

  #listen(signal: AbortSignal, onGap: () => void, onLost: (error: unknown) => void): void {
    const { settings: { getStream, secrets }, wire: { transport } } = this.#options;
    if (!getStream || transport.listen === undefined || signal.aborted) return;
    const own = new AbortController();
    const leave = (): void => own.abort();
    signal.addEventListener("abort", leave);
    const lost = (error: unknown): void => {
      secrets?.hide(error);
      // Without a watch nobody misses anything: the next call finds the session lost, and opens it again.
      if (isSessionLost(error, { ran: true }) && !this.#changes?.size) return;
      signal.removeEventListener("abort", leave);
      own.abort();
      if (!isSessionLost(error, { ran: true }) || !this.#mayRenewForStream()) return onLost(error);
      this.#renew(this.#generation).then(() => this.#listen(signal, onGap, onLost), onLost);
    };
    transport.listen({ signal: own.signal, onGap, onLost: lost });
  }

  /** Watches want a lost session back; but a server that loses every one is not asked for ever. */
  #mayRenewForStream(): boolean {
    // Another listener may have told of the same loss.
    if (this.#renewing !== undefined) return true;
    if (this.#renewedForStream || !this.#renewals.allow()) return false;
    this.#renewedForStream = true;
    return true;
  }
}

/** Counts what is lost again soon. */
class QuickLosses {
  readonly #most: number;
  #count = 0;
  #last = -Infinity;

  constructor(most: number) {
    this.#most = most;
  }

  /** May it be opened once more? One that held counts for nothing. */
  allow(): boolean {
    const now = performance.now();
    if (now - this.#last >= STREAM_HELD) this.#count = 0;
    this.#last = now;
    return this.#count++ < this.#most;
  }
}

function isNotOffered(error: unknown): boolean {
  return error instanceof TransportError && error.reason === "not_mcp" && isJsonObject(error.data) && error.data.status === 405;
}

/** MCP 2025-11-25, Streamable HTTP § Listening for Messages from the Server: 405 says that there is no stream. */
function noStream(cause: unknown): ProtocolError {
  const text = "Watching for changes: the server offers no stream on which they could come (HTTP 405)";
  return new ProtocolError(ERROR_CODES.method_not_found, text, { cause });
}
