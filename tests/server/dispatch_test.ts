/** Tests of `server/dispatch.ts`: messages whose dialect is not loaded yet, or can't be. */
import assert from "node:assert/strict";
import type { Dialect } from "../../protocol/dialect.ts";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import { tool } from "../../server/components/tool.ts";
import { serverOf } from "./calls.ts";
import { helloOf } from "./handshake_client.ts";
import { pipeTo } from "./pipe.ts";

const PARTS = { tools: [tool({ name: "plain", handler: () => "text" })] };

const post = (message: object): Request =>
  new Request("http://localhost/mcp", {
    method: "POST",
    headers: { "content-type": "application/json", "accept": "application/json, text/event-stream" },
    body: JSON.stringify(message),
  });

// First, while nothing in this process has spoken such a revision.
Deno.test("a dialect that can't be loaded fails its messages alone, is reported, and is loaded by a later one", async () => {
  const older = DIALECTS[1] as { -readonly [key in keyof Dialect]: Dialect[key] };
  const { load } = older;
  const seen: unknown[] = [];
  const server = serverOf(PARTS, { onError: (error) => void seen.push(error) });
  older.load = () => Promise.reject(new Error("no such file: secret"));
  const hello = { jsonrpc: "2.0", id: 7, method: "initialize", params: helloOf("2025-11-25") };
  const refused = await server.fetch(post(hello));
  const answer = await refused.json();
  assert.equal(answer.id, 7);
  assert.equal(answer.error.code, -32603);
  assert.equal(answer.error.message, "Internal error");
  assert.equal(typeof answer.error.data.errorId, "string");
  const pipe = pipeTo(server);
  await pipe.write(
    [hello, { jsonrpc: "2.0", method: "notifications/initialized" }].map((one) => `${JSON.stringify(one)}\n`).join(""),
  );
  // deno-lint-ignore no-explicit-any -- any answer
  assert.equal(((await pipe.next()) as any).error.code, -32603);
  assert.ok(seen.length >= 2 && seen.every((error) => /no such file/.test(String(error))));
  older.load = load;
  await pipe.send(hello as never);
  // deno-lint-ignore no-explicit-any -- any answer
  assert.equal(((await pipe.next()) as any).result.protocolVersion, "2025-11-25");
  await pipe.end();
});

Deno.test("requests of several revisions over HTTP are answered whatever is loaded", async () => {
  const server = serverOf(PARTS);
  const list = { jsonrpc: "2.0", id: 2, method: "tools/list" };
  const answers = await Promise.all([
    server.fetch(post({ jsonrpc: "2.0", id: 1, method: "initialize", params: helloOf("2025-06-18") })),
    server.fetch(post(list)),
    server.fetch(post({ jsonrpc: "2.0", id: 3, method: "ping" })),
  ]);
  const [hello, listed, pong] = await Promise.all(answers.map((answer) => answer.json()));
  assert.equal(hello.result.protocolVersion, "2025-06-18");
  assert.equal(listed.result.tools[0].name, "plain");
  assert.deepEqual(pong.result, {});
});
