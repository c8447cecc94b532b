/** Tests of answers that nest too deep, in every revision: over HTTP, a channel of bytes or messages, and in process. */
import assert from "node:assert/strict";
import { connect, lines } from "../../client/mod.ts";
import type { Client, ConnectOptions, ProtocolVersion } from "../../client/mod.ts";
import { SUPPORTED_VERSIONS } from "../../protocol/dialects/mod.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../../protocol/types.ts";

const LEVELS = 100_000;

const deep = (levels: number): string => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

/** A schema whose properties nest: about 200 kB at 5,000 levels. */
const schema = (levels: number): string =>
  `${'{"type":"object","properties":{"a":'.repeat(levels)}{"type":"string"}${"}}".repeat(levels)}`;

const PLAIN = '{"type":"object"}';
const CAPABILITIES = '{"tools":{},"prompts":{},"resources":{}}';

/** The members of a result. */
type Members = (request: JsonRpcRequest) => string;

/** The text that answers a request, the handshake included. */
function answerTo(request: JsonRpcRequest, members: Members): string {
  const { id, method, params } = request;
  const hello = `"protocolVersion":${JSON.stringify(params?.protocolVersion)}`;
  const own = method === "initialize"
    ? `${hello},"capabilities":${CAPABILITIES},"serverInfo":{"name":"deep","version":"1"}`
    : members(request);
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"resultType":"complete",${own}}}`;
}

function isAsked(message: JsonRpcMessage): message is JsonRpcRequest {
  return "method" in message && "id" in message;
}

/** A peer behind `fetch`, whose answers are JSON or events. */
function overHttp(members: Members, options: ConnectOptions, events: boolean): Promise<Client> {
  return connect("http://localhost/mcp", {
    ...options,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      if (request.method !== "POST") return new Response(null, { status: 405 });
      const message: JsonRpcMessage = await request.json();
      if (!isAsked(message)) return new Response(null, { status: 202 });
      const text = answerTo(message, members);
      return new Response(events ? `data: ${text}\n\n` : text, {
        headers: { "content-type": events ? "text/event-stream" : "application/json" },
      });
    },
  });
}

/** A peer on bytes, which answers each line with one. */
async function overLines(members: Members, options: ConnectOptions): Promise<Client> {
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
        if (isAsked(message)) await writer.write(new TextEncoder().encode(`${answerTo(message, members)}\n`));
      }
    }
    await writer.close();
  })();
  return await connect(lines({ readable: down.readable, writable: up.writable }), options);
}

/** A peer that takes and gives messages as values. */
async function overMessages(members: Members, options: ConnectOptions): Promise<Client> {
  const down = new TransformStream<JsonRpcMessage, JsonRpcMessage>();
  const writer = down.writable.getWriter();
  const writable = new WritableStream<JsonRpcMessage>({
    write: (message) => isAsked(message) ? void writer.write(JSON.parse(answerTo(message, members))) : undefined,
    close: () => writer.close(),
  });
  return await connect({ readable: down.readable, writable }, options);
}

interface Way {
  readonly name: string;
  /** Is every message bounded? Otherwise only lists are, item by item. */
  readonly bounded: boolean;
  open(members: Members, options: ConnectOptions): Promise<Client>;
}

const WAYS: readonly Way[] = [
  { name: "over HTTP", bounded: true, open: (members, options) => overHttp(members, options, false) },
  { name: "over HTTP as events", bounded: true, open: (members, options) => overHttp(members, options, true) },
  { name: "over lines", bounded: true, open: overLines },
  { name: "over messages", bounded: false, open: overMessages },
  {
    name: "in process",
    bounded: false,
    open: (members, options) =>
      connect({
        handle: (message) => Promise.resolve(isAsked(message) ? JSON.parse(answerTo(message, members)) : undefined),
      }, options),
  },
];

/** What a client says of faults. */
interface Told extends Error {
  readonly reason?: string;
  readonly data?: { readonly limit?: string; readonly value?: number };
}

/** Runs a test over every way in every revision. */
async function overEach(
  t: Deno.TestContext,
  members: Members,
  options: ConnectOptions,
  test: (client: Client, told: Told[], way: Way, version: ProtocolVersion) => Promise<void>,
): Promise<void> {
  for (const way of WAYS) {
    for (const protocol of SUPPORTED_VERSIONS as readonly ProtocolVersion[]) {
      await t.step(`${way.name}, ${protocol}`, async () => {
        const told: Told[] = [];
        const client = await way.open(members, { ...options, protocol, onError: (error) => void told.push(error as Told) });
        await test(client, told, way, protocol);
        await client.close();
      });
    }
  }
}

const caught = (call: Promise<unknown>): Promise<Told> => call.then(() => assert.fail("Expected a rejection"), (error) => error);

/** A listing that may be kept for a minute. */
const listed = (member: string, items: readonly string[]): string =>
  `"ttlMs":60000,"cacheScope":"private","${member}":[${items.join()}]`;

const MANY: { readonly [method: string]: string } = {
  "tools/list": listed("tools", [
    `{"name":"odd","inputSchema":${schema(5000)}}`,
    `{"name":"good","inputSchema":${PLAIN}}`,
    `{"name":"odder","inputSchema":${schema(450)}}`,
    `{"name":"oddest","inputSchema":${PLAIN},"outputSchema":${schema(5000)}}`,
    `{"name":"fine","inputSchema":${PLAIN},"_meta":{"a":${deep(50)}}}`,
  ]),
  "prompts/list": listed("prompts", [`{"name":"odd","_meta":{"a":${deep(5000)}}}`, '{"name":"good"}']),
  "resources/list": listed("resources", [
    '{"uri":"a:good","name":"good"}',
    `{"uri":"a:odd","name":"odd","annotations":${deep(5000)}}`,
  ]),
  "resources/templates/list": listed("resourceTemplates", [
    `{"uriTemplate":"a:{odd}","name":"odd","_meta":${deep(LEVELS)}}`,
    '{"uriTemplate":"a:{good}","name":"good"}',
  ]),
};

const LEFT_OUT = (method: string, place: string): string =>
  `Reading the answer to ${method}: ${place} is left out: it nests deeper than 64 levels (limit jsonDepth)`;

Deno.test("a listed item that nests too deep is left out and reported, and the others stay usable (B040)", async (t) => {
  const members: Members = ({ method }) => MANY[method] ?? '"content":[]';
  await overEach(t, members, { cache: true }, async (client, told) => {
    const tools = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ["good", "fine"]);
    for (const tool of tools) assert.deepEqual((await client.callTool(tool, {})).content, []);
    assert.deepEqual((await client.listPrompts()).map(({ name }) => name), ["good"]);
    assert.deepEqual((await client.listResources()).map(({ name }) => name), ["good"]);
    assert.deepEqual((await client.listResourceTemplates()).map(({ name }) => name), ["good"]);
    assert.deepEqual(told.map(({ message }) => message), [
      LEFT_OUT("tools/list", 'tools[0] ("odd")'),
      LEFT_OUT("tools/list", 'tools[2] ("odder")'),
      LEFT_OUT("tools/list", 'tools[3] ("oddest")'),
      LEFT_OUT("prompts/list", 'prompts[0] ("odd")'),
      LEFT_OUT("resources/list", 'resources[1] ("odd")'),
      LEFT_OUT("resources/templates/list", 'resourceTemplates[0] ("odd")'),
    ]);
    for (const { reason, data } of told) assert.deepEqual([reason, data], ["limit", { limit: "jsonDepth", value: 64 }]);
    // What the cache keeps, where there is one, is what was listed.
    assert.deepEqual((await client.listTools()).map(({ name }) => name), ["good", "fine"]);
  });
});

Deno.test("the depth of a listed item is counted from its message: at the limit it stays, one level more leaves it out (B040)", async (t) => {
  // The message, its result, the list and the item are four levels.
  const tool = (name: string, levels: number): string => `{"name":"${name}","inputSchema":{"a":${deep(levels)}}}`;
  const members: Members = ({ method }) =>
    method === "tools/list" ? listed("tools", [tool("edge", 995), tool("past", 996)]) : '"content":[]';
  await overEach(t, members, { limits: { jsonDepth: 1000 } }, async (client, told) => {
    const tools = await client.listTools();
    assert.deepEqual(tools.map(({ name }) => name), ["edge"]);
    for (const one of tools) assert.deepEqual((await client.callTool(one, {})).content, []);
    assert.deepEqual(told.map(({ data }) => data), [{ limit: "jsonDepth", value: 1000 }]);
  });
});

Deno.test("an answer that nests too deep outside of a listed item is an error of its call alone (B040)", async (t) => {
  const odd = `{"name":"odd","inputSchema":${schema(5000)}}`;
  const members: Members = ({ method, params }) => {
    if (method === "tools/list") return `"_meta":${deep(LEVELS)},"tools":[${odd}]`;
    if (method === "resources/read") return `"contents":[{"uri":"a:b","text":"","_meta":${deep(LEVELS)}}]`;
    return params?.name === "deep" ? `"content":[],"structuredContent":${deep(LEVELS)}` : '"content":[]';
  };
  await overEach(t, members, {}, async (client, told, { name, bounded }) => {
    const calls = [() => client.callTool("deep"), () => client.listTools(), () => client.readResource("a:b")];
    for (const call of name === "over messages" ? [] : calls) {
      const error = await caught(call());
      if (bounded) {
        assert.deepEqual([error.reason, error.data], ["limit", { limit: "jsonDepth", value: 64 }], error.message);
      } else assert.equal((error as unknown as { readonly code: number }).code, -32603, String(error));
      assert.deepEqual((await client.callTool("good")).content, []);
    }
    // What failed as a whole tells no items.
    assert.deepEqual(told, []);
  });
});

Deno.test("structured content that nests as deep as can be is judged, or rejects by name, and overflows nothing (B040)", async (t) => {
  const tool = '{"name":"deep","inputSchema":{"type":"object"},"outputSchema":{"type":"object","properties":{"a":{"$ref":"#"}}}}';
  const members: Members = ({ method, params }) => {
    if (method === "tools/list") return listed("tools", [tool]);
    return params?.name === "deep" ? `"content":[],"structuredContent":${deep(params.arguments === undefined ? 990 : 3000)}` : "";
  };
  const limits = { jsonDepth: 1000 };
  await overEach(t, members, { limits }, async (client, _told, { bounded }) => {
    const [first] = await client.listTools();
    assert.ok(first !== undefined);
    for (const args of [undefined, {}]) {
      const error = await caught(client.callTool(first, args));
      const limit = bounded && args !== undefined ? { limit: "jsonDepth", value: 1000 } : undefined;
      if (limit !== undefined) assert.deepEqual(error.data, limit);
      else assert.match(error.message, /does not fit its schema|Internal error/);
      assert.ok(!(error instanceof RangeError), String(error));
    }
  });
});
