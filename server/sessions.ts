/** The sessions of this process that are told of changes. */
import type { Dialect, Handshake } from "../protocol/dialect.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { HandshakeState } from "../protocol/lifecycle.ts";
import type { ServerCapabilities } from "../protocol/types.ts";
import type { Session } from "../transports/transport.ts";
import { changeNotice, ChangeQueue, CHANGES, offersChange, readChange } from "./changes/changes.ts";
import type { Change } from "./changes/changes.ts";
import type { EventBus } from "./stores/event_bus.ts";

/** What the sessions of a server need. */
export interface SessionsParts {
  /** Carries changes. */
  readonly bus: EventBus;
  /** Every bound. */
  readonly limits: ResolvedLimits;
  /** The dialects that are served. */
  readonly dialects: readonly Dialect[];
  /** What the server tells changes of. */
  readonly capabilities: ServerCapabilities;
}

/** One session, and what it subscribed to. */
interface Member {
  readonly session: Session;
  readonly changes: ChangeQueue;
  readonly detach: () => void;
  /** The list that `uris` was made of. */
  list: readonly string[];
  uris: ReadonlySet<string>;
}

/**
 * The sessions of this process that are told of changes: of lists all of them, of resources those that subscribed (MCP
 * 2025-11-25, Tools § List Changed Notification; Resources § Subscriptions). They listen on the bus together.
 */
export class Sessions {
  readonly #bus: EventBus;
  readonly #bound: number;
  readonly #capabilities: ServerCapabilities;
  readonly #handshakes = new Map<string, Handshake>();
  readonly #members = new Map<Session, Member>();
  #stop: (() => void) | undefined;
  #closed = false;

  /** Takes what it needs; listens once a session has joined. */
  constructor({ bus, limits, dialects, capabilities }: SessionsParts) {
    this.#bus = bus;
    this.#bound = limits.subscriptionBuffer;
    this.#capabilities = capabilities;
    for (const { version, handshake } of dialects) if (handshake !== undefined) this.#handshakes.set(version, handshake);
  }

  /** How many sessions are told. */
  get size(): number {
    return this.#members.size;
  }

  /**
   * Tells a session of changes until it ends, once its client has said that it is ready. Carriers call it for a session that
   * another instance has opened; a second call does nothing.
   */
  join(session: Session): void {
    if (this.#closed || this.#members.has(session)) return;
    const changes = new ChangeQueue(this.#bound, (change) => this.#send(session, change));
    const detach = session.onEnd(() => this.#leave(session));
    this.#members.set(session, { session, changes, detach, list: [], uris: new Set() });
    this.#stop ??= this.#bus.subscribe(CHANGES, (event) => this.#deliver(event));
  }

  /** Tells nobody anything any more. */
  close(): void {
    this.#closed = true;
    for (const session of [...this.#members.keys()]) this.#leave(session);
  }

  #leave(session: Session): void {
    const member = this.#members.get(session);
    if (member === undefined) return;
    member.detach();
    member.changes.clear();
    this.#members.delete(session);
    if (this.#members.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #deliver(event: unknown): void {
    const change = readChange(event);
    if (change === undefined || !offersChange(change, this.#capabilities)) return;
    for (const member of this.#members.values()) {
      const { state } = member.session;
      if (state?.initialized !== true || (change.type === "resourceUpdated" && !subscribed(member, state, change.uri))) continue;
      member.changes.tell(change);
    }
  }

  #send(session: Session, change: Change): Promise<void> {
    const handshake = this.#handshakes.get(session.state?.version ?? "");
    if (handshake === undefined) return Promise.resolve();
    const { method, params } = changeNotice(change);
    return session.send(handshake.writeChange(method, params), true);
  }
}

/** The state is plain JSON, and a new object with each change. */
function subscribed(member: Member, state: HandshakeState, uri: string): boolean {
  if (member.list !== state.subscriptions) {
    member.list = state.subscriptions;
    member.uris = new Set(state.subscriptions);
  }
  return member.uris.has(uri);
}
