/** The carrier of one connection: the ids and deadlines of what goes over it, and its second opening. */
import type { WrittenRequest } from "../protocol/dialect.ts";
import { TransportError } from "../protocol/errors.ts";
import type { JsonObject, JsonRpcNotification, JsonRpcResponse, RequestId } from "../protocol/types.ts";
import type { HeaderPairs, Transport } from "../transports/transport.ts";
import { DeadlineWatch } from "./waits/deadline_watch.ts";
import { exchange } from "./exchange.ts";
import type { ExchangeSettings, ExchangeTerms } from "./exchange.ts";
import { untilDue } from "./waits/until_due.ts";

/** What a wire is made of. */
export interface WireSettings {
  /** The carrier. */
  readonly transport: Transport;
  /** Watches all deadlines; one of its own by default. */
  readonly watch?: DeadlineWatch | undefined;
  /** Opens another carrier to the same server, where that is possible. */
  readonly reopen: (() => Promise<Transport>) | undefined;
  /** Takes messages that are neither progress nor a response; the next one waits for a promise that comes back. */
  readonly stray: ExchangeSettings["stray"];
  /** The questions of the server. */
  readonly questions?: ExchangeSettings["questions"];
  /** The credentials that errors are told without. */
  readonly secrets?: ExchangeSettings["secrets"];
  /** Told of faults that can reach no call. */
  readonly report: (error: unknown) => void;
}

/** A carrier with everything that is counted and timed over it. */
export class Wire {
  /** Deadlines of whatever waits. */
  readonly watch: DeadlineWatch;
  readonly #settings: WireSettings;
  #exchanges: ExchangeSettings;
  #reopen: (() => Promise<Transport>) | undefined;
  #replaced: Promise<void> | undefined;
  /** Set once it was closed, with the error that it was closed with. */
  #closed: { readonly error: unknown } | undefined;
  #nextId = 1;

  /** Reads what belongs to no exchange from now on. */
  constructor(settings: WireSettings) {
    this.watch = settings.watch ?? new DeadlineWatch();
    this.#settings = settings;
    this.#reopen = settings.reopen;
    this.#exchanges = this.#around(settings.transport);
    void this.#readIncoming(settings.transport);
  }

  /** The carrier in use. */
  get transport(): Transport {
    return this.#exchanges.transport;
  }

  /** Can a server that has gone be started again? Once only. */
  get restarts(): boolean {
    return this.#reopen !== undefined;
  }

  /** An id that no other request of this wire has. */
  nextId(): RequestId {
    return this.#nextId++;
  }

  /** Sends a request and waits for its result; see {@linkcode exchange}. */
  exchange(request: WrittenRequest, terms: ExchangeTerms): Promise<JsonObject> {
    return exchange(this.#exchanges, request, terms);
  }

  /**
   * Sends a message that has no answer, and waits until the carrier has taken it; when the wait ends early, it is given up.
   *
   * @throws {TransportError} "timeout" when that takes longer than `timeout` milliseconds.
   */
  send(
    message: JsonRpcNotification | JsonRpcResponse,
    { headers, timeout, signal }: {
      readonly headers: HeaderPairs;
      readonly timeout: number;
      readonly signal?: AbortSignal | undefined;
    },
  ): Promise<void> {
    const { watch, transport } = this;
    const abort = new AbortController();
    const method = "method" in message ? message.method : "the answer to a request of the server";
    const sent = transport.send(message, { headers, signal: abort.signal }).catch((error) => {
      throw this.#settings.secrets?.hide(error) ?? error;
    });
    // Over HTTP the server has to answer first, which may never happen.
    return untilDue(sent, {
      watch,
      due: performance.now() + timeout,
      late: () => notTaken(method, timeout),
      signal,
      onLeave: () => abort.abort(),
    });
  }

  /**
   * Opens the second carrier in place of the first one, which is ended meanwhile.
   *
   * @throws What the wire was closed with, when that happened first; the second carrier is then ended too.
   */
  async restart(): Promise<void> {
    const reopen = this.#reopen;
    if (reopen === undefined) return;
    if (this.#closed !== undefined) throw this.#closed.error;
    this.#reopen = undefined;
    this.#replaced = this.transport.close().catch(this.#settings.report);
    const transport = await reopen();
    // Nobody else would end a server that was started after the end.
    const closed = this.#closed as { readonly error: unknown } | undefined;
    if (closed !== undefined) {
      await transport.close().catch(this.#settings.report);
      throw closed.error;
    }
    this.#exchanges = this.#around(transport);
    void this.#readIncoming(transport);
  }

  /** Ends what waits with an error, then the carrier. */
  async close(error: unknown): Promise<void> {
    this.#closed = { error };
    this.watch.failAll(error);
    await Promise.all([this.transport.close(), this.#replaced]);
  }

  #around(transport: Transport): ExchangeSettings {
    const { stray, questions, secrets, report } = this.#settings;
    return { transport, watch: this.watch, stray, questions, secrets, report };
  }

  async #readIncoming(transport: Transport): Promise<void> {
    // Carriers of other authors may have nothing but exchanges.
    const incoming = transport.incoming as Transport["incoming"] | undefined;
    if (incoming === undefined) return;
    try {
      for await (const message of incoming) await this.#settings.stray(message);
    } catch (error) {
      this.#settings.report(error);
    }
  }
}

function notTaken(method: string, timeout: number): TransportError {
  const text = `Sending ${method}: the server has not taken it within ${timeout} ms (limit requestTimeout)`;
  return new TransportError("timeout", text, { data: { limit: "requestTimeout" } });
}
