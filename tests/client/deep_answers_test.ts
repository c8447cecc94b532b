/** Tests of answers that nest deeper than a stack: over HTTP, a channel and in process. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import type { Client } from "../../client/mod.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../../protocol/types.ts";

const LEVELS = 100_000;
const SCHEMA_LEVELS = 450;

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;
const schema = (levels: number): string =>
  `${'{"type":"object","properties":{"a":'.repeat(levels)}{"type":"string"}${"}}".repeat(levels)}`;

/** The text that answers a request: the tool "deep" gives what nests too deep, and so does the schema of one that is listed. */
function answerTo({ id, method, params }: JsonRpcRequest): string {
  const result = (members: string): string =>
    `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"resultType":"complete",${members}}}`;
  if (method === "tools/list") {
    const good = '{"name":"good","inputSchema":{"type":"object"}}';
    return result(`"ttlMs":0,"cacheScope":"private","tools":[{"name":"odd","inputSchema":${schema(SCHEMA_LEVELS)}},${good}]`);
  }
  return result(params?.name === "deep" ? `"content":[],"structuredContent":${deep(LEVELS)}` : '"content":[]');
}

interface Way {
  readonly name: string;
  open(limits?: { jsonDepth: number; jsonElements: number }): Promise<Client>;
}

const PROTOCOL = { protocol: "2026-07-28", onError: () => undefined } as const;

const WAYS: readonly Way[] = [
  {
    name: "over HTTP",
    open: (limits) =>
      connect("http://localhost/mcp", {
        ...PROTOCOL,
        ...limits === undefined ? {} : { limits },
        fetch: async (input, init) =>
          new Response(answerTo(await new Request(input, init).json()), { headers: { "content-type": "application/json" } }),
      }),
  },
  {
    name: "over lines",
    open(limits) {
      const { lines } = LINES;
      return lines((request) => answerTo(request), limits);
    },
  },
  {
    name: "in process",
    open: () => connect({ handle: (message) => Promise.resolve(JSON.parse(answerTo(message as JsonRpcRequest))) }, PROTOCOL),
  },
];

/** A peer on bytes, which answers each line with one. */
const LINES = {
  async lines(
    answer: (request: JsonRpcRequest) => string,
    limits?: { jsonDepth: number; jsonElements: number },
  ): Promise<Client> {
    const { connect, lines } = await import("../../client/mod.ts");
    const up = new TransformStream<Uint8Array, Uint8Array>();
    const down = new TransformStream<Uint8Array, Uint8Array>();
    const writer = down.writable.getWriter();
    void (async () => {
      let rest = "";
      for await (const text of up.readable.pipeThrough(new TextDecoderStream() as never) as AsyncIterable<string>) {
        const parts = `${rest}${text}`.split("\n");
        rest = parts.pop() ?? "";
        for (const line of parts) {
          const message = JSON.parse(line) as JsonRpcMessage;
          if ("method" in message && "id" in message) await writer.write(new TextEncoder().encode(`${answer(message)}\n`));
        }
      }
      await writer.close();
    })();
    const channel = lines({ readable: down.readable, writable: up.writable }, limits === undefined ? {} : { limits });
    return await connect(channel, { ...PROTOCOL, ...limits === undefined ? {} : { limits } });
  },
};

for (const { name, open } of WAYS) {
  Deno.test(`${name}: an answer that nests deeper than any stack is an error of its call alone (B040)`, async () => {
    const client = await open();
    const error = await client.callTool("deep").then(() => undefined, (error) => error);
    if (name !== "in process") {
      assert.deepEqual([error?.kind, error?.reason, error?.data.limit], ["transport", "limit", "jsonDepth"]);
    } else assert.ok(error !== undefined && !(error instanceof RangeError), String(error));
    assert.deepEqual((await client.callTool("good")).content, []);
    await client.close();
  });

  Deno.test(`${name}: a listed schema that nests too deep is reported, and other tools stay usable (B040)`, async () => {
    const client = await open();
    if (name !== "in process") {
      const error = await client.listTools().then(() => undefined, (error) => error);
      assert.deepEqual([error?.reason, error?.data.limit], ["limit", "jsonDepth"]);
    }
    assert.deepEqual((await client.callTool("good")).content, []);
    await client.close();
    // Where the limit lets it through, it is a fault of that tool alone.
    const patient = await open({ jsonDepth: 1000, jsonElements: 200_000 });
    const tools = await patient.listTools();
    assert.ok(tools.some((tool) => tool.name === "good"));
    for (const tool of tools) assert.deepEqual((await patient.callTool(tool, {})).content, []);
    await patient.close();
  });
}
