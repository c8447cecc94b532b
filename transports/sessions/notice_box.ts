/** Decides which instance tells a session of what all of them hear, and keeps it while nobody listens. */
import { SESSION_REFRESH } from "../../protocol/limits.ts";
import type { JsonRpcNotification, JsonRpcRequest } from "../../protocol/types.ts";
import { reportTo } from "../../protocol/report_to.ts";
import type { SessionRecord, SessionStore } from "./session_stores.ts";

/** What a box needs. */
export interface NoticeBoxOptions {
  /** Where the session's record is, which all of its instances share. */
  readonly store: SessionStore;
  /** The key of the session. */
  readonly key: string;
  /** Milliseconds after which an unused session ends. */
  readonly idle: number;
  /** How many notices are kept; the oldest go first. */
  readonly bound: number;
  /** Told what the store throws. */
  readonly onError: (error: unknown) => void;
}

type Notice = JsonRpcNotification | JsonRpcRequest;

/** After so many notes that did not come, an instance that listened counts as gone. */
const MISSED_NOTES = 3;

/**
 * The notices of one session that every instance hears of: the instance that holds the GET stream writes them, once. While there
 * is none they wait in the record of the session, each of them once, for the instance that opens the stream (MCP 2025-11-25,
 * Streamable HTTP § Multiple Connections). What an instance that died without a word was to write in its last moments is lost.
 */
export class NoticeBox {
  readonly #options: NoticeBoxOptions;
  readonly #id: string = crypto.randomUUID();
  #turn: Promise<unknown> = Promise.resolve();
  #notedAt = 0;

  /** Holds nothing yet. */
  constructor(options: NoticeBoxOptions) {
    this.#options = options;
  }

  /** This instance holds the GET stream from now on. Gives what has waited for it. */
  hold(): Promise<readonly Notice[]> {
    return this.#inTurn(() => this.#hold(), []);
  }

  /** This instance still holds the GET stream, which is noted every few seconds. */
  renew(): void {
    if (Date.now() - this.#notedAt < SESSION_REFRESH / 2) return;
    void this.#inTurn(
      () => this.#change((record) => isOf(record, this.#id) ? { ...record, reader: this.#note() } : record),
      undefined,
    );
  }

  /** The GET stream has gone, unless there is another one by now. */
  leave(reads: () => boolean): Promise<void> {
    return this.#inTurn(async () => {
      if (!reads()) await this.#change((record) => isOf(record, this.#id) ? withoutReader(record) : record);
    }, undefined);
  }

  /**
   * All instances have heard of a notice. Gives what this one has to write; otherwise another one writes it, or it waits.
   *
   * @param reads Does this instance hold the GET stream?
   */
  claim(notice: Notice, reads: () => boolean): Promise<readonly Notice[]> {
    return this.#inTurn(async () => {
      const record = await this.#options.store.read(this.#options.key);
      if (record === undefined) return [];
      const reader = readerOf(record);
      if (reader !== undefined && reader !== this.#id) return [];
      if (reads()) return reader === undefined ? await this.#hold(notice) : [notice];
      if (reader !== undefined || !waits(record, notice)) await this.#change((found) => this.#added(found, notice));
      return [];
    }, [notice]);
  }

  async #hold(notice?: Notice): Promise<readonly Notice[]> {
    let waiting: readonly Notice[] = [];
    await this.#change((record) => {
      const { notices = [], ...rest } = record;
      waiting = notice === undefined || waits(record, notice) ? notices : [...notices, notice];
      return { ...rest, reader: this.#note() };
    });
    return waiting;
  }

  /** A notice waits, unless another instance has come to hold the stream. */
  #added(record: SessionRecord, notice: Notice): SessionRecord {
    const reader = readerOf(record);
    if (reader !== undefined && reader !== this.#id) return record;
    const { notices = [] } = record;
    const all = waits(record, notice) ? notices : [...notices, notice].slice(-this.#options.bound);
    return { ...withoutReader(record), notices: all };
  }

  #note(): NonNullable<SessionRecord["reader"]> {
    this.#notedAt = Date.now();
    return { id: this.#id, until: this.#notedAt + MISSED_NOTES * SESSION_REFRESH };
  }

  async #change(change: (record: SessionRecord) => SessionRecord): Promise<void> {
    const { store, key, idle } = this.#options;
    await store.update(key, change, idle);
  }

  /** One after the other; never rejects. */
  #inTurn<T>(run: () => Promise<T>, otherwise: T): Promise<T> {
    const turn = this.#turn.then(run).catch((error) => {
      reportTo(this.#options.onError, error);
      return otherwise;
    });
    this.#turn = turn;
    return turn;
  }
}

/** The instance that holds the GET stream, as far as is known. */
function readerOf({ reader }: SessionRecord): string | undefined {
  return reader !== undefined && Date.now() < reader.until ? reader.id : undefined;
}

function isOf({ reader }: SessionRecord, id: string): boolean {
  return reader?.id === id;
}

function withoutReader(record: SessionRecord): SessionRecord {
  const { reader: _, ...rest } = record;
  return rest;
}

function waits({ notices = [] }: SessionRecord, notice: Notice): boolean {
  const text = JSON.stringify(notice);
  return notices.some((one) => JSON.stringify(one) === text);
}
