/** Tests of `transports/connect_channel.ts`, over real sockets. */
import assert from "node:assert/strict";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { connectChannel } from "../../transports/connect_channel.ts";
import { serveChannel } from "../../transports/serve_channel.ts";
import { connected, line, response } from "./sockets.ts";
import { collect, echoServer, rejection, request, resultOf, until } from "./support.ts";

Deno.test("connectChannel() reads the same answer wherever the bytes are cut (B001, B002)", async () => {
  const result = { tools: [{ name: "é→🦊", inputSchema: { type: "object" } }] };
  const bytes = new TextEncoder().encode(`\uFEFF${response(1, result).trimEnd()}\r\n`);
  const client = await connected();
  for (let cut = 1; cut < bytes.length; cut++) {
    const answer = collect(client.transport.exchange(request(1), {}));
    await client.write(bytes.subarray(0, cut));
    await new Promise((resolve) => setTimeout(resolve, 0));
    await client.write(bytes.subarray(cut));
    assert.deepEqual(await answer, [{ jsonrpc: "2.0", id: 1, result }]);
  }
  assert.deepEqual(client.errors, []);
  await client.end();
});

Deno.test("connectChannel() rejects what is open when the answer is cut at any byte (B016, B086)", async () => {
  const bytes = new TextEncoder().encode(response(1, { text: "é" }).trimEnd());
  for (let cut = 0; cut < bytes.length; cut++) {
    const client = await connected();
    const call = rejection(collect(client.transport.exchange(request(1), {})));
    await client.write(bytes.subarray(0, cut));
    await client.hangUp();
    assert.equal((await call).reason, "closed");
    await client.end();
  }
});

Deno.test("connectChannel() reads the last line without a newline like any other", async () => {
  const client = await connected();
  const calls = [1, 2].map((id) => collect(client.transport.exchange(request(id), {})));
  await until(() => client.sent.length === 2);
  await client.write(response(1) + response(2, { text: "é" }).trimEnd());
  await client.hangUp();
  assert.deepEqual((await Promise.all(calls)).map((all) => all.map(resultOf)), [[{}], [{ text: "é" }]]);
  assert.deepEqual(client.errors, []);
  await client.end();
  const deep = await connected();
  const call = rejection(collect(deep.transport.exchange(request(1), {})));
  await until(() => deep.sent.length === 1);
  await deep.write(`{"jsonrpc":"2.0","id":1,"result":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`);
  await deep.hangUp();
  assert.deepEqual([(await call).reason, (await call).data], ["limit", { limit: "jsonDepth", value: 64 }]);
  await deep.end();
});

Deno.test("connectChannel() passes over noise between messages, and reports each bad line once (B003)", async () => {
  const client = await connected();
  const calls = [1, 2].map((id) => collect(client.transport.exchange(request(id), {})));
  await client.write('INFO ready\r\n\r\n{"level":"info","msg":"x"}\nnull\n17\n"text"\n{"jsonrpc":"2.0"}\n{"half":\n');
  await client.write(response(1).replace("\n", "\r"));
  await client.write("\n" + response(2));
  assert.deepEqual((await Promise.all(calls)).map((all) => all.length), [1, 1]);
  assert.deepEqual(client.errors.map((error) => (error as { reason: string }).reason), new Array(7).fill("not_mcp"));
  assert.equal((client.errors[0] as { data: { excerpt: string } }).data.excerpt, "INFO ready");
  await client.end();
});

Deno.test("connectChannel() lives on after arrays, foreign ids, id-less errors and server requests, and answers none (B035, B036, M-STDIO-007, M-STDIO-008)", async () => {
  const client = await connected();
  const call = collect(client.transport.exchange(request(1), {}));
  await client.write(`[${response(1).trimEnd()}]\n` + line({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "x" } }));
  await client.write(response(999) + line(request("s", "ping")) + line(request("s2", "foo/bar")) + response("1") + response(1));
  assert.equal((await call).length, 1);
  assert.equal(client.errors.length, 4);
  await client.end();
  assert.deepEqual(client.sent.map((one) => JSON.parse(one).method), ["tools/call"]);
  assert.equal((await collect(client.transport.incoming)).length, 2);
});

