import assert from "node:assert/strict";
import { secretCleaner } from "../../../client/secrets/secret_cleaner.ts";
import { secretForms } from "../../../client/secrets/secret_forms.ts";

const TOKEN = "Secret-token+of/me~1=";

Deno.test("secretForms finds a token in base64, wherever it stands in what was encoded (M-AUTH-114)", () => {
  const { clean } = secretCleaner([secretForms(TOKEN)]);
  for (let before = 0; before < 6; before++) {
    for (let behind = 0; behind < 6; behind++) {
      const encoded = btoa("x".repeat(before) + TOKEN + "y".repeat(behind));
      for (const text of [encoded, encoded.replaceAll("+", "-").replaceAll("/", "_"), encodeURIComponent(encoded)]) {
        assert.match(clean(text), /^[\w%+/-]{0,10}\*\*\*[\w%+/=-]{0,20}$/, text);
      }
    }
  }
});

Deno.test("secretForms knows cookies, parameters, versions and passwords by themselves (M-AUTH-114)", () => {
  for (
    const value of [
      `sid=${TOKEN}; theme=dark`,
      `a=b;sid=${TOKEN};theme=dark`,
      `Own id="1", key="${TOKEN}"`,
      `v1:${TOKEN}`,
      `  ${TOKEN}\t`,
      `Basic ${btoa(`me:${TOKEN}`)}`,
      `basic  ${btoa(`me:${TOKEN}`)}`,
    ]
  ) {
    assert.equal(
      secretCleaner([secretForms(value)]).clean(`The value ${TOKEN} of sid, key, theme and me`),
      "The value *** of sid, key, theme and me",
      value,
    );
  }
  assert.deepEqual(secretForms("Basic %%%"), []);
  assert.deepEqual([secretForms("Bearer short"), secretForms("")], [[], []]);
});
