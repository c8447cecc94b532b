/** Keeps the record of one session up to date, without anyone waiting for it. */
import type { HandshakeState } from "../protocol/lifecycle.ts";
import { SESSION_REFRESH } from "../protocol/limits.ts";
import type { OpenSession } from "./session.ts";
import type { SessionRecord, SessionStore } from "./session_stores.ts";

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
  #renewedAt = Date.now();
  #saving: Promise<void> | undefined;
  #adopting = false;

  /** Begins with what is in the store. */
  constructor(state: HandshakeState, options: KeptRecordOptions) {
    this.#options = options;
    this.#base = this.#wanted = state;
  }

  /** The server has set a new state: it is written soon. */
  changed(state: HandshakeState): void {
    if (this.#adopting) return;
    this.#wanted = state;
    this.#saving ??= this.#save();
  }

  /** The session is used: its time begins anew, which is noted every few seconds. */
  used(): void {
    const now = Date.now();
    if (now - this.#renewedAt < Math.min(SESSION_REFRESH, this.#options.idle / 2)) return;
    this.#renewedAt = now;
    this.#saving ??= this.#save();
  }

  /** Another instance may have set a new state: the session takes it over. */
  adopt({ state }: SessionRecord, session: OpenSession): void {
    if (this.#saving !== undefined || JSON.stringify(state) === JSON.stringify(this.#wanted)) return;
    this.#base = this.#wanted = state;
    this.#adopting = true;
    session.update(state);
    this.#adopting = false;
  }

  /** Writes until what is wanted is what is there. */
  async #save(): Promise<void> {
    const { store, key, idle, onGone, onError } = this.#options;
    try {
      for (;;) {
        const [base, wanted] = [this.#base, this.#wanted];
        if (!await store.update(key, ({ state }) => ({ state: merged(state, base, wanted) }), idle)) return onGone();
        this.#base = wanted;
        if (wanted === this.#wanted) return;
      }
    } catch (error) {
      onError(error);
    } finally {
      this.#saving = undefined;
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
