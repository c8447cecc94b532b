import assert from "node:assert/strict";
import { textOf } from "../../client/text_of.ts";

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
