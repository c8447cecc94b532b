import assert from "node:assert/strict";
import { openLinkFault } from "../../../protocol/extensions/app_link.ts";
import { APP_LIMITS } from "../../../protocol/limits.ts";
import { createRandom } from "../random.ts";

Deno.test("apps 12 openLinkFault lets absolute https URLs with a host pass", () => {
  for (
    const url of [
      "https://example.com",
      "https://example.com/",
      "HTTPS://Example.COM/a?b=c#d",
      "https://example.com:8443/a@b",
      "https://xn--exmple-cua.com/",
      "https://127.0.0.1/",
      "https://[::1]:8443/",
      "https://de.wikipedia.org/wiki/Zürich?q=ä",
      "https://example.com?next=https://other.example/",
    ]
  ) assert.equal(openLinkFault(url), undefined, url);
});

Deno.test("apps 12 openLinkFault refuses everything else, on the text before a browser repairs it", () => {
  const refused: readonly (readonly [url: unknown, why: RegExp])[] = [
    ["http://example.com", /scheme is none of https$/],
    ["javascript:alert(1)", /scheme/],
    ["JavaScript:alert(1)", /scheme/],
    ["data:text/html,x", /scheme/],
    ["blob:https://example.com/x", /scheme/],
    ["file:///etc/passwd", /scheme/],
    ["vscode://x", /scheme/],
    ["mailto:a@example.com", /scheme/],
    ["//example.com", /relative/],
    ["/path", /relative/],
    ["example.com", /relative/],
    ["", /relative/],
    ["?x", /relative/],
    ["https:example.com", /two slashes/],
    ["https:/example.com", /two slashes/],
    ["https:///example.com", /host/],
    ["https://", /host/],
    ["https://:443", /host/],
    ["https://?x", /host/],
    ["https://#x", /host/],
    ["https://.", /host/],
    ["https://example..com", /host/],
    ["https://example.com:", /host/],
    ["https://example.com:99999", /host/],
    ["https://user@example.com", /user/],
    ["https://user:secret@example.com", /user/],
    ["https://example.com@evil.example", /user/],
    ["https://@example.com", /user/],
    [" https://example.com", /blanks/],
    ["https://example.com ", /blanks/],
    ["https://exa\tmple.com", /blanks/],
    ["java\nscript:alert(1)", /blanks/],
    ["\u0000https://example.com", /blanks/],
    ["https://example.com/\u202egpj.exe", /seen/],
    ["https://example.com/\u00a0", /blanks/],
    ["https://example.com/\ud800", /seen/],
    ["https:\\\\example.com", /backslash/],
    ["https://example.com\\@evil.example", /backslash/],
    ["https://2130706433/", /not written as browsers write it/],
    ["https://0x7f.1/", /not written as browsers write it/],
    ["https://%65xample.com/", /host/],
    ["https://exämple.com/", /host/],
    ["https://ex\uff41mple.com/", /host/],
    ["https://[::0:1]/", /not written as browsers write it/],
    [`https://example.com/${"a".repeat(APP_LIMITS.linkLength)}`, /at most 8192/],
    [undefined, /not a string/],
    [new URL("https://example.com"), /not a string/],
  ];
  for (const [url, why] of refused) assert.match(openLinkFault(url) ?? "", why, String(url));
});

Deno.test("apps 12 openLinkFault takes further schemes through its option only, and none that carries a script", () => {
  assert.equal(openLinkFault("mailto:a@example.com", { schemes: ["mailto"] }), undefined);
  assert.equal(openLinkFault("slack://open?team=1", { schemes: ["slack"] }), undefined);
  assert.equal(openLinkFault("http://example.com", { schemes: ["http"] }), undefined);
  assert.match(openLinkFault("http:example.com", { schemes: ["http"] }) ?? "", /two slashes/);
  assert.match(openLinkFault("slack://me@open", { schemes: ["slack"] }) ?? "", /user/);
  assert.match(openLinkFault("slack://", { schemes: ["slack"] }) ?? "", /Nothing follows/);
  assert.match(openLinkFault("mailto:a@b", { schemes: ["slack"] }) ?? "", /none of https, slack$/);
  for (const scheme of ["javascript", "data", "vbscript", "blob"]) {
    assert.throws(() => openLinkFault("https://example.com", { schemes: [scheme] }), /can carry a script/);
  }
  for (const scheme of ["", "https:", "HTTP", "a b"]) {
    assert.throws(() => openLinkFault("https://example.com", { schemes: [scheme] }), /Expected schemes/);
  }
});

Deno.test("apps 12 whatever passes is read by a browser as the https URL of the host that stands in the text", () => {
  const random = createRandom(12);
  const alphabet = [..."htps:/\\@.?#[]%_-a1A0x é\t\n\u0000\u202e"];
  let passed = 0;
  for (let round = 0; round < 40_000; round++) {
    const text = (size: number): string =>
      Array.from({ length: random.below(size) }, () => alphabet[random.below(alphabet.length)]).join("");
    const url = `${random.below(4) === 0 ? text(6) : "https://"}a${text(8)}`;
    if (openLinkFault(url) !== undefined) continue;
    passed++;
    const read = new URL(url);
    assert.equal(read.protocol, "https:");
    assert.equal(read.username + read.password, "");
    assert.ok(url.toLowerCase().startsWith(`https://${read.hostname}`), JSON.stringify(url));
  }
  assert.ok(passed > 500);
});
