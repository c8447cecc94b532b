import assert from "node:assert/strict";
import { secretCleaner } from "../../../client/secrets/secret_cleaner.ts";
import { secretForms } from "../../../client/secrets/secret_forms.ts";

const TOKEN = "Secret-token+of/me~1=";

const WRITTEN: readonly (readonly [name: string, write: (text: string) => string])[] = [
  ["in lower case", (text) => text.toLowerCase()],
  ["in upper case", (text) => text.toUpperCase()],
  ["percent-encoded", encodeURIComponent],
  ["percent-encoded in lower case", (text) => encodeURIComponent(text).toLowerCase()],
  ["percent-encoded with the tilde", (text) => encodeURIComponent(text).replaceAll("~", "%7E")],
  ["percent-encoded twice", (text) => encodeURIComponent(encodeURIComponent(text))],
  ["as JSON with escaped slashes", (text) => text.replaceAll("/", "\\/")],
  ["as JSON with escaped characters", (text) => text.replace(/[+/=]/g, (one) => `\\u00${one.charCodeAt(0).toString(16)}`)],
  ["as JSON in JSON", (text) => text.replaceAll("/", "\\\\\\/").replaceAll("+", "\\\\u002B")],
  ["as HTML", (text) => text.replaceAll("/", "&#x2F;").replaceAll("+", "&#43;").replaceAll("=", "&#061;")],
  ["in the path of JSON", (text) => text.replaceAll("~", "~0").replaceAll("/", "~1")],
];

Deno.test("secretCleaner finds a token in whatever way its characters are written, and leaves the rest (M-AUTH-114)", () => {
  const { clean, longest } = secretCleaner([secretForms(`Bearer ${TOKEN}`)]);
  for (const [name, write] of WRITTEN) {
    const written = write(TOKEN);
    assert.ok(written.length <= longest, name);
    assert.equal(clean(`%41 \\u0041 ${written} ~1 A&#65;${written}${written}%2F`), "%41 \\u0041 *** ~1 A&#65;******%2F", name);
  }
  assert.equal(clean("Bearer Secret-token+of/you %2 \\u00 &#x; ~ …"), "Bearer Secret-token+of/you %2 \\u00 &#x; ~ …");
});

Deno.test("secretCleaner finds a secret whose characters HTML has names for, once or several times over (M-AUTH-114)", () => {
  const secret = `pass"w<o>r'd&1&#2`;
  const { clean } = secretCleaner([secretForms(secret)]);
  const named = (text: string): string => {
    return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;").replaceAll(
      "'",
      "&apos;",
    );
  };
  for (const written of [named(secret), named(named(secret)), named(named(named(secret)))]) {
    assert.equal(clean(`<p>${written}</p>&amp;&lt;`), "<p>***</p>&amp;&lt;");
    for (let length = written.length - 8; length < written.length; length++) {
      assert.equal(clean(`x ${written.slice(0, length)}…`), "x ***…");
    }
  }
  // However often it comes, a place is read in a bounded time.
  assert.equal(clean(`&${"amp;".repeat(20_000)}${secret}`).endsWith("***"), true);
});

Deno.test("secretCleaner finds the beginning of a token where a text was shortened, however it is written (M-AUTH-114)", () => {
  const { clean } = secretCleaner([secretForms(TOKEN)]);
  for (const [name, write] of WRITTEN) {
    const written = write(TOKEN);
    for (let length = 20; length < written.length; length++) {
      assert.equal(clean(`x ${written.slice(0, length)}…`), "x ***…", `${name}, ${length}`);
      assert.equal(clean(`x ${written.slice(0, length)}...`), "x ***...", `${name}, ${length}`);
    }
  }
  for (const text of [`${TOKEN.slice(0, 12)} … ${TOKEN.slice(0, 12)}!… ${TOKEN.slice(0, 12)}`, "…", "Secret-…"]) {
    assert.equal(clean(text), text);
  }
});

Deno.test("secretCleaner compares no more than 16 characters for each one, and hides a text from where it would take more (M-AUTH-114)", () => {
  const long = "a".repeat(10_000);
  const text = `before ${"a".repeat(200_000)} behind`;
  // Each place of the text is nearly the beginning of the secret.
  assert.equal(secretCleaner([[`${long}b`]]).clean(text).length < 20_000, true);
  // Each place is the beginning of one.
  assert.equal(secretCleaner([[long]]).clean(text), "before ***");
  const usual = secretCleaner(Array.from({ length: 64 }, (_, at) => secretForms(`Bearer ${TOKEN}${"of-many-".repeat(9)}${at}`)));
  assert.equal(usual.clean(`${TOKEN}… `.repeat(9999)), "***… ".repeat(9999));
});

Deno.test("secretCleaner finds secrets that overlap, and the longest of those that begin alike", () => {
  const { clean } = secretCleaner([["abcdefgh", "efghijklmnop", "abcdefghi"]]);
  assert.equal(clean("-abcdefgh-abcdefghi-abcdefghijklmnop-abcdefghijkl"), "-***-***-***-***jkl");
  assert.equal(clean("abcdefghabcdefgh"), "******");
});

Deno.test("secretCleaner leaves no secret in a text of random parts, and changes nothing else", () => {
  const next = random(7);
  const { clean } = secretCleaner([secretForms(TOKEN)]);
  const pieces = ["%", "%2", "%25", "%2541", "\\", "\\\\u0041", '\\"', "&#", "&#x41;", "&#65;", "~", "~0", "é", "Secret-", "x"];
  for (let round = 0; round < 2000; round++) {
    let text = "";
    let expected = "";
    for (let part = 0; part < 8; part++) {
      const piece = `${pieces[next() % pieces.length]} `;
      const written = next() % 3 === 0 ? (WRITTEN[next() % WRITTEN.length]?.[1] ?? String)(TOKEN) : "";
      text += `${piece}${written} `;
      expected += `${piece}${written === "" ? "" : "***"} `;
    }
    assert.equal(clean(text), expected, text);
  }
});

function random(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 1_103_515_245 + 12_345) % 2 ** 31) >> 8;
}
