/** Tests of the rule that says what may be sent once more. */
import assert from "node:assert/strict";
import { isRepeatable } from "../../client/is_repeatable.ts";
import { ProtocolError, TransportError } from "../../protocol/errors.ts";
import { withHttpStatus } from "../../protocol/json_rpc.ts";

const refusal = (code: number, status?: number): ProtocolError => {
  const error = new ProtocolError(code, "no");
  return status === undefined ? error : withHttpStatus(error, status);
};

const noMessage = (status: number): TransportError => new TransportError("not_mcp", "no message", { data: { status } });

Deno.test("isRepeatable lets a tool call go out again only after what can mean nothing but that it did not run", () => {
  const unread = [-32022, -32020, -32700, -32600, -32601].map((code) => refusal(code));
  const turnedAway = [400, 404, 405, 406, 415].flatMap((status) => [noMessage(status), refusal(-32000, status)]);
  for (const error of [...unread, ...turnedAway]) assert.equal(isRepeatable(error, "tools/call"), true, String(error));
  for (
    const error of [
      refusal(-32000),
      refusal(-32000, 200),
      refusal(-32602),
      refusal(-32602, 400),
      refusal(-32603, 400),
      refusal(-32000, 409),
      noMessage(200),
      noMessage(303),
      noMessage(502),
      new TransportError("not_mcp", "no status"),
      new TransportError("limit", "too large", { data: { status: 400 } }),
      new TransportError("closed", "gone"),
      new TypeError("other"),
    ]
  ) {
    assert.equal(isRepeatable(error, "tools/call"), false, String(error));
    assert.equal(isRepeatable(error, "own/method"), false);
  }
});

Deno.test("isRepeatable lets requests go out again that change nothing", () => {
  for (const method of ["tools/list", "resources/read", "prompts/get", "completion/complete", "logging/setLevel"]) {
    assert.equal(isRepeatable(refusal(-32602), method), true);
    assert.equal(isRepeatable(noMessage(200), method), true);
  }
});
