/** Tests of `server/components/content.ts`. */
import assert from "node:assert/strict";
import { assistant, audio, embed, image, link, text, user } from "../../../server/components/content.ts";
import type { PromptMessage, SamplingMessage, TextContent } from "../../../protocol/types.ts";
import { isBlock } from "../../../server/components/content_block.ts";

const BYTES = new Uint8Array([255, 216]);

Deno.test("text, image and audio write their blocks, with annotations and _meta when given (M-PROMPT-009, M-PROMPT-011)", () => {
  assert.deepEqual(text("hi"), { type: "text", text: "hi" });
  assert.deepEqual(text("hi", { annotations: { priority: 1 }, meta: { own: 1 } }), {
    type: "text",
    text: "hi",
    annotations: { priority: 1 },
    _meta: { own: 1 },
  });
  assert.deepEqual(image(BYTES, "image/jpeg"), { type: "image", data: "/9g=", mimeType: "image/jpeg" });
  assert.deepEqual(image("/9g=", "image/jpeg"), image(BYTES, "image/jpeg"));
  assert.deepEqual(audio(BYTES, "audio/wav"), { type: "audio", data: "/9g=", mimeType: "audio/wav" });
});

Deno.test("embed writes text or a blob, always with a type (M-PROMPT-015, M-PROMPT-016)", () => {
  assert.deepEqual(embed("x://a", "hi"), { type: "resource", resource: { uri: "x://a", mimeType: "text/plain", text: "hi" } });
  assert.deepEqual(embed(new URL("https://example.com/a"), BYTES), {
    type: "resource",
    resource: { uri: "https://example.com/a", mimeType: "application/octet-stream", blob: "/9g=" },
  });
  assert.equal(embed("x://a", "hi", { mimeType: "text/css" }).resource.mimeType, "text/css");
});

Deno.test("link points to a resource", () => {
  assert.deepEqual(link("x://a", { name: "a", size: 3, meta: { own: 1 } }), {
    type: "resource_link",
    uri: "x://a",
    name: "a",
    size: 3,
    _meta: { own: 1 },
  });
});

Deno.test("user and assistant write messages of text or of a block", () => {
  assert.deepEqual(user("hi"), { role: "user", content: { type: "text", text: "hi" } });
  assert.deepEqual(assistant(text("hi")), { role: "assistant", content: { type: "text", text: "hi" } });
});

Deno.test("what the builders write is recognized as a block", () => {
  const blocks = [
    text(""),
    image(BYTES, "a/b"),
    audio("", "a/b"),
    embed("x:a", ""),
    embed("x:a", BYTES),
    link("x:a", { name: "" }),
  ];
  for (const block of blocks) assert.ok(isBlock(block), block.type);
});

Deno.test("user and assistant keep the type of what they hold, so that texts, images and sounds fit ctx.sample", () => {
  const asked: readonly SamplingMessage[] = [user("hi"), assistant(text("hello")), user(image(BYTES, "image/jpeg"))];
  assert.deepEqual(asked.map(({ role }) => role), ["user", "assistant", "user"]);
  // @ts-expect-error A model takes no embedded resource.
  const pointing: SamplingMessage = user(embed("x://a", "hi"));
  const told: readonly PromptMessage[] = [user("hi"), pointing as PromptMessage, user("hi" as string | TextContent)];
  assert.equal(told.length, 3);
});
