/** Tests of `transports/in_memory.ts`. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../../protocol/types.ts";
import { connectInMemory } from "../../transports/in_memory.ts";
import type { MessageHandler } from "../../transports/transport.ts";
import { until } from "../until.ts";
import { collect, echoServer, rejection, request } from "./support.ts";

Deno.test("connectInMemory() answers, hands copies over, and changes no arguments (B088)", async () => {
  const echo = echoServer();
  const transport = connectInMemory(echo);
  const message = request(1, "x", { list: [1, { deep: true }] });
  const copy = structuredClone(message);
  const [answer] = await collect(transport.exchange(message, { headers: [["a", "b"]] }));
  assert.deepEqual(answer, { jsonrpc: "2.0", id: 1, result: copy.params });
  assert.deepEqual(message, copy);
  assert.deepEqual(echo.seen[0], message);
  assert.notEqual(echo.seen[0], message);
  (message.params?.list as unknown[]).push("later");
  assert.deepEqual(echo.seen[0], copy);
  assert.deepEqual(answer, { jsonrpc: "2.0", id: 1, result: copy.params });
  await transport.close();
});

Deno.test("connectInMemory() takes over a request that is its own, and copies what lies in it (B088)", async () => {
  const echo = echoServer();
  const transport = connectInMemory(echo);
  const info = Object.freeze({ name: "x" });
  const args = { list: [1] };
  const meta = { info, own: { at: new Date(0) }, token: 1 };
  const message = request(1, "x", { name: "y", arguments: args, _meta: meta } as never);
  const written = JSON.parse(JSON.stringify(message));
  await collect(transport.exchange(message, { owned: true }));
  const seen = echo.seen[0] as JsonRpcRequest;
  assert.equal(seen, message);
  args.list.push(2);
  assert.deepEqual(seen, written);
  assert.equal((seen.params?._meta as { info?: unknown }).info, info);
  const sparse = request(2, "x", { name: "y", arguments: undefined, "__proto__": { a: 1 } } as never);
  await collect(transport.exchange(sparse, { owned: true }));
  assert.deepEqual(Object.keys((echo.seen[1] as JsonRpcRequest).params ?? {}), ["name"]);
  const big = await rejection(collect(transport.exchange(request(3, "x", { big: 1n } as never), { owned: true })));
  assert.match(String(big), /^TypeError: Sending a message: A bigint/);
  await transport.close();
});

Deno.test("connectInMemory() ends an exchange at return(), also while its answer is awaited (M-CANC-001)", async () => {
  let gone = 0;
  const transport = connectInMemory({
    handle: (_message, info) => {
      info.onDisconnect(() => gone++);
      return new Promise(() => undefined);
    },
  });
  assert.equal(transport.endsWithStream, true);
  const exchange = transport.exchange(request(1), {}) as AsyncIterableIterator<JsonRpcMessage>;
  const waiting = rejection(exchange.next());
  await exchange.return?.();
  assert.match(String(await waiting), /TransportError/);
  assert.equal(gone, 1);
  await transport.close();
});

Deno.test("connectInMemory() hands over what would be read from JSON text, and refuses what can not be written as it (B088)", async () => {
  const echo = echoServer();
  const transport = connectInMemory(echo);
  const params = {
    at: new Date(0),
    none: undefined,
    numbers: [NaN, Infinity, -0, 1.5, undefined],
    map: new Map([["a", 1]]),
    run: () => 1,
    text: "x\uD83Dy",
    nested: { toJSON: () => ({ own: true }) },
    ...JSON.parse('{"__proto__":{"x":1}}'),
  };
  await collect(transport.exchange(request(1, "x", params as never), {}));
  const [seen] = echo.seen as { params?: object }[];
  assert.deepEqual(seen?.params, JSON.parse(JSON.stringify(params)));
  assert.ok(Object.hasOwn(seen?.params ?? {}, "__proto__"));
  const big = await rejection(collect(transport.exchange(request(2, "x", { big: 1n } as never), {})));
  assert.match(String(big), /^TypeError: Sending a message: A bigint cannot be written as JSON$/);
  let deep = {};
  for (let level = 0; level < 100_000; level++) deep = { a: deep };
  assert.ok(await rejection(collect(transport.exchange(request(3, "x", deep), {}))) instanceof RangeError);
  const odd = connectInMemory({ handle: () => Promise.resolve({ jsonrpc: "2.0", id: 1, result: { big: 1n } } as never) });
  assert.deepEqual(await collect(odd.exchange(request(1), {})), [
    { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } },
  ]);
  assert.equal((await collect(transport.exchange(request(4), {}))).length, 1);
  await transport.close();
});

Deno.test("connectInMemory() yields a stream up to its response, and ends the stream", async () => {
  let finished = false;
  const transport = connectInMemory({
    handle: () =>
      Promise.resolve((async function* (): AsyncGenerator<JsonRpcMessage> {
        try {
          yield { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } };
          yield { jsonrpc: "2.0", id: 1, result: {} };
          yield { jsonrpc: "2.0", method: "notifications/progress", params: { progress: 2 } };
        } finally {
          finished = true;
        }
      })()),
  });
  assert.equal((await collect(transport.exchange(request(1), {}))).length, 2);
  assert.ok(finished);
});

Deno.test("connectInMemory() tells the server who is calling, over one connection", async () => {
  const echo = echoServer();
  const principal = { principal: "user", scopes: [], claims: {} };
  const transport = connectInMemory(echo, { principal });
  await collect(transport.exchange(request(1), {}));
  await transport.send({ jsonrpc: "2.0", method: "notifications/x" });
  assert.deepEqual(echo.infos.map((info) => info.principal), [principal, principal]);
  assert.equal(echo.infos[0]?.connection, echo.infos[1]?.connection);
  assert.equal(echo.infos[0]?.connection.transport, "memory");
});

Deno.test("connectInMemory() masks what the server throws", async () => {
  const transport = connectInMemory(echoServer());
  const masked = { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } };
  assert.deepEqual(await collect(transport.exchange(request(1, "throw"), {})), [masked]);
  const breaking: MessageHandler = () =>
    Promise.resolve({ [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("secret")) }) });
  assert.deepEqual(await collect(connectInMemory({ handle: breaking }).exchange(request(1), {})), [masked]);
  const throwing: MessageHandler = () => {
    throw new Error("secret");
  };
  assert.deepEqual(await collect(connectInMemory({ handle: throwing }).exchange(request(1), {})), [masked]);
});

Deno.test("connectInMemory() tells the server of an abort and of an early end, but of no normal one", async () => {
  const echo = echoServer();
  const transport = connectInMemory(echo);
  const abort = new AbortController();
  const aborted = rejection(collect(transport.exchange(request(1, "hang"), { signal: abort.signal })));
  await until(() => echo.seen.length === 1);
  abort.abort("stop");
  assert.equal(await aborted, "stop");
  for await (const _ of transport.exchange(request(2, "progress"), {})) break;
  const call = transport.exchange(request(3), {})[Symbol.asyncIterator]();
  await call.next();
  await call.return?.();
  assert.deepEqual(echo.gone, [1, 2]);
  assert.equal(await rejection(collect(transport.exchange(request(4), { signal: abort.signal }))), "stop");
  assert.equal(echo.seen.length, 3);
});

Deno.test("connectInMemory() ends everything at close, once (B088)", async () => {
  const echo = echoServer();
  const transport = connectInMemory(echo);
  const open = rejection(collect(transport.exchange(request(1, "hang"), {})));
  await until(() => echo.seen.length === 1);
  await transport.close();
  await transport.close();
  assert.equal((await open).reason, "closed");
  assert.deepEqual(echo.gone, [1]);
  assert.equal((await rejection(collect(transport.exchange(request(2), {})))).reason, "closed");
  assert.equal((await rejection(transport.send({ jsonrpc: "2.0", method: "x" }))).reason, "closed");
  assert.deepEqual(await collect(transport.incoming), []);
  const again = connectInMemory(echo);
  assert.equal((await collect(again.exchange(request(3), {}))).length, 1);
});

Deno.test("connectInMemory() rejects when the server gives no answer", async () => {
  const silent = connectInMemory({ handle: () => Promise.resolve(undefined) });
  assert.equal((await rejection(collect(silent.exchange(request(1), {})))).reason, "closed");
  const cut = connectInMemory({ handle: () => Promise.resolve((async function* () {})()) });
  assert.equal((await rejection(collect(cut.exchange(request(1), {})))).reason, "closed");
});

Deno.test("connectInMemory() gives requests of the server to incoming", async () => {
  const transport = connectInMemory({
    handle: () =>
      Promise.resolve((async function* (): AsyncGenerator<JsonRpcMessage> {
        yield request("s1", "roots/list");
        yield { jsonrpc: "2.0", id: 1, result: {} };
      })()),
  });
  assert.equal((await collect(transport.exchange(request(1), {}))).length, 1);
  await transport.close();
  assert.deepEqual((await collect(transport.incoming)).map((one) => (one as { id: string }).id), ["s1"]);
});

Deno.test("connectInMemory() gives the server one session, whose messages arrive in incoming (L-BASE-009)", async () => {
  const echo = echoServer();
  const transport = connectInMemory(echo);
  await transport.send({ jsonrpc: "2.0", method: "notifications/x" });
  const session = echo.infos[0]?.connection.session;
  let ended = 0;
  session?.onEnd(() => ended++);
  assert.equal(session?.state, undefined);
  const sent: JsonRpcMessage[] = [
    { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
    { jsonrpc: "2.0", id: 1, method: "roots/list" },
  ];
  for (const message of sent) await session?.send(message as JsonRpcRequest);
  await transport.close();
  assert.equal(ended, 1);
  await session?.send(sent[1] as JsonRpcRequest);
  assert.deepEqual(await collect(transport.incoming), sent);
});

Deno.test("connectInMemory() answers requests of the server that nobody reads beyond the limit, and drops none", async () => {
  const echo = echoServer();
  const transport = connectInMemory(echo);
  await transport.send({ jsonrpc: "2.0", method: "notifications/x" });
  const session = echo.infos[0]?.connection.session;
  const bound = resolveLimits(undefined).subscriptionBuffer;
  const sends = Array.from({ length: bound + 2 }, (_, id) => session?.send(request(id, "roots/list") as JsonRpcRequest));
  await Promise.all(sends);
  const refused = echo.seen.filter((message) => "error" in message).map((message) => "id" in message && message.id);
  assert.deepEqual(refused, [bound, bound + 1]);
  await transport.close();
  assert.equal((await collect(transport.incoming)).length, bound);
});

Deno.test("connectInMemory() hands a response to the server beside a request with the same id (L-BASE-003)", async () => {
  const echo = echoServer();
  const transport = connectInMemory(echo);
  const running = rejection(collect(transport.exchange(request(1, "hang"), {})));
  await until(() => echo.seen.length === 1);
  const response: JsonRpcMessage = { jsonrpc: "2.0", id: 1, result: { roots: [] } };
  await transport.send(response);
  assert.deepEqual(echo.seen[1], response);
  assert.equal(echo.infos[0]?.connection.session, echo.infos[1]?.connection.session);
  await transport.close();
  assert.equal((await running).reason, "closed");
});

Deno.test("connectInMemory() says of what is no response that it is none", async () => {
  const given: readonly unknown[] = [
    null,
    7,
    "x",
    true,
    [],
    {},
    { id: 1 },
    { id: 1, result: null },
    { id: 1, result: [] },
    {
      id: 1,
      error: {},
    },
    { id: 1, error: { code: 1, message: 2 } },
    { id: 1, error: "no" },
  ];
  for (const answer of given) {
    for (const handle of [() => answer, () => Promise.resolve(answer)]) {
      const transport = connectInMemory({ handle: handle as never });
      const error = await rejection(collect(transport.exchange(request(1, "x"), {})));
      assert.equal((error as { readonly reason?: unknown }).reason, "not_mcp", JSON.stringify(answer));
      await transport.close();
    }
  }
});

Deno.test("connectInMemory() outlives a stream whose end throws, rejects, or promises nothing", async () => {
  const ends: readonly (() => unknown)[] = [
    () => {
      throw new Error("at once");
    },
    () => Promise.reject(new Error("later")),
    () => undefined,
  ];
  for (const end of ends) {
    const stream = { [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined), return: end }) };
    const transport = connectInMemory({ handle: () => stream as never });
    const open = transport.exchange(request(1, "x"), {})[Symbol.asyncIterator]();
    const waiting = rejection(open.next() as Promise<never>);
    await open.return?.();
    assert.equal((await waiting as { readonly reason?: unknown }).reason, "closed");
    await transport.close();
  }
});
