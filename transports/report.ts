/** Tells a listener of a fault that belongs to no call. */

/** Calls the listener, whose own faults must not stop a channel. */
export function reportTo(onError: ((error: unknown) => void) | undefined, error: unknown): void {
  try {
    onError?.(error);
  } catch {
    // There is nobody left to tell.
  }
}
