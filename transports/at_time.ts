/** Acts at a time, however far away it is. */
import { LONGEST_TIMER } from "../protocol/limits.ts";

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
    timer = setTimeout(left > LONGEST_TIMER ? wait : act, Math.min(Math.max(left, 0), LONGEST_TIMER));
  };
  wait();
  return () => clearTimeout(timer);
}
