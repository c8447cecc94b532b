/**
 * Lists tools 2,000 times, and 600 times in each of two more ways, their schemas parsed anew each time, and makes 2,000 servers
 * of one schema; prints how many schemas were compiled and how the heap grew. Run with `--v8-flags=--expose-gc`.
 */
import { connect } from "../../../client/mod.ts";
import { defaultValidator } from "../../../protocol/validators/choose.ts";
import type { JsonObject, JsonRpcRequest } from "../../../protocol/types.ts";
import { defineServer, tool } from "../../../server/mod.ts";

const ROUNDS = 2000;
const FEWER = 600;
const EARLY = 200;
const TOOLS = 20;
const CONTENTS = 10;

/** Each compilation of a schema with this pattern, which is not run, warns once. */
const SLOW = "^(a+)+$";

interface Found {
  /** Schemas that were compiled. */
  readonly compiled: number;
  /** Values that were judged otherwise than their schema says. */
  readonly wrong: number;
  /** Bytes of the heap after 200 rounds, by when each schema came, and after all. */
  readonly early: number;
  readonly late: number;
}

const gc = (globalThis as unknown as { gc(): void }).gc;

async function heap(): Promise<number> {
  for (let turn = 0; turn < 4; turn++) {
    await new Promise((resolve) => setTimeout(resolve, 20));
    gc();
  }
  return Deno.memoryUsage().heapUsed;
}

/** The one value that the schema of a tool takes in a round. */
type ValueOf = (tool: number, round: number) => number;

const own: ValueOf = (tool) => tool;
const changing: ValueOf = (tool, round) => tool + TOOLS * (Math.floor(round / TOOLS) % CONTENTS);

async function client(valueOf: ValueOf, $id: string | undefined, rounds: number): Promise<Found> {
  let round = 0;
  let compiled = 0;
  const schemaOf = (tool: number): JsonObject => ({
    ...$id === undefined ? {} : { $id },
    type: "object",
    properties: { x: { const: valueOf(tool, round) }, s: { type: "string", pattern: SLOW } },
    required: ["x"],
  });
  const resultOf = ({ method, params }: JsonRpcRequest): JsonObject => {
    if (method !== "tools/list") return { content: [], structuredContent: params?.arguments as JsonObject };
    const tools = Array.from({ length: TOOLS }, (_, at) => ({
      name: `t${at}`,
      inputSchema: { type: "object" },
      outputSchema: schemaOf(at),
    }));
    return { tools, ttlMs: 0, cacheScope: "private" };
  };
  const connected = await connect("http://localhost/mcp", {
    protocol: "2026-07-28",
    onError: (error) => void (String(error).includes('the pattern "^(a+)+$" of its schema') && compiled++),
    fetch: async (input, init) => {
      const request: JsonRpcRequest = await new Request(input, init).json();
      return Response.json({ jsonrpc: "2.0", id: request.id, result: { resultType: "complete", ...resultOf(request) } });
    },
  });
  let wrong = 0;
  let early = 0;
  for (; round < rounds; round++) {
    if (round === EARLY) early = await heap();
    await connected.listTools();
    const at = round % TOOLS;
    const takes = (x: number): Promise<boolean> => connected.callTool(`t${at}`, { x }).then(() => true, () => false);
    if (!await takes(valueOf(at, round)) || await takes(valueOf(at, round) + 1)) wrong++;
  }
  const found = { compiled, wrong, early, late: await heap() };
  await connected.close();
  return found;
}

async function server(): Promise<Found> {
  const inner = await defaultValidator();
  const checks = new Set<unknown>();
  const validator: typeof inner = {
    compile(schema) {
      const check = inner.compile(schema);
      checks.add(check);
      return check;
    },
  };
  const call = (a: unknown): JsonRpcRequest => ({
    jsonrpc: "2.0",
    id: 1,
    method: "tools/call",
    params: {
      name: "t",
      arguments: { a } as JsonObject,
      _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} },
    },
  });
  const about = { principal: undefined, connection: { transport: "memory" }, onDisconnect: () => () => undefined } as const;
  let wrong = 0;
  let early = 0;
  for (let round = 0; round < ROUNDS; round++) {
    if (round === EARLY) early = await heap();
    const schema: JsonObject = {
      $id: "https://x.example/input",
      type: "object",
      properties: { a: { type: "string" } },
    };
    const one = defineServer({
      name: "s",
      version: "1",
      tools: [tool({ name: "t", input: schema, handler: () => "ran" })],
      validator,
    });
    // deno-lint-ignore no-explicit-any -- a result or an error, read loosely
    const [good, bad]: any[] = [await one.handle(call("a"), about), await one.handle(call(1), about)];
    if (good.result?.isError === true || good.result?.content[0].text !== "ran" || bad.result?.isError !== true) wrong++;
  }
  return { compiled: checks.size, wrong, early, late: await heap() };
}

const found: { readonly [part: string]: Found } = {
  "without $id": await client(own, undefined, ROUNDS),
  "equal $id": await client(own, "https://x.example/same", FEWER),
  "equal $id, changed content": await client(changing, "https://x.example/same", FEWER),
  servers: await server(),
};
Deno.stdout.writeSync(new TextEncoder().encode(JSON.stringify(found)));
