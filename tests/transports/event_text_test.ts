/** Tests of `transports/event_text.ts`. */
import assert from "node:assert/strict";
import { eventText } from "../../transports/event_text.ts";

Deno.test("eventText writes what fits, replaces a longer response by an error, and leaves other longer messages out", () => {
  const response = { jsonrpc: "2.0", id: 7, result: { text: "é".repeat(100) } } as const;
  const bytes = new TextEncoder().encode(JSON.stringify(response)).length;
  assert.deepEqual(JSON.parse(eventText(response, bytes) ?? ""), response);
  const replaced = JSON.parse(eventText(response, bytes - 1) ?? "");
  assert.deepEqual([replaced.id, replaced.error.code, replaced.error.data.limit], [7, -32603, bytes - 1]);
  assert.equal(eventText({ jsonrpc: "2.0", method: "m", params: { text: "a".repeat(100) } }, 50), undefined);
  assert.equal(eventText({ jsonrpc: "2.0", id: 1, method: "m", params: { text: "a".repeat(100) } }, 50), undefined);
});
