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
