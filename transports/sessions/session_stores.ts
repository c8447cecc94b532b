/** The contracts of what keeps sessions over HTTP and the events of their streams. */
import type { HandshakeState } from "../../protocol/lifecycle.ts";
import type { JsonRpcNotification, JsonRpcRequest } from "../../protocol/types.ts";

/** A session as it is kept, as plain JSON. */
export interface SessionRecord {
  /** What the handshake has agreed on, and what the client has set since. */
  readonly state: HandshakeState;
  /** The instance that holds the GET stream, and until when that is sure, in milliseconds since 1970. */
  readonly reader?: { readonly id: string; readonly until: number } | undefined;
  /** What waits for a GET stream that no instance holds. */
  readonly notices?: readonly (JsonRpcNotification | JsonRpcRequest)[] | undefined;
}

/** A record as it was read. */
export interface ReadRecord extends SessionRecord {
  /** Another one after each change, where the store has that: the same one means that nothing has changed. */
  readonly version?: string | undefined;
}

/** Keeps the sessions of all instances that share it. Without a record there is no session. */
export interface SessionStore {
  /** The record of a session; undefined when it has ended or was not used for too long. */
  read(key: string): Promise<ReadRecord | undefined>;
  /** Keeps a new session for `ttl` milliseconds. */
  create(key: string, record: SessionRecord, ttl: number): Promise<void>;
  /**
   * Changes a record, and keeps it for another `ttl` milliseconds. `change` is called again when another instance was
   * faster.
   *
   * @returns Whether there was a record.
   */
  update(key: string, change: (record: SessionRecord) => SessionRecord, ttl: number): Promise<boolean>;
  /** Ends a session for every instance. */
  end(key: string): Promise<void>;
}

/** An event of a stream. */
export interface StoredEvent {
  /** The place in its stream, from 0, without gaps. */
  readonly sequence: number;
  /** Its data; empty for the one that only has an id. */
  readonly text: string;
}

/** Names one stream of one session. */
export interface StreamName {
  /** The key of the session. */
  readonly session: string;
  /** The stream, unique in its session. */
  readonly stream: string;
}

/** Keeps the events of streams, so that a client may take up a stream again. How many is decided by who adds them. */
export interface EventStore {
  /** Keeps an event for `ttl` milliseconds. */
  append(name: StreamName, event: StoredEvent, ttl: number): Promise<void>;
  /** What is kept of a stream from a place on, in order. */
  read(name: StreamName, from: number): Promise<readonly StoredEvent[]>;
  /** Forgets an event. */
  remove(name: StreamName, sequence: number): Promise<void>;
}
