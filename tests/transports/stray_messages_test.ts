/** Tests of `transports/stray_messages.ts`. */
import assert from "node:assert/strict";
import type { JsonRpcMessage, JsonRpcResponse } from "../../protocol/types.ts";
import { StrayMessages } from "../../transports/stray_messages.ts";
import { until } from "../until.ts";
import { collect } from "./support.ts";

const request = (id: number): JsonRpcMessage => ({ jsonrpc: "2.0", id, method: "roots/list" });
const notice = (n: number): JsonRpcMessage => ({ jsonrpc: "2.0", method: "notifications/x", params: { n } });

function open(refuse: (response: JsonRpcResponse) => unknown = () => undefined) {
  const refused: JsonRpcResponse[] = [];
  const drops: unknown[] = [];
  const strays = new StrayMessages({
    bound: () => 2,
    refuse: (response) => {
      refused.push(response);
      return refuse(response);
    },
    onDrop: (error) => drops.push(error.data),
  });
  return { strays, refused, drops };
}

const name = (message: JsonRpcMessage): unknown =>
  "id" in message ? `request ${message.id}` : "params" in message && message.params?.n;

Deno.test("StrayMessages gives requests and notifications in the order in which they came", async () => {
  const { strays } = open();
  for (const message of [notice(1), request(2), notice(3), request(4)]) strays.take(message);
  assert.equal(strays.size, 4);
  strays.end();
  assert.deepEqual((await collect(strays)).map(name), [1, "request 2", 3, "request 4"]);
  assert.equal(strays.take(notice(5)), undefined);
  assert.deepEqual(await strays.next(), { done: true, value: undefined });
});

Deno.test("StrayMessages drops notifications and refuses requests that still wait after a turn, each counted apart", async () => {
  const { strays, refused, drops } = open();
  await Promise.all([1, 2, 3, 4].flatMap((n) => [strays.take(notice(n)), strays.take(request(n))]));
  assert.deepEqual(refused.map(({ id }) => id), [3, 4]);
  assert.deepEqual(drops, [{ limit: "subscriptionBuffer", value: 2, seen: 4 }]);
  await strays.take(notice(5));
  assert.equal(drops.length, 1);
  strays.end();
  assert.deepEqual((await collect(strays)).map(name), ["request 1", "request 2", 4, 5]);
});

Deno.test("StrayMessages waits until a refusal has gone out, and outlives one that cannot", async () => {
  const sent: (() => void)[] = [];
  const { strays, refused } = open(({ id }) => {
    if (id === 3) throw new Error("gone");
    return new Promise<void>((resolve) => sent.push(resolve));
  });
  let over = false;
  const turn = Promise.all([1, 2, 3, 4].map((id) => strays.take(request(id)))).then(() => over = true);
  await until(() => refused.length >= 2);
  assert.equal(over, false);
  sent[0]?.();
  await turn;
});

Deno.test("StrayMessages ends a turn with the end", async () => {
  const { strays, refused } = open();
  const turn = [1, 2, 3].map((id) => strays.take(request(id))).at(-1);
  strays.end();
  await turn;
  assert.deepEqual(refused, []);
});
