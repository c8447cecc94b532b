/** The server that every runtime serves. */
import { defineServer, prompt, resource, tool } from "@causeway/mcp/server";

let cancelled = 0;
let level = 0;
const told = new Set();

const tools = [
  tool({
    name: "add",
    args: { a: { type: "number", required: true }, b: { type: "number", required: true } },
    output: { type: "object", properties: { sum: { type: "number" } }, required: ["sum"] },
    handler: ({ a, b }) => ({ structured: { sum: a + b } }),
  }),
  tool({
    name: "order",
    input: {
      type: "object",
      properties: {
        lines: {
          type: "array",
          minItems: 1,
          items: { type: "object", properties: { sku: { type: "string", pattern: "^[A-Z]+$" } } },
        },
        rest: { $ref: "#/$defs/rest" },
      },
      required: ["lines"],
      $defs: { rest: { type: "integer", maximum: 9 } },
    },
    handler: ({ lines }) => `${lines.length} lines`,
  }),
  tool({
    name: "steps",
    async handler(_args, ctx) {
      for (let step = 1; step <= 3; step++) await ctx.progress(step, 3);
      return "three steps";
    },
  }),
  tool({
    name: "greet",
    async handler(_args, ctx) {
      const answer = await ctx.elicit("Who is there?", { name: { type: "string", required: true } });
      return answer.action === "accept" ? `Hello, ${answer.content.name}!` : "Nobody.";
    },
  }),
  tool({
    name: "hang",
    args: { id: { type: "string", required: true } },
    handler: ({ id }, ctx) =>
      new Promise((_resolve, reject) => {
        ctx.signal.addEventListener("abort", () => {
          told.add(id);
          cancelled++;
          reject(ctx.signal.reason);
        });
        ctx.progress(1).catch(() => undefined);
      }),
  }),
  tool({
    name: "cancelled",
    args: { id: { type: "string", required: true } },
    handler: ({ id }) => ({ seen: told.has(id), cancelled }),
  }),
  tool({
    name: "raise",
    async handler(_args, ctx) {
      level++;
      await ctx.notify.resourceUpdated("app://level");
      return `level ${level}`;
    },
  }),
  tool({
    name: "fail",
    handler() {
      throw new Error("a secret");
    },
  }),
];

/** The server that every runtime serves. */
export const server = defineServer({
  name: "runtimes",
  version: "1.0.0",
  sessions: true,
  stateKeys: ["one key for every process of this suite"],
  tools,
  resources: [
    resource({ uri: "app://level", name: "level", read: () => ({ level }) }),
    resource({
      uri: "app://bytes",
      name: "bytes",
      mimeType: "application/octet-stream",
      read: () => new Uint8Array([0, 255, 128]),
    }),
    resource({ uri: "app://double/{n}", name: "double", read: ({ n }) => String(2 * Number(n)) }),
  ],
  prompts: [
    prompt({
      name: "review",
      arguments: { language: { required: true } },
      complete: { language: (prefix) => ["deno", "node", "bun"].filter((one) => one.startsWith(prefix)) },
      render: ({ language }) => `Review ${language}`,
    }),
  ],
  onError: () => undefined,
});
