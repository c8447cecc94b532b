import assert from "node:assert/strict";
import { connect, TransportError } from "../../client/mod.ts";
import type { JsonRpcMessage, JsonValue, Transport } from "../../client/mod.ts";
import { complete, countListeners, deferred, DISCOVERED, metaOf, progress, scripted, text, tokenOf } from "./scripted.ts";
import type { ScriptedServer } from "./scripted.ts";

/** A server whose calls bring these notifications and then a text. */
function noisy(notifications: (token: string | number) => readonly JsonRpcMessage[]): ScriptedServer {
  return scripted((request) => {
    if (request.method === "server/discover") return undefined;
    return (async function* (): AsyncGenerator<JsonRpcMessage> {
      for (const notification of notifications(tokenOf(request))) {
        await Promise.resolve();
        yield notification;
      }
      yield { jsonrpc: "2.0", id: request.id, result: text("done") };
    })();
  });
}

Deno.test("exchange hands on progress in order before the call resolves (M-PROG-004, M-PROG-006, M-PROG-011, B072)", async () => {
  const seen: unknown[] = [];
  await using client = await connect(noisy((token) => [
    progress(token, 0.5, { total: 2.5, message: "half" }),
    progress(token, 1),
    progress(token, 2, { total: "x", message: 3 }),
  ]));
  const result = await client.callTool("x", {}, { onProgress: (one) => void seen.push(one) });
  seen.push(result.content.length);
  assert.deepEqual(seen, [{ progress: 0.5, total: 2.5, message: "half" }, { progress: 1 }, { progress: 2 }, 1]);
});

Deno.test("exchange drops progress that does not grow (M-PROG-005, B072)", async () => {
  const seen: number[] = [];
  await using client = await connect(noisy((token) => [2, 2, 1, 3, -1].map((value) => progress(token, value))));
  await client.callTool("x", {}, { onProgress: ({ progress }) => void seen.push(progress) });
  assert.deepEqual(seen, [2, 3]);
});

Deno.test("exchange drops progress of another token, token type or shape (M-PROG-002, M-PROG-012, B073)", async () => {
  const seen: number[] = [];
  const odd = (params: { [key: string]: JsonValue }): JsonRpcMessage => ({
    jsonrpc: "2.0",
    method: "notifications/progress",
    params,
  });
  await using client = await connect(noisy((token) => [
    progress(String(token), 1),
    progress(999, 2),
    odd({ progressToken: token, progress: "3" }),
    odd({ progressToken: token }),
    odd({ progress: 4 }),
    { jsonrpc: "2.0", method: "notifications/progress" },
    progress(token, 5),
  ]));
  await client.callTool("x", {}, { onProgress: ({ progress }) => void seen.push(progress) });
  assert.deepEqual(seen, [5]);
});

Deno.test("exchange asks for progress in every call, under tokens of their own (M-PROG-003)", async () => {
  const server = scripted(({ method }) => method === "tools/call" ? text("") : undefined);
  await using client = await connect(server);
  await Promise.all([client.callTool("a"), client.callTool("b"), client.callTool("c")]);
  const tokens = server.requests().map(tokenOf);
  assert.equal(new Set(tokens).size, 3);
  assert.ok(tokens.every(Number.isSafeInteger));
});

Deno.test("exchange is ended by onProgress when that throws or rejects (B072)", async () => {
  const thrown = new Error("stop");
  const server = noisy((token) => [progress(token, 1), progress(token, 2)]);
  await using client = await connect(server);
  const throws = (): void => {
    throw thrown;
  };
  await assert.rejects(client.callTool("x", {}, { onProgress: throws }), (error) => error === thrown);

  const late = deferred();
  const reported: unknown[] = [];
  await using other = await connect(noisy((token) => [progress(token, 1)]), {
    onError: (error) => {
      reported.push(error);
      late.resolve();
    },
  });
  // deno-lint-ignore no-explicit-any -- the type promises void, programs pass async functions all the same
  const rejects: any = async (): Promise<void> => {
    await new Promise((resolve) => setTimeout(resolve, 1));
    throw thrown;
  };
  await other.callTool("x", {}, { onProgress: rejects });
  await late.promise;
  assert.deepEqual(reported, [thrown]);
});

