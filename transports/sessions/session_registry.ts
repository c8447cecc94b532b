/** The sessions that one process serves: how they begin, are found, and end. */
import type { HandshakeState } from "../../protocol/lifecycle.ts";
import { LAST_WRITES, SESSION_REFRESH, SESSION_SPARE } from "../../protocol/limits.ts";
import { HttpSession } from "./http_session.ts";
import type { HttpSessionParts } from "./http_session.ts";
import { NoticeBox } from "./notice_box.ts";
import { SessionCapacity } from "./session_capacity.ts";
import type { Place } from "./session_capacity.ts";
import { vitalBudget } from "./session_events.ts";
import { KeptRecord } from "./session_record.ts";
import type { SessionStore } from "./session_stores.ts";
import type { SessionClaims, SessionTokens } from "./session_tokens.ts";
import type { Session } from "../transport.ts";
import { endsWithin } from "../ends_within.ts";

/** What the sessions of one server need. */
export interface SessionRegistryOptions extends Omit<HttpSessionParts, "vital"> {
  /** Writes and reads session ids. */
  readonly tokens: SessionTokens;
  /** Decides which sessions there are; without it the sessions of this process are in its memory. */
  readonly records: SessionStore | undefined;
  /** May other instances serve a session of this one, because they can open its id? */
  readonly shared: boolean;
  /** Told of a session that another instance has opened, and that this one serves from now on. */
  readonly onAdopt?: ((session: Session) => void) | undefined;
}

/** A session that begins: it has a place, and no id before the handshake went well. */
export interface BeginningSession {
  /** The session. */
  readonly session: HttpSession;
  /** Keeps it; gives its id, or undefined when nothing was agreed on, or what the store has no room for. */
  establish(): Promise<string | Refused | undefined>;
  /** Gives its place back, unless it is kept. */
  abandon(): void;
}

/** A session that can be found by its id. */
interface Live {
  readonly session: HttpSession;
  readonly token: string;
  readonly record: KeptRecord | undefined;
  /** Was it begun by another instance? */
  readonly adopted: boolean;
  readonly give: () => void;
}

/** Sessions are looked at so many times in the shortest of their times. */
const LOOKS = 4;

/** There is no place for a session. */
export type Refused = Place & { readonly ok: false };

const NO_ROOM: Refused = {
  ok: false,
  sentence: "Capacity reached: the store of the sessions has no room for another one (its option maxEntries)",
  limit: { name: "maxEntries", value: undefined },
};

/** The sessions of one process. One timer looks after all of them, while there is any. */
export class SessionRegistry {
  readonly #options: SessionRegistryOptions;
  readonly #parts: HttpSessionParts;
  readonly #capacity: SessionCapacity;
  readonly #live = new Map<string, Live>();
  readonly #keys = new Map<string, string>();
  readonly #opening = new Map<string, Promise<HttpSession | Refused | undefined>>();
  /** Sessions of other instances that were ended here, with the time after which their ids are too old anyway. */
  readonly #ended = new Map<string, number>();
  #instance: string | undefined;
  #timer: ReturnType<typeof setInterval> | undefined;
  #closed = false;

  /** Begins without sessions. */
  constructor(options: SessionRegistryOptions) {
    this.#options = options;
    this.#parts = { ...options, vital: vitalBudget(options.limits) };
    this.#capacity = new SessionCapacity(options.limits);
  }

  /** How many sessions this process serves. */
  get size(): number {
    return this.#live.size;
  }

