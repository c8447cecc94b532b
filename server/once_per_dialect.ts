/** What is written once for each dialect, when it is first spoken. */
import type { Dialect } from "../protocol/dialect.ts";

/** Keeps what a function makes for a dialect. */
export function oncePerDialect<T>(make: (dialect: Dialect) => T): (dialect: Dialect) => T {
  const made = new Map<Dialect, T>();
  return (dialect) => {
    const kept = made.get(dialect);
    if (kept !== undefined) return kept;
    const fresh = make(dialect);
    made.set(dialect, fresh);
    return fresh;
  };
}
