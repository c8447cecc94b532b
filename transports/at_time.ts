/** Acts at a time, however far away it is. */

/**
 * Acts once at a time.
 *
 * @param time Milliseconds since 1970; a time that is past has come.
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

/** The most that one timer waits. A longer time would be over at once. */
const LONGEST = 2 ** 31 - 1;
