/** The option `timeout` of a question. */

/**
 * Checks it, in the revisions that do not wait by it as well: a handler serves them all.
 *
 * @param timeout Milliseconds to wait for an answer.
 * @param path Where it stands.
 * @throws {TypeError} When it is given, and no positive finite number.
 */
export function checkAskTimeout(timeout: unknown, path: string): void {
  if (timeout === undefined || (typeof timeout === "number" && timeout > 0 && timeout < Infinity)) return;
  throw new TypeError(`${path}.timeout: Expected a positive, finite number of milliseconds`);
}
