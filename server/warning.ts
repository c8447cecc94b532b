/** Warnings for `onError`: something that works here and may not work elsewhere. */

/** What to do about missing `stateKeys`. */
export const GIVE_KEYS = "give defineServer stateKeys, 32 random bytes from your secrets that all instances share";

/** Makes a warning: an error without a stack, because nothing went wrong where it was made. */
export function warning(text: string): Error {
  const made = new Error(text);
  made.name = "Warning";
  made.stack = `Warning: ${text}`;
  return made;
}
