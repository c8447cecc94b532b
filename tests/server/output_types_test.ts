/** What handlers beside `output`, and those of arguments with defaults, are typed as: this file does not compile when it is otherwise. */
import assert from "node:assert/strict";
import * as z from "zod";
import { connect } from "../../client/mod.ts";
import { app } from "../../server/extensions/apps.ts";
import { defineServer, fields, text, tool } from "../../server/mod.ts";

const Input = z.object({ q: z.string() });
const Job = z.object({ state: z.enum(["done", "stopped"]) });
const Sum = z.object({ sum: z.number(), version: z.literal(1) });
const Rows = z.object({ rows: z.array(z.object({ at: z.string() })), pair: z.tuple([z.string(), z.number()]).optional() });
const rows: { at: string }[] = [{ at: "here" }];
const choice = fields({ state: { type: "string", enum: ["done", "stopped"], required: true } });
const apart = ({ q }: { q: string }): { state: "done" | "stopped" } => ({ state: q === "" ? "stopped" : "done" });

/** Each form of a handler, beside an `output` with an enum or a literal. */
const FINE = [
  tool({ name: "plain", output: Job, handler: () => ({ state: "done" }) }),
  tool({ name: "inline", output: z.object({ state: z.enum(["done", "stopped"]) }), handler: () => ({ state: "done" }) }),
  tool({ name: "later", output: Job, handler: async () => await Promise.resolve({ state: "done" as const }) }),
  tool({ name: "chosen", input: Input, output: Job, handler: ({ q }) => ({ state: q === "" ? "stopped" : "done" }) }),
  tool({
    name: "method",
    input: Input,
    output: Job,
    async handler({ q }, ctx) {
      await ctx.progress(1);
      if (q === "") return { state: "stopped" };
      return { state: "done" };
    },
  }),
  tool({
    name: "fields",
    args: { q: { type: "string" } },
    output: choice,
    handler: ({ q }) => ({ state: q ? "done" : "stopped" }),
  }),
  tool({
    name: "json",
    output: { type: "object", properties: { state: { enum: ["done", "stopped"] } }, required: ["state"] },
    handler: () => ({ state: "done" }),
  }),
  tool({ name: "literal", output: Sum, handler: () => ({ sum: 2, version: 1 }) }),
  tool({
    name: "lists",
    input: Input,
    output: Rows,
    handler: ({ q }) => q === "" ? { rows } : { rows: [{ at: q }], pair: ["a", 1] },
  }),
  tool({
    name: "written",
    output: Sum,
    handler: () => ({ content: [{ type: "text", text: "two" }], structuredContent: { sum: 2, version: 1 } }),
  }),
  tool({ name: "structured", output: Sum, handler: () => ({ content: "two", structured: { sum: 2, version: 1 } }) }),
  tool({ name: "failed", output: Sum, handler: () => ({ content: [text("no")], isError: true }) }),
  tool({ name: "apart", input: Input, output: Job, handler: apart }),
  tool({ name: "any", output: Job, handler: () => JSON.parse('{ "state": "done" }') }),
];

/** What the schema forbids is no program; never called. */
export const REFUSED = (): unknown[] => [
  // @ts-expect-error Another value
  tool({ name: "a", output: Job, handler: () => ({ state: "gone" }) }),
  // @ts-expect-error Another value, later
  tool({ name: "a", output: Job, handler: async () => await Promise.resolve({ state: "gone" as const }) }),
  // @ts-expect-error Another value, of arguments
  tool({ name: "a", input: Input, output: Job, handler: ({ q }) => ({ state: q }) }),
  // @ts-expect-error A missing member
  tool({ name: "a", output: Sum, handler: () => ({ sum: 2 }) }),
  // @ts-expect-error Text
  tool({ name: "a", output: choice, handler: () => "done" }),
  // @ts-expect-error Nothing
  tool({ name: "a", output: Job, handler: () => {} }),
  // @ts-expect-error Another literal
  tool({ name: "a", output: Sum, handler: () => ({ sum: 2, version: 2 }) }),
  // @ts-expect-error An option that nobody reads
  tool({ name: "a", output: Job, deadline: 1, handler: () => ({ state: "done" }) }),
];