/** A carrier under the hand of a test. */
function manual(): Transport & { readonly signals: AbortSignal[]; emit(message: JsonRpcMessage): void; lastId(): number } {
  const signals: AbortSignal[] = [];
  let emit: (message: JsonRpcMessage) => void = () => undefined;
  let id = 0;
  return {
    signals,
    emit: (message) => emit(message),
    lastId: () => id,
    async *exchange(request, { signal }) {
      if (request.method === "server/discover") {
        yield { jsonrpc: "2.0", id: request.id, result: DISCOVERED };
        return;
      }
      id = request.id as number;
      signals.push(signal as AbortSignal);
      const queue: JsonRpcMessage[] = [];
      let wake = deferred();
      emit = (message) => {
        queue.push(message);
        wake.resolve();
      };
      signal?.addEventListener("abort", () => wake.resolve());
      for (;;) {
        const next = queue.shift();
        if (next !== undefined) yield next;
        else if (signal?.aborted) throw signal.reason;
        else {
          await wake.promise;
          wake = deferred();
        }
      }
    },
    send: () => Promise.resolve(),
    incoming: { async *[Symbol.asyncIterator]() {} },
    close: () => Promise.resolve(),
  };
}

Deno.test("exchange gives up without an answer, tells the carrier, and drops what comes late (M-CANC-008, M-CANC-009, M-CANC-010, M-CANC-019, M-TOOL-054, B071, limit requestTimeout)", async () => {
  const transport = manual();
  await using client = await connect(transport, { limits: { requestTimeout: 60_000 } });
  await assert.rejects(client.callTool("x", {}, { timeout: 10 }), (error) => {
    assert.ok(error instanceof TransportError);
    assert.deepEqual([error.reason, error.code, error.data], ["timeout", -32001, { limit: "requestTimeout" }]);
    return true;
  });
  assert.equal(transport.signals[0]?.aborted, true);
  transport.emit({ jsonrpc: "2.0", id: transport.lastId(), result: text("late") });

  await using other = await connect(manual(), { limits: { requestTimeout: 10 } });
  await assert.rejects(other.listTools(), { reason: "timeout" });
});

Deno.test("exchange waits longer with progress, but never beyond its total time (M-CANC-011, M-CANC-012, B071, limit requestTotalTimeout)", async () => {
  const transport = manual();
  await using client = await connect(transport);
  const kept = client.callTool("x", {}, { timeout: 200 });
  for (let value = 1; value <= 6; value++) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    transport.emit(progress(transport.lastId(), value));
  }
  transport.emit({ jsonrpc: "2.0", id: transport.lastId(), result: text("kept") });
  assert.deepEqual((await kept).content, [{ type: "text", text: "kept" }]);

  let value = 0;
  const endless = client.callTool("x", {}, { timeout: 200, totalTimeout: 250 });
  const ticking = setInterval(() => transport.emit(progress(transport.lastId(), ++value)), 10);
  await assert.rejects(endless, { reason: "timeout", data: { limit: "requestTotalTimeout" } });
  clearInterval(ticking);
  assert.ok(value > 0);
});

Deno.test("exchange waits no longer for progress of somebody else (B071)", async () => {
  const transport = manual();
  await using client = await connect(transport);
  let value = 0;
  const ticking = setInterval(() => transport.emit(progress("other", ++value)), 5);
  await assert.rejects(client.callTool("x", {}, { timeout: 30, totalTimeout: 10_000 }), {
    data: { limit: "requestTimeout" },
  });
  clearInterval(ticking);
});

Deno.test("exchange rejects with the reason of the caller's signal and cancels (M-CANC-001, M-CANC-013)", async () => {
  const transport = manual();
  await using client = await connect(transport);
  const abort = new AbortController();
  const reason = { odd: "reason" };
  const call = client.callTool("x", {}, { signal: abort.signal });
  await new Promise((resolve) => setTimeout(resolve, 0));
  abort.abort(reason);
  await assert.rejects(call, (error) => error === reason);
  assert.equal(transport.signals[0]?.aborted, true);

  await assert.rejects(client.callTool("x", {}, { signal: abort.signal }), (error) => error === reason);
  assert.equal(transport.signals.length, 1);
  await assert.rejects(client.request("notifications/x", {}, { signal: AbortSignal.abort() }), { name: "AbortError" });
});

Deno.test("exchange lets a notification cancel nothing that it did not ask for (M-CANC-013)", async () => {
  await using client = await connect(scripted(() => undefined));
  await assert.rejects(client.notify("notifications/cancelled", { requestId: 1 }), TypeError);
});

Deno.test("exchange takes an answer and an abort in the same turn (M-CANC-014, M-CANC-020)", async () => {
  for (const abortFirst of [true, false]) {
    const transport = manual();
    await using client = await connect(transport);
    const abort = new AbortController();
    const call = client.callTool("x", {}, { signal: abort.signal });
    call.catch(() => undefined);
    await new Promise((resolve) => setTimeout(resolve, 0));
    if (abortFirst) abort.abort();
    transport.emit({ jsonrpc: "2.0", id: transport.lastId(), result: text("in time") });
    if (abortFirst) await assert.rejects(call, { name: "AbortError" });
    else {
      await call;
      abort.abort();
      assert.equal(transport.signals[0]?.aborted, false);
    }
  }
});

