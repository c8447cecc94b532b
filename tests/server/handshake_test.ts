/** Tests of `server/handshake.ts`: what only handshake revisions have is loaded with the first message in one of them. */
import assert from "node:assert/strict";
import { connect } from "../../client/connect.ts";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import { tool } from "../../server/components/tool.ts";
import { httpRequest, request, resultOf, serverOf, toolCall } from "./calls.ts";
import { helloOf } from "./handshake_client.ts";
import { pipeTo } from "./pipe.ts";

const PARTS = { tools: [tool({ name: "plain", handler: () => "text" })] };

const unloaded = (): readonly string[] => DIALECTS.filter(({ load }) => load !== undefined).map(({ version }) => version);

// First, while nothing in this process has spoken such a revision.
Deno.test("a server and a client of the stateless revision load no other one", async () => {
  const server = serverOf(PARTS);
  const call = toolCall("plain");
  assert.equal((await server.fetch(httpRequest(call))).status, 200);
  await resultOf(server, request("tools/list"));
  const client = await connect(server);
  await client.callTool("plain");
  await client.close();
  const pipe = pipeTo(server);
  await pipe.send(call);
  assert.equal((await pipe.next() as { id: number }).id, 1);
  await pipe.end();
  assert.deepEqual(unloaded(), ["2025-11-25", "2025-06-18"]);
});

// Second: the messages below come while it is being loaded.
Deno.test("what is written in one go is handled in its order, the messages that wait for the dialect included", async () => {
  const server = serverOf(PARTS);
  const pipe = pipeTo(server);
  const later = pipeTo(server);
  const calls = [
    { jsonrpc: "2.0", id: "hello", method: "initialize", params: helloOf("2025-06-18") },
    { jsonrpc: "2.0", method: "notifications/initialized" },
    { jsonrpc: "2.0", id: 1, method: "ping" },
    { jsonrpc: "2.0", id: 2, method: "tools/call", params: { name: "plain" } },
    { jsonrpc: "2.0", id: 3, method: "initialize", params: helloOf("2025-06-18") },
  ];
  assert.equal(unloaded().length, 2);
  const written = pipe.write(calls.map((message) => `${JSON.stringify(message)}\n`).join(""));
  await later.send({ jsonrpc: "2.0", id: "other", method: "initialize", params: helloOf("2025-11-25") });
  await written;
  // deno-lint-ignore no-explicit-any -- any answer
  const answers: any[] = [];
  for (let n = 0; n < 4; n++) answers.push(await pipe.next());
  const byId = new Map(answers.map((answer) => [answer.id, answer]));
  assert.equal(answers[0].id, "hello");
  assert.equal(byId.get("hello").result.protocolVersion, "2025-06-18");
  assert.deepEqual(byId.get(1).result, {});
  assert.equal(byId.get(2).result.content[0].text, "text");
  assert.match(byId.get(3).error.message, /initialized before/);
  // deno-lint-ignore no-explicit-any -- any answer
  assert.equal(((await later.next()) as any).result.protocolVersion, "2025-11-25");
  await pipe.end();
  await later.end();
  assert.deepEqual(unloaded(), []);
});
