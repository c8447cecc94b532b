/** HTTP statuses that say "not now". */

/**
 * May the same request succeed later (RFC 9110 § 15.5.9, § 15.5.10 and § 15.6; RFC 6585 § 4)? 409 also while an old stream still
 * counts as open.
 */
export function isTransientStatus(status: unknown): boolean {
  return typeof status === "number" && (TRANSIENT.has(status) || (status >= 500 && status !== 501));
}

const TRANSIENT: ReadonlySet<number> = new Set([408, 409, 429]);
