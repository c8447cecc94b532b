/** Tells a listener of the program something that has no other way to it. */

/** Calls the listener, whose own faults, late ones too, must not stop whoever tells. */
export function reportTo<A extends readonly unknown[]>(listener: ((...told: A) => unknown) | undefined, ...told: A): void {
  try {
    const returned: unknown = listener?.(...told);
    if (returned instanceof Promise) returned.catch(() => undefined);
  } catch {
    // There is nobody left to tell.
  }
}
