/** Waits that end. */

/**
 * Waits for some work, though not for ever.
 *
 * @param work What is waited for; its failure is a failure here, when it comes in time.
 * @param milliseconds How long.
 * @returns Whether the work ended in time.
 */
export async function endsWithin(work: Promise<unknown>, milliseconds: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<boolean>((resolve) => timer = setTimeout(() => resolve(false), milliseconds));
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
