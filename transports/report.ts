/** Tells a listener of a fault that belongs to no call. */

/** Calls the listener, whose own faults, late ones too, must not stop a channel. */
export function reportTo(onError: ((error: unknown) => void) | undefined, error: unknown): void {
  try {
    const told: unknown = onError?.(error);
    if (told instanceof Promise) told.catch(() => undefined);
  } catch {
    // There is nobody left to tell.
  }
}
