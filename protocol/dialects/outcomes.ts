/** Outcomes that several dialects have in common: params and results that do not fit, and what a revision has no words for. */
import type { Outcome } from "../dialect.ts";
import { ERROR_CODES } from "../errors.ts";

/** An outcome of -32602, for the peer. */
export function invalid(message: string): Outcome<never> {
  return { ok: false, error: { code: ERROR_CODES.invalid_params, message } };
}

/** An outcome of -32600: what the peer sent is not what the revision has there. */
export function unreadable(message: string): Outcome<never> {
  return { ok: false, error: { code: ERROR_CODES.invalid_request, message } };
}

/** An outcome that says what the revision has no words for; it is this side that hears it. */
export function impossible(message: string): Outcome<never> {
  return { ok: false, error: { code: ERROR_CODES.internal_error, message } };
}
