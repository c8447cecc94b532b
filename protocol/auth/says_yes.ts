/** Answers of the application to whether something is allowed. */

/**
 * Only `true` is a yes. A promise is not, whatever it becomes; its rejection must not end the process.
 *
 * @param answer What a function returned that has to say true or false at once.
 */
export function saysYes(answer: unknown): boolean {
  if (answer instanceof Promise) answer.catch(() => undefined);
  return answer === true;
}
