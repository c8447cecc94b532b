/** Tests of `client/cancellations.ts`. */
import assert from "node:assert/strict";
import { Cancellations } from "../../client/cancellations.ts";
import { TransportError } from "../../protocol/errors.ts";
import { MESSAGES_UNDER_WAY } from "../../protocol/limits.ts";
import type { JsonRpcNotification } from "../../protocol/types.ts";

function open() {
  const sent: JsonRpcNotification[] = [];
  const faults: unknown[] = [];
  const state = { closed: false, settle: [] as { resolve: () => void; reject: (error: unknown) => void }[] };
  const cancellations = new Cancellations({
    send: (notice) => {
      sent.push(notice);
      return new Promise((resolve, reject) => state.settle.push({ resolve, reject }));
    },
    closed: () => state.closed,
    report: (error) => faults.push(error),
  });
  return { cancellations, sent, faults, state };
}

const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0));

Deno.test("Cancellations names the call, and gives a reason only in words of this package", () => {
  const { cancellations, sent } = open();
  cancellations.tell(1, new TransportError("timeout", "Too late"));
  cancellations.tell("a", new Error("secret"));
  assert.deepEqual(sent.map(({ method, params }) => [method, params]), [
    ["notifications/cancelled", { requestId: 1, reason: "Too late" }],
    ["notifications/cancelled", { requestId: "a" }],
  ]);
});

Deno.test("Cancellations sends no more at once than a server can be asked to take", async () => {
  const { cancellations, sent, state } = open();
  for (let id = 0; id < MESSAGES_UNDER_WAY + 5; id++) cancellations.tell(id, undefined);
  assert.equal(sent.length, MESSAGES_UNDER_WAY);
  state.settle[0]?.resolve();
  await turn();
  cancellations.tell("next", undefined);
  assert.equal(sent.length, MESSAGES_UNDER_WAY + 1);
});

Deno.test("Cancellations reports what could not be sent, and nothing of a closed connection", async () => {
  const { cancellations, sent, faults, state } = open();
  cancellations.tell(1, undefined);
  cancellations.tell(2, undefined);
  state.settle[0]?.reject("lost");
  await turn();
  state.closed = true;
  state.settle[1]?.reject("closed");
  cancellations.tell(3, undefined);
  await turn();
  assert.deepEqual([faults, sent.length], [["lost"], 2]);
});
