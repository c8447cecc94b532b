/** Checks of the options that every request takes. */
import { metaKeyFault, traceparentFault } from "../protocol/meta.ts";
import { META } from "../protocol/meta.ts";
import { checkFunction, checkObject, checkOptionNames } from "../protocol/unknown_option.ts";
import type { JsonObject, JsonValue } from "../protocol/types.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { DeadlineWatch } from "./waits/deadline_watch.ts";
import type { ReadOptions, RequestOptions } from "./options.ts";

/** The times of one call. */
export interface CallTimes {
  /** Milliseconds without an answer or progress. */
  readonly timeout: number;
  /** When the call must be over, on the clock of `performance.now()`; later after a time that counts for nobody. */
  readonly deadline: number;
  /** The milliseconds that it was given in all, for errors. */
  readonly total?: number | undefined;
}

/**
 * Reads the times of a call.
 *
 * @param watch How long it is held from now on does not count; see {@linkcode DeadlineWatch.hold}.
 * @throws {TypeError} For options that are not an object, and when a time is not a positive number of milliseconds.
 */
export function callTimes(
  options: RequestOptions,
  limits: ResolvedLimits,
  watch: Pick<DeadlineWatch, "heldFor">,
): CallTimes {
  checkObject(options, "options");
  const timeout = options.timeout ?? limits.requestTimeout;
  const total = options.totalTimeout ?? limits.requestTotalTimeout;
  if (!(timeout > 0)) throw timeFault("timeout", timeout);
  if (!(total > 0)) throw timeFault("totalTimeout", total);
  const end = performance.now() + total - watch.heldFor;
  return {
    timeout,
    get deadline() {
      return end + watch.heldFor;
    },
    total,
  };
}

/**
 * Refuses what is not a signal, an `AbortController` among others.
 *
 * @throws {TypeError} Naming the option.
 */
export function checkSignal(signal: unknown, path: string): void {
  if (signal !== undefined && typeof (Object(signal) as AbortSignal).throwIfAborted !== "function") {
    throw new TypeError(`${path}: Expected an AbortSignal`);
  }
}

/** How a request uses the cache, where there is one. */
export type CacheMode = "use" | "refresh" | "bypass";

/**
 * Reads how a request uses the cache.
 *
 * @throws {TypeError} For any other word.
 */
export function cacheMode(options: Pick<ReadOptions, "cache">): CacheMode {
  checkObject(options, "options");
  const { cache } = options;
  if (cache === undefined) return "use";
  if (cache === "refresh" || cache === "bypass") return cache;
  throw new TypeError('options.cache: Expected "refresh" or "bypass"');
}

/**
 * Puts together the entries that a call adds to `_meta`: its `meta` and its trace context
 * (MCP 2026-07-28, Basic § General fields; W3C Trace Context § 3.2 and § 3.3).
 *
 * @returns The entries, or undefined when there are none.
 * @throws {TypeError} For an option that nobody reads, a key that is not allowed and a malformed trace context.
 */
export function metaEntries(options: RequestOptions): JsonObject | undefined {
  checkObject(options, "options");
  // Most calls have no options at all.
  for (const key in options) if (!REQUEST_OPTIONS.has(key)) checkOptionNames(options, REQUEST_OPTIONS, "options.");
  const { meta, trace, signal, onProgress } = options;
  checkSignal(signal, "options.signal");
  if (onProgress !== undefined) checkFunction(onProgress, "options.onProgress");
  if (meta === undefined && trace === undefined) return undefined;
  const entries: Record<string, JsonValue | undefined> = { ...meta };
  for (const key of Object.keys(entries)) {
    const fault = key === META.progressToken ? "is set by the client itself" : metaKeyFault(key);
    if (fault !== undefined) throw new TypeError(`options.meta: The key ${JSON.stringify(key)} ${fault}`);
  }
  if (trace !== undefined) {
    entries[META.traceparent] = trace.traceparent;
    if (trace.tracestate !== undefined) entries[META.tracestate] = trace.tracestate;
  }
  const from = trace === undefined ? "options.meta" : "options.trace";
  const parent = entries[META.traceparent];
  const fault = parent === undefined ? undefined : traceparentFault(parent);
  if (fault !== undefined) throw new TypeError(`${from}.traceparent: The value ${fault}`);
  const state = entries[META.tracestate];
  if (state !== undefined && !isTracestate(state)) throw new TypeError(`${from}.tracestate: The value is not a W3C tracestate`);
  return entries;
}

const REQUEST_OPTIONS: ReadonlySet<string> = new Set([
  "signal",
  "timeout",
  "totalTimeout",
  "onProgress",
  "logLevel",
  "label",
  "meta",
  "trace",
  "cache",
  "input",
  "inputResponses",
  "requestState",
]);

const STATE_KEY = /^(?:[a-z][a-z0-9_\-*/]{0,255}|[a-z0-9][a-z0-9_\-*/]{0,240}@[a-z][a-z0-9_\-*/]{0,13})$/;
const STATE_VALUE = /^[\x20-\x2b\x2d-\x3c\x3e-\x7e]{0,255}[\x21-\x2b\x2d-\x3c\x3e-\x7e]$/;
const STATE_MEMBERS = 32;

/** W3C Trace Context § 3.3.1: at most 32 pairs, empty ones allowed, no key twice. */
function isTracestate(value: JsonValue): boolean {
  if (typeof value !== "string") return false;
  const members = value.split(",").map((member) => member.trim()).filter((member) => member !== "");
  const keys = new Set<string>();
  for (const member of members) {
    const equals = member.indexOf("=");
    const key = member.slice(0, Math.max(equals, 0));
    if (!STATE_KEY.test(key) || !STATE_VALUE.test(member.slice(equals + 1)) || keys.has(key)) return false;
    keys.add(key);
  }
  return members.length <= STATE_MEMBERS;
}

function timeFault(name: string, value: number): TypeError {
  return new TypeError(`options.${name}: Expected a positive number of milliseconds, received ${String(value)}`);
}
