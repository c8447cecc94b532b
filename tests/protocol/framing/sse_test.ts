/** Tests of the writing of server-sent events. */
import assert from "node:assert/strict";
import { encodeEvent } from "../../../protocol/framing/sse.ts";

Deno.test("encodeEvent writes no raw CR or LF within a line, and refuses them in type and id", () => {
  assert.equal(encodeEvent("{}", { event: "message", id: "1" }), "event: message\nid: 1\ndata: {}\n\n");
  assert.equal(encodeEvent("a\rb\nc\r\nd"), "data: a\ndata: b\ndata: c\ndata: d\n\n");
  assert.throws(() => encodeEvent("x", { event: "a\nb" }), TypeError);
  assert.throws(() => encodeEvent("x", { id: "a\r" }), TypeError);
  assert.throws(() => encodeEvent("x", { id: "\0" }), TypeError);
});
