/** When a token ends, and with it the streams that were opened with it. */
import { TOKEN_LIMITS } from "../protocol/limits.ts";
import type { Principal } from "./transport.ts";

/**
 * When the token of a caller is not taken any more, in milliseconds since 1970: its end, and the time that clocks may differ.
 * Undefined for callers without an end, and for those whose time is over already: whoever let them in has decided so.
 *
 * @param caller The verified caller.
 */
export function tokenEnd(caller: Principal | undefined): number | undefined {
  if (caller?.expiresAt === undefined) return undefined;
  const end = (caller.expiresAt + TOKEN_LIMITS.clockSkew) * 1000;
  return end > Date.now() ? end : undefined;
}

/** The most that one timer waits. A longer time would be over at once. */
const LONGEST = 2 ** 31 - 1;

/**
 * Acts once at a time.
 *
 * @param time Milliseconds since 1970.
 * @returns Takes it back.
 */
export function atTime(time: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout>;
  const wait = (): void => {
    const left = time - Date.now();
    timer = setTimeout(left > LONGEST ? wait : act, Math.min(Math.max(left, 0), LONGEST));
  };
  wait();
  return () => clearTimeout(timer);
}
