/** Tests of `transports/http_response.ts`. */
import assert from "node:assert/strict";
import { errorResponse, withHttpStatus } from "../../protocol/json_rpc.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { httpError, jsonResponse, lastOf } from "../../transports/http_response.ts";

const LIMITS = resolveLimits({});

Deno.test("httpError writes an error without an id, or with the one that was read (M-HTTP-004)", async () => {
  const response = httpError(403, "Forbidden: test");
  assert.deepEqual([response.status, response.headers.get("content-type")], [403, "application/json"]);
  assert.deepEqual(await response.json(), { jsonrpc: "2.0", error: { code: -32600, message: "Forbidden: test" } });
  assert.equal(response.headers.get("allow"), null);
  const full = httpError(405, "x", { code: -32700, id: 0, allow: "POST" });
  assert.equal(full.headers.get("allow"), "POST");
  assert.deepEqual(await full.json(), { jsonrpc: "2.0", id: 0, error: { code: -32700, message: "x" } });
});

Deno.test("jsonResponse has the status that was noted with the message, or the one that is given", async () => {
  const noted = withHttpStatus(errorResponse(1, -32601, "x"), 404);
  for (const [response, status] of [[jsonResponse(noted, LIMITS), 404], [jsonResponse(noted, LIMITS, 503), 503]] as const) {
    assert.equal(response.status, status);
    await response.body?.cancel();
  }
});

Deno.test("lastOf answers with the response alone, and with an error when there is none", async () => {
  const note: JsonRpcMessage = { jsonrpc: "2.0", method: "n" };
  const result: JsonRpcMessage = { jsonrpc: "2.0", id: 1, result: {} };
  async function* some(messages: readonly JsonRpcMessage[]): AsyncGenerator<JsonRpcMessage> {
    for (const message of messages) yield await Promise.resolve(message);
  }
  assert.deepEqual(await (await lastOf(some([note, result]), 1, LIMITS)).json(), result);
  assert.equal((await (await lastOf(some([note]), 1, LIMITS)).json()).error.code, -32603);
});
