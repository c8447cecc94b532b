/** Tests of `transports/peer.ts`. */
import assert from "node:assert/strict";
import { TransportError } from "../../protocol/errors.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import type { JsonObject, JsonRpcMessage, RequestId } from "../../protocol/types.ts";
import { createPeer } from "../../transports/peer.ts";
import { until } from "../until.ts";
import { collect, rejection, request } from "./support.ts";

function open(limits = resolveLimits(undefined)) {
  const sent: JsonRpcMessage[] = [];
  const errors: unknown[] = [];
  const peer = createPeer({ send: (message) => void sent.push(message), close: () => undefined }, {
    limits,
    onError: (error) => errors.push(error),
  });
  const receive = (message: JsonRpcMessage) => peer.receive(message);
  const answer = (id: RequestId, result: JsonObject = { id }) => receive({ jsonrpc: "2.0", id, result });
  const notify = (method: string, params: JsonObject) => receive({ jsonrpc: "2.0", method, params });
  return { peer, sent, errors, receive, answer, notify };
}

Deno.test("createPeer() matches answers that come in another order (M-STDIO-010)", async () => {
  const { peer, answer } = open();
  const calls = [1, 2, 3].map((id) => collect(peer.exchange(request(id), {})));
  for (const id of [3, 1, 2]) answer(id);
  assert.deepEqual((await Promise.all(calls)).map((all) => all.map((one) => (one as { id: number }).id)), [[1], [2], [3]]);
});

Deno.test('createPeer() keeps the ids 1 and "1", 0 and "" apart (B033, B034)', async () => {
  const { peer, answer, errors } = open();
  const ids = [1, "1", 0, ""];
  const calls = ids.map((id) => collect(peer.exchange(request(id), {})));
  for (const id of [...ids].reverse()) answer(id, { is: JSON.stringify(id) });
  const results = (await Promise.all(calls)).map(([one]) => (one as { result: JsonObject }).result.is);
  assert.deepEqual(results, ids.map((id) => JSON.stringify(id)));
  const only = collect(peer.exchange(request(7), {}));
  answer("7");
  answer(7, { right: true });
  assert.deepEqual(await only, [{ jsonrpc: "2.0", id: 7, result: { right: true } }]);
  assert.equal(errors.length, 1);
});

Deno.test("createPeer() yields progress to the request that has the token, and drops that of others (M-PROG-012)", async () => {
  const { peer, answer, notify, errors } = open();
  const first = collect(peer.exchange(request(1, "x", { _meta: { progressToken: 0 } }), {}));
  const second = collect(peer.exchange(request(2, "x", { _meta: { progressToken: "" } }), {}));
  notify("notifications/progress", { progressToken: "", progress: 1 });
  notify("notifications/progress", { progressToken: 0, progress: 2 });
  notify("notifications/progress", { progressToken: "other", progress: 3 });
  answer(1);
  answer(2);
  notify("notifications/progress", { progressToken: 0, progress: 4 });
  const progress = (all: JsonRpcMessage[]) => all.map((one) => "method" in one ? one.params?.progress : "answer");
  assert.deepEqual([progress(await first), progress(await second)], [[2, "answer"], [1, "answer"]]);
  assert.deepEqual(errors, []);
  await peer.close();
  assert.deepEqual(await collect(peer.incoming), []);
});

Deno.test("createPeer() yields a subscription's notifications to the listen request that opened it (B082)", async () => {
  const { peer, answer, notify } = open();
  const key = "io.modelcontextprotocol/subscriptionId";
  const number = collect(peer.exchange(request(1, "subscriptions/listen"), {}));
  const text = collect(peer.exchange(request("1", "subscriptions/listen"), {}));
  notify("notifications/tools/list_changed", { _meta: { [key]: "1" } });
  notify("notifications/prompts/list_changed", { _meta: { [key]: 1 } });
  notify("notifications/cancelled", { requestId: "1" });
  answer(1);
  const methods = (all: JsonRpcMessage[]) => all.map((one) => "method" in one ? one.method : "answer");
  assert.deepEqual(methods(await number), ["notifications/prompts/list_changed", "answer"]);
  assert.deepEqual(methods(await text), ["notifications/tools/list_changed", "notifications/cancelled"]);
});

Deno.test("createPeer() yields a log message to the only open call, else to incoming", async () => {
  const { peer, answer, notify } = open();
  const listen = collect(peer.exchange(request(9, "subscriptions/listen"), {}));
  const only = collect(peer.exchange(request(1), {}));
  notify("notifications/message", { level: "info", data: "one" });
  const second = collect(peer.exchange(request(2), {}));
  notify("notifications/message", { level: "info", data: "two" });
  for (const id of [1, 2, 9]) answer(id);
  assert.equal((await only).length, 2);
  assert.equal((await second).length, 1);
  assert.equal((await listen).length, 1);
  const stray = await peer.incoming[Symbol.asyncIterator]().next();
  assert.deepEqual(stray.value?.params?.data, "two");
});

