/** Change streams as programs see them. */
import type { JsonObject, SubscriptionFilter } from "../../protocol/types.ts";

/** What a change stream brings. */
export type ChangeEvent =
  /** The list of tools changed. */
  | { readonly type: "toolsListChanged" }
  /** The list of prompts changed. */
  | { readonly type: "promptsListChanged" }
  /** The list of resources changed. */
  | { readonly type: "resourcesListChanged" }
  /** A resource changed; it may be part of the one that was asked for. */
  | { readonly type: "resourceUpdated"; readonly uri: string }
  /** A notification that an extension defines. */
  | { readonly type: "notification"; readonly method: string; readonly params: JsonObject }
  /** The buffer was full. */
  | { readonly type: "dropped"; readonly count: number }
  /** The stream was opened again; something may have been missed. */
  | { readonly type: "gap" }
  /** The last event. */
  | { readonly type: "closed"; readonly reason: CloseReason };

/** Why a change stream ended. */
export type CloseReason = { readonly by: "client" | "server" } | { readonly by: "fault"; readonly error: Error };

/** How events are buffered. */
export interface SubscriptionOptions {
  /** Before the acknowledgement aborting rejects with the signal's reason; afterwards it closes the stream. */
  readonly signal?: AbortSignal | undefined;
  /** Milliseconds for the acknowledgement; 30,000 by default. */
  readonly timeout?: number | undefined;
  /** Events that wait for a reader; 100 by default. */
  readonly buffer?: number | undefined;
  /** When the buffer is full; "drop_oldest" by default. Drops are reported. */
  readonly overflow?: "drop_oldest" | "drop_newest" | "close" | undefined;
  /** Identical events that wait are merged; true by default. */
  readonly coalesce?: boolean | undefined;
}

/** Options of a stream that opens on first use. */
export interface WatchOptions extends SubscriptionOptions {
  /**
   * Open the stream again after a lost connection, with growing pauses; false by default. Servers that take tokens end a stream when
   * its token ends, which counts as a loss: the new stream begins with a new token.
   */
  readonly relisten?: boolean | undefined;
}

/** An open change stream. `for await` ends after the "closed" event; leaving the loop closes it. */
export interface Subscription extends AsyncIterable<ChangeEvent> {
  /** The filter the server agreed to. */
  readonly accepted: SubscriptionFilter;
  /** The next event; after the end, "closed" again at once. */
  next(): Promise<IteratorResult<ChangeEvent, undefined>>;
  /** Idempotent. */
  close(): Promise<void>;
  /** Resolves with the reason of the end; never rejects. */
  readonly closed: Promise<CloseReason>;
  /** Events until "closed", that one included. */
  [Symbol.asyncIterator](): AsyncIterator<ChangeEvent, undefined>;
  /** Closes the stream. */
  [Symbol.asyncDispose](): Promise<void>;
}

/** A change stream that opens on first use, in whatever way the revision has. */
export interface Watch extends Omit<Subscription, "accepted"> {
  /** Opens it now; resolves with the filter the server agreed to, or rejects as `listen` does. */
  open(): Promise<SubscriptionFilter>;
}
