/** Tests of `transports/byte_stream.ts`, over real sockets. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import { lines } from "../../transports/byte_stream.ts";
import { connectChannel } from "../../transports/connect_channel.ts";
import { serveChannel } from "../../transports/serve_channel.ts";
import { readRaw, response, sockets, writeAll } from "./sockets.ts";
import { collect, echoServer, request, resultOf, until } from "./support.ts";

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
