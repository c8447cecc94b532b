/** One request out, one result in: dialect, carrier, dialect. */
import { shown } from "../protocol/shown.ts";
import type { Dialect, ResultIn, WrittenRequest } from "../protocol/dialect.ts";
import { ERROR_CODES, ProtocolError, TransportError } from "../protocol/errors.ts";
import type { MirroredParam } from "../protocol/headers.ts";
import { isRequest, isResponse } from "../protocol/json_rpc.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcNotification, LogLevel, RequestId } from "../protocol/types.ts";
import type { Transport } from "../transports/transport.ts";
import type { ServerFacts } from "./client_types.ts";
import type { Call, Closable, ConnectionSettings } from "./connection_settings.ts";
import { DeadlineWatch } from "./deadline_watch.ts";
import { exchange } from "./exchange.ts";
import type { ExchangeSettings, ExchangeTerms } from "./exchange.ts";
import { runMiddleware } from "./middleware.ts";
import { negotiate } from "./negotiate.ts";
import type { Verdict } from "./options.ts";
import { readServerFacts } from "./server_facts.ts";

const NOTHING_MIRRORED: readonly MirroredParam[] = [];

/** A negotiated connection to one server. */
export class Connection {
  /** What the connection is made of. */
  readonly settings: ConnectionSettings;
  /** Deadlines of whatever waits. */
  readonly watch: DeadlineWatch = new DeadlineWatch();
  /** Open change streams. */
  readonly streams: Set<Closable> = new Set();
  readonly #exchanges: ExchangeSettings;
  #dialect: Dialect;
  #facts: ServerFacts | undefined;
  #verdict: Verdict | undefined;
  #extensionTypes: ReadonlySet<string> = new Set();
  /** The dialect comes from an earlier connection, and no answer has confirmed it yet. */
  #unconfirmed = false;
  #nextId = 1;
  #closing: Promise<void> | undefined;

