/** Tests of `server/results/tool_return.ts`: every row of the table of what a handler may return (API § 2.1). */
import assert from "node:assert/strict";
import type { JsonObject } from "../../../protocol/types.ts";
import { audio, embed, image, link, text } from "../../../server/components/content.ts";
import { isBlock } from "../../../server/components/content_block.ts";
import { errorResult, readToolReturn, writeToolResult } from "../../../server/results/tool_return.ts";

/** The result of a value, as it goes over the wire. */
function result(value: unknown, hasOutput = false): JsonObject {
  return JSON.parse(JSON.stringify(writeToolResult(readToolReturn(value, hasOutput))));
}

const HI = { type: "text", text: "hi" } as const;
const BYTES = new Uint8Array([1, 2, 3]);

Deno.test("a string is one text block; with an output it is data", () => {
  assert.deepEqual(result("hi"), { content: [HI] });
  assert.deepEqual(result(""), { content: [{ type: "text", text: "" }] });
  assert.deepEqual(result("hi", true), { content: [{ type: "text", text: '"hi"' }], structuredContent: "hi" });
});

Deno.test("nothing is no content; with an output it is data (M-TOOL-034)", () => {
  assert.deepEqual(result(undefined), { content: [] });
  assert.equal(readToolReturn(undefined, true).hasStructured, false);
});

Deno.test("every kind of block is content; with an output it is data (M-TOOL-031, M-TOOL-032)", () => {
  const blocks = [
    text("hi", { annotations: { priority: 1 }, meta: { own: 1 } }),
    image(BYTES, "image/png"),
    audio(BYTES, "audio/wav"),
    embed("x://a", "text"),
    embed("x://b", BYTES),
    link("x://c", { name: "c", size: 3 }),
  ];
  for (const block of blocks) {
    assert.deepEqual(result(block), { content: [JSON.parse(JSON.stringify(block))] });
    assert.deepEqual((result(block, true).structuredContent as JsonObject).type, block.type);
  }
});

Deno.test("a list of strings and at least one block is content; with an output it is data", () => {
  assert.deepEqual(result(["a", HI]), { content: [{ type: "text", text: "a" }, HI] });
  assert.deepEqual(result([HI]), { content: [HI] });
  assert.deepEqual(result([HI], true).structuredContent, [HI]);
});

Deno.test("any other JSON value is structured, with its JSON text added (M-TOOL-036, M-TOOL-037)", () => {
  const values = [null, 0, 1.5, true, false, [], ["a", "b"], {}, { a: 1 }, [{ a: 1 }], { type: "text" }, [HI, 7], [HI, { a: 1 }]];
  for (const value of values) {
    for (const hasOutput of [false, true]) {
      assert.deepEqual(result(value, hasOutput), {
        content: [{ type: "text", text: JSON.stringify(value) }],
        structuredContent: value,
      });
    }
  }
});

Deno.test("what resembles a block and is none is data: other members, wrong types, unknown kinds", () => {
  const values: JsonObject[] = [
    { type: "text", text: "hi", extra: 1 },
    { type: "text", text: 7 },
    { type: "video", data: "AA==", mimeType: "video/mp4" },
    { type: "image", data: "AA==" },
    { type: "resource", resource: { uri: "x://a" } },
    { type: "resource_link", uri: "x://a" },
  ];
  for (const value of values) {
    assert.equal(isBlock(value), false);
    assert.deepEqual(result(value).structuredContent, value);
  }
});

Deno.test("{ structured } is structured content with extras, with and without an output", () => {
  for (const hasOutput of [false, true]) {
    assert.deepEqual(result({ structured: { a: 1 } }, hasOutput), {
      content: [{ type: "text", text: '{"a":1}' }],
      structuredContent: { a: 1 },
    });
    assert.deepEqual(result({ structured: null, content: "told", isError: true, meta: { own: 1 } }, hasOutput), {
      content: [{ type: "text", text: "told" }],
      structuredContent: null,
      isError: true,
      _meta: { own: 1 },
    });
    assert.deepEqual(result({ structured: 1, content: ["a", HI] }, hasOutput).content, [{ type: "text", text: "a" }, HI]);
    assert.deepEqual(result({ structured: 1, content: HI }, hasOutput).content, [HI]);
    assert.deepEqual(result({ structured: 1, content: [] }, hasOutput).content, []);
  }
});

Deno.test("{ structured } with other keys is data", () => {
  const value = { structured: 1, other: 2 };
  assert.deepEqual(result(value).structuredContent, value);
  assert.deepEqual(result(Object.create({ structured: 1 })).structuredContent, {});
});

Deno.test("a raw result goes as it is without an output", () => {
  assert.deepEqual(result({ content: [HI] }), { content: [HI] });
  assert.deepEqual(result({ content: [] }), { content: [] });
  const raw = { content: [HI], structuredContent: { a: 1 }, isError: true, _meta: { own: 1 } };
  assert.deepEqual(result({ ...raw, resultType: "complete" }), raw);
});

