import assert from "node:assert/strict";
import { allowAttribute, contentSecurityPolicy, cspFault } from "../../../protocol/extensions/app_csp.ts";
import type { AppCsp } from "../../../protocol/extensions/apps.ts";
import { APP_LIMITS } from "../../../protocol/limits.ts";
import { createRandom } from "../random.ts";

const DEFAULT = "default-src 'none'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; " +
  "img-src 'self' data:; font-src 'none'; media-src 'self' data:; connect-src 'none'; frame-src 'none'; " +
  "object-src 'none'; base-uri 'self'; form-action 'none'";

function directives(csp: AppCsp): Map<string, string> {
  return new Map(contentSecurityPolicy(csp).split("; ").map((one) => [one.split(" ")[0] ?? "", one]));
}

Deno.test("apps 07 contentSecurityPolicy allows nothing when nothing is declared", () => {
  assert.equal(contentSecurityPolicy(), DEFAULT);
  assert.equal(contentSecurityPolicy({}), DEFAULT);
  assert.equal(contentSecurityPolicy({ connectDomains: [], resourceDomains: [], frameDomains: [], baseUriDomains: [] }), DEFAULT);
});

Deno.test("apps 07 each list of domains lands in its directives, and in no other", () => {
  const source = "https://*.example.com:8443";
  const places: Record<keyof AppCsp, readonly string[]> = {
    connectDomains: ["connect-src"],
    resourceDomains: ["script-src", "style-src", "img-src", "font-src", "media-src"],
    frameDomains: ["frame-src"],
    baseUriDomains: ["base-uri"],
  };
  for (const [list, expected] of Object.entries(places)) {
    const found = [...directives({ [list]: [source] })].filter(([, text]) => text.includes(source)).map(([name]) => name);
    assert.deepEqual(found, expected, list);
  }
  const both = directives({ connectDomains: ["https://a.example", "wss://b.example"], baseUriDomains: ["https://c.example"] });
  assert.equal(both.get("connect-src"), "connect-src https://a.example wss://b.example");
  assert.equal(both.get("base-uri"), "base-uri https://c.example");
});

Deno.test("apps 07 what is no origin is refused, above all what would add a directive", () => {
  for (
    const source of [
      "https://a.example; script-src *",
      "https://a.example;",
      "https://a.example,https://b.example",
      "https://a.example https://b.example",
      "https://a.example\nx",
      "https://a.example\n",
      "https://a.example\t",
      "'unsafe-eval'",
      "'self'",
      "*",
      "https:",
      "https://*",
      "https://",
      "data:",
      "blob:",
      "javascript:alert(1)",
      "a.example",
      "https://user@a.example",
      "https://a.example/path",
      "https://a.example?x",
      "https://a.*.example",
      "https://-a.example",
      "https://a.example:0",
      "https://a.example:65536",
      "https://a.example:*",
      "https://ä.example",
      'https://a.example"',
      "",
      `https://${"a".repeat(APP_LIMITS.sourceLength)}.example`,
      7 as unknown as string,
    ]
  ) {
    assert.throws(
      () => contentSecurityPolicy({ frameDomains: [source] }),
      /^TypeError: csp\.frameDomains\[0\]: Expected an origin/,
      String(source),
    );
  }
  assert.match(cspFault({ connectDomains: "https://a.example" }, "csp") ?? "", /Expected a list/);
  assert.match(cspFault([], "csp") ?? "", /Expected an object/);
  assert.match(
    cspFault({ connectDomains: Array(APP_LIMITS.sources + 1).fill("https://a.example") }, "csp") ?? "",
    /65 origins, at most 64/,
  );
});

Deno.test("apps 07 whatever passes as an origin leaves the number of directives and their sources as they are", () => {
  const random = createRandom(7);
  const alphabet = [..."https://ws:*.a-b;'\" ,\n\t\\@%é0139[]/?#"];
  let passed = 0;
  for (let round = 0; round < 20_000; round++) {
    const tail = Array.from({ length: random.below(8) }, () => alphabet[random.below(alphabet.length)]).join("");
    const source = `https://a${tail}`;
    if (cspFault({ connectDomains: [source] }, "csp") !== undefined) continue;
    passed++;
    const policy = contentSecurityPolicy({ connectDomains: [source] });
    assert.equal(policy, DEFAULT.replace("connect-src 'none'", `connect-src ${source}`));
    assert.match(source, /^https:\/\/[a-z0-9.:-]+$/i);
  }
  assert.ok(passed > 100);
});

Deno.test("apps 08 allowAttribute names the granted features, writing to the clipboard included", () => {
  assert.equal(allowAttribute(), "");
  assert.equal(allowAttribute({}), "");
  assert.equal(allowAttribute({ clipboardWrite: {} }), "clipboard-write");
  assert.equal(
    allowAttribute({ clipboardWrite: {}, geolocation: {}, microphone: {}, camera: {} }),
    "camera; microphone; geolocation; clipboard-write",
  );
  assert.equal(allowAttribute({ camera: undefined, "fullscreen *": {}, microphone: true } as never), "");
});
