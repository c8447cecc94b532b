/** Says what somebody may have meant by a command that does not exist. */

/**
 * What a text stands for that is not a command: a whole line of a shell, or an address.
 *
 * @returns The end of a sentence, or nothing.
 */
export function meantCommand(command: string): string {
  if (/^https?:/i.test(command)) return "; an address is given to connect as it is";
  return /\s/.test(command) ? "; each argument belongs into args" : "";
}
