/** Keeps the record of one session up to date. */
import type { HandshakeState } from "../../protocol/lifecycle.ts";
import { SESSION_REFRESH } from "../../protocol/limits.ts";
import type { OpenSession } from "../session.ts";
import type { ReadRecord, SessionStore } from "./session_stores.ts";

/** What a kept record needs. */
export interface KeptRecordOptions {
  /** Where it is kept. */
  readonly store: SessionStore;
  /** The key of the session. */
  readonly key: string;
  /** Milliseconds after which an unused session ends. */
  readonly idle: number;
  /** Called when the record has gone: another instance has ended the session. */
  readonly onGone: () => void;
  /** Told what the store throws. */
  readonly onError: (error: unknown) => void;
}

/** The record of one session, as this process last saw it. */
export class KeptRecord {
  readonly #options: KeptRecordOptions;
  #base: HandshakeState;
  #wanted: HandshakeState;
  /** The version of the record that the session took over last. */
  #version: string | undefined;
  #renewedAt = Date.now();
  #saving: Promise<void> | undefined;
  #adopting = false;
  #changes = 0;

  /** Begins with what is in the store. */
  constructor(state: HandshakeState, options: KeptRecordOptions) {
    this.#options = options;
    this.#base = this.#wanted = state;
  }

  /** How often a state has been set or written here: what was read from the store before a change is old after it. */
  get changes(): number {
    return this.#changes;
  }

  /** The server has set a new state. Resolves when it is written, or could not be. */
  changed(state: HandshakeState): Promise<void> {
    if (this.#adopting) return Promise.resolve();
    this.#changes++;
    this.#wanted = state;
    return this.#saving ??= this.#save();
  }

  /** The session is used: its time begins anew, which is noted every few seconds. */
  used(): void {
    const now = Date.now();
    if (now - this.#renewedAt < Math.min(SESSION_REFRESH, this.#options.idle / 2)) return;
    this.#renewedAt = now;
    this.#saving ??= this.#save();
  }

  /**
   * Another instance may have set a new state: the session takes it over.
   *
   * @param record What the store gave.
   * @param session The session.
   * @param since {@linkcode KeptRecord.changes} when the store was asked.
   */
  adopt({ state, version }: ReadRecord, session: OpenSession, since: number = this.#changes): void {
    if (this.#saving !== undefined || since !== this.#changes) return;
    if (version !== undefined && version === this.#version && this.#base === this.#wanted) return;
    this.#version = version;
    // What could not be written is not undone by what is there.
    const next = merged(state, this.#base, this.#wanted);
    const known = JSON.stringify(this.#wanted);
    const text = JSON.stringify(next);
    const written = text === JSON.stringify(state);
    if (written && text === known && this.#base === this.#wanted) return;
    this.#base = written ? next : state;
    this.#wanted = next;
    if (text !== known) {
      this.#adopting = true;
      session.update(next);
      this.#adopting = false;
    }
    if (!written) this.#saving = this.#save();
  }

  /** Writes until what is wanted is what is there. */
  async #save(): Promise<void> {
    const { store, key, idle, onGone, onError } = this.#options;
    try {
      for (;;) {
        const [base, wanted] = [this.#base, this.#wanted];
        if (!await store.update(key, (record) => ({ ...record, state: merged(record.state, base, wanted) }), idle)) {
          return onGone();
        }
        this.#base = wanted;
        if (wanted === this.#wanted) return;
      }
    } catch (error) {
      onError(error);
    } finally {
      this.#saving = undefined;
      this.#changes++;
    }
  }
}

/** What this process has changed, put on what is in the store: another instance may have changed something else. */
function merged(stored: HandshakeState, base: HandshakeState, wanted: HandshakeState): HandshakeState {
  if (base === wanted) return stored;
  const before = new Set(base.subscriptions);
  const after = new Set(wanted.subscriptions);
  const kept = stored.subscriptions.filter((uri) => after.has(uri) || !before.has(uri));
  const added = wanted.subscriptions.filter((uri) => !before.has(uri) && !kept.includes(uri));
  return {
    ...stored,
    initialized: stored.initialized || wanted.initialized,
    logLevel: wanted.logLevel === base.logLevel ? stored.logLevel : wanted.logLevel,
    subscriptions: [...kept, ...added],
  };
}
