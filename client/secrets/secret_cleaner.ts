/** Takes credentials out of texts, in whatever form. */
import { SECRET_LENGTH, SENT_SECRETS } from "../../protocol/limits.ts";
import { characterAt } from "./plain_text.ts";

/** Where a text was shortened, perhaps in the middle of how a character is written. */
const CUT = /(?:%(?:25)?[0-9a-f]?|\\{1,4}(?:u0{0,2}[0-9a-f]?)?|&(?:amp;)*(?:#x?[0-9a-f]{0,4}|[a-z]{0,4})|~)?(?=…|\.{3})/iy;

/** The characters with which such a place begins. */
const CUT_BEGINS = "…%\\&~.";

/** Characters that an escape takes. */
const ESCAPED_LENGTH = 6;

/** Where the last characters of a text begin, while it is cleaned. */
const STARTS = new Int32Array(SECRET_LENGTH);

/** Knows what is secret. */
export interface SecretCleaner {
  /** Characters that the longest secret may take in a text; 0 when nothing is secret. */
  readonly longest: number;
  /** Gives a text with `***` in place of every secret, and of the beginning of one where the text was shortened. */
  clean(text: string): string;
}

/**
 * Makes a cleaner. It finds secrets in upper and lower case, and with characters written in other ways. The work is linear in the
 * text, however many secrets there are.
 *
 * @param secrets What `secretForms` gave for each credential.
 */
export function secretCleaner(secrets: Iterable<readonly string[]>): SecretCleaner {
  const begun: Begun = new Map();
  let longest = 0;
  // Those that begin alike are neighbours, the shorter ones first.
  for (const form of [...new Set([...secrets].flat())].sort()) {
    let hash = 0;
    for (let at = 0; at < SECRET_LENGTH; at++) hash = mixed(hash, form.charCodeAt(at));
    const others = begun.get(hash);
    if (others === undefined) begun.set(hash, [form]);
    else others.push(form);
    longest = Math.max(longest, ESCAPED_LENGTH * form.length);
  }
  return { longest, clean: (text) => longest === 0 || text.length < SECRET_LENGTH ? text : cleaned(text, begun) };
}

/** Forms by what `mixed` makes of their first characters. */
type Begun = Map<number, string[]>;

/** A number of 16 bits that depends on the last 8 characters alone, as many as a secret has at least. */
function mixed(hash: number, code: number): number {
  return (hash << 16 / SECRET_LENGTH ^ code) & 0xffff;
}

function cleaned(text: string, begun: Begun): string {
  let parts = "";
  let kept = 0;
  let hash = 0;
  let spare = SENT_SECRETS.comparisons * (text.length + 1024);
  let count = 0;
  for (let at = 0; at < text.length;) {
    const character = characterAt(text, at);
    STARTS[count++ % SECRET_LENGTH] = at;
    at += character >> 16;
    hash = mixed(hash, character & 0xffff);
    const forms = count < SECRET_LENGTH ? undefined : begun.get(hash);
    if (forms === undefined) continue;
    const start = STARTS[count % SECRET_LENGTH] as number;
    const [end, compared] = endOf(text, start, forms);
    spare -= compared;
    const last = spare < 0 ? text.length : end;
    if (last <= kept) continue;
    // One may be a part of another.
    if (start >= kept) parts += `${text.slice(kept, start)}***`;
    kept = last;
    if (spare < 0) break;
  }
  return parts + text.slice(kept);
}

/** Where the longest of the forms ends that begins at `start`, or its beginning where the text was shortened; 0 when none is there. */
function endOf(text: string, start: number, forms: readonly string[]): readonly [end: number, compared: number] {
  let low = 0;
  let high = forms.length;
  let end = 0;
  let at = start;
  let depth = 0;
  for (;; depth++) {
    if (forms[low]?.length === depth) {
      end = at;
      low++;
    }
    if (low >= high || at >= text.length) break;
    if (depth >= SECRET_LENGTH && CUT_BEGINS.includes(text.charAt(at))) {
      CUT.lastIndex = at;
      if (CUT.test(text)) return [CUT.lastIndex, depth];
    }
    const character = characterAt(text, at);
    const code = character & 0xffff;
    while (low < high && forms[low]?.charCodeAt(depth) !== code) low++;
    while (low < high && forms[high - 1]?.charCodeAt(depth) !== code) high--;
    at += character >> 16;
  }
  return [end, depth];
}
