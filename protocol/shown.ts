/** Names and texts from the peer, made fit for a message. */
import { SHOWN_LENGTH } from "./limits.ts";

/** A name from the peer, short enough for a message. */
export function shown(name: string): string {
  return name.length <= SHOWN_LENGTH ? name : `${name.slice(0, SHOWN_LENGTH)}…`;
}

/** A text from the peer on one short line, without characters that control a terminal or turn the direction of writing. */
export function shownLine(text: string): string {
  // Only as much as is shown is looked at.
  return shown(text.slice(0, 4 * SHOWN_LENGTH).replace(CONTROLS, " ").trim());
}

// deno-lint-ignore no-control-regex -- control characters are what is taken out
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;
