/** Tests of `server/components/fill_defaults.ts`. */
import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import { defineServer, tool } from "../../../server/mod.ts";
import { fillDefaults } from "../../../server/components/fill_defaults.ts";

Deno.test("fillDefaults fills in what is absent, at any depth that is there, and changes nothing that was given", () => {
  const fill = fillDefaults({
    type: "object",
    required: ["must"],
    properties: {
      page: { type: "integer", default: 1 },
      must: { type: "string", default: "never" },
      deep: { type: "object", properties: { unit: { default: { list: [] } } } },
      lines: { type: "array", items: { type: "object", properties: { amount: { default: 2 } } } },
      rows: { items: { items: { properties: { x: { default: 0 } } } } },
    },
  });
  assert.ok(fill !== undefined);
  assert.deepEqual(fill({}), { page: 1 });
  const given = Object.freeze({ page: null, deep: {}, lines: [{}, { amount: 5 }, "odd"], rows: [[{}]], other: 1 });
  const filled = fill(given as never);
  assert.deepEqual(filled, {
    page: null,
    deep: { unit: { list: [] } },
    lines: [{ amount: 2 }, { amount: 5 }, "odd"],
    rows: [[{ x: 0 }]],
    other: 1,
  });
  assert.deepEqual(given.deep, {});
  assert.notEqual((fill({ deep: {} }).deep as { unit: object }).unit, (fill({ deep: {} }).deep as { unit: object }).unit);
});

Deno.test("fillDefaults is not there when there is nothing to fill in", () => {
  assert.equal(fillDefaults({ type: "object", properties: { a: { type: "string" }, b: true } }), undefined);
  assert.equal(fillDefaults({ type: "object", required: ["a"], properties: { a: { default: 1 } } }), undefined);
});

Deno.test("a tool's args have their defaults, also under hostile names, and a plain schema has none", async () => {
  const seen: unknown[] = [];
  const server = defineServer({
    name: "defaults",
    version: "1.0.0",
    tools: [
      tool({
        name: "short",
        args: { page: { type: "integer", default: 1 }, ["__proto__"]: { type: "string", default: "own" } },
        handler: ({ page }) => {
          const certain: number = page;
          seen.push(certain);
          return "";
        },
      }),
      tool({
        name: "plain",
        input: { type: "object", properties: { page: { type: "integer", default: 1 } } },
        handler: ({ page }) => void seen.push(page),
      }),
      tool({ name: "wrong", args: { page: { type: "integer", minimum: 1, default: 0 } }, handler: () => "" }),
    ],
  });
  const client = await connect(server);
  await client.callTool("short");
  await client.callTool("short", { page: 7 });
  await client.callTool("plain");
  assert.deepEqual(seen, [1, 7, undefined]);
  assert.equal((await client.callTool("wrong")).isError, true, "a default has to fit, too");
  await client.close();
});
