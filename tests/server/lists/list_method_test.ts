/** Tests of `server/lists/list_method.ts` and `server/lists/pages.ts`, over the four lists. */
import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../protocol/types.ts";
import { prompt } from "../../../server/components/prompt.ts";
import { resource } from "../../../server/components/resource.ts";
import { tool } from "../../../server/components/tool.ts";
import type { Server } from "../../../server/server_types.ts";
import { errorOf, httpRequest, request, resultOf, serverOf } from "../calls.ts";

const NAMES = ["a", "b", "c", "d", "e"];

/** The method, the member of its result, and a server with five items of its kind. */
const LISTS: readonly (readonly [string, string, string, (visible?: () => boolean) => object])[] = [
  ["tools/list", "tools", "name", (visible) => ({ tools: NAMES.map((name) => tool({ name, visible, handler: () => "" })) })],
  [
    "prompts/list",
    "prompts",
    "name",
    (visible) => ({ prompts: NAMES.map((name) => prompt({ name, visible, render: () => "" })) }),
  ],
  [
    "resources/list",
    "resources",
    "uri",
    (visible) => ({ resources: NAMES.map((name) => resource({ uri: `x:${name}`, name, visible, read: () => "" })) }),
  ],
  [
    "resources/templates/list",
    "resourceTemplates",
    "name",
    (visible) => ({ resources: NAMES.map((name) => resource({ uri: `x:${name}/{v}`, name, visible, read: () => "" })) }),
  ],
];

/** The pages of a list, walked by cursors. */
async function pagesOf(server: Server, method: string): Promise<JsonObject[]> {
  const pages: JsonObject[] = [];
  let cursor: JsonValue | undefined;
  do {
    const page = await resultOf(server, request(method, cursor === undefined ? {} : { cursor }));
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

for (const [method, member, key, components] of LISTS) {
  for (const visible of [undefined, () => true]) {
    const kind = visible === undefined ? "prepared" : "written per caller";
    Deno.test(`${method}, ${kind}: pages hold everything once, in order (M-PAGE-002, M-PAGE-003, M-TOOL-011)`, async () => {
      const server = serverOf(components(visible), { pageSize: 2 });
      const pages = await pagesOf(server, method);
      assert.deepEqual(pages.map((page) => (page[member] as JsonObject[]).length), [2, 2, 1]);
      const found = pages.flatMap((page) => page[member] as JsonObject[]).map((item) => String(item[key]).at(-1));
      assert.deepEqual(found, NAMES);
      assert.deepEqual(await pagesOf(server, method), pages, "cursors stay what they are");
    });

    Deno.test(`${method}, ${kind}: a cursor of elsewhere gets -32602 (M-PAGE-004, M-PAGE-009)`, async () => {
      const server = serverOf(components(visible), { pageSize: 2 });
      const [first] = await pagesOf(server, method);
      const other = serverOf(components(visible), { pageSize: 3 });
      const strange = (await pagesOf(other, method))[0]?.nextCursor as string;
      const own = first?.nextCursor as string;
      for (const cursor of ["", "x", "1", strange, `${own}x`, own.slice(1), 2, null, {}] as JsonValue[]) {
        assert.equal((await errorOf(server, request(method, { cursor }))).code, -32602, String(cursor));
      }
    });

    Deno.test(`${method}, ${kind}: every page says how long and for whom it may be kept (M-CACHE-001, M-CACHE-025)`, async () => {
      const hint = { ttlMs: 5, cacheScope: "public" } as const;
      const cache = { tools: hint, prompts: hint, resources: hint, templates: hint };
      const pages = await pagesOf(serverOf(components(visible), { pageSize: 2, cache }), method);
      const scope = visible === undefined ? "public" : "private";
      for (const page of pages) assert.deepEqual([page.ttlMs, page.cacheScope, page.resultType], [5, scope, "complete"]);
      for (const page of await pagesOf(serverOf(components(visible)), method)) {
        assert.deepEqual([page.ttlMs, page.cacheScope], [0, "private"]);
      }
    });
  }

  Deno.test(`${method}: an empty list is one page (M-TOOL-007, M-RES-004, M-PROMPT-003)`, async () => {
    const empty = { tools: [], prompts: [], resources: [] };
    const page = await resultOf(serverOf(empty), request(method));
    assert.deepEqual([page[member], page.nextCursor], [[], undefined]);
  });
}

Deno.test("a prepared page goes over HTTP as it is in process", async () => {
  const server = serverOf({ tools: [tool({ name: "a", title: "Ünï 🦊", handler: () => "" })] });
  const message = request("tools/list");
  const response = await server.fetch(httpRequest(message));
  assert.deepEqual((await response.json()).result, JSON.parse(JSON.stringify(await resultOf(server, message))));
});

Deno.test("a page that a caller got can not be changed for the next", async () => {
  const server = serverOf({ tools: [tool({ name: "a", handler: () => "" })] });
  const page = await resultOf(server, request("tools/list")) as { tools: unknown };
  assert.throws(() => page.tools = [], TypeError);
  assert.equal(((await resultOf(server, request("tools/list"))).tools as unknown[]).length, 1);
});

Deno.test("a cursor of one list does not lead into another", async () => {
  const [, , , tools] = LISTS[0] as typeof LISTS[number];
  const [, , , prompts] = LISTS[1] as typeof LISTS[number];
  const server = serverOf({ ...tools(), ...prompts() }, { pageSize: 2 });
  const { nextCursor } = await resultOf(server, request("tools/list"));
  assert.equal((await errorOf(server, request("prompts/list", { cursor: nextCursor }))).code, -32602);
});
