/** The revision of a connection: how it is agreed on, now and later, and what is written and read in it. */
import type { Dialect, ResultIn, WrittenRequest } from "../protocol/dialect.ts";
import { DIALECTS } from "../protocol/dialects/mod.ts";
import { ERROR_CODES, ProtocolError, TransportError } from "../protocol/errors.ts";
import type { MirroredParam } from "../protocol/headers.ts";
import type { JsonObject, RequestId, ServerCapabilities } from "../protocol/types.ts";
import type { ServerFacts } from "./client_types.ts";
import type { Call, ConnectionSettings } from "./connection_settings.ts";
import { inTime } from "./in_time.ts";
import { isRefusal, negotiateAnew, openRevision } from "./opening.ts";
import type { Opened, OpeningOptions } from "./opening.ts";
import type { Verdict } from "./options.ts";
import { isRepeatable } from "./is_repeatable.ts";
import { discoveredFacts } from "./server_facts.ts";
import type { Wire } from "./wire.ts";

const NO_TYPES: ReadonlySet<string> = new Set();
const NOTHING_MIRRORED: readonly MirroredParam[] = [];

/** What one connection speaks. */
export class Revision {
  readonly #settings: ConnectionSettings;
  readonly #wire: Wire;
  #dialect: Dialect;
  #facts: ServerFacts | undefined;
  #verdict: Verdict | undefined;
  /** The dialect comes from an earlier connection or a pin, and no answer has confirmed it yet. */
  #unconfirmed = false;
  /** The server was not asked what it is: answers tell. */
  #unasked = false;
  #negotiating: Promise<boolean> | undefined;

  /** Nothing is agreed on yet. */
  constructor(settings: ConnectionSettings, wire: Wire) {
    this.#settings = settings;
    this.#wire = wire;
    this.#dialect = settings.dialects[0] as Dialect;
  }

  /** The dialect in use; while one is being negotiated, the one that is tried. */
  get dialect(): Dialect {
    return this.#dialect;
  }

  /** What is known about the server. */
  get facts(): ServerFacts {
    return this.#facts as ServerFacts;
  }

  /** What the negotiation found, for a later connection. */
  get verdict(): Verdict {
    return this.#verdict as Verdict;
  }

