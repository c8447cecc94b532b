/** The time of day in tests. */

/** Runs as if it were so many milliseconds later by the clock on the wall; timers do not notice. */
export async function later<T>(milliseconds: number, run: () => Promise<T>): Promise<T> {
  const now = Date.now;
  Date.now = () => now() + milliseconds;
  try {
    return await run();
  } finally {
    Date.now = now;
  }
}
