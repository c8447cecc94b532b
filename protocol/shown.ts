/** Names and texts from the peer, made fit for a message. */
import { CAUSE_LENGTH, SECRET_LENGTH, SHOWN_LENGTH } from "./limits.ts";

/** A name from the peer, short enough for a message. */
export function shown(name: string, length: number = SHOWN_LENGTH): string {
  return name.length <= length ? name : `${name.slice(0, length)}…`;
}

/** A text from the peer on one short line, without characters that control a terminal or turn the direction of writing. */
export function shownLine(text: string, length: number = SHOWN_LENGTH): string {
  // Only as much as is shown is looked at.
  return shown(text.slice(0, 4 * length).replace(COLOURS, "").replace(CONTROLS, " ").trim(), length);
}

/** A text that should be an address, letter by letter, but short and without what may be secret: credentials, query, fragment. */
export function shownAddress(text: string): string {
  return shown(text.replace(/([?#]).+$/s, "$1…").replace(/^([^/]*\/\/)[^/]*@/, "$1…@"));
}

/**
 * Why a request did not get through, to be appended to a sentence: ` (Requires net access …)`, or nothing. Only what a platform's
 * `fetch` rejects with is told (WHATWG Fetch: a `TypeError`; in Deno also a permission that is missing), without addresses, whose
 * credentials and query may be secret.
 *
 * @param cause What was thrown.
 * @param values Values of headers that went along; their words do not appear.
 */
export function unreachableCause(cause: unknown, values: readonly string[] = []): string {
  if (!(cause instanceof Error) || (cause.name !== "TypeError" && cause.name !== "NotCapable")) return "";
  const { cause: inner } = cause;
  let text = cause.message;
  // "fetch failed" says little without what failed beneath; where Node tried several addresses, that has a code and no words.
  const beneath = inner instanceof Error ? inner.message || (inner as { readonly code?: unknown }).code : undefined;
  if (typeof beneath === "string" && !text.includes(beneath)) text += `: ${beneath}`;
  for (const word of values.join(" ").split(" ")) if (word.length >= SECRET_LENGTH) text = text.replaceAll(word, "…");
  text = text.slice(0, 4 * CAUSE_LENGTH).replace(/ for url \(\S*\)/g, "").replace(/\S*:\/\/\S*/g, "…");
  text = shownLine(text, CAUSE_LENGTH);
  return text === "" ? "" : ` (${text})`;
}

// deno-lint-ignore no-control-regex -- colours of a terminal begin with one
const COLOURS = /\x1b\[[\d;]*m/g;

// deno-lint-ignore no-control-regex -- control characters are what is taken out
const CONTROLS = /[\x00-\x1f\x7f-\x9f\u2028\u2029\u200b-\u200f\u202a-\u202e\u2060-\u2069\ufeff]+/g;
