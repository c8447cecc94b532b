/** Answers of the application to whether something is allowed. */

/**
 * Takes nothing for a yes but `true`. A promise is none, whatever it becomes; that it rejects must not end the process.
 *
 * @param answer What a function gave that has to say true or false at once.
 */
export function saysYes(answer: unknown): boolean {
  if (answer instanceof Promise) answer.catch(() => undefined);
  return answer === true;
}
