/** Tests of answers that nest too deep, in every revision: over HTTP, a channel of bytes or messages, and in process. */
import assert from "node:assert/strict";
import { connect, extension, lines } from "../../client/mod.ts";
import type { Client, ConnectOptions, ProtocolVersion } from "../../client/mod.ts";
import { skills } from "../../client/extensions/skills.ts";
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
async function overLines(members: Members, options: ConnectOptions, before = ""): Promise<Client> {
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
        if (isAsked(message)) await writer.write(new TextEncoder().encode(`${before}${answerTo(message, members)}\n`));
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

const LEFT_OUT = (method: string, ...places: readonly string[]): string =>
  `Reading the answer to ${method}: ${
    places.map((place) => `${place} is left out: it nests deeper than 64 levels (limit jsonDepth)`).join("; ")
  }`;

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
      LEFT_OUT("tools/list", 'tools[0] ("odd")', 'tools[2] ("odder")', 'tools[3] ("oddest")'),
      LEFT_OUT("prompts/list", 'prompts[0] ("odd")'),
      LEFT_OUT("resources/list", 'resources[1] ("odd")'),
      LEFT_OUT("resources/templates/list", 'resourceTemplates[0] ("odd")'),
    ]);
    for (const { reason, data } of told) assert.deepEqual([reason, data], ["limit", { limit: "jsonDepth", value: 64 }]);
    // What the cache keeps, where there is one, is what was listed.
    assert.deepEqual((await client.listTools()).map(({ name }) => name), ["good", "fine"]);
  });
});

Deno.test("an error names items of a list by where they stood in it as it came, whatever else is left out (B040, B056)", async (t) => {
  const odd = (levels: number): string => `{"name":"odd","inputSchema":${deep(levels)}}`;
  const list = [odd(LEVELS / 2), `{"name":"no schema"}`, odd(LEVELS / 3), "null", `{"name":"good","inputSchema":${PLAIN}}`];
  const members: Members = ({ method }) => method === "tools/list" ? listed("tools", list) : '"content":[]';
  for (const cache of [false, true]) {
    await overEach(t, members, { cache }, async (client, told) => {
      assert.deepEqual((await client.listTools()).map(({ name }) => name), ["good"]);
      assert.deepEqual(told.map(({ message }) => message).sort(), [
        LEFT_OUT("tools/list", 'tools[0] ("odd")', 'tools[2] ("odd")'),
        'Reading the answer to tools/list: tools[1] ("no schema") is left out: inputSchema is not an object; ' +
        "tools[3] is left out: it is not an object",
      ]);
    });
  }
});

/** An extension with a list, and one like it that does not say so. */
const audit = (list: "entries" | undefined) =>
  extension({
    id: "com.example/audit",
    handshake: true,
    methods: {
      "audit/list": {
        params: { type: "object" },
        result: { type: "object", properties: { entries: { type: "array" } }, required: ["entries"] },
        list,
      },
    },
  });

Deno.test("of a list of an extension, too, an entry that nests too deep is left out and reported alone, where it names the list", async (t) => {
  const members: Members = ({ method }) => method === "audit/list" ? `"entries":[1,${deep(LEVELS)},{"name":"b"}]` : "";
  const [named, unnamed] = [audit("entries"), audit(undefined)];
  await overEach(t, members, { extensions: [named] }, async (client, told, { name }) => {
    // Values of somebody else are as they are.
    if (name === "over messages") return;
    assert.deepEqual((await named.on(client).request("audit/list", {})).entries, [1, { name: "b" }]);
    assert.deepEqual(told.map(({ message }) => message), [LEFT_OUT("audit/list", "entries[1]")]);
    const error = await caught(unnamed.on(client).request("audit/list", {}));
    assert.deepEqual([error.reason, error.data], ["limit", { limit: "jsonDepth", value: 64 }], error.message);
  });
});

Deno.test("of skills and of a directory, too, an entry that nests too deep is left out and reported alone", async (t) => {
  const entry = (name: string, more: string): string =>
    `{"uri":"skill://${name}/SKILL.md","frontmatter":{"name":"${name}","description":"d"${more}},"resources":"dynamic"}`;
  const members: Members = ({ method }) => {
    const deepEntry = `,"odd":${deep(LEVELS)}`;
    if (method === "skills/list") return listed("skills", [entry("a", ""), entry("b", deepEntry), entry("c", "")]);
    if (method !== "resources/directory/read") {
      return `"supportedVersions":${JSON.stringify(SUPPORTED_VERSIONS)},"capabilities":{}`;
    }
    return listed("resources", [`{"uri":"a:b","name":"b","_meta":${deep(LEVELS)}}`, '{"uri":"a:c","name":"c"}']);
  };
  await overEach(t, members, {}, async (client, told, { name }) => {
    if (name === "over messages") return;
    const declared = { extensions: { "io.modelcontextprotocol/skills": { directoryRead: true } } };
    const of = skills.on({ server: { capabilities: declared }, request: client.request.bind(client) } as never, { server: "s" });
    assert.deepEqual((await of.list()).skills.map(({ frontmatter }) => frontmatter.name), ["a", "c"]);
    assert.deepEqual((await of.directory("a:")).map(({ name }) => name), ["c"]);
    assert.deepEqual(told.map(({ message }) => message), [
      LEFT_OUT("skills/list", "skills[1]"),
      LEFT_OUT("resources/directory/read", 'resources[0] ("b")'),
    ]);
  });
});

Deno.test("a notification that nests too deep is reported, and its call goes on (B040)", async (t) => {
  for (const way of ["over lines", "in process"] as const) {
    await t.step(way, async () => {
      const told: Told[] = [];
      const log = { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: JSON.parse(deep(LEVELS)) } };
      const stream = async function* (request: JsonRpcRequest): AsyncGenerator<JsonRpcMessage> {
        yield log as JsonRpcMessage;
        yield JSON.parse(answerTo(request, () => '"content":[]'));
      };
      const options = { protocol: "2026-07-28", onError: (error: unknown) => void told.push(error as Told) } as const;
      const client = way === "in process"
        ? await connect({ handle: (message) => Promise.resolve(isAsked(message) ? stream(message) : undefined) }, options)
        : await overLines(
          () => '"content":[]',
          options,
          `{"jsonrpc":"2.0","method":"notifications/message","params":${deep(LEVELS)}}\n`,
        );
      assert.deepEqual((await client.callTool("good")).content, []);
      assert.deepEqual(told.map(({ reason, data }) => [reason, data]), [["limit", { limit: "jsonDepth", value: 64 }]]);
      await client.close();
    });
  }
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
  await overEach(t, members, {}, async (client, told, { name }) => {
    const calls = [() => client.callTool("deep"), () => client.listTools(), () => client.readResource("a:b")];
    for (const call of name === "over messages" ? [] : calls) {
      const error = await caught(call());
      assert.deepEqual([error.reason, error.data], ["limit", { limit: "jsonDepth", value: 64 }], error.message);
      assert.match(error.message, /^Reading .*: .*nest.* deeper than 64 levels \(limit jsonDepth\)$/);
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
