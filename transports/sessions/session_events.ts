/** The events that one session keeps, so that its client may take up a stream again. */
import type { ResolvedLimits } from "../../protocol/limits.ts";
import { EventBudget } from "./event_budget.ts";
import type { KeptEvent } from "./event_budget.ts";
import { reportTo } from "../../protocol/report_to.ts";
import type { EventStore, StoredEvent } from "./session_stores.ts";

/** What the events of a session need. */
export interface SessionEventsOptions {
  /** Where they are kept. */
  readonly store: EventStore;
  /** The key of the session. */
  readonly session: string;
  /** `sessionEvents`, `sessionEventBytes`, and `sessionIdle` for the time that an event is kept. */
  readonly limits: ResolvedLimits;
  /** Bounds what must not be lost over all sessions; what {@linkcode vitalBudget} gave. */
  readonly vital: EventBudget;
  /** Told what the store throws; an event that is not kept cannot be replayed, which is all. */
  readonly onError: (error: unknown) => void;
}

/** Room for the responses and questions of all sessions of a server: as many bytes as its running handlers may answer. */
export function vitalBudget({ handlers, responseBody }: ResolvedLimits): EventBudget {
  return new EventBudget(Infinity, handlers * responseBody);
}

/**
 * The events of one session, bounded in number and bytes over all of its streams; the oldest go first. What must not be lost has
 * a place of its own: as many events again, whose bytes are bounded over all sessions.
 */
export class SessionEvents {
  readonly #options: SessionEventsOptions;
  readonly #encoder = new TextEncoder();
  readonly #usual: EventBudget;
  readonly #vital: EventBudget;

  /** Begins without events. */
  constructor(options: SessionEventsOptions) {
    const { sessionEvents, sessionEventBytes } = options.limits;
    this.#options = options;
    this.#usual = new EventBudget(sessionEvents, sessionEventBytes);
    this.#vital = new EventBudget(sessionEvents, Infinity);
  }

  /** Keeps an event. One that is larger than all may be together is not kept. `vital`: must not be lost for others. */
  async append(stream: string, event: StoredEvent, vital = false): Promise<void> {
    const { store, session, limits, onError } = this.#options;
    const kept = { session, stream, sequence: event.sequence, bytes: this.#encoder.encode(event.text).length };
    const gone = vital ? this.#addVital(kept) : this.#usual.add(kept);
    try {
      if (!gone.includes(kept)) await store.append({ session, stream }, event, limits.sessionIdle);
      for (const old of gone) if (old !== kept) await store.remove(old, old.sequence);
    } catch (error) {
      reportTo(onError, error);
    }
  }

  /** What is kept of a stream from a place on; nothing when the store fails. */
  async read(stream: string, from: number): Promise<readonly StoredEvent[]> {
    const { store, session, onError } = this.#options;
    try {
      return await store.read({ session, stream }, from);
    } catch (error) {
      reportTo(onError, error);
      return [];
    }
  }

  /** Gives up what this process counts; other instances and the store's own time may still keep the events. */
  release(): readonly KeptEvent[] {
    const vital = this.#vital.clear();
    for (const event of vital) this.#options.vital.delete(event);
    return [...this.#usual.clear(), ...vital];
  }

  /** Forgets what this process has kept. */
  async clear(): Promise<void> {
    const { store, onError } = this.#options;
    try {
      for (const event of this.release()) await store.remove(event, event.sequence);
    } catch (error) {
      reportTo(onError, error);
    }
  }

  #addVital(event: KeptEvent): KeptEvent[] {
    const own = this.#vital.add(event);
    for (const old of own) this.#options.vital.delete(old);
    const all = this.#options.vital.add(event);
    if (all.includes(event)) this.#vital.delete(event);
    return [...own, ...all];
  }
}
