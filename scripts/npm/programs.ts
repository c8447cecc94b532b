/** Programs that a user of the package may write: imports of every door, and what the declarations have to allow. */

/** An ES module that imports every door and says what was not there. */
export function importProgram(specifiers: readonly string[]): string {
  return `for (const one of ${JSON.stringify(specifiers)}) {
  if (Object.keys(await import(one)).length === 0) throw new Error(one + " exports nothing");
}
`;
}

/** A CommonJS module that requires every door. */
export function requireProgram(specifiers: readonly string[]): string {
  return `for (const one of ${JSON.stringify(specifiers)}) {
  if (Object.keys(require(one)).length === 0) throw new Error(one + " exports nothing");
}
`;
}

/** A TypeScript module that uses every door; `@ts-expect-error` shows that the types are not \`any\`. */
export function typedProgram(specifiers: readonly string[]): string {
  const imports = specifiers.map((one, at) => `import * as door${at} from ${JSON.stringify(one)};`).join("\n");
  return `${imports}
import { createServer } from "node:http";
import { connect, type Client } from "@causeway/mcp/client";
import { defineServer, tool } from "@causeway/mcp/server";
import { serveNode, toNodeHandler } from "@causeway/mcp/node";

export const doors: readonly object[] = [${specifiers.map((_, at) => `door${at}`).join(", ")}];

const add = tool({
  name: "add",
  args: { a: { type: "number", required: true }, b: { type: "number", required: true } },
  handler: ({ a, b }) => ({ sum: a + b }),
});
const server = defineServer({ name: "sums", version: "1.0.0", tools: [add] });

export async function main(): Promise<number> {
  const client: Client<typeof server> = await connect(server);
  const { sum } = await client.tools.add({ a: 1, b: 2 });
  // @ts-expect-error -- b is missing
  await client.tools.add({ a: 1 });
  // @ts-expect-error -- there is no such tool
  await client.tools.subtract({ a: 1, b: 2 });
  await client.close();
  const running = await serveNode(server, { port: 0 });
  await running.close({ drain: 10 });
  createServer(toNodeHandler(server)).close();
  const same: number = sum;
  // @ts-expect-error -- a number is no text
  const text: string = sum;
  return same + text.length;
}
`;
}

/** A TypeScript module that uses every door and the client, and nothing but the web. */
export function browserProgram(specifiers: readonly string[]): string {
  return `${specifiers.map((one, at) => `import * as door${at} from ${JSON.stringify(one)};`).join("\n")}
import { connect, textOf } from "@causeway/mcp/client";

export const doors: readonly object[] = [${specifiers.map((_, at) => `door${at}`).join(", ")}];

export async function main(): Promise<string> {
  const client = await connect("https://mcp.example.com/mcp");
  try {
    return textOf(await client.callTool("add", { a: 1, b: 2 }));
  } finally {
    await client[Symbol.asyncDispose]();
  }
}
`;
}

/** A TypeScript module that defines so many tools of three kinds, and calls each of them through a typed client. */
export function toolsProgram(count: number): string {
  const numbers = Array.from({ length: count }, (_, at) => at);
  return `import { connect, type Client } from "@causeway/mcp/client";
import { defineServer, tool } from "@causeway/mcp/server";

${numbers.map(toolText).join("\n")}
const server = defineServer({ name: "many", version: "1.0.0", tools: [${numbers.map((at) => `tool${at}`).join(", ")}] });

export async function main(): Promise<number> {
  const client: Client<typeof server> = await connect(server);
  let sum = 0;
${numbers.map((at) => `  sum += (await client.tools.tool${at}({ ${ARGUMENTS[at % ARGUMENTS.length]} })).count;`).join("\n")}
  await client.close();
  return sum;
}
`;
}

const ARGUMENTS = [
  `query: "a", limit: 1`,
  `query: "a", range: { from: "b" }, lines: [{ sku: "c", count: 1 }]`,
  `query: "a", sort: "name"`,
] as const;

/** The short form, a nested short form, and a literal JSON Schema. */
function toolText(at: number): string {
  const begin = `const tool${at} = tool({ name: "tool${at}",`;
  const end = `handler: ({ query }) => ({ count: query.length }) });`;
  switch (at % ARGUMENTS.length) {
    case 0:
      return `${begin} args: { query: { type: "string", required: true }, limit: { type: "integer" } }, ${end}`;
    case 1:
      return `${begin} args: { query: { type: "string", required: true },
  range: { type: "object", properties: { from: { type: "string", required: true }, to: { type: "string" } } },
  lines: { type: "array", items: { properties: { sku: { type: "string", required: true }, count: { type: "integer", required: true } } } },
}, ${end}`;
    default:
      return `${begin} input: { type: "object", required: ["query"], properties: {
  query: { type: "string" }, sort: { enum: ["name", "date"] }, tags: { type: "array", items: { type: "string" } },
} }, ${end}`;
  }
}
