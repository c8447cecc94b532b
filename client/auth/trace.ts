/** What discovery has tried. */
import type { AuthorizationFacts } from "../../protocol/errors.ts";
import { AuthorizationError } from "../../protocol/errors.ts";
import type { AuthorizationReason } from "../../protocol/errors.ts";
import { publicUrl } from "./addresses.ts";

/** The steps of one discovery. */
export interface Trace {
  /** The steps so far. */
  readonly steps: NonNullable<AuthorizationFacts["trace"]>;
  /** Adds a step: where, with which answer, and what became of it. Queries are left out, since they may be secret. */
  add(url: string, status: number | undefined, note: string): void;
  /** Makes an error that holds the steps. */
  error(reason: AuthorizationReason, message: string): AuthorizationError;
}

/** Begins a trace. */
export function beginTrace(): Trace {
  const steps: { readonly url: string; readonly status?: number | undefined; readonly note: string }[] = [];
  return {
    steps,
    add: (url, status, note) => void steps.push({ url: publicUrl(url), status, note }),
    error: (reason, message) => new AuthorizationError(reason, message, { trace: [...steps] }),
  };
}
