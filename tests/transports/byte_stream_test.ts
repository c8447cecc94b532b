/** Tests of `transports/byte_stream.ts`, over real sockets. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { connectChannel, lines, serveChannel } from "../../transports/byte_stream.ts";
import type { ServeChannelOptions } from "../../transports/byte_stream.ts";
import { defineServer } from "../../server/server.ts";
import type { Served } from "../../transports/transport.ts";
import { collect, echoServer, rejection, request, resultOf, until } from "./support.ts";

/** Two ends of a TCP connection. */
async function sockets(): Promise<[Deno.TcpConn, Deno.TcpConn]> {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const [client, server] = await Promise.all([
    Deno.connect({ hostname: "127.0.0.1", port: listener.addr.port }),
    listener.accept(),
  ]);
  listener.close();
  client.setNoDelay(true);
  server.setNoDelay(true);
  return [client, server];
}

/** A server on one end, and the raw other end. */
async function served(server: Served, { limits, ...options }: ServeChannelOptions & { limits?: Limits } = {}) {
  const [near, far] = await sockets();
  const done = serveChannel(server, lines(far, { limits }), options);
  const replies: JsonRpcMessage[] = [];
  const reading = readRaw(near, (line) => replies.push(JSON.parse(line)));
  return {
    replies,
    write: (text: string | Uint8Array) => writeAll(near, typeof text === "string" ? new TextEncoder().encode(text) : text),
    async end() {
      await near.closeWrite();
      await done;
      await reading;
      near.close();
    },
  };
}

/** A client on one end, and the raw other end. */
async function connected(limits: Limits = {}) {
  const [near, far] = await sockets();
  const errors: unknown[] = [];
  const transport = connectChannel(lines(near, { limits }), { onError: (error) => errors.push(error) });
  const sent: string[] = [];
  const reading = readRaw(far, (line) => sent.push(line));
  return {
    transport,
    errors,
    sent,
    write: (text: string | Uint8Array) => writeAll(far, typeof text === "string" ? new TextEncoder().encode(text) : text),
    hangUp: () => far.closeWrite(),
    async end() {
      await transport.close();
      await reading;
      far.close();
    },
  };
}

async function readRaw(from: Deno.TcpConn, onLine: (line: string) => void): Promise<void> {
  let text = "";
  const decoder = new TextDecoder();
  const buffer = new Uint8Array(65536);
  for (;;) {
    const count = await from.read(buffer).catch(() => null);
    if (count === null) break;
    const parts = (text + decoder.decode(buffer.subarray(0, count), { stream: true })).split("\n");
    text = parts.pop() ?? "";
    parts.forEach(onLine);
  }
  if (text !== "") onLine(text);
}

async function writeAll(to: Deno.TcpConn, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length;) at += await to.write(bytes.subarray(at));
}

const line = (message: unknown) => `${JSON.stringify(message)}\n`;
const response = (id: unknown, result: object = {}) => line({ jsonrpc: "2.0", id, result });
const codes = (replies: JsonRpcMessage[]) =>
  replies.map((one) => "error" in one ? [one.id, one.error.code] : [(one as { id: unknown }).id]);

Deno.test("lines() carries calls between a client and a server over a socket (M-STDIO-001, M-STDIO-002)", async () => {
  const [near, far] = await sockets();
  const echo = echoServer();
  const done = serveChannel(echo, lines(far), { auth: { principal: "user", scopes: [], claims: {} } });
  const transport = connectChannel(lines(near));
  const text = "a\nb\r\nc\u2028d\u2029e\u0085f漢字🦊";
  const [answer] = await collect(transport.exchange(request(1, "x", { text }), {}));
  assert.deepEqual(answer, { jsonrpc: "2.0", id: 1, result: { text } });
  const all = await Promise.all(
    Array.from({ length: 200 }, (_, n) => collect(transport.exchange(request(n + 2, "x", { n }), {}))),
  );
  assert.deepEqual(all.map(([one]) => resultOf(one).n), Array.from({ length: 200 }, (_, n) => n));
  assert.equal((await collect(transport.exchange(request(999, "progress", { _meta: { progressToken: "t" } }), {}))).length, 3);
  assert.equal(echo.infos[0]?.principal?.principal, "user");
  await transport.close();
  await done;
});

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

