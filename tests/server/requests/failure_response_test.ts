/** Tests of `server/requests/failure_response.ts`. */
import assert from "node:assert/strict";
import { defineServer, resource, tool } from "../../../server/mod.ts";
import { post, request } from "../wire.ts";

/** What throws whenever it is looked at. */
function revoked(): object {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
}

Deno.test("what throws when it is looked at is masked and reported like any other error, whatever threw it", async () => {
  const reported: unknown[] = [];
  const fail = (): never => {
    throw revoked();
  };
  const later = () => Promise.reject(revoked());
  const server = defineServer({
    name: "s",
    version: "1",
    onError: (error) => reported.push(error),
    tools: [tool({ name: "now", handler: fail }), tool({ name: "later", handler: later })],
    resources: [
      resource({ uri: "x://now", name: "now", read: fail }),
      resource({ uri: "x://later", name: "later", read: later }),
    ],
  });
  const calls = [
    request("tools/call", { name: "now" }),
    request("tools/call", { name: "later" }),
    request("resources/read", { uri: "x://now" }),
    request("resources/read", { uri: "x://later" }),
  ];
  for (const call of calls) {
    const { error, text } = await post(server, call);
    assert.deepEqual([error?.code, error?.message, typeof error?.data.errorId], [-32603, "Internal error", "string"], text);
  }
  assert.equal(reported.length, calls.length);
  await server.close();
});
