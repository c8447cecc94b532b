/** The client's end of an HTTP session: its id, the headers that were agreed on, and its end. */
import { TransportError } from "../protocol/errors.ts";
import type { JsonRpcErrorObject } from "../protocol/json_rpc.ts";
import { HEADERS } from "../protocol/headers.ts";
import { SESSION_ID_LENGTH } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { peerError } from "../protocol/peer_error.ts";
import type { JsonRpcRequest } from "../protocol/types.ts";
import type { HttpEndpoint } from "./http_endpoint.ts";
import { readRefusal, readUnexpected } from "./http_reply.ts";
import { reportTo } from "../protocol/report_to.ts";
import type { ExchangeOptions, HeaderPairs } from "./transport.ts";
import { endsWithin } from "./ends_within.ts";

/** Options of {@linkcode HttpSessionClient}. */
export interface HttpSessionClientOptions {
  /** Where the session is. */
  readonly endpoint: HttpEndpoint;
  /** Bounds: `sessionEndTimeout`, and those of answers. */
  readonly limits: ResolvedLimits;
  /** Told when the session could not be ended. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/** What a client knows of its session (MCP 2025-11-25, Streamable HTTP § Session Management). No request without one. */
export class HttpSessionClient {
  readonly #options: HttpSessionClientOptions;
  #id: string | undefined;
  #agreed: HeaderPairs | undefined;
  #lost = false;
  /** The id of the session before the one that a handshake opens, until that is over. */
  #before: string | undefined;

  /** Makes the state before any handshake: no id, no headers. */
  constructor(options: HttpSessionClientOptions) {
    this.#options = options;
  }

  /** The id that the server gave, if it gave one. */
  get id(): string | undefined {
    return this.#id;
  }

  /**
   * The id that goes with a message: none with what opens a session, and none with what names its method in a header, as only
   * revisions without sessions have it (MCP 2026-07-28, Streamable HTTP § Request metadata), whatever was open before.
   */
  idFor({ opensSession, headers = [] }: Pick<ExchangeOptions, "opensSession" | "headers">): string | undefined {
    if (this.#id === undefined || opensSession === true) return undefined;
    return headers.some(([name]) => name.toLowerCase() === HEADERS.method) ? undefined : this.#id;
  }

  /** The headers of a finished handshake; undefined before it and while a new one is under way. */
  get agreed(): HeaderPairs | undefined {
    return this.#agreed;
  }

  /**
   * Takes over the session that an answer opens, in place of any other. An answer without an id opens none.
   *
   * @throws {TransportError} "not_mcp" for an id that is too long or no visible ASCII. It is not repeated.
   */
  open(response: Response): void {
    const id = response.headers.get(HEADERS.sessionId) ?? "";
    if (id.length > SESSION_ID_LENGTH || !/^[\x21-\x7e]*$/.test(id)) {
      const expected = `an id of at most ${SESSION_ID_LENGTH} visible ASCII characters`;
      const text = `Opening a session at ${this.#options.endpoint.where}: Expected ${expected}, received one of ${id.length}`;
      throw new TransportError("not_mcp", text, { data: { status: response.status } });
    }
    this.#before ??= this.#id;
    this.#id = id === "" ? undefined : id;
    this.#agreed = undefined;
    this.#lost = false;
  }

  /**
   * The handshake that opened it failed: the session before it, which was lost, is named again, so that the next message finds
   * that out and leads to another handshake.
   */
  failed(): void {
    if (this.#before === undefined) return;
    this.#id = this.#before;
    this.#before = undefined;
    this.#lost = true;
  }

  /** The handshake is over, and these headers go with what has none of its own. */
  agree(headers: HeaderPairs): void {
    this.#agreed = headers;
    this.#before = undefined;
  }

  /**
   * The headers of a request.
   *
   * @param id The id of the session that it belongs to, if it belongs to one.
   * @param own Its own headers; what was agreed on when absent.
   */
  headers(id: string | undefined, own?: HeaderPairs): HeaderPairs {
    const rest = own ?? this.#agreed ?? [];
    return id === undefined ? rest : [...rest, [HEADERS.sessionId, id]];
  }

  /**
   * Reads the 404 that answers a message of a session. A server answers so whatever it does not know any more, unread.
   *
   * @param id The session's id that went with the message.
   * @param response The answer.
   * @param request What was asked, unless it was a message without an answer.
   * @param signal Ends the reading.
   * @returns The `TransportError` "session_lost" with `{ status, ran: false }`; its cause is what the body says.
   */
  async lose(id: string, response: Response, request?: JsonRpcRequest, signal?: AbortSignal): Promise<TransportError> {
    const { endpoint: { where }, limits } = this.#options;
    if (id === this.#id) this.#lost = true;
    const refusal = await readRefusal(request, { where, response, limits, signal }).catch((error: unknown) => error);
    const text = `POST ${where}: the server does not know the session any more (status 404); the message never ran`;
    return new TransportError("session_lost", text, { cause: asError(refusal), data: { status: 404, ran: false } });
  }

  /** Ends the session at the server, within `sessionEndTimeout`. Never rejects: what goes wrong is reported. */
  async end(): Promise<void> {
    if (this.#id === undefined || this.#lost) return;
    this.#lost = true;
    const { endpoint, limits, onError } = this.#options;
    const abort = new AbortController();
    try {
      const ended = await endsWithin(this.#delete(abort.signal), limits.sessionEndTimeout);
      if (ended) return;
      const found = `no answer within ${limits.sessionEndTimeout} ms (limit sessionEndTimeout)`;
      throw new TransportError("timeout", `DELETE ${endpoint.where}: ${found}`, { data: { limit: "sessionEndTimeout" } });
    } catch (error) {
      reportTo(onError, error);
    } finally {
      abort.abort();
    }
  }

  async #delete(signal: AbortSignal): Promise<void> {
    const { endpoint } = this.#options;
    const response = await endpoint.send({ method: "DELETE", headers: this.headers(this.#id), signal });
    // 405: clients may not end sessions here. 404: it has ended already.
    if (response.ok || response.status === 405 || response.status === 404) {
      await response.body?.cancel();
      return;
    }
    throw await readUnexpected(endpoint.where, response, "DELETE", signal);
  }
}

function asError(refusal: unknown): unknown {
  if (refusal instanceof Error || typeof refusal !== "object" || refusal === null || !("error" in refusal)) return refusal;
  return peerError(refusal.error as JsonRpcErrorObject);
}
