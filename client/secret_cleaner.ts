/** Takes credentials out of texts, in whatever form. */
import { SECRET_LENGTH } from "../protocol/limits.ts";
import { plainText } from "./plain_text.ts";

/** What stands for the rest of a text that was shortened. */
const CUT = /…|\.{3}/g;

/** A character in the middle of whose escape a text was shortened. */
const CUT_ESCAPE = /(?:%(?:25)?[0-9a-f]?|\\{1,4}(?:u0{0,2}[0-9a-f]?)?|&(?:#x?[0-9a-f]{0,4})?|~)$/;

/** Characters that an escape takes. */
const ESCAPED_LENGTH = 6;

/** Knows what is secret. */
export interface SecretCleaner {
  /** Characters that the longest secret may take in a text; 0 when nothing is secret. */
  readonly longest: number;
  /** Gives a text with `***` in place of every secret, and of the beginning of one where the text was shortened. */
  clean(text: string): string;
}

/**
 * Makes a cleaner. It finds secrets in upper and lower case, and with characters written in other ways.
 *
 * @param secrets What `secretForms` gave for each credential.
 */
export function secretCleaner(secrets: Iterable<readonly string[]>): SecretCleaner {
  const forms = [...new Set([...secrets].flat())];
  const begun = begunBy(forms);
  const longest = forms.reduce((most, { length }) => Math.max(most, ESCAPED_LENGTH * length), 0);
  return { longest, clean: (text) => longest === 0 || text.length < SECRET_LENGTH ? text : cleaned(text, forms, begun) };
}

/** Forms by their first characters. */
type Begun = ReadonlyMap<string, readonly string[]>;

function begunBy(forms: readonly string[]): Begun {
  const begun = new Map<string, string[]>();
  for (const form of forms) {
    const beginning = form.slice(0, SECRET_LENGTH);
    const others = begun.get(beginning);
    if (others === undefined) begun.set(beginning, [form]);
    else others.push(form);
  }
  return begun;
}

function cleaned(text: string, forms: readonly string[], begun: Begun): string {
  const { text: plain, shifts } = plainText(text);
  const found = [...wholes(plain, forms), ...beginnings(plain, begun)].sort(([a], [b]) => a - b);
  const parts: string[] = [];
  let next = 0;
  let by = 0;
  const original = (at: number): number => {
    for (; (shifts[next]?.[0] ?? Infinity) <= at; next++) by = shifts[next]?.[1] ?? by;
    return at + by;
  };
  let kept = 0;
  for (let index = 0; index < found.length;) {
    const [start, first] = found[index++] ?? [0, 0];
    let end = first;
    // One may be a part of another.
    for (; (found[index]?.[0] ?? Infinity) < end; index++) end = Math.max(end, found[index]?.[1] ?? 0);
    parts.push(text.slice(kept, original(start)), "***");
    kept = original(end);
  }
  return parts.join("") + text.slice(kept);
}

function* wholes(plain: string, forms: readonly string[]): Generator<readonly [start: number, end: number]> {
  for (const form of forms) {
    for (let at = plain.indexOf(form); at >= 0; at = plain.indexOf(form, at + form.length)) yield [at, at + form.length];
  }
}

/** Where a text was shortened, so that a form is not whole; many forms cost no more than one. */
function* beginnings(plain: string, begun: Begun): Generator<readonly [start: number, end: number]> {
  let from = 0;
  for (const { index: cut, 0: mark } of plain.matchAll(CUT)) {
    const part = plain.slice(from, cut).replace(CUT_ESCAPE, "");
    for (let at = 0; at <= part.length - SECRET_LENGTH; at++) {
      const rest = begun.get(part.slice(at, at + SECRET_LENGTH))?.some((form) => form.startsWith(part.slice(at)));
      if (rest !== true) continue;
      yield [from + at, cut];
      break;
    }
    from = cut + mark.length;
  }
}
