import assert from "node:assert/strict";
import { answerError } from "../../transports/answer_error.ts";

Deno.test("answerError names a media type on one short line, without what controls a terminal", () => {
  const contentType = `text/plain; x="\u009b2J${"a".repeat(5000)}"`;
  const response = new Response("no", { status: 400, headers: { "content-type": contentType } });
  const error = answerError("https://example.com/mcp", response, "no");
  assert.ok(error.message.length < 400);
  assert.equal(error.message.includes("\u009b"), false);
  assert.match(error.message, /status 400, text\/plain; x="/);
  assert.equal((error as { readonly data?: { readonly contentType?: unknown } }).data?.contentType, contentType);
});