Deno.test("connectChannel() rejects the call whose answer is malformed or nested too deep, and no other (B040)", async () => {
  const client = await connected({ jsonDepth: 50 });
  const deep = rejection(collect(client.transport.exchange(request(7), {})));
  const wrong = rejection(collect(client.transport.exchange(request(8), {})));
  const good = collect(client.transport.exchange(request(9), {}));
  await client.write(`{"jsonrpc":"2.0","id":7,"result":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}\n`);
  await client.write(line({ jsonrpc: "2.0", id: 8, result: 5 }) + response(9));
  assert.deepEqual((await deep).data, { limit: "jsonDepth", value: 50 });
  assert.equal((await wrong).reason, "not_mcp");
  assert.equal((await good).length, 1);
  await client.end();
});

Deno.test("connectChannel() fails no call for a broken request of the server that has the same id", async () => {
  const client = await connected();
  const call = collect(client.transport.exchange(request(1), {}));
  await client.write(line({ jsonrpc: "2.0", id: 1, method: "roots/list", params: [] }));
  await client.write(line({ jsonrpc: "2.0", id: 1, method: 7 }) + response(1));
  assert.equal((await call).length, 1);
  assert.deepEqual(client.errors.map((error) => (error as { reason: string }).reason), ["not_mcp", "not_mcp"]);
  await client.end();
});

Deno.test("connectChannel() rejects open calls at once when a line passes the limit, and stays open (B004)", async () => {
  const client = await connected({ frame: 1024 });
  const call = rejection(collect(client.transport.exchange(request(1), {})));
  await client.write("a".repeat(4096));
  const error = await call;
  assert.equal(error.reason, "limit");
  assert.match(error.message, /limit frame/);
  assert.equal((error.data as { value: number }).value, 1024);
  await client.write("a".repeat(100_000) + "\n");
  const next = collect(client.transport.exchange(request(2), {}));
  await client.write(response(2));
  assert.equal((await next).length, 1);
  const exact = JSON.stringify({ jsonrpc: "2.0", id: 3, result: { a: "" } });
  for (const [id, room] of [[3, 0], [4, 1]] as const) {
    const edge = collect(client.transport.exchange(request(id), {}));
    await client.write(response(id, { a: "x".repeat(1024 - exact.length + room) }));
    if (room === 0) assert.equal((await edge).length, 1);
    else assert.equal((await rejection(edge)).reason, "limit");
  }
  await client.end();
});

Deno.test("connectChannel() refuses to send a message over the limit, for that call only", async () => {
  const client = await connected({ frame: 256 });
  const error = await rejection(collect(client.transport.exchange(request(1, "x", { text: "é".repeat(200) }), {})));
  assert.equal((error.data as { limit: string }).limit, "frame");
  const good = collect(client.transport.exchange(request(2), {}));
  await client.write(response(2));
  assert.equal((await good).length, 1);
  await client.end();
  assert.equal(client.sent.length, 1);
});

Deno.test("connectChannel() sends notifications/cancelled with the id of the call that was left (B034)", async () => {
  const client = await connected();
  const abort = new AbortController();
  const call = rejection(collect(client.transport.exchange(request(0), { signal: abort.signal })));
  await until(() => client.sent.length === 1);
  abort.abort(new DOMException("gone", "AbortError"));
  assert.equal((await call).name, "AbortError");
  await until(() => client.sent.length === 2);
  assert.deepEqual(JSON.parse(client.sent[1] ?? ""), {
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: 0 },
  });
  await client.end();
});

Deno.test("connectChannel() and serveChannel() speak over channels of values, and skip what is no message", async () => {
  const toServer = new TransformStream<JsonRpcMessage, JsonRpcMessage>();
  const toClient = new TransformStream<JsonRpcMessage, JsonRpcMessage>();
  const echo = echoServer();
  const done = serveChannel(echo, { readable: toServer.readable, writable: toClient.writable });
  const transport = connectChannel({ readable: toClient.readable, writable: toServer.writable });
  const all = await Promise.all([1, 2, 3].map((id) => collect(transport.exchange(request(id, "x", { id }), {}))));
  assert.deepEqual(all.map(([one]) => resultOf(one).id), [1, 2, 3]);
  await transport.send({ nonsense: true } as unknown as { jsonrpc: "2.0"; method: string });
  await transport.send({ jsonrpc: "2.0", id: 4, result: 5 } as unknown as { jsonrpc: "2.0"; method: string });
  assert.equal((await collect(transport.exchange(request(4, "progress"), {}))).length, 1);
  const hanging = rejection(collect(transport.exchange(request(5, "hang"), {})));
  await until(() => echo.seen.length === 5);
  await transport.close();
  assert.equal((await hanging).reason, "closed");
  await done;
  assert.ok(echo.gone.includes(5));
});