  /** Takes a place for a session, before the handshake. */
  begin(principal: string | undefined): BeginningSession | Refused {
    const place = this.#place(principal);
    if (!place.ok) return place;
    const issuedAt = Date.now();
    const session = this.#make(crypto.randomUUID(), principal, issuedAt, undefined);
    let kept = false;
    return {
      session,
      establish: async () => {
        const { state } = session.session;
        if (state === undefined || this.#closed) return undefined;
        const { tokens, records, limits, onError } = this.#options;
        const instance = this.#instance ??= crypto.randomUUID();
        const token = await tokens.seal({ key: session.key, instance, issuedAt, state }, principal);
        try {
          await records?.create(session.key, { state }, Math.min(limits.sessionIdle, limits.sessionAge));
        } catch (error) {
          if (!(error instanceof RangeError)) throw error;
          onError(error);
          return NO_ROOM;
        }
        if (this.#closed) return undefined;
        kept = true;
        this.#add(session, token, state, false, place.give);
        return token;
      },
      abandon: () => {
        if (kept) return;
        place.give();
        void session.end(true);
      },
    };
  }

  /** The session of an id, if it is this caller's and has not ended; it counts as used. */
  async find(token: string, principal: string | undefined): Promise<HttpSession | Refused | undefined> {
    const live = this.#live.get(this.#keys.get(token) ?? "");
    if (live !== undefined) return await this.#use(live, principal);
    // Two requests at once must not make two sessions of one.
    const call = JSON.stringify([token, principal ?? null]);
    const opening = this.#opening.get(call) ?? this.#open(token, principal).finally(() => this.#opening.delete(call));
    this.#opening.set(call, opening);
    return await opening;
  }

  /** Ends a session for every instance that can know. */
  async end({ key }: HttpSession): Promise<void> {
    const live = this.#live.get(key);
    if (live === undefined) return;
    this.#remove(live);
    await Promise.all([live.session.end(true), this.#options.records?.end(key)]);
  }

  /**
   * Ends every session in this process, after what is being written to them, for a short while; those that a store keeps may go
   * on elsewhere.
   */
  async close(): Promise<void> {
    this.#closed = true;
    const written = [...this.#live.values()].map(({ session }) => session.written).filter((one) => one !== undefined);
    if (written.length > 0) await endsWithin(Promise.all(written), LAST_WRITES);
    for (const live of [...this.#live.values()]) this.#leave(live);
    this.#ended.clear();
    this.#rest();
  }

  /**
   * Takes a place. Where all are taken, of the sessions that callers whom nobody knows have left unused the one makes room that was
   * used longest ago: who opens many sessions fills no server, and pushes out nobody who is verified.
   */
  #place(principal: string | undefined): Place {
    const place = this.#capacity.take(principal);
    if (place.ok || place.limit.name !== "sessions") return place;
    const before = Date.now() - (principal === undefined ? SESSION_SPARE : SESSION_REFRESH);
    const [spare] = [...this.#live.values()]
      .filter(({ session }) => session.principal === undefined && !session.busy && session.seenAt <= before)
      .sort((a, b) => a.session.seenAt - b.session.seenAt);
    if (spare === undefined) return place;
    this.#leave(spare);
    return this.#capacity.take(principal);
  }

  async #use(live: Live, principal: string | undefined): Promise<HttpSession | undefined> {
    const { session, record } = live;
    if (session.principal !== principal) return undefined;
    if (this.#isOver(live, Date.now())) {
      this.#leave(live);
      return undefined;
    }
    const since = record?.changes;
    const kept = await this.#options.records?.read(session.key);
    if (this.#live.get(session.key) !== live) return undefined;
    if (record !== undefined) {
      if (kept === undefined) {
        this.#leave(live);
        return undefined;
      }
      record.adopt(kept, session.session, since);
      record.used();
    }
    session.seenAt = Date.now();
    return session;
  }

  /** Goes on with a session that this process does not hold, if its id allows that. */
  async #open(token: string, principal: string | undefined): Promise<HttpSession | Refused | undefined> {
    const { tokens, records } = this.#options;
    const claims = await tokens.open(token, principal);
    if (claims === undefined) return undefined;
    const known = this.#live.get(claims.key);
    if (known !== undefined) return await this.#use(known, principal);
    const state = records === undefined ? this.#foreignState(claims) : (await records.read(claims.key))?.state;
    if (state === undefined || this.#closed) return undefined;
    const meanwhile = this.#live.get(claims.key);
    if (meanwhile !== undefined) return await this.#use(meanwhile, principal);
    const place = this.#place(principal);
    if (!place.ok) return place;
    const session = this.#make(claims.key, principal, claims.issuedAt, state);
    this.#add(session, token, state, true, place.give);
    this.#options.onAdopt?.(session.session);
    return session;
  }

  /** Without a common store: the session of another instance begins anew here, one of this instance has ended. */
  #foreignState({ key, instance, state }: SessionClaims): HandshakeState | undefined {
    if (instance === this.#instance || this.#ended.has(key) || state === undefined) return undefined;
    return { ...state, initialized: true };
  }

  #make(key: string, principal: string | undefined, issuedAt: number, state: HandshakeState | undefined): HttpSession {
    const onUpdate = (next: HandshakeState): Promise<void> | undefined => this.#live.get(key)?.record?.changed(next);
    const { shared, records, limits, onError } = this.#options;
    const { sessionIdle: idle, sessionEvents: bound } = limits;
    const notices = records === undefined || !shared ? undefined : new NoticeBox({ store: records, key, idle, bound, onError });
    return new HttpSession(this.#parts, { key, shared, principal, issuedAt, state, notices, onUpdate });
  }

  #add(session: HttpSession, token: string, state: HandshakeState, adopted: boolean, give: () => void): void {
    const { records, limits, onError } = this.#options;
    const { key } = session;
    const onGone = (): void => {
      const live = this.#live.get(key);
      if (live !== undefined) this.#leave(live);
    };
    const record = records === undefined
      ? undefined
      : new KeptRecord(state, { store: records, key, idle: limits.sessionIdle, onGone, onError });
    this.#live.set(key, { session, token, record, adopted, give });
    this.#keys.set(token, key);
    if (this.#timer !== undefined) return;
    const every = Math.min(limits.sessionIdle / LOOKS, limits.sessionAge / LOOKS, SESSION_REFRESH);
    this.#timer = setInterval(() => this.#look(), every);
    // Where a timer can be told not to keep the process alive.
    (this.#timer as { readonly unref?: () => void }).unref?.();
  }

  #look(): void {
    const now = Date.now();
    for (const live of this.#live.values()) {
      if (live.session.busy) {
        live.session.seenAt = now;
        live.record?.used();
        live.session.renew();
      }
      if (this.#isOver(live, now)) this.#leave(live);
    }
    for (const [key, until] of this.#ended) if (now >= until) this.#ended.delete(key);
    this.#rest();
  }

  #isOver({ session }: Live, now: number): boolean {
    const { sessionAge, sessionIdle } = this.#options.limits;
    return now - session.issuedAt >= sessionAge || now - session.seenAt >= sessionIdle;
  }

  /** Lets go of a session in this process: in a store its record goes by itself, unless another instance uses it. */
  #leave(live: Live): void {
    this.#remove(live);
    void live.session.end(this.#options.records === undefined);
  }

  #remove({ session, token, adopted, give }: Live): void {
    const { records, limits } = this.#options;
    this.#live.delete(session.key);
    this.#keys.delete(token);
    give();
    if (adopted && records === undefined && !this.#closed) {
      this.#ended.set(session.key, session.issuedAt + limits.sessionAge);
      const [oldest] = this.#ended.keys();
      if (this.#ended.size > limits.sessions && oldest !== undefined) this.#ended.delete(oldest);
    }
    this.#rest();
  }

  #rest(): void {
    if (this.#live.size > 0 || this.#ended.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
