/** Tests of the lists of a client, for servers that have no such things. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import type { Client, JsonObject } from "../../client/mod.ts";
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { defineServer, tool } from "../../server/mod.ts";
import { complete, DISCOVERED, scripted } from "./scripted.ts";
import type { ScriptedServer } from "./scripted.ts";

const bare = defineServer({ name: "bare", version: "1.0.0" });
const onlyTools = defineServer({ name: "tools", version: "1.0.0", tools: [tool({ name: "x", handler: () => "" })] });

const METHOD_NOT_FOUND = { kind: "protocol", code: -32601 };
const KINDS = ["tools", "resources", "resourceTemplates", "prompts"] as const;

function lists(client: Client): Promise<readonly (readonly unknown[])[]> {
  return Promise.all([client.listTools(), client.listResources(), client.listResourceTemplates(), client.listPrompts()]);
}

/** Has no list at all, whatever it declares. */
function without(capabilities: JsonObject): ScriptedServer {
  return scripted(({ method }) => {
    if (method === "server/discover") return { ...DISCOVERED, capabilities };
    if (method.endsWith("/list")) throw new ProtocolError(ERROR_CODES.method_not_found, "Method not found");
    return complete({ content: [] });
  });
}

for (const protocol of ["auto", "2025-11-25", "2025-06-18"] as const) {
  Deno.test(`client.list… gives nothing for what a server does not declare: ${protocol} (M-BASE-031, L-LIFE-016)`, async () => {
    const pin = protocol === "auto" ? {} : { protocol };
    await using client = await connect(onlyTools, pin);
    assert.deepEqual((await lists(client)).map(({ length }) => length), [1, 0, 0, 0]);
    await using none = await connect(bare, pin);
    assert.deepEqual(await lists(none), [[], [], [], []]);
    for (const kind of KINDS) await assert.rejects(none.listPage(kind), METHOD_NOT_FOUND);
  });
}

Deno.test("client.list… sends nothing for what is not declared, and still reads its options (M-BASE-031)", async () => {
  const server = without({ prompts: null });
  const client = await connect(server);
  assert.deepEqual(await lists(client), [[], [], [], []]);
  assert.deepEqual(server.requests(), []);
  await assert.rejects(client.listPrompts({ timeOut: 1 } as never), /^TypeError: options\.timeOut/);
  await assert.rejects(client.listPrompts({ cache: "never" } as never), /^TypeError: options\.cache/);
  await assert.rejects(client.listTools({ signal: AbortSignal.abort("left") }), (error) => error === "left");
  await client.close();
  await assert.rejects(client.listPrompts(), { kind: "transport", reason: "closed" });
});

Deno.test("client.list… tells how a server refuses what it declares", async () => {
  const server = without({ tools: {}, prompts: {}, resources: {} });
  await using client = await connect(server);
  for (const list of [client.listTools(), client.listResources(), client.listResourceTemplates(), client.listPrompts()]) {
    await assert.rejects(list, METHOD_NOT_FOUND);
  }
});

Deno.test("client.list… asks a server that was not asked what it declares", async () => {
  const server = without({});
  await using pinned = await connect(server, { protocol: "2026-07-28" });
  await pinned.callTool("x");
  assert.deepEqual(await lists(pinned), [[], [], [], []]);
  assert.equal(server.requests().filter(({ method }) => method.endsWith("/list")).length, 4);
  await using other = await connect(onlyTools, { protocol: "2026-07-28" });
  assert.equal((await other.listTools()).length, 1);
  await using learned = await connect(bare);
  await using remembered = await connect(bare, { verdict: learned.verdict });
  assert.deepEqual(await lists(remembered), [[], [], [], []]);
});

Deno.test("client.list… tells how a server refuses that is found to declare it, after it was remembered", async () => {
  const server = without({ prompts: {} });
  await using learned = await connect(server);
  await using remembered = await connect(server, { verdict: learned.verdict });
  await assert.rejects(remembered.listPrompts(), METHOD_NOT_FOUND);
});

Deno.test("an answer to discover that is none changes nothing that is known: lists are asked for as before", async () => {
  const server = scripted(({ method }) =>
    method === "server/discover"
      ? {}
      : method === "tools/list"
      ? complete({ tools: [{ name: "a", inputSchema: {} }] })
      : undefined
  );
  await using client = await connect(server, { protocol: "2026-07-28" });
  await assert.rejects(client.discover(), { reason: "not_mcp", message: /supportedVersions is not a list$/ });
  assert.deepEqual((await client.listTools()).map(({ name }) => name), ["a"]);
});
