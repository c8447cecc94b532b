/** The contract between a connection and its cache of answers. */
import type { ResolvedLimits } from "../../protocol/limits.ts";
import type { ClientCapabilities, JsonObject, JsonRpcNotification, Progress } from "../../protocol/types.ts";
import type { DeadlineWatch } from "../waits/deadline_watch.ts";
import type { CallTimes } from "../request_settings.ts";

/** What a connection gives its cache. */
export interface CacheHost {
  /** Watches the deadlines of those who wait for an answer. */
  readonly watch: DeadlineWatch;
  /** Bounds: `cacheEntries`, `cacheBytes`, `cacheTtl`. */
  readonly limits: Pick<ResolvedLimits, "cacheEntries" | "cacheBytes" | "cacheTtl">;
  /** What the client declares with every request; an answer may depend on it. */
  readonly capabilities: ClientCapabilities;
  /** Is this a final result, in the revision in use? */
  readonly isComplete: (method: string, result: JsonObject) => boolean;
  /** Told of faults of the store. */
  readonly report: (error: unknown) => void;
}

/** On what terms the request of a cached call leaves: whoever waits for it keeps its own time and signal. */
export interface SendTerms {
  /** Aborts when nobody waits any more. */
  readonly signal: AbortSignal | undefined;
  /** The times. */
  readonly times: CallTimes;
  /** Told of progress. */
  readonly onProgress: ((progress: Progress) => void) | undefined;
}

/** A request whose answer may come from the cache. */
export interface CachedCall {
  /** The revision in use. */
  readonly version: string;
  /** The method. */
  readonly method: string;
  /** The params without the dialect's own members. */
  readonly params: JsonObject;
  /** "refresh" asks in any case. */
  readonly mode: "use" | "refresh";
  /** Ends the caller's waiting. */
  readonly signal: AbortSignal | undefined;
  /** The caller's times. */
  readonly times: CallTimes;
  /** Sends the request; a second time under another id. */
  readonly send: (terms: SendTerms) => Promise<JsonObject>;
}

/** Answers requests from what was answered before. */
export interface AnswerCache {
  /** Gives an answer that is still fresh, or asks. */
  answer(call: CachedCall): Promise<JsonObject>;
  /** Takes a notification of a change, as soon as it arrives. */
  changed(notification: JsonRpcNotification): void;
}
