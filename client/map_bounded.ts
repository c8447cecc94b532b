/** Work on many things, a bounded number of them at once. */

/**
 * Runs a function for every item, at most `bound` at once, in their order.
 *
 * @param items What to work on.
 * @param bound How many at once.
 * @param run The work. When it fails for one item, no further one is begun.
 * @param stopped Asked before each further item.
 * @returns The results, in the order of the items; shorter when it was stopped.
 */
export async function mapBounded<T, R>(
  items: readonly T[],
  bound: number,
  run: (item: T) => Promise<R>,
  stopped: () => boolean = () => false,
): Promise<readonly R[]> {
  const results: R[] = [];
  let next = 0;
  let failed = false;
  const work = async (): Promise<void> => {
    while (next < items.length && !failed && !stopped()) {
      const index = next++;
      try {
        results[index] = await run(items[index] as T);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(bound, items.length) }, work));
  return results;
}