  private constructor(settings: ConnectionSettings) {
    this.settings = settings;
    this.#dialect = settings.dialects[0] as Dialect;
    this.#exchanges = {
      transport: settings.transport,
      watch: this.watch,
      stray: (message) => this.stray(message),
      report: (error) => this.report(error),
    };
  }

  /**
   * Opens a connection: takes the word of a young verdict, or negotiates.
   *
   * @throws {ProtocolError} -32022 when no revision is common; other errors as they come. The carrier is then closed.
   */
  static async open(settings: ConnectionSettings, signal?: AbortSignal, verdict?: Verdict): Promise<Connection> {
    const connection = new Connection(settings);
    void connection.#readIncoming();
    try {
      if (verdict === undefined || !connection.#trust(verdict)) await connection.#negotiate(signal);
      return connection;
    } catch (error) {
      await connection.close().catch(() => undefined);
      throw error;
    }
  }

  /** The dialect in use. */
  get dialect(): Dialect {
    return this.#dialect;
  }

  /** What is known about the server. */
  get facts(): ServerFacts {
    return this.#facts as ServerFacts;
  }

  /** What a later connection may be told. */
  get verdict(): Verdict {
    return this.#verdict as Verdict;
  }

  /** Sends a request through the middleware, and reads its result. */
  async request(call: Call): Promise<ResultIn> {
    try {
      const result = await this.#around(call);
      this.#unconfirmed = false;
      return this.#read(call.method, result);
    } catch (error) {
      const { version } = this.#dialect;
      if (!this.#mayRenegotiate(error)) throw error;
      this.#unconfirmed = false;
      await this.#negotiate(call.options.signal);
      if (this.#dialect.version === version) throw error;
      return this.#read(call.method, await this.#around(call));
    }
  }

  /** Opens a stream: a request whose notifications matter, and whose response is its end. */
  stream(method: string, params: JsonObject, signal: AbortSignal): {
    readonly id: RequestId;
    readonly messages: AsyncIterable<JsonRpcMessage>;
  } {
    if (this.#closing !== undefined) throw closed();
    const id = this.#nextId++;
    const { message, headers } = this.#write(id, method, params, undefined, undefined);
    return { id, messages: this.settings.transport.exchange(message, { signal, headers }) };
  }

  /** Sends a notification. */
  async notify(method: string, params: JsonObject | undefined): Promise<void> {
    if (this.#closing !== undefined) throw closed();
    const notification: JsonRpcNotification = { jsonrpc: "2.0", method, ...(params === undefined ? {} : { params }) };
    await this.settings.transport.send(notification, { headers: this.#dialect.notificationHeaders(method) });
  }

  /** Tells the program of a fault that belongs to no call. */
  report(error: unknown): void {
    try {
      const told: unknown = this.settings.onError?.(error);
      if (told instanceof Promise) told.catch(() => undefined);
    } catch {
      // What a listener throws has nowhere to go.
    }
  }

  /** Takes a message that belongs to no call: log messages are handed on, requests of the server are reported. */
  stray(message: JsonRpcMessage): void {
    if (isResponse(message)) return;
    if (isRequest(message)) {
      // A client of a stateless revision never answers (MCP 2026-07-28, Basic § Message patterns).
      const text = `Receiving a request of the server: revision ${this.#dialect.version} has no ${shown(message.method)}`;
      return this.report(new TransportError("not_mcp", text));
    }
    if (message.method === "notifications/message" && this.settings.onLog !== undefined) this.#log(message);
  }

  /** Ends change streams and open requests, then the carrier. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      for (const stream of [...this.streams]) void stream.close();
      this.watch.failAll(closed());
      await this.settings.transport.close();
    })();
    return this.#closing;
  }

  #around(call: Call): Promise<JsonObject> {
    if (this.#closing !== undefined) return Promise.reject(closed());
    const { use: layers } = this.settings;
    const { method, params, meta } = call;
    if (layers.length === 0) return this.#send(this.#nextId++, method, params, meta, call);
    return runMiddleware({
      layers,
      request: { jsonrpc: "2.0", id: this.#nextId++, method, params: meta === undefined ? params : { ...params, _meta: meta } },
      nextId: () => this.#nextId++,
      send: (...request) => this.#send(...request, call),
    });
  }

  #send(id: RequestId, method: string, params: JsonObject, meta: JsonObject | undefined, call: Call): Promise<JsonObject> {
    const { options, times } = call;
    const { signal, onProgress } = options;
    const terms = { signal, timeout: times.timeout, deadline: times.deadline, progressToken: id, onProgress };
    return exchange(this.#exchanges, this.#write(id, method, params, meta, call), terms);
  }

  #write(
    id: RequestId,
    method: string,
    params: JsonObject,
    meta: JsonObject | undefined,
    call: Call | undefined,
  ): WrittenRequest {
    return this.#dialect.writeRequest({
      id,
      method,
      params,
      clientInfo: this.settings.info,
      clientCapabilities: this.settings.capabilities,
      progressToken: call === undefined ? undefined : id,
      logLevel: call?.options.logLevel,
      meta,
      inputResponses: call?.inputResponses,
      requestState: call?.requestState,
      mirrored: call?.mirrored ?? NOTHING_MIRRORED,
    });
  }

  #read(method: string, result: JsonObject): ResultIn {
    const read = this.#dialect.readResult(method, result, this.#extensionTypes);
    if (read.ok) return read.value;
    throw new TransportError("not_mcp", `Reading the answer to ${method}: ${read.error.message}`);
  }

  /** Was the request refused because of the revision, so that nothing ran and another one may be tried? */
  #mayRenegotiate(error: unknown): boolean {
    if (error instanceof ProtocolError && error.code === ERROR_CODES.unsupported_version) {
      return this.#unconfirmed || this.settings.dialects.length > 1;
    }
    return this.#unconfirmed && error instanceof TransportError && error.reason === "not_mcp";
  }

  #trust({ protocolVersion, at }: Verdict): boolean {
    const dialect = this.settings.dialects.find(({ version }) => version === protocolVersion);
    const age = Date.now() - at;
    if (dialect === undefined || !(age >= 0 && age < this.settings.limits.cacheTtl)) return false;
    this.#unconfirmed = true;
    this.#agree(dialect, {}, at);
    return true;
  }

  async #negotiate(signal: AbortSignal | undefined): Promise<void> {
    const { probeTimeout } = this.settings.limits;
    const ask = async (dialect: Dialect): Promise<JsonObject> => {
      this.#dialect = dialect;
      const written = this.#write(this.#nextId++, "server/discover", {}, undefined, undefined);
      const deadline = performance.now() + probeTimeout;
      const terms: ExchangeTerms = { signal, timeout: probeTimeout, deadline, limitNames: ["probeTimeout", "probeTimeout"] };
      return this.#read("server/discover", await exchange(this.#exchanges, written, terms)).result;
    };
    const { dialects, overHttp } = this.settings;
    const { dialect, result } = await negotiate({ allowed: dialects, ask, silenceTells: !overHttp });
    this.#agree(dialect, result, Date.now());
  }

  #agree(dialect: Dialect, result: JsonObject, at: number): void {
    this.#dialect = dialect;
    this.#verdict = { protocolVersion: dialect.version, era: dialect.era, at };
    const facts = this.#facts = readServerFacts(dialect, result);
    // Only what both sides declared counts (MCP 2026-07-28, Basic § Result types).
    const common = this.settings.extensions.filter(({ id }) => Object.hasOwn(facts.capabilities.extensions ?? {}, id));
    this.#extensionTypes = new Set(common.flatMap(({ resultTypes }) => resultTypes ?? []));
  }

  async #readIncoming(): Promise<void> {
    // Carriers of other authors may have nothing but exchanges.
    const incoming = this.settings.transport.incoming as Transport["incoming"] | undefined;
    if (incoming === undefined) return;
    try {
      for await (const message of incoming) this.stray(message);
    } catch (error) {
      this.report(error);
    }
  }

  #log({ params = {} }: JsonRpcNotification): void {
    const { level, data, logger } = params;
    if (typeof level !== "string" || data === undefined) return;
    try {
      const told: unknown = this.settings.onLog?.({
        level: level as LogLevel,
        data,
        ...(typeof logger === "string" ? { logger } : {}),
      });
      if (told instanceof Promise) told.catch((error) => this.report(error));
    } catch (error) {
      this.report(error);
    }
  }
}

function closed(): TransportError {
  return new TransportError("closed", "Using the client: it is closed");
}