Deno.test("a raw result with an output needs structuredContent or isError; otherwise it is data", () => {
  assert.deepEqual(result({ content: [HI] }, true).structuredContent, { content: [HI] });
  assert.deepEqual(result({ content: [HI], isError: false }, true).structuredContent, { content: [HI], isError: false });
  assert.deepEqual(result({ content: [HI], isError: true }, true), { content: [HI], isError: true });
  assert.deepEqual(result({ content: [HI], structuredContent: 1 }, true), { content: [HI], structuredContent: 1 });
});

Deno.test("what has content but other keys, or content that is no list of blocks, is data", () => {
  for (const value of [{ content: [HI], total: 1 }, { content: "hi" }, { content: [HI, "hi"] }, { content: [{ a: 1 }] }]) {
    assert.deepEqual(result(value).structuredContent, value);
  }
});

Deno.test("a result written out whose items say a type and are no blocks is a fault that names the path", () => {
  const faults: readonly [JsonObject, string][] = [
    [{ type: "txt", text: "hi" }, "content[1].type: Expected one of text, image, audio, resource, resource_link"],
    [{ type: "text" }, "content[1].text: Expected a string"],
    [{ type: "image", data: "AA==" }, "content[1].mimeType: Expected a string"],
    [{ type: "resource", resource: { uri: "x://a" } }, "content[1].resource: Expected a uri with text or blob"],
    [{ type: "text", text: "hi", extra: 1 }, "content[1].extra: Unknown member of a content block"],
  ];
  for (const [block, message] of faults) {
    for (const beside of [{}, { isError: true }, { structuredContent: { a: 1 }, _meta: { own: 1 } }]) {
      assert.throws(() => result({ content: [HI, block], ...beside }), { name: "TypeError", message });
    }
    assert.throws(() => result({ content: [HI, block], structuredContent: 1 }, true), { message });
  }
});

Deno.test("what resembles a result written out stays data: other members, items without a type, an output", () => {
  const block = { type: "paragraph", text: "hi" };
  const values = [{ type: "doc", content: [block] }, { content: [block, { text: "hi" }] }, { content: ["hi", block] }];
  for (const value of values) assert.deepEqual(result(value).structuredContent, value);
  assert.deepEqual(result({ content: [block] }, true).structuredContent, { content: [block] });
  assert.deepEqual(result({ structured: { content: [block] } }).structuredContent, { content: [block] });
});

Deno.test("values that JSON can not carry are faults that name the path", () => {
  const cycle: { self?: unknown } = {};
  cycle.self = cycle;
  const faults: readonly [unknown, RegExp][] = [
    [{ a: BYTES }, /structuredContent\.a: Bytes .* use image\(\), audio\(\) or embed\(\)/],
    [BYTES, /structuredContent: Bytes/],
    [{ at: new Date() }, /structuredContent\.at: A Date/],
    [new Map(), /structuredContent: A Map/],
    [{ f: () => 1 }, /structuredContent\.f: A function/],
    [{ s: Symbol("x") }, /structuredContent\.s: A symbol/],
    [{ n: 1n }, /structuredContent\.n: A bigint .* use toJson\(\) or String\(\)/],
    [[1, NaN], /structuredContent\[1\]: A number that is not finite/],
    [cycle, /structuredContent\.self: A cycle/],
    [{ structured: 1, meta: { at: new Date() } }, /_meta\.at: A Date/],
    [{ structured: 1, content: [{ type: "text" }] }, /content\[0\]\.text: Expected a string/],
    [{ structured: 1, content: 7 }, /content\[0\]: Expected a content block/],
    [
      { structured: 1, content: [HI, { type: "text", text: "a", annotations: { at: new Date() } }] },
      /content\[1\]\.annotations\.at/,
    ],
  ];
  for (const [value, expected] of faults) assert.throws(() => result(value), expected);
});

Deno.test("annotations and _meta of blocks are checked, however the block was returned", () => {
  for (
    const value of [
      { ...HI, annotations: { at: new Date() } },
      [{ ...HI, _meta: { f: () => 1 } }],
      { content: [{ ...HI, _meta: { n: 1n } }] },
    ]
  ) assert.throws(() => result(value), /^TypeError: content\[0\]\./);
});

Deno.test("members that are undefined are left out", () => {
  assert.deepEqual(result({ a: undefined, b: 1 }), { content: [{ type: "text", text: '{"b":1}' }], structuredContent: { b: 1 } });
  assert.deepEqual(result({ content: [HI], _meta: undefined, structuredContent: undefined }), { content: [HI] });
});

Deno.test("lone surrogates and negative zero are written as JSON that is UTF-8 (B041)", () => {
  const written = JSON.stringify(result({ v: -0, s: "x\ud83dy" }));
  assert.equal(new TextDecoder("utf-8", { fatal: true }).decode(new TextEncoder().encode(written)), written);
  assert.deepEqual(JSON.parse(written).structuredContent, { v: 0, s: "x\ud83dy" });
});

Deno.test("errorResult tells the model, with data or without", () => {
  assert.deepEqual(errorResult("no"), { content: [{ type: "text", text: "no" }], isError: true });
  assert.deepEqual(errorResult("no", { a: 1 }), {
    content: [{ type: "text", text: "no" }],
    structuredContent: { a: 1 },
    isError: true,
  });
});
