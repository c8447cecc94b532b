/** Promises whose failure may go unheard. */

/** The same promise; a rejection that nobody waits for does not end the process. */
export function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => undefined);
  return promise;
}
