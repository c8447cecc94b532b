/** The forms in which an answer may repeat a credential. */
import { SECRET_LENGTH } from "../../protocol/limits.ts";
import { plainText } from "./plain_text.ts";

/**
 * Lists what is secret in a credential, as plain text in lower case: its words that are long enough, what follows a name in them,
 * and the password of a `Basic` one; each as it is and in base64.
 *
 * @param value The value of a header that holds the credential.
 */
export function secretForms(value: string): readonly string[] {
  const words = wordsOf(value).filter(({ length }) => length >= SECRET_LENGTH);
  const forms = words.flatMap((word) => [word, ...inBase64(word)].map((form) => form.toLowerCase()).concat(plainText(word)));
  return [...new Set(forms)].filter(({ length }) => length >= SECRET_LENGTH);
}

function wordsOf(value: string): readonly string[] {
  const words = value.split(/[\s,;]+/).flatMap((word) => [word, ...[..."=:"].map((mark) => unquoted(after(word, mark)))]);
  const basic = /^basic +(.+)$/i.exec(value.trim())?.[1];
  if (basic === undefined) return words;
  const pair = decoded(basic);
  return [...words, pair, after(pair, ":")];
}

function after(word: string, mark: string): string {
  const at = word.indexOf(mark);
  return at < 0 ? "" : word.slice(at + 1);
}

function unquoted(word: string): string {
  return word.replace(/^["']|["']$/g, "");
}

function decoded(base64: string): string {
  try {
    return atob(base64);
  } catch {
    return "";
  }
}

/** What a word is in base64 (RFC 4648 § 4 and § 5), wherever it stands in what was encoded. */
function inBase64(word: string): readonly string[] {
  // It was a header: its characters are bytes.
  if (/[^\0-\xff]/.test(word)) return [];
  // What other characters share with it is left out.
  const forms = [0, 1, 2].map((before) => btoa("\0".repeat(before) + word).slice(before && before + 1).replace(/.=+$/, ""));
  return forms.flatMap((form) => [form, form.replaceAll("+", "-").replaceAll("/", "_")]);
}
