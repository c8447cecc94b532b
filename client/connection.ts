/** One request out, one result in: dialect, carrier, dialect. */
import type { Dialect, ResultIn } from "../protocol/dialect.ts";
import { TransportError } from "../protocol/errors.ts";
import { LIST } from "../protocol/extensions/extension_list.ts";
import { reportTo } from "../protocol/report_to.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcNotification, RequestId, ServerCapabilities } from "../protocol/types.ts";
import type { AnswerCache, SendTerms } from "./cache/cache_types.ts";
import { Cancellations } from "./cancellations.ts";
import type { ServerFacts } from "./client_types.ts";
import type { Call, Closable, ConnectionSettings } from "./connection_settings.ts";
import type { DeadlineWatch } from "./waits/deadline_watch.ts";
import { Inbox } from "./inbox.ts";
import { isPersonal } from "./is_personal.ts";
import { runMiddleware } from "./middleware.ts";
import type { Verdict } from "./options.ts";
import { Revision } from "./revision.ts";
import { ServerSession } from "./server_session.ts";
import { Wire } from "./wire.ts";

/** A negotiated connection to one server. */
export class Connection {
  /** What the connection is made of. */
  readonly settings: ConnectionSettings;
  /** Deadlines of whatever waits. */
  readonly watch: DeadlineWatch;
  /** Open change streams. */
  readonly streams: Set<Closable> = new Set();
  readonly #wire: Wire;
  readonly #revision: Revision;
  readonly #inbox: Inbox;
  readonly #session: ServerSession;
  readonly #cache: AnswerCache | undefined;
  readonly #cancellations: Cancellations;
  #closing: Promise<void> | undefined;

