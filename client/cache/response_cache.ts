/** The client's cache of answers (MCP 2026-07-28, Caching). */
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import type { JsonObject, JsonRpcNotification } from "../../protocol/types.ts";
import type { CacheCredentials } from "./cache_credentials.ts";
import { CacheFlight, textOf } from "./cache_flight.ts";
import type { Landed } from "./cache_flight.ts";
import type { CacheKeys } from "./cache_keys.ts";
import { CacheReader } from "./cache_reader.ts";
import { cacheSubject, cacheTerms, isStaleBy, readCacheChange } from "./cache_rules.ts";
import type { CacheChange, CacheSubject } from "./cache_rules.ts";
import type { CacheMoment, CacheShelf } from "./cache_shelf.ts";
import type { AnswerCache, CachedCall, CacheHost } from "./cache_types.ts";

/** What a cache is made of. */
export interface ResponseCacheOptions {
  /** The connection whose answers it keeps. */
  readonly host: CacheHost;
  /** Where they are. */
  readonly shelf: CacheShelf;
  /** Under which keys. */
  readonly keys: CacheKeys;
  /** On whose behalf. */
  readonly credentials: CacheCredentials;
}

/** A call with all that is known about it. */
interface Question {
  readonly call: CachedCall;
  readonly subject: CacheSubject;
  readonly publicKey: string;
  readonly privateKey: string;
}

/** The times of a request whose readers keep their own. */
const UNTIMED = { timeout: Infinity, deadline: Infinity } as const;

/** Answers what was answered before, while it is fresh, and lets those who ask the same at once share one request. */
export class ResponseCache implements AnswerCache {
  readonly #options: ResponseCacheOptions;
  /** Requests on their way, by private key. */
  readonly #flights = new Map<string, CacheFlight>();

  /** Has asked nothing yet. */
  constructor(options: ResponseCacheOptions) {
    this.#options = options;
  }

  /**
   * Gives an answer that is still fresh, or asks.
   *
   * @throws {AuthorizationError} When credentials can't be had; otherwise what the request fails with, or the caller's own end.
   */
  async answer(call: CachedCall): Promise<JsonObject> {
    const subject = cacheSubject(call.method, call.params);
    if (subject === undefined) return await call.send({ signal: call.signal, times: call.times, onProgress: undefined });
    const reader = new CacheReader(call, this.#options.host.watch);
    return await reader.run(() => this.#find(reader, call, subject));
  }

  /** Takes a notification of a change: what it makes stale goes at once, and so does what is on its way. */
  changed(notification: JsonRpcNotification): void {
    const change = readCacheChange(notification);
    if (change !== undefined) this.#drop(change);
  }

  async #find(reader: CacheReader, call: CachedCall, subject: CacheSubject): Promise<JsonObject> {
    const { keys, shelf, credentials } = this.#options;
    const publicKey = await keys.ofPublic(call);
    // What anyone may have needs nobody's credentials.
    const found = call.mode === "use" ? await shelf.read(publicKey, subject, true) : undefined;
    if (found !== undefined) return found;
    reader.signal.throwIfAborted();
    const credential = await credentials.current(reader.signal);
    const question = { call, subject, publicKey, privateKey: await keys.ofPrivate(call, credential) };
    reader.signal.throwIfAborted();
    const open = call.mode === "use" ? this.#flights.get(question.privateKey) : undefined;
    const answer = await (open ?? this.#start(question, credential)).join(reader);
    if (answer !== undefined) return answer;
    reader.signal.throwIfAborted();
    return await this.#startAlone(question, credential).join(reader) as JsonObject;
  }

  /** A request that others may join. */
  #start(question: Question, credential: string): CacheFlight {
    const { privateKey, subject } = question;
    const older = this.#flights.get(privateKey);
    if (older !== undefined) older.overtaken = true;
    const flight = new CacheFlight(subject, credential, () => {
      if (this.#flights.get(privateKey) === flight) this.#flights.delete(privateKey);
    });
    this.#flights.set(privateKey, flight);
    flight.start(() => this.#fly(question, flight));
    return flight;
  }

  /** A request of one reader, whose answer is not kept. */
  #startAlone(question: Question, credential: string): CacheFlight {
    const flight = new CacheFlight(question.subject, credential, () => undefined);
    flight.overtaken = true;
    flight.start(() => this.#ask(question, flight));
    return flight;
  }

  async #fly(question: Question, flight: CacheFlight): Promise<Landed> {
    const found = question.call.mode === "use" ? await this.#look(question) : undefined;
    flight.signal.throwIfAborted();
    return found === undefined ? await this.#ask(question, flight) : flight.land(found, true, undefined);
  }

  async #look({ subject, publicKey, privateKey }: Question): Promise<JsonObject | undefined> {
    const { shelf } = this.#options;
    const found = await shelf.read(privateKey, subject, false);
    // A public answer may have come since the reader looked for one.
    return found ?? (shelf.has(publicKey) ? await shelf.read(publicKey, subject, true) : undefined);
  }

  async #ask(question: Question, flight: CacheFlight): Promise<Landed> {
    const { shelf, credentials, host } = this.#options;
    const { call, subject } = question;
    const asked = shelf.now();
    const leave = credentials.listen((sent) => flight.mixed ||= sent !== flight.credential);
    let result: JsonObject;
    try {
      result = await call.send({ signal: flight.signal, times: UNTIMED, onProgress: () => flight.progressed() });
    } catch (error) {
      if (subject.page === "later" && isInvalidCursor(error)) this.#drop({ methods: [call.method], uri: undefined });
      throw error;
    } finally {
      leave();
    }
    const complete = host.isComplete(call.method, result);
    const kept = complete && !flight.overtaken ? this.#keep(question, flight, result, asked) : undefined;
    return flight.land(result, complete && (!flight.mixed || kept?.isPublic === true), kept?.text);
  }

  /** Keeps an answer as it allows. What it replaces goes in any case, under either key. */
  #keep(
    { call: { method, mode }, subject, publicKey, privateKey }: Question,
    { mixed }: CacheFlight,
    result: JsonObject,
    asked: CacheMoment,
  ): { readonly isPublic: boolean; readonly text: string } | undefined {
    const { shelf, host: { limits } } = this.#options;
    // Later pages belong to the list as it was.
    if (mode === "refresh" && subject.page === "first") this.#drop({ methods: [method], uri: undefined });
    const terms = cacheTerms(method, result, limits.cacheTtl);
    const text = terms === undefined ? undefined : textOf(result);
    const kept = terms === undefined || text === undefined || (mixed && !terms.isPublic) ? undefined : { ...terms, text };
    if (kept?.isPublic !== true && (mode === "refresh" || shelf.has(publicKey))) shelf.delete(publicKey);
    if (kept?.isPublic !== false && shelf.has(privateKey)) shelf.delete(privateKey);
    if (kept === undefined) return undefined;
    const { isPublic, ttlMs } = kept;
    shelf.put(isPublic ? publicKey : privateKey, { subject, asked, arrived: shelf.now(), ttlMs, text: kept.text });
    return kept;
  }

  #drop(change: CacheChange): void {
    this.#options.shelf.dropStale(change);
    for (const [key, flight] of this.#flights) {
      if (!isStaleBy(change, flight.subject)) continue;
      flight.overtaken = true;
      this.#flights.delete(key);
    }
  }
}

/** MCP 2026-07-28, Pagination § Error Handling: an invalid cursor is -32602. */
function isInvalidCursor(error: unknown): boolean {
  return error instanceof ProtocolError && error.code === ERROR_CODES.invalid_params;
}
