/** One request on its way, and all readers that wait for its answer. */
import type { JsonObject } from "../../protocol/types.ts";
import type { CacheReader } from "./cache_reader.ts";
import type { CacheSubject } from "./cache_rules.ts";

/** What came of a request. */
export interface Landed {
  /** The answer. */
  readonly result: JsonObject;
  /** Its JSON, where more than one reader waits. */
  readonly text: string | undefined;
  /** May every reader have it, not only the one for whom it was asked? Questions are for one alone. */
  readonly forAll: boolean;
}

/** A request and its readers. */
export class CacheFlight {
  /** What it asks for. */
  readonly subject: CacheSubject;
  /** On whose behalf. */
  readonly credential: string;
  /** Its answer is not kept: a change was told meanwhile, or it was asked for once more. */
  overtaken = false;
  /** Requests left with other credentials meanwhile; it may have been one of them. */
  mixed = false;
  readonly #readers = new Set<CacheReader>();
  readonly #abort = new AbortController();
  readonly #onClosed: () => void;
  #landing: Promise<Landed> | undefined;
  /** The reader for whom it was sent. */
  #first: CacheReader | undefined;

  /**
   * Has not started.
   *
   * @param onClosed Called when nobody may join any more: the answer is there, or the last reader has left before it.
   */
  constructor(subject: CacheSubject, credential: string, onClosed: () => void) {
    this.subject = subject;
    this.credential = credential;
    this.#onClosed = onClosed;
  }

  /** The answer is there. Nobody joins after this, so those who wait are all who need it. */
  land(result: JsonObject, forAll: boolean, text: string | undefined): Landed {
    this.#onClosed();
    return { result, text: this.#readers.size > 1 ? text ?? textOf(result) : undefined, forAll };
  }

  /** Aborts when nobody waits any more. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Starts the work whose end is the answer. */
  start(work: () => Promise<Landed>): void {
    this.#landing = work();
    // Everyone may have left by then.
    this.#landing.catch(() => this.#onClosed());
  }

  /** There was progress. */
  progressed(): void {
    for (const reader of this.#readers) reader.progressed();
  }

  /** Waits for the answer, which is the reader's own; undefined when it is for another one alone. */
  async join(reader: CacheReader): Promise<JsonObject | undefined> {
    this.#first ??= reader;
    this.#readers.add(reader);
    reader.onLeave = (reason) => this.#leave(reader, reason);
    const { result, text, forAll } = await (this.#landing as Promise<Landed>);
    reader.onLeave = undefined;
    if (reader === this.#first) return result;
    if (!forAll) return undefined;
    return text === undefined ? result : JSON.parse(text);
  }

  #leave(reader: CacheReader, reason: unknown): void {
    this.#readers.delete(reader);
    if (this.#readers.size > 0) return;
    this.#onClosed();
    this.#abort.abort(reason);
  }
}

/** The JSON of an answer; undefined for what JSON can't carry, which servers in this process may give. */
export function textOf(result: JsonObject): string | undefined {
  try {
    return JSON.stringify(result);
  } catch {
    return undefined;
  }
}