Deno.test("createPeer() sends notifications/cancelled when an iteration ends early, and drops the late answer", async () => {
  const { peer, sent, answer, notify, errors } = open();
  const call = peer.exchange(request(6, "x", { _meta: { progressToken: 6 } }), {})[Symbol.asyncIterator]();
  const first = call.next();
  notify("notifications/progress", { progressToken: 6, progress: 1 });
  await first;
  await call.return?.();
  answer(6);
  assert.deepEqual(sent.slice(-1), [{ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 6 } }]);
  assert.deepEqual(errors, []);
  assert.deepEqual(await call.next(), { done: true, value: undefined });
});

Deno.test("createPeer() never cancels a handshake, nor what its owner cancels (L-CANC-002)", async () => {
  const { peer, sent, answer, errors } = open();
  for (const [id, options] of [[1, { opensSession: true }], [2, { resumable: true }]] as const) {
    const abort = new AbortController();
    const call = rejection(collect(peer.exchange(request(id), { ...options, signal: abort.signal })));
    abort.abort("enough");
    assert.equal(await call, "enough");
    answer(id);
  }
  assert.deepEqual(sent.map((message) => "method" in message && message.method), ["tools/call", "tools/call"]);
  assert.deepEqual(errors, []);
});

Deno.test("createPeer() gives an error without an id to a handshake or probe that is alone, and reports it otherwise", async () => {
  const { peer, receive, errors } = open();
  const error: JsonRpcMessage = { jsonrpc: "2.0", error: { code: -32600, message: "Invalid Request" } };
  const probe = collect(peer.exchange(request(1), { resumable: true }));
  receive(error);
  assert.deepEqual(await probe, [error]);
  const together = [2, 3].map((id) => rejection(collect(peer.exchange(request(id), { resumable: true }))));
  receive(error);
  assert.equal(errors.length, 1);
  peer.end("over");
  assert.deepEqual(await Promise.all(together), ["over", "over"]);
});

Deno.test("createPeer() rejects with the signal's reason, cancels once, and leaves no listener (B089)", async () => {
  const { peer, sent, answer } = open();
  const abort = new AbortController();
  let listeners = 0;
  const signal = abort.signal;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: unknown[]) => (listeners++, Reflect.apply(addEventListener, signal, args));
  signal.removeEventListener = (...args: unknown[]) => (listeners--, Reflect.apply(removeEventListener, signal, args));
  const done = collect(peer.exchange(request(1), { signal }));
  answer(1);
  await done;
  assert.equal(listeners, 0);
  const call = rejection(collect(peer.exchange(request(2), { signal })));
  abort.abort("no longer wanted");
  assert.equal(await call, "no longer wanted");
  assert.equal(listeners, 0);
  const params = { requestId: 2, reason: "no longer wanted" };
  assert.deepEqual(sent.slice(2), [{ jsonrpc: "2.0", method: "notifications/cancelled", params }]);
  assert.equal(await rejection(collect(peer.exchange(request(3), { signal }))), "no longer wanted");
  assert.equal(sent.length, 3);
});

Deno.test("createPeer() rejects what is open when the channel ends, and everything after (B086, M-STDIO-018)", async () => {
  const { peer, sent } = open();
  const calls = [1, 2].map((id) => rejection(collect(peer.exchange(request(id), {}))));
  const cause = new Error("gone");
  peer.end(cause);
  peer.end();
  assert.deepEqual(await Promise.all(calls), [cause, cause]);
  assert.deepEqual(await collect(peer.incoming), []);
  assert.equal((await rejection(collect(peer.exchange(request(3), {})))).reason, "closed");
  assert.equal((await rejection(peer.send({ jsonrpc: "2.0", method: "x" }))).reason, "closed");
  assert.equal(sent.length, 2);
});

Deno.test("createPeer() rejects only the call whose message cannot be sent", async () => {
  const failure = new Error("too large");
  const peer = createPeer({
    send: (message) => (message as { id?: number }).id === 1 ? Promise.reject(failure) : undefined,
    close: () => undefined,
  }, { limits: resolveLimits(undefined) });
  assert.equal(await rejection(collect(peer.exchange(request(1), {}))), failure);
  const other = collect(peer.exchange(request(2), {}));
  await peer.receive({ jsonrpc: "2.0", id: 2, result: {} });
  assert.equal((await other).length, 1);
});