Deno.test("serveChannel() reads the same request byte by byte, and after a byte order mark (B001, B002)", async () => {
  const echo = echoServer();
  const server = await served(echo);
  for (const byte of new TextEncoder().encode(`\uFEFF${line(request("漢", "x", { text: "漢字🦊" }))}`)) {
    await server.write(new Uint8Array([byte]));
  }
  await until(() => server.replies.length === 1);
  assert.deepEqual(server.replies, [{ jsonrpc: "2.0", id: "漢", result: { text: "漢字🦊" } }]);
  await server.end();
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

Deno.test("serveChannel() answers bad lines, with the id that could be read, and goes on (B032, B033, B035, M-STDIO-001)", async () => {
  const echo = echoServer();
  const server = await served(echo);
  await server.write('{\n{"jsonrpc":"2.0","id":4,"method":7}\n{"jsonrpc":"1.0","id":4,"method":"tools/list"}\n');
  await server.write('{"id":4,"method":"tools/list"}\n{"jsonrpc":"2.0","id":"a","method":"tools/list","params":[]}\n');
  await server.write(`[${JSON.stringify(request(1))},${JSON.stringify(request(2))}]\n[]\n[[]]\n\n  \r\n`);
  for (const id of ["null", "true", "1.5", "{}", "[]"]) await server.write(`{"jsonrpc":"2.0","id":${id},"method":"x"}\n`);
  await server.write(new Uint8Array([0x22, 0xff, 0x22, 0x0a]));
  await until(() => server.replies.length === 14);
  const none = undefined;
  assert.deepEqual(codes(server.replies), [
    [none, -32700],
    [4, -32600],
    [4, -32600],
    [4, -32600],
    ["a", -32600],
    ...new Array(8).fill([none, -32600]),
    [none, -32700],
  ]);
  assert.equal(echo.seen.length, 0);
  await server.write(line(request("01")));
  await until(() => server.replies.length === 15);
  assert.deepEqual(codes(server.replies.slice(14)), [["01"]]);
  await server.end();
});

Deno.test("serveChannel() answers no broken response or notification", async () => {
  const errors: unknown[] = [];
  const server = await served(echoServer(), { onError: (error) => errors.push(error) });
  await server.write(line({ jsonrpc: "2.0", id: 1, result: 5 }) + line({ jsonrpc: "2.0", id: 1, error: "x" }));
  await server.write(line({ jsonrpc: "2.0", method: "notifications/x", params: [] }));
  const text = new TextEncoder().encode('{"jsonrpc":"2.0","method":"notifications/x","params":{"a":"?"}}\n');
  await server.write(text.map((byte) => byte === 0x3f ? 0xff : byte));
  await server.write(line(request(2)));
  await until(() => server.replies.length > 0);
  assert.deepEqual([codes(server.replies), errors.length], [[[2]], 4]);
  await server.end();
});

Deno.test("serveChannel() answers deep nesting and long lines with an error, and goes on (B040)", async () => {
  const server = await served(echoServer(), { limits: { frame: 700_000 } });
  await server.write(`{"jsonrpc":"2.0","id":7,"method":"x","params":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}\n`);
  await server.write(`${"a".repeat(800_000)}\n${line(request(8))}`);
  await until(() => server.replies.length === 3);
  assert.deepEqual(codes(server.replies), [[7, -32600], [undefined, -32600], [8]]);
  assert.deepEqual((server.replies[1] as { error: { data: unknown } }).error.data, { limit: "frame", value: 700_000 });
  await server.end();
});

Deno.test("serveChannel() replaces a response over the limit by an error that names it", async () => {
  const server = await served(echoServer(), { limits: { frame: 1024 } });
  await server.write(line(request(1, "big", { size: 1000 })) + line(request(2, "big", { size: 900 })));
  await until(() => server.replies.length === 2);
  const error = server.replies.find((one) => "error" in one) as { id: number; error: { code: number; data: unknown } };
  assert.deepEqual([error.id, error.error.code, error.error.data], [1, -32603, { reason: "response_too_large", limit: 1024 }]);
  await server.end();
});

Deno.test("serveChannel() tells calls that run of the end of the channel, and ends (B005, M-STDIO-015)", async () => {
  const echo = echoServer();
  const server = await served(echo);
  await server.write(line(request(1, "hang")) + line(request(2, "hang")));
  await until(() => echo.seen.length === 2);
  await server.end();
  assert.deepEqual(echo.gone, [1, 2]);
  assert.deepEqual(server.replies, []);
});

/** What a server writes when its input is this text and ends with it. Deno's sockets can not be written to after that. */
async function repliesTo(server: Served, text: string | Uint8Array, limits: Limits = {}): Promise<JsonRpcMessage[]> {
  const down = new TransformStream<Uint8Array, Uint8Array>();
  const channel = { readable: new Blob([text as string]).stream(), writable: down.writable };
  const written = new Response(down.readable).text();
  await serveChannel(server, lines(channel, { limits }));
  return (await written).split("\n").slice(0, -1).map((one) => JSON.parse(one));
}

/** Answers after a while. */
const slowServer: Served = {
  async handle(message) {
    await new Promise((resolve) => setTimeout(resolve, 30));
    return { jsonrpc: "2.0", id: (message as { id: number }).id, result: {} };
  },
};

Deno.test("serveChannel() answers the last line without a newline like any other, whatever its answer takes", async () => {
  const text = JSON.stringify(request(2, "progress"));
  for (const end of ["", "\r", " "]) {
    const replies = await repliesTo(echoServer(), line(request(1)) + text + end);
    assert.deepEqual(codes(replies), [[1], [undefined], [undefined], [2]]);
  }
  assert.deepEqual(codes(await repliesTo(slowServer, line(request(1)).trimEnd())), [[1]]);
});

Deno.test("serveChannel() keeps the limits and errors of any line for the last one without a newline", async () => {
  const table: readonly (readonly [text: string | Uint8Array, codes: unknown[]])[] = [
    ['{"jsonrpc":"2.0","id":4,"method":7}', [[4, -32600]]],
    ["[]", [[undefined, -32600]]],
    ["  ", []],
    [`{"jsonrpc":"2.0","id":7,"method":"x","params":${'{"a":'.repeat(100)}1${"}".repeat(100)}}`, [[7, -32600]]],
    ["a".repeat(3000), [[undefined, -32600]]],
    [new Uint8Array([0x7b, 0xc3]), [[undefined, -32700]]],
    [line({ jsonrpc: "2.0", method: "notifications/x" }).trimEnd(), []],
  ];
  for (const [text, expected] of table) {
    assert.deepEqual(codes(await repliesTo(echoServer(), text, { frame: 2000 })), expected, String(text).slice(0, 50));
  }
});

Deno.test("serveChannel() waits for the call of a last line without a newline no longer than stopGrace, and tells it and the others", async () => {
  const echo = echoServer();
  const replies = await repliesTo(echo, line(request(1, "hang")) + line(request(2, "hang")).trimEnd(), { stopGrace: 20 });
  assert.deepEqual([echo.gone, replies], [[1, 2], []]);
});

Deno.test("serveChannel() takes a message that is cut at any byte for a parse error at most, and runs nothing (B016)", async () => {
  const bytes = new TextEncoder().encode(line(request("é", "big", { size: 123 })).trimEnd());
  for (let cut = 0; cut < bytes.length; cut++) {
    const echo = echoServer();
    const replies = await repliesTo(echo, bytes.slice(0, cut));
    assert.deepEqual([codes(replies), echo.seen], [cut === 0 ? [] : [[undefined, -32700]], []], String(cut));
  }
});

Deno.test("serveChannel() ends when its signal aborts, also before it began", async () => {
  const echo = echoServer();
  const abort = new AbortController();
  const server = await served(echo, { signal: abort.signal });
  await server.write(line(request(1, "hang")));
  await until(() => echo.seen.length === 1);
  abort.abort();
  await server.end();
  assert.deepEqual(echo.gone, [1]);
  await (await served(echo, { signal: abort.signal })).end();
});

Deno.test("serveChannel() does not read on while its answers are not taken, and drops a stalled peer (B009, limit stalledReader)", async () => {
  const echo = echoServer();
  const errors: unknown[] = [];
  const [near, far] = await sockets();
  const limits = { frame: 1_000_000, stalledReader: 300, stopGrace: 50 };
  const done = serveChannel(echo, lines(far, { limits }), { onError: (error) => errors.push(error) });
  const pad = "a".repeat(100_000);
  const ids = Array.from({ length: 400 }, (_, id) => id);
  const writing = (async () => {
    for (const id of ids) await writeAll(near, new TextEncoder().encode(line(request(id, "x", { pad }))));
  })().catch(() => undefined);
  await done;
  assert.ok(echo.seen.length < 400, `read ${echo.seen.length}`);
  assert.ok(errors.some((error) => (error as { data?: { limit?: string } }).data?.limit === "stalledReader"));
  near.close();
  await writing;
});

Deno.test("serveChannel() lives on when the peer resets the connection (B006)", async () => {
  const echo = echoServer();
  const [near, far] = await sockets();
  const done = serveChannel(echo, lines(far));
  await writeAll(near, new TextEncoder().encode(line(request(1, "big", { size: 1_000_000 })) + line(request(2, "hang"))));
  await until(() => echo.seen.length === 2);
  near.close();
  await done;
  assert.ok(echo.gone.includes(2));
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

Deno.test("lines() can be read and written as a channel of messages", async () => {
  const [near, far] = await sockets();
  const channel = lines(near);
  const writer = channel.writable.getWriter();
  await writer.write(request(1));
  const got: string[] = [];
  const reading = readRaw(far, (one) => got.push(one));
  await until(() => got.length === 1);
  await writeAll(far, new TextEncoder().encode(`noise\n${response(1)}${response(2)}`));
  const reader = channel.readable.getReader();
  assert.deepEqual([(await reader.read()).value, (await reader.read()).value].map((one) => (one as { id: number }).id), [1, 2]);
  await writer.close();
  await reading;
  far.close();
  assert.equal((await reader.read()).done, true);
});

Deno.test("lines() refuses limits that make no sense", () => {
  const bytes = { readable: new ReadableStream<Uint8Array>(), writable: new WritableStream<Uint8Array>() };
  assert.throws(() => lines(bytes, { limits: { frame: 0 } }), TypeError);
  assert.equal(resolveLimits(undefined).frame, 8 * 1024 * 1024);
});

Deno.test("serveChannel() keeps the bounds of the server where lines() was given none", async () => {
  const server = defineServer({ name: "s", version: "1.0.0", limits: { frame: 200 }, tools: [] });
  const up = new TransformStream<Uint8Array, Uint8Array>();
  const down = new TransformStream<Uint8Array, Uint8Array>(undefined, undefined, { highWaterMark: 16 });
  const served = serveChannel(server, lines({ readable: up.readable, writable: down.writable }));
  const writer = up.writable.getWriter();
  await writer.write(new TextEncoder().encode(`{"jsonrpc":"2.0","id":1,"method":"x","params":{"a":"${"x".repeat(300)}"}}\n`));
  const { value } = await down.readable.getReader().read();
  assert.match(new TextDecoder().decode(value), /200/);
  await writer.close();
  await served;
});
