/** `rateLimit`: a middleware that refuses callers above a rate. */
import type { CallInfo } from "../../protocol/context.ts";
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { RATE_CALLERS } from "../../protocol/limits.ts";
import { checkFunction, checkOptionNames } from "../../protocol/unknown_option.ts";
import type { Middleware } from "./middleware_types.ts";

/** What `rateLimit()` takes. */
export interface RateLimitOptions {
  /** Requests that one caller may make in a minute; as many may come at once. An integer of at least 1. */
  readonly perMinute: number;
  /**
   * Who the caller is; by default the principal, and everybody without one counts as one caller. A value that clients choose themselves
   * (a name, a header that no proxy sets) is no limit.
   */
  readonly by?: ((info: CallInfo) => string) | undefined;
}

/**
 * Makes a middleware that refuses callers above a rate with -32603, `data.reason` "rate_limited", and the milliseconds until the
 * next request is let through. Each caller has an allowance of `perMinute` requests that fills up again evenly, on a clock that
 * never jumps. Servers and methods that are given the same value share its allowances; other instances do not. Beyond 10,000
 * callers within a minute, further ones share one allowance, so that memory is bounded and new names win nothing.
 *
 * @example Sixty requests a minute for each caller
 * ```ts
 * import { defineServer, rateLimit, tool } from "@causeway/mcp/server";
 *
 * const server = defineServer({
 *   name: "limited",
 *   version: "1.0.0",
 *   use: [rateLimit({ perMinute: 60 })],
 *   tools: [tool({ name: "greet", handler: () => "Hello!" })],
 * });
 * console.log(server.info.name);
 * ```
 *
 * @throws {TypeError} When `perMinute` is not a positive integer, or `by` no function.
 */
export function rateLimit(options: RateLimitOptions): Middleware {
  checkOptionNames(options, KNOWN, "rateLimit.");
  const { perMinute, by } = options;
  if (!Number.isSafeInteger(perMinute) || perMinute < 1) throw new TypeError("rateLimit.perMinute: Expected a positive integer");
  if (by !== undefined) checkFunction(by, "rateLimit.by");
  const allowances = new Allowances(perMinute);
  return (call, next) => {
    const wait = allowances.take(by === undefined ? keyOf(call.info) : `by ${by(call.info)}`, performance.now());
    if (wait === 0) return next();
    const retryAfterMs = Math.ceil(wait);
    const message = `Rate limited: at most ${perMinute} requests in a minute (limit perMinute), try again in ${retryAfterMs} ms`;
    const data = { reason: "rate_limited", limit: "perMinute", value: perMinute, retryAfterMs };
    throw new ProtocolError(ERROR_CODES.internal_error, message, { data });
  };
}

/** Anonymous callers are no principal: what they open, name or claim does not tell them apart. */
function keyOf({ auth }: CallInfo): string {
  return auth === undefined ? "anonymous" : `principal ${auth.principal}`;
}

const KNOWN: ReadonlySet<string> = new Set(["perMinute", "by"]);

const MINUTE = 60_000;

interface Allowance {
  left: number;
  at: number;
}

/** What each caller has left, the one that asked longest ago first. */
class Allowances {
  readonly #perMinute: number;
  readonly #callers = new Map<string, Allowance>();
  readonly #rest: Allowance;

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#rest = { left: perMinute, at: 0 };
  }

  /** Takes one request off a caller's allowance; 0, or the milliseconds until there is one. */
  take(caller: string, now: number): number {
    const allowance = this.#allowanceOf(caller, now);
    const filled = allowance.left + (now - allowance.at) * this.#perMinute / MINUTE;
    allowance.left = Math.min(this.#perMinute, filled);
    allowance.at = now;
    if (allowance.left < 1) return (1 - allowance.left) * MINUTE / this.#perMinute;
    allowance.left -= 1;
    return 0;
  }

  #allowanceOf(caller: string, now: number): Allowance {
    const known = this.#callers.get(caller);
    if (known !== undefined) {
      this.#callers.delete(caller);
      this.#callers.set(caller, known);
      return known;
    }
    // Whoever has not asked for a minute has the whole allowance again, so that nothing is forgotten.
    const [oldest] = this.#callers;
    if (oldest !== undefined && now - oldest[1].at >= MINUTE) this.#callers.delete(oldest[0]);
    if (this.#callers.size >= RATE_CALLERS) return this.#rest;
    const fresh = { left: this.#perMinute, at: now };
    this.#callers.set(caller, fresh);
    return fresh;
  }
}
