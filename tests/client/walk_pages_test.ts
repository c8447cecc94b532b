import assert from "node:assert/strict";
import { connect, TransportError } from "../../client/mod.ts";
import type { JsonObject, JsonValue } from "../../client/mod.ts";
import { complete, scripted } from "./scripted.ts";
import type { ScriptedServer } from "./scripted.ts";

type Next = (cursor: JsonValue | undefined) => { readonly names: readonly string[]; readonly next?: JsonValue };

function paged(next: Next): ScriptedServer {
  return scripted(({ method, params }) => {
    if (method === "server/discover") return undefined;
    const { names, next: nextCursor } = next(params?.cursor);
    const tools = names.map((name): JsonObject => ({ name, inputSchema: { type: "object" } }));
    return complete(nextCursor === undefined ? { tools } : { tools, nextCursor });
  });
}

Deno.test("walkPages collects pages of any size (M-PAGE-001, M-PAGE-005, M-PAGE-006)", async () => {
  const pages = [["a", "b", "c"], ["d"], [], ["e", "f", "g", "h", "i", "j", "k"]];
  const server = paged((cursor) => {
    const index = cursor === undefined ? 0 : Number(cursor);
    const names = pages[index] ?? [];
    return index + 1 < pages.length ? { names, next: String(index + 1) } : { names };
  });
  await using client = await connect(server);
  assert.equal((await client.listTools()).map(({ name }) => name).join(""), "abcdefghijk");
  await using plain = await connect(paged(() => ({ names: ["only"] })));
  assert.equal((await plain.listTools()).length, 1);
});

Deno.test("walkPages takes the empty string for a cursor, and null for the end (M-PAGE-008, B066)", async () => {
  const server = paged((cursor) => cursor === "" ? { names: ["b"], next: null } : { names: ["a"], next: "" });
  await using client = await connect(server);
  assert.deepEqual((await client.listTools()).map(({ name }) => name), ["a", "b"]);
  assert.deepEqual(server.requests().map(({ params }) => params && Object.hasOwn(params, "cursor") ? params.cursor : "none"), [
    "none",
    "",
  ]);
});

Deno.test("walkPages sends cursors back unchanged (M-PAGE-007)", async () => {
  const odd = '\u0000é🦊 "\\ %zz\u2028';
  const server = paged((cursor) => cursor === odd ? { names: [] } : { names: [], next: odd });
  await using client = await connect(server);
  await client.listTools();
  assert.equal(server.requests()[1]?.params?.cursor, odd);
});

Deno.test("walkPages ends when a cursor comes again (B066)", async () => {
  await using same = await connect(paged(() => ({ names: ["a"], next: "p1" })));
  await assert.rejects(same.listTools(), { kind: "transport", reason: "not_mcp" });
  const server = paged((cursor) => ({ names: ["a"], next: cursor === "A" ? "B" : "A" }));
  await using turning = await connect(server);
  await assert.rejects(turning.listTools(), { reason: "not_mcp" });
  assert.equal(server.requests().length, 3);
});

Deno.test("walkPages ends at the page cap, and not before (B066, limit pages)", async () => {
  let count = 0;
  const server = paged(() => ({ names: ["a"], next: String(count++) }));
  await using client = await connect(server, { limits: { pages: 5 } });
  await assert.rejects(client.listTools(), (error) => {
    assert.ok(error instanceof TransportError);
    assert.deepEqual(error.data, { limit: "pages", value: 5, seen: 6 });
    return true;
  });
  assert.equal(server.requests().length, 5);
  await using exact = await connect(
    paged((cursor) => cursor === "4" ? { names: [] } : { names: ["a"], next: String(Number(cursor ?? 0) + 1) }),
    {
      limits: { pages: 5 },
    },
  );
  assert.equal((await exact.listTools()).length, 4);
});

Deno.test("walkPages gives the whole walk one total time (M-CANC-012, limit requestTotalTimeout)", async () => {
  let count = 0;
  let pause = Promise.resolve();
  const server = scripted(async ({ method }) => {
    if (method === "server/discover") return undefined;
    pause = new Promise((resolve) => setTimeout(resolve, 10));
    await pause;
    return complete({ tools: [], nextCursor: String(count++) });
  });
  await using client = await connect(server);
  await assert.rejects(client.listTools({ totalTimeout: 60 }), { data: { limit: "requestTotalTimeout" } });
  await pause;
  assert.ok(count > 0);
});

Deno.test("listPage gives one page of each kind", async () => {
  const server = scripted(({ method, params }) => {
    switch (method) {
      case "tools/list":
        return complete({ tools: [{ name: "t", inputSchema: {} }], nextCursor: "" });
      case "resources/list":
        return complete({ resources: [{ uri: "a:b", name: "r" }] });
      case "resources/templates/list":
        return complete({ resourceTemplates: [{ uriTemplate: "a:{b}", name: String(params?.cursor) }] });
      case "prompts/list":
        return complete({ prompts: [{ name: "p" }] });
      default:
        return undefined;
    }
  });
  await using client = await connect(server);
  assert.equal((await client.listPage("tools")).nextCursor, "");
  assert.deepEqual(await client.listPage("resources"), { items: [{ uri: "a:b", name: "r" }], nextCursor: undefined });
  assert.equal((await client.listPage("resourceTemplates", "c")).items[0]?.name, "c");
  assert.equal((await client.listPage("prompts")).items[0]?.name, "p");
  assert.equal((await client.listResources()).length, 1);
  assert.equal((await client.listResourceTemplates()).length, 1);
  assert.equal((await client.listPrompts()).length, 1);
  await assert.rejects(client.listPage("constructor" as "tools"), /^TypeError: client\.listPage/);
});

Deno.test("readPage leaves broken items out, and tells of all in one error (B056)", async () => {
  const reported: string[] = [];
  const items: JsonValue[] = [{ name: "a", inputSchema: {} }, { inputSchema: {} }, null, { name: "b" }, {
    name: "c",
    inputSchema: [],
  }];
  await using client = await connect(scripted(({ method }) => method === "tools/list" ? complete({ tools: items }) : undefined), {
    onError: (error) => void reported.push((error as Error).message),
  });
  assert.deepEqual((await client.listTools()).map(({ name }) => name), ["a"]);
  assert.deepEqual(reported, [
    "Reading the answer to tools/list: tools[1] is left out: name is not a string; tools[2] is left out: it is not an object; " +
    'tools[3] ("b") is left out: inputSchema is not an object; tools[4] ("c") is left out: inputSchema is not an object',
  ]);
});

Deno.test("readPage refuses an answer without its list", async () => {
  for (const answer of [complete(), complete({ prompts: {} }), complete({ prompts: [], nextCursor: 5 })]) {
    await using client = await connect(scripted(({ method }) => method === "prompts/list" ? answer : undefined));
    await assert.rejects(client.listPrompts(), { reason: "not_mcp" });
  }
});