Deno.test("exchange leaves no listener on the caller's signal (B089)", async () => {
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  let turn = 0;
  const server = scripted(({ id, method }) => {
    if (method === "server/discover") return undefined;
    if (turn++ % 3 === 0) return { resultType: "odd" };
    if (turn % 3 === 1) return text("");
    return (async function* (): AsyncGenerator<JsonRpcMessage> {
      await Promise.resolve();
      yield progress(id, 1);
      yield { jsonrpc: "2.0", id, result: text("") };
    })();
  });
  await using client = await connect(server);
  let failures = 0;
  for (let i = 0; i < 300; i++) await client.callTool("x", {}, { signal: abort.signal }).catch(() => failures++);
  assert.equal(failures, 100);
  assert.equal(listeners(), 0);
  abort.abort();
});

Deno.test("exchange refuses an answer to another request, and an end without an answer (B016, B020, B033)", async () => {
  const answer = (one: (id: string | number) => JsonRpcMessage | undefined): Transport => ({
    async *exchange({ id, method }) {
      await Promise.resolve();
      if (method === "server/discover") return yield { jsonrpc: "2.0", id, result: DISCOVERED };
      const message = one(id);
      if (message !== undefined) yield message;
    },
    send: () => Promise.resolve(),
    incoming: { async *[Symbol.asyncIterator]() {} },
    close: () => Promise.resolve(),
  });
  await using other = await connect(answer((id) => ({ jsonrpc: "2.0", id: String(id), result: complete() })));
  await assert.rejects(other.callTool("x"), { reason: "not_mcp" });
  await using ended = await connect(answer(() => undefined));
  await assert.rejects(ended.callTool("x"), { reason: "closed" });
  await using nameless = await connect(answer(() => ({ jsonrpc: "2.0", error: { code: -32602, message: "bad" } })));
  await assert.rejects(nameless.callTool("x"), { kind: "protocol", code: -32602 });
  await using foreign = await connect(answer(() => ({ jsonrpc: "2.0", id: "other", error: { code: -32602, message: "bad" } })));
  await assert.rejects(foreign.callTool("x"), { reason: "not_mcp" });
});

Deno.test("exchange wraps what a foreign carrier throws, with its cause (B086)", async () => {
  const cause = { odd: true };
  await using client = await connect({
    async *exchange({ id, method }) {
      await Promise.resolve();
      if (method !== "server/discover") throw cause;
      yield { jsonrpc: "2.0", id, result: DISCOVERED };
    },
    send: () => Promise.resolve(),
    incoming: { async *[Symbol.asyncIterator]() {} },
    close: () => Promise.resolve(),
  });
  await assert.rejects(client.callTool("x"), { kind: "transport", reason: "closed", cause });
});

Deno.test("exchange carries trace context and entries of _meta (M-META-020, M-META-022)", async () => {
  const server = scripted(({ method }) => method === "tools/call" ? text("") : undefined);
  await using client = await connect(server);
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  await client.callTool("x", {}, { trace: { traceparent, tracestate: "a=1" }, meta: { "com.example/x": [1] } });
  const meta = metaOf(server.requests()[0]);
  assert.deepEqual([meta.traceparent, meta.tracestate, meta["com.example/x"]], [traceparent, "a=1", [1]]);
});

Deno.test("exchange that is given up on a carrier of somebody else keeps no other from its end, whatever leaving it throws", async () => {
  const ends: readonly (() => never | Promise<never>)[] = [
    () => {
      throw new Error("at once");
    },
    () => Promise.reject(new Error("later")),
  ];
  for (const end of ends) {
    const transport: Transport = {
      endsWithStream: true,
      incoming: (async function* () {})(),
      exchange: ({ id, method }) => {
        const answer: JsonRpcMessage = { jsonrpc: "2.0", id, result: DISCOVERED };
        const next = (): Promise<IteratorResult<JsonRpcMessage>> =>
          method === "server/discover" ? Promise.resolve({ done: false, value: answer }) : new Promise(() => undefined);
        return {
          [Symbol.asyncIterator]: () => ({ next }),
          next,
          return: method === "server/discover" ? undefined : end,
        } as never;
      },
      send: () => Promise.resolve(),
      close: () => Promise.resolve(),
    };
    await using client = await connect(transport, { limits: { requestTimeout: 20 } });
    await Promise.all([1, 2, 3].map(() => assert.rejects(client.callTool("x"), { reason: "timeout" })));
  }
});