  private constructor(settings: ConnectionSettings) {
    this.settings = settings;
    const { limits, capabilities } = settings;
    const report = (error: unknown): void => this.report(error);
    const isClosed = (): boolean => this.#closing !== undefined;
    this.#inbox = new Inbox({
      settings,
      dialect: () => this.dialect,
      send: (response) => this.#wire.send(response, { headers: this.dialect.sessionHeaders, timeout: limits.requestTimeout }),
      takeChange: (notification) => this.#session.take(notification),
      onStray: (notification) => this.changed(notification),
      report,
    });
    this.#wire = new Wire({
      transport: settings.transport,
      watch: settings.watch,
      reopen: settings.reopen,
      stray: (message, origin) => this.#inbox.take(message, origin),
      questions: () => this.#inbox.requests,
      secrets: settings.secrets,
      report,
    });
    this.#cancellations = new Cancellations({ send: (notice) => this.#tell(notice), closed: isClosed, report });
    this.watch = this.#wire.watch;
    this.#revision = new Revision(settings, this.#wire);
    const isComplete = (method: string, result: JsonObject): boolean => this.#revision.isComplete(method, result);
    this.#cache = settings.cache?.({ watch: this.watch, limits, capabilities, isComplete, report });
    this.#session = new ServerSession({
      settings,
      wire: this.#wire,
      open: () => this.#openAgain(),
      ask: (call) => this.#send(call.method, call.params, undefined, call, undefined),
      capabilities: () => this.facts.capabilities,
      report: (error) => isClosed() || report(error),
    });
  }

  /**
   * Opens a connection: takes the word of a young verdict, or negotiates.
   *
   * @throws {ProtocolError} -32022 when no revision is common; other errors as they come. The carrier is then closed.
   */
  static async open(settings: ConnectionSettings, signal?: AbortSignal, verdict?: Verdict): Promise<Connection> {
    const connection = new Connection(settings);
    try {
      await connection.#revision.open(signal, verdict);
      if (connection.dialect.handshake !== undefined) connection.#session.begin();
      return connection;
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw connection.cleaned(error);
    }
  }

  /** The dialect in use. */
  get dialect(): Dialect {
    return this.#revision.dialect;
  }

  /** What is known about the server. */
  get facts(): ServerFacts {
    return this.#revision.facts;
  }

  /** What the negotiation found, for a later connection. */
  get verdict(): Verdict {
    return this.#revision.verdict;
  }

  /** Do arguments travel in headers too (MCP 2026-07-28, Streamable HTTP § Schema Extension)? */
  get mirrors(): boolean {
    return this.settings.overHttp && this.dialect.handshake === undefined;
  }

  /** Has the server told what it has, and not named this capability? A closed client does not know. */
  lacks(capability: keyof ServerCapabilities): boolean {
    return this.#closing === undefined && this.#revision.lacks(capability);
  }

  /** Opens a watch, where the connection began with a handshake. */
  readonly watchSession: ServerSession["watch"] = (request, sink) => this.#session.watch(request, sink);

  /** Sends a request through the middleware, and reads its result. */
  async request(call: Call): Promise<ResultIn> {
    try {
      const result = await this.#around(call);
      // An answer from the cache confirms nothing.
      if (this.#cache === undefined) this.#revision.confirm();
      return this.#revision.read(call.method, result);
    } catch (error) {
      if (!await this.#revision.changed(error, call)) throw error;
    }
    if (this.dialect.handshake !== undefined) this.#session.begin();
    return this.#revision.read(call.method, await this.#around(call));
  }

  /** Opens a stream: a request whose notifications matter, and whose response is its end. */
  stream(method: string, params: JsonObject, signal: AbortSignal): {
    readonly id: RequestId;
    readonly messages: AsyncIterable<JsonRpcMessage>;
  } {
    if (this.#closing !== undefined) throw closed();
    this.mustHave(method);
    const id = this.#wire.nextId();
    const { message, headers } = this.#revision.write(id, method, params, undefined, undefined);
    return { id, messages: this.#wire.transport.exchange(message, { signal, headers }) };
  }

  /** Sends a notification. */
  async notify(method: string, params: JsonObject | undefined): Promise<void> {
    if (this.#closing !== undefined) throw closed();
    const send = () => this.#tell({ jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) });
    await (this.dialect.handshake === undefined ? send() : this.#session.run(send, undefined));
  }

  /**
   * Refuses a method of the protocol that the revision in use does not have.
   *
   * @throws {ProtocolError} -32601 that names the method and the revision.
   */
  mustHave(method: string): void {
    this.#revision.mustHave(method);
  }

  /** An error without the credentials that the server may have repeated; results are not touched. */
  cleaned<T>(error: T): T {
    return this.settings.secrets?.hide(error) ?? error;
  }

  /** Tells the program of a fault that belongs to no call. */
  report(error: unknown): void {
    reportTo((fault: unknown) => this.settings.onError?.(this.cleaned(fault)), error);
  }

  /** A notification came; if it tells of a change, the cache must know before anyone else. */
  changed(notification: JsonRpcNotification): void {
    this.#cache?.changed(notification);
  }

  /** Takes a message that belongs to no call. */
  stray(message: JsonRpcMessage): void {
    this.#inbox.take(message);
  }

  /** Ends change streams and open requests, then the carrier. */
  close(): Promise<void> {
    return this.#closing ??= (async () => {
      for (const stream of [...this.streams]) void stream.close();
      this.#session.end();
      this.#inbox.abortAll(closed(), true);
      await this.#wire.close(closed());
    })();
  }

  async #openAgain(): Promise<void> {
    // Nobody waits for these answers any more.
    this.#inbox.abortAll(new TransportError("session_lost", "Answering the server: it has lost the session"), false);
    await this.#revision.openAgain();
  }

  #around(call: Call): Promise<JsonObject> {
    const { use: layers } = this.settings;
    const { method, params, meta } = call;
    if (layers.length === 0) return this.#send(method, params, meta, call, undefined);
    if (this.#closing !== undefined) return Promise.reject(closed());
    const nextId = (): RequestId => this.#wire.nextId();
    return runMiddleware({
      layers,
      request: { jsonrpc: "2.0", id: nextId(), method, params: meta === undefined ? params : { ...params, _meta: meta } },
      nextId,
      send: (id, ...request) => this.#send(...request, call, id),
    });
  }

  #send(
    method: string,
    params: JsonObject,
    meta: JsonObject | undefined,
    call: Call,
    id: RequestId | undefined,
  ): Promise<JsonObject> {
    if (this.#closing !== undefined) return Promise.reject(closed());
    try {
      this.mustHave(method);
    } catch (error) {
      return Promise.reject(error);
    }
    if (this.dialect.handshake !== undefined) return this.#sendInSession(method, params, meta, call, id);
    const cache = this.#cache;
    if (cache === undefined) return this.#sendOnce(method, params, meta, call, id);
    return this.#sendBehindCache(cache, method, params, meta, call, id);
  }

  async #sendBehindCache(
    cache: AnswerCache,
    method: string,
    params: JsonObject,
    meta: JsonObject | undefined,
    call: Call,
    first: RequestId | undefined,
  ): Promise<JsonObject> {
    let id = first;
    const send = async (changes: SendTerms | undefined): Promise<JsonObject> => {
      const terms = changes === undefined ? call : { ...call, options: changes, times: changes.times };
      const sent = this.#sendOnce(method, params, meta, terms, id);
      id = undefined;
      const result = await sent;
      this.#revision.confirm();
      return result;
    };
    const { cache: mode, options: { signal }, times } = call;
    if (mode === undefined || mode === "bypass" || meta !== undefined || isPersonal(call)) return await send(undefined);
    return await cache.answer({ version: this.dialect.version, method, params, mode, signal, times, send });
  }

  async #sendInSession(
    method: string,
    params: JsonObject,
    meta: JsonObject | undefined,
    call: Call,
    id: RequestId | undefined,
  ): Promise<JsonObject> {
    const send = async (): Promise<JsonObject> => {
      if (call.options.logLevel !== undefined) await this.#session.useLevel(call);
      const first = id;
      id = undefined;
      const sent = (): Promise<JsonObject> => this.#sendOnce(method, params, meta, call, first);
      // What the session says by itself is in turn already.
      const waits = method === "logging/setLevel" && call.onSessionLost !== "fail";
      return await (waits ? this.#session.inTurn(sent, call) : sent());
    };
    const result = await this.#session.run(send, call);
    if (method === "logging/setLevel") this.#session.setLevel(params);
    return result;
  }

  #sendOnce(
    method: string,
    params: JsonObject,
    meta: JsonObject | undefined,
    call: Call,
    id: RequestId = this.#wire.nextId(),
  ): Promise<JsonObject> {
    const { options: { signal, label, onProgress, [LIST]: list }, times: { timeout, deadline, total } } = call;
    const written = this.#revision.write(id, method, params, meta, call);
    const carry = list === undefined ? undefined : { list };
    const { dialect } = this;
    const terms = { dialect, signal, timeout, deadline, total, progressToken: id, label, onProgress, carry };
    // Over HTTP, hanging up says nothing in some revisions: there the server is told.
    if (dialect.cancelBy !== "notification" || !this.settings.overHttp) return this.#wire.exchange(written, terms);
    const onLeave = (error: unknown): void => this.#cancellations.tell(id, error);
    return this.#wire.exchange(written, { ...terms, carry: { list, resumable: true }, onLeave });
  }

  /** The server gets as long to take a message without an answer as to answer a request. */
  #tell(notice: JsonRpcNotification): Promise<void> {
    const { requestTimeout: timeout } = this.settings.limits;
    return this.#wire.send(notice, { headers: this.dialect.notificationHeaders(notice.method), timeout });
  }
}

function closed(): TransportError {
  return new TransportError("closed", "Using the client: it is closed");
}