/** Slips in the shorthand are no programs; never called. */
export const SLIPS = (): unknown[] => [
  // @ts-expect-error No type of JSON
  tool({ name: "a", args: { x: { type: "strng" } }, handler: () => "" }),
  // @ts-expect-error No type of JSON, in a member
  tool({ name: "a", args: { o: { properties: { x: { type: "strng" } } } }, handler: () => "" }),
  // @ts-expect-error No keyword
  tool({ name: "a", args: { x: { type: "string", require: true } }, handler: ({ x }) => x }),
  // @ts-expect-error No keyword
  tool({ name: "a", args: { x: { type: "string", optional: true } }, handler: ({ x }) => x }),
  // @ts-expect-error No type of JSON
  fields({ x: { type: "strng" } }),
];

Deno.test("handlers beside output return enums and literals in every form", async () => {
  const client = await connect(defineServer({ name: "jobs", version: "1", tools: FINE }));
  for (const { name, definition } of FINE) {
    const { properties } = definition.inputSchema;
    const result = await client.callTool(name, properties === undefined ? {} : { q: "x" });
    assert.equal(result.isError === true, name === "failed", name);
  }
  await client.close();
});

Deno.test("callers see what output says; without it what the handler returns, its literals as their types", async () => {
  const server = defineServer({
    name: "jobs",
    version: "1",
    tools: [
      tool({ name: "job", output: Job, handler: () => ({ state: "done" }) }),
      tool({ name: "free", handler: () => ({ state: "done", list: [1] }) }),
      app({
        tool: { name: "shown", output: Job, handler: () => ({ structured: { state: "done" }, content: "done" }) },
        resource: { uri: "ui://jobs/view", name: "view", html: "<!doctype html><title>Jobs</title>" },
      }).tool,
    ],
  });
  const client = await connect(server);
  const state: "done" | "stopped" = (await client.tools.job()).state;
  let { state: free, list } = await client.tools.free();
  free = "anything";
  list = [...list, 2];
  list.push(3);
  const shown: "done" | "stopped" = (await client.tools.shown()).state;
  assert.deepEqual([state, free, list, shown], ["done", "anything", [1, 2, 3], "done"]);
  await client.close();
});

Deno.test("arguments with a default are there, at any depth of objects and lists", async () => {
  const nested = tool({
    name: "nested",
    args: {
      filter: { required: true, properties: { unit: { type: "string", default: "km" }, note: { type: "string" } } },
      lines: { type: "array", items: { properties: { count: { type: "integer", default: 1 }, max: { type: "integer" } } } },
      page: { type: "object", default: {}, properties: { sort: { enum: ["name", "date"], default: "name" } } },
      either: { anyOf: [{ type: "string" }, { type: "number" }] },
      pair: { type: "array", prefixItems: [{ type: "string" }], items: { type: "number" } },
      listed: { type: "object", required: ["must"], properties: { must: { type: "string" }, may: { type: "string" } } },
    },
    handler: ({ filter, lines, page, either, pair, listed }) => {
      const unit: string = filter.unit;
      // @ts-expect-error It has no default
      const note: string = filter.note;
      const counts: number[] | undefined = lines?.map(({ count }) => count);
      // @ts-expect-error It has no default
      const most: number[] | undefined = lines?.map(({ max }) => max);
      const typed: [string | number | undefined, [string, ...number[]] | undefined] = [either, pair];
      const must: string | undefined = listed?.must;
      // @ts-expect-error It is not required
      const may: string = listed === undefined ? "" : listed.may;
      const sort: "name" | "date" = page.sort;
      return { unit, counts, sort, rest: [note, most, typed, must, may].length };
    },
  });
  const client = await connect(defineServer({ name: "nested", version: "1", tools: [nested] }));
  const { unit, counts, sort } = await client.tools.nested({ filter: {}, lines: [{}, { count: 2 }] });
  assert.deepEqual([unit, counts, sort], ["km", [1, 2], "name"]);
  await client.close();
});
