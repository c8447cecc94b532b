/** What a change stream is asked for, and who takes what it brings, in every revision. */
import type { SubscriptionFilter } from "../../protocol/types.ts";
import type { ChangeEvent, CloseReason } from "./subscription_types.ts";

/** Who takes what a stream brings. */
export interface ListenSink {
  /** The server has agreed; called before any event that follows. */
  readonly accepted?: (() => void) | undefined;
  /** Takes an event. */
  readonly push: (event: ChangeEvent) => void;
  /** The stream has ended after its acknowledgement. */
  readonly end: (reason: CloseReason) => void;
}

/** What is wanted of one change stream. */
export interface ListenRequest {
  /** What to ask for, as it is sent. */
  readonly filter: SubscriptionFilter;
  /** Milliseconds for the acknowledgement. */
  readonly timeout: number;
  /** Ends the stream. */
  readonly signal: AbortSignal;
}
