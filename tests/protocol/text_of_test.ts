import assert from "node:assert/strict";
import { textOf } from "../../protocol/text_of.ts";

Deno.test("textOf joins the text blocks and leaves the others out", () => {
  assert.equal(textOf({ content: [] }), "");
  assert.equal(textOf({ content: { type: "text", text: "one" } }), "one");
  assert.equal(
    textOf({
      content: [
        { type: "text", text: "a" },
        { type: "audio", data: "", mimeType: "audio/wav" },
        { type: "text", text: "b" },
      ],
    }),
    "a\nb",
  );
});

Deno.test("textOf joins the texts of what was read and leaves bytes out", () => {
  assert.equal(textOf({ contents: [] }), "");
  assert.equal(
    textOf({ contents: [{ uri: "a:1", text: "one" }, { uri: "a:2", blob: "AA==" }, { uri: "a:3", text: "two" }] }),
    "one\ntwo",
  );
});

Deno.test("textOf passes over what is no block or content, and takes a list for what it is", () => {
  // deno-lint-ignore no-explicit-any -- what no server should send
  const of = (result: unknown): string => textOf(result as any);
  assert.equal(of({ contents: [null, 5, "x", {}, { text: null }, { uri: "a:1", text: "one" }] }), "one");
  assert.equal(of({ content: [null, 5, "x", {}, { type: "text", text: "one" }], contents: null }), "one");
  assert.equal(of({ content: null }), "");
});