Deno.test("createPeer() drops the oldest stray notification at the limit, and never a request (limit subscriptionBuffer)", async () => {
  const { peer, receive, notify, errors, sent } = open(resolveLimits({ subscriptionBuffer: 3 }));
  receive(request(1, "roots/list"));
  for (const n of [1, 2, 3]) assert.equal(notify("notifications/x", { n }), undefined);
  await notify("notifications/x", { n: 4 });
  await notify("notifications/x", { n: 5 });
  await peer.close();
  const kept = await collect(peer.incoming);
  assert.deepEqual(kept.map((one) => "method" in one && (one.params?.n ?? one.method)), ["roots/list", 3, 4, 5]);
  assert.deepEqual(errors.map((error) => (error as { reason: string }).reason), ["limit"]);
  assert.deepEqual(sent, []);
});

Deno.test("createPeer() answers requests that find no place, by naming the limit, and keeps the older ones", async () => {
  const { peer, receive, errors, sent } = open(resolveLimits({ subscriptionBuffer: 3 }));
  await Promise.all([1, 2, 3, 4, 5].map((id) => receive(request(id, "roots/list"))));
  assert.deepEqual(
    sent,
    [4, 5].map((id) => ({
      jsonrpc: "2.0",
      id,
      error: { code: -32603, message: "Answering roots/list: 3 requests wait (limit subscriptionBuffer)" },
    })),
  );
  await peer.close();
  assert.deepEqual((await collect(peer.incoming)).map((one) => "id" in one && one.id), [1, 2, 3]);
  assert.deepEqual(errors, []);
});

Deno.test("createPeer() gives a reader of stray messages a burst longer than the limit", async () => {
  const { peer, receive, notify, errors } = open(resolveLimits({ subscriptionBuffer: 3 }));
  const all = collect(peer.incoming);
  for (let n = 0; n < 50; n++) await (n % 2 === 0 ? notify("notifications/x", { n }) : receive(request(n, "roots/list")));
  await peer.close();
  assert.equal((await all).length, 50);
  assert.deepEqual(errors, []);
});

Deno.test("createPeer() ends a call that nobody reads at the limit, and no other (limit subscriptionBuffer)", async () => {
  const { peer, answer, notify, sent } = open(resolveLimits({ subscriptionBuffer: 3 }));
  const lazy = peer.exchange(request(1, "x", { _meta: { progressToken: 1 } }), {})[Symbol.asyncIterator]();
  const first = lazy.next();
  const other = collect(peer.exchange(request(2), {}));
  for (let n = 0; n < 4; n++) assert.equal(notify("notifications/progress", { progressToken: 1, progress: n }), undefined);
  await notify("notifications/progress", { progressToken: 1, progress: 4 });
  await first;
  const error = await rejection(lazy.next());
  assert.deepEqual(error.data, { limit: "subscriptionBuffer", value: 3, seen: 4 });
  assert.equal((sent.at(-1) as { method: string }).method, "notifications/cancelled");
  answer(2);
  assert.equal((await other).length, 1);
});

Deno.test("createPeer() gives a reader that keeps up a burst longer than the limit", async () => {
  const { peer, answer, notify } = open(resolveLimits({ subscriptionBuffer: 3 }));
  const all = collect(peer.exchange(request(1, "x", { _meta: { progressToken: 1 } }), {}));
  for (let n = 0; n < 50; n++) await notify("notifications/progress", { progressToken: 1, progress: n });
  answer(1);
  assert.equal((await all).length, 51);
});

Deno.test("createPeer() reports an error without an id and an unknown answer, and goes on (B036)", async () => {
  const { peer, receive, answer, errors } = open();
  const call = collect(peer.exchange(request(1), {}));
  receive({ jsonrpc: "2.0", error: { code: -32700, message: "x" } });
  answer(999);
  answer(1);
  assert.equal((await call).length, 1);
  await until(() => errors.length === 2);
  assert.equal((errors[0] as { code: number }).code, -32700);
});

Deno.test("createPeer() survives a throwing onError, and refuses an id that is in use (B086)", async () => {
  const peer = createPeer({ send: () => undefined, close: () => undefined }, {
    limits: resolveLimits(undefined),
    onError: () => {
      throw new Error("listener");
    },
  });
  const call = collect(peer.exchange(request(1), {}));
  assert.equal((await rejection(collect(peer.exchange(request(1), {})))).name, "TypeError");
  peer.receive({ jsonrpc: "2.0", id: 999, result: {} });
  peer.receive({ jsonrpc: "2.0", id: 1, result: {} });
  assert.equal((await call).length, 1);
});

Deno.test("createPeer() tells the server why an iteration ends early, when its return() is told", async () => {
  const { peer, sent } = open();
  const stream = peer.exchange(request(8), {})[Symbol.asyncIterator]();
  const waiting = rejection(stream.next() as Promise<never>);
  const left = new TransportError("timeout", "Wait for the answer to x: nothing came for 5 ms");
  await stream.return?.(left);
  assert.equal(await waiting, left);
  const params = { requestId: 8, reason: left.message };
  assert.deepEqual(sent.slice(1), [{ jsonrpc: "2.0", method: "notifications/cancelled", params }]);
});
