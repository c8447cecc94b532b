import assert from "node:assert/strict";
import { encodeBase64 } from "../../../protocol/base64.ts";
import { appUiFault, readAppContents } from "../../../protocol/extensions/app_contents.ts";
import { APP_LIMITS } from "../../../protocol/limits.ts";
import type { JsonObject } from "../../../protocol/types.ts";

const URI = "ui://a/view";
const HTML = "<!doctype html><title>ä</title>";

function item(changes: JsonObject = {}): JsonObject {
  return { uri: URI, mimeType: "text/html;profile=mcp-app", text: HTML, ...changes };
}

function read(...items: readonly JsonObject[]): unknown {
  // As it comes from the wire: no members that are undefined.
  return readAppContents(JSON.parse(JSON.stringify({ contents: items })), URI);
}

const blob = (text: string): string => encodeBase64(new TextEncoder().encode(text));

Deno.test("apps 03 readAppContents takes one document of the exact type, as text or as Base64 of UTF-8", () => {
  assert.deepEqual(read(item()), { html: HTML, ui: undefined });
  assert.deepEqual(read(item({ text: undefined, blob: blob(HTML) })), { html: HTML, ui: undefined });
  assert.deepEqual(read(item({ _meta: { ui: { prefersBorder: true } } })), { html: HTML, ui: { prefersBorder: true } });
});

Deno.test("apps 03 readAppContents refuses another type, both or neither of text and blob, and two documents", () => {
  for (
    const mimeType of [
      undefined,
      null,
      "text/html",
      "text/html; profile=mcp-app",
      "text/html;profile=mcp-app ",
      "text/html;profile=mcp-app;charset=utf-8",
      "TEXT/HTML;profile=mcp-app",
      'text/html;profile="mcp-app"',
    ]
  ) assert.match(String(read(item({ mimeType }))), /its type is not/, String(mimeType));
  assert.match(String(read(item({ blob: blob(HTML) }))), /either text or blob/);
  assert.match(String(read(item({ text: undefined }))), /either text or blob/);
  assert.match(String(read(item(), item())), /exactly one document/);
  assert.match(String(read()), /exactly one document/);
  assert.match(String(readAppContents({}, URI)), /exactly one document/);
  assert.match(String(readAppContents({ contents: [null] }, URI)), /not an object/);
  assert.match(String(read(item({ uri: "ui://a/VIEW" }))), /its URI is another one/);
  assert.match(String(read(item({ text: 7 }))), /not a string/);
  assert.match(String(read(item({ text: " \n" }))), /empty/);
});

Deno.test("apps 03 readAppContents refuses Base64 that is none, bytes that are no UTF-8, and documents that are too long", () => {
  for (
    const wrong of ["%%%", "AA", "QQ==\n", "_-__", 7, encodeBase64(Uint8Array.of(0xff, 0xfe)), encodeBase64(Uint8Array.of(0xc3))]
  ) {
    assert.match(String(read(item({ text: undefined, blob: wrong }))), /not Base64 of UTF-8/, String(wrong));
  }
  const longest = HTML.padEnd(APP_LIMITS.html);
  assert.equal(typeof read(item({ text: longest })), "object");
  assert.match(String(read(item({ text: `${longest} ` }))), /4194305 characters, at most 4194304/);
  assert.match(String(read(item({ text: undefined, blob: blob(`${longest} `) }))), /at most 4194304/);
  assert.match(String(read(item({ text: undefined, blob: "A".repeat(APP_LIMITS.html * 4 + 8) }))), /more than 4194304/);
});

Deno.test("apps 04 readAppContents refuses what a view can not declare", () => {
  const wrong: readonly (readonly [ui: unknown, why: RegExp])[] = [
    ["x", /_meta\.ui: Expected an object/],
    [null, /_meta\.ui: Expected an object/],
    [{ csp: [] }, /_meta\.ui\.csp: Expected an object/],
    [{ csp: { connectDomains: ["https://a.example; x"] } }, /_meta\.ui\.csp\.connectDomains\[0\]/],
    [{ permissions: { camera: true } }, /_meta\.ui\.permissions\.camera/],
    [{ permissions: [] }, /_meta\.ui\.permissions: Expected/],
    [{ domain: "" }, /_meta\.ui\.domain/],
    [{ domain: "a b" }, /_meta\.ui\.domain/],
    [{ domain: "a".repeat(257) }, /_meta\.ui\.domain/],
    [{ prefersBorder: "yes" }, /_meta\.ui\.prefersBorder/],
  ];
  for (const [ui, why] of wrong) assert.match(String(read(item({ _meta: { ui } as JsonObject }))), why);
  assert.equal(
    appUiFault({ csp: {}, permissions: { camera: {} }, domain: "a.example", prefersBorder: false, later: 1 }, "ui"),
    undefined,
  );
});