  /**
   * Takes the word of a young verdict, or negotiates.
   *
   * @throws {ProtocolError} -32022 when no revision is common; other errors as they come.
   */
  async open(signal: AbortSignal | undefined, verdict: Verdict | undefined): Promise<void> {
    const remembered = verdict === undefined ? undefined : this.#believed(verdict);
    const opened = await openRevision(this.#opening(signal), remembered);
    // What nobody has confirmed is as old as the verdict that says it.
    this.#agree(opened, opened.confirmed ? Date.now() : verdict?.at ?? Date.now());
  }

  /** Opens the connection once more, in the same revision; for a server that has lost the session. */
  async openAgain(): Promise<void> {
    const before = this.#dialect;
    try {
      this.#agree(await openRevision(this.#opening(undefined), before), Date.now());
    } catch (error) {
      this.#dialect = before;
      throw this.#cleaned(error);
    }
  }

  /** Has the server told what it has, and not named this capability? */
  lacks(capability: keyof ServerCapabilities): boolean {
    return !this.#unasked && !this.facts.capabilities[capability];
  }

  /** A request was answered with a result. */
  confirm(): void {
    this.#unconfirmed = false;
  }

  /**
   * Negotiates anew when a request was refused in a way that may come from the revision: once for all calls that find that out.
   *
   * @param call The request, whose time and signal count.
   * @returns Whether there is another dialect now, in which the request may be repeated: it did not run, or does no harm.
   * @throws {ProtocolError} -32022 when no revision is common.
   */
  async changed(error: unknown, call: Call): Promise<boolean> {
    if (this.#negotiating === undefined) {
      if (!this.#mayChange(error)) return false;
      this.#unconfirmed = false;
      this.#negotiating = this.#negotiate().finally(() => this.#negotiating = undefined);
    } else if (!isRefusal(error)) {
      return false;
    }
    return await inTime(this.#negotiating, this.#wire.watch, call) && isRepeatable(error, call.method);
  }

  /**
   * Refuses a method of the protocol that the revision does not have. Methods of extensions pass.
   *
   * @throws {ProtocolError} -32601 that names the method and the revision.
   */
  mustHave(method: string): void {
    const has = (dialect: Dialect): boolean => dialect.hasRequest(method, "client");
    if (has(this.#dialect) || !DIALECTS.some(has)) return;
    const text = `Sending ${method}: revision ${this.#dialect.version} has no such request`;
    throw new ProtocolError(ERROR_CODES.method_not_found, text);
  }

  /** Writes a request. */
  write(
    id: RequestId,
    method: string,
    params: JsonObject,
    meta: JsonObject | undefined,
    call: Call | undefined,
    dialect: Dialect = this.#dialect,
  ): WrittenRequest {
    return dialect.writeRequest({
      id,
      method,
      params,
      clientInfo: this.#settings.info,
      clientCapabilities: this.#settings.capabilities,
      progressToken: call === undefined ? undefined : id,
      logLevel: call?.options.logLevel,
      meta,
      inputResponses: call?.inputResponses,
      requestState: call?.requestState,
      mirrored: call?.mirrored ?? NOTHING_MIRRORED,
      header: this.#settings.extensions?.header(method),
    });
  }

  /**
   * Reads a result.
   *
   * @throws {TransportError} "not_mcp" when it is none of the revision.
   */
  read(method: string, result: JsonObject): ResultIn {
    const read = this.#dialect.readResult(method, result, this.#settings.extensions?.types(method) ?? NO_TYPES);
    if (read.ok) {
      if (this.#unasked) this.#learn(method, result);
      return read.value;
    }
    throw this.#cleaned(new TransportError("not_mcp", `Reading the answer to ${method}: ${read.error.message}`));
  }

  /** Is this a final result of the revision? */
  isComplete(method: string, result: JsonObject): boolean {
    const read = this.#dialect.readResult(method, result, this.#settings.extensions?.types(method) ?? NO_TYPES);
    return read.ok && read.value.type === "complete";
  }

  /** Every answer may name the server (MCP 2026-07-28, Basic § General fields); that to `server/discover` tells the rest. */
  #learn(method: string, result: JsonObject): void {
    const found = discoveredFacts(this.#dialect, result);
    if (method === "server/discover") {
      // What is not an answer to it says nothing; the caller is told so.
      if (!Array.isArray(result.supportedVersions)) return;
      this.#facts = found;
      this.#unasked = false;
    } else if (found.info !== undefined && this.facts.info === undefined) {
      this.#facts = { ...this.facts, info: found.info };
    }
  }

  #opening(signal: AbortSignal | undefined): OpeningOptions {
    return {
      wire: this.#wire,
      settings: this.#settings,
      onDialect: (dialect) => this.#dialect = dialect,
      probe: (dialect) => this.write(this.#wire.nextId(), "server/discover", {}, undefined, undefined, dialect),
      signal,
    };
  }

  #cleaned<T>(error: T): T {
    return this.#settings.secrets?.hide(error) ?? error;
  }

  #mayChange(error: unknown): boolean {
    if (this.#unconfirmed) return isRefusal(error);
    const refused = error instanceof ProtocolError && error.code === ERROR_CODES.unsupported_version;
    return refused && this.#dialect.handshake === undefined && this.#settings.dialects.length > 1;
  }

  async #negotiate(): Promise<boolean> {
    const before = this.#dialect;
    try {
      this.#agree(await negotiateAnew(this.#opening(undefined)), Date.now());
    } catch (error) {
      this.#dialect = before;
      // Any other fault here is not what the caller asked about: it learns how its own request was refused.
      if (error instanceof ProtocolError && error.reason === "unsupported_version") throw this.#cleaned(error);
    }
    return this.#dialect !== before;
  }

  #believed({ protocolVersion, at }: Verdict): Dialect | undefined {
    const age = Date.now() - at;
    if (!(age >= 0 && age < this.#settings.limits.verdictAge)) return undefined;
    return this.#settings.dialects.find(({ version }) => version === protocolVersion);
  }

  #agree(opened: Opened, at: number): void {
    const { dialect, facts, confirmed } = opened;
    this.#dialect = dialect;
    this.#facts = facts;
    this.#unconfirmed = this.#unasked = !confirmed;
    this.#verdict = { protocolVersion: dialect.version, era: dialect.era, at };
    this.#settings.extensions?.agree(opened);
  }
}
