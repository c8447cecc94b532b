/** Tests of `server/results/render_return.ts`. */
import assert from "node:assert/strict";
import { assistant, image, user } from "../../../server/components/content.ts";
import { writeRenderResult } from "../../../server/results/render_return.ts";

const HI = { role: "user", content: { type: "text", text: "hi" } };

Deno.test("a string is one user message, a message one message, a list several", () => {
  assert.deepEqual(writeRenderResult("hi", undefined), { messages: [HI] });
  assert.deepEqual(writeRenderResult(assistant("yes"), undefined), {
    messages: [{ role: "assistant", content: { type: "text", text: "yes" } }],
  });
  assert.deepEqual(writeRenderResult(["hi", user("hi"), assistant(image(new Uint8Array([1]), "image/png"))], undefined), {
    messages: [HI, HI, { role: "assistant", content: { type: "image", data: "AQ==", mimeType: "image/png" } }],
  });
  assert.deepEqual(writeRenderResult([], undefined), { messages: [] });
});

Deno.test("a result written out keeps its description and _meta, the prompt's description stands in", () => {
  assert.deepEqual(writeRenderResult({ messages: ["hi"], description: "own", _meta: { a: 1 } }, "general"), {
    description: "own",
    messages: [HI],
    _meta: { a: 1 },
  });
  assert.deepEqual(writeRenderResult("hi", "general"), { description: "general", messages: [HI] });
});

Deno.test("faults name the message", () => {
  const faults: readonly [unknown, RegExp][] = [
    [undefined, /^TypeError: render\.messages\[0\]: Expected a string or a message/],
    [7, /^TypeError: render\.messages\[0\]: /],
    [["hi", { role: "system", content: HI.content }], /^TypeError: render\.messages\[1\]: /],
    [{ role: "user", content: "hi" }, /^TypeError: render\.messages\[0\]\.content: Expected a content block/],
    [
      { role: "user", content: { type: "video" } },
      /^TypeError: render\.messages\[0\]\.content\.type: Expected one of text, image/,
    ],
    [
      { role: "user", content: { type: "text", text: "a", _meta: { at: new Date() } } },
      /^TypeError: render\.messages\[0\]\.content\._meta\.at/,
    ],
    [{ messages: [], _meta: { n: 1n } }, /^TypeError: render\._meta\.n: A bigint/],
  ];
  for (const [value, expected] of faults) assert.throws(() => writeRenderResult(value, undefined), expected);
});
