/** Tests of `transports/serve_channel.ts`, over real sockets. */
import assert from "node:assert/strict";
import type { Limits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { lines } from "../../transports/byte_stream.ts";
import { serveChannel } from "../../transports/serve_channel.ts";
import { defineServer } from "../../server/server.ts";
import type { Served } from "../../transports/transport.ts";
import { codes, line, served, sockets, writeAll } from "./sockets.ts";
import { echoServer, request, until } from "./support.ts";

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
