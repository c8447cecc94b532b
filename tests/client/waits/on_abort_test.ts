import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import { onAbort } from "../../../client/waits/on_abort.ts";
import { ServerRequests } from "../../../client/input/server_requests.ts";
import type { Dialect } from "../../../protocol/dialect.ts";
import { DIALECTS } from "../../loaded_dialects.ts";
import { countListeners, scripted, text } from "../scripted.ts";

Deno.test("onAbort tells everyone who hears of a signal, with one listener for all, and none once nobody does", () => {
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  const told: string[] = [];
  const leave = onAbort(abort.signal, () => told.push("gone"));
  assert.equal(listeners(), 1);
  leave();
  leave();
  assert.equal(listeners(), 0);
  onAbort(abort.signal, () => {
    told.push("first");
    leaveSecond();
    onAbort(abort.signal, () => told.push("late"));
  });
  const leaveSecond = onAbort(abort.signal, () => told.push("second"));
  const leaveThird = onAbort(abort.signal, () => told.push("third"));
  assert.equal(listeners(), 1);
  abort.abort();
  assert.deepEqual(told, ["first", "third"]);
  leaveThird();
  onAbort(undefined, () => told.push("never"))();
  assert.equal(told.length, 2);
});

Deno.test("calls at once that share a signal put one listener on it, with a cache and without (B089)", async () => {
  for (const cache of [false, true]) {
    const abort = new AbortController();
    const { signal } = abort;
    const listeners = countListeners(signal);
    let most = 0;
    const server = scripted(({ method }) => {
      most = Math.max(most, listeners());
      return method === "tools/call" ? text("done") : undefined;
    });
    await using client = await connect(server, { cache, signal });
    const calls = Array.from({ length: 20 }, () => client.callTool("x", {}, { signal }));
    await Promise.all(calls);
    const reads = Array.from({ length: 20 }, (_, at) => client.readResource(`a:${at}`, { signal }));
    const watches = Array.from({ length: 20 }, () => client.watch({}, { signal }));
    const opened = watches.map((watch) => watch.open());
    abort.abort(new RangeError("Enough"));
    for (const one of [...reads, ...opened]) await assert.rejects(one as Promise<unknown>, /^RangeError: Enough/);
    assert.deepEqual(await Promise.all(watches.map(({ closed }) => closed)), watches.map(() => ({ by: "client" })));
    assert.deepEqual([most, listeners()], [1, 0]);
  }
});

Deno.test("questions of one call put one listener on its signal, and are aborted with it (B089)", async () => {
  const answers: unknown[] = [];
  const aborted: unknown[] = [];
  const requests = new ServerRequests({
    inputs: {
      roots: ({ signal }) => {
        signal.addEventListener("abort", () => aborted.push(signal.reason));
        return new Promise(() => undefined);
      },
    },
    capabilities: { roots: {} },
    limits: { serverRequests: 20, subscriptionBuffer: 20 },
    send: ({ id }) => Promise.resolve(void answers.push(id)),
    report: (error) => assert.fail(String(error)),
  });
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  const origin = { method: "x", name: undefined, label: undefined, signal: abort.signal, asked: 0, unanswered: undefined };
  const dialect = DIALECTS.find(({ handshake }) => handshake !== undefined) as Dialect;
  for (let id = 0; id < 20; id++) void requests.take({ jsonrpc: "2.0", id, method: "roots/list" }, dialect, origin);
  assert.deepEqual([listeners(), origin.asked], [1, 20]);
  requests.cancel(7);
  abort.abort("Enough");
  assert.deepEqual([answers.length, aborted.length, origin.asked, listeners()], [19, 20, 0, 0]);
  await Promise.resolve();
});
