/** Tests of `client/inbox.ts`: what comes before that which answers a server is loaded. */
import assert from "node:assert/strict";
import { Inbox } from "../../client/inbox.ts";
import type { InputHandlers } from "../../client/mod.ts";
import { chooseDialects } from "../../protocol/dialects/mod.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import type { JsonRpcResponse } from "../../protocol/types.ts";

const ROOTS = { jsonrpc: "2.0", method: "roots/list" } as const;

function inboxOf(inputs: InputHandlers) {
  const [dialect] = chooseDialects(["2025-11-25"], "test");
  assert.ok(dialect !== undefined);
  const sent: JsonRpcResponse[] = [];
  const inbox = new Inbox({
    settings: { inputs, capabilities: { roots: {} }, limits: resolveLimits(undefined), onLog: undefined },
    dialect: () => dialect,
    send: (response) => {
      sent.push(response);
      return Promise.resolve();
    },
    takeChange: () => undefined,
    onStray: () => undefined,
    report: (error) => assert.fail(String(error)),
  });
  return { inbox, sent };
}

Deno.test("Inbox takes what comes while what answers is loaded in its order, and what the server cancels meanwhile", async () => {
  const aborted: unknown[] = [];
  const { inbox, sent } = inboxOf({
    roots: ({ signal, key }) => {
      signal.addEventListener("abort", () => aborted.push(key));
      return [];
    },
  });
  const taken = [
    inbox.take({ ...ROOTS, id: 1 }),
    inbox.take({ jsonrpc: "2.0", id: 2, method: "ping" }),
    inbox.take({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } }),
    inbox.take({ jsonrpc: "2.0", id: 3, method: "ping" }),
  ];
  assert.equal(inbox.requests, undefined);
  await Promise.all(taken);
  assert.deepEqual(sent, [2, 3].map((id) => ({ jsonrpc: "2.0", id, result: {} })));
  assert.deepEqual(aborted, ["1"]);
});

Deno.test("Inbox asks no handler once it has ended, also when that is before what answers is loaded", async () => {
  let asked = 0;
  const { inbox, sent } = inboxOf({ roots: () => (asked++, []) });
  const taken = inbox.take({ ...ROOTS, id: 1 });
  inbox.abortAll(new Error("closed"), true);
  await taken;
  await inbox.take({ ...ROOTS, id: 2 });
  assert.deepEqual([asked, sent], [0, []]);
});

Deno.test("Inbox refuses the question of a call that was given up before what answers was loaded", async () => {
  let asked = 0;
  const { inbox, sent } = inboxOf({ roots: () => (asked++, []) });
  const abort = new AbortController();
  const origin = { method: "tools/call", name: "x", signal: abort.signal, asked: 0, label: undefined, unanswered: undefined };
  const taken = inbox.take({ ...ROOTS, id: 1 }, origin);
  abort.abort(new Error("given up"));
  await taken;
  const message = "Answering roots/list: the call that led to it was given up";
  assert.deepEqual(sent, [{ jsonrpc: "2.0", id: 1, error: { code: -32603, message } }]);
  assert.deepEqual([asked, origin.asked], [0, 0]);
});
