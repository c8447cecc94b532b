/** Tests of schemas of strange origin, on both sides. */
import assert from "node:assert/strict";
import type { Client, JsonObject } from "../../client/mod.ts";
import { tool } from "../../server/components/tool.ts";
import { serverOf } from "../server/calls.ts";
import { atEach, DOORS } from "./doors.ts";
import { failure, handPeer, overEach } from "./hand_peers.ts";
import type { HandPeer, Json } from "./hand_peers.ts";

const OBJECT = { type: "object" } as const;

/** A peer that lists these tools, and gives the arguments of a call back as structured content. */
function listing(tools: readonly JsonObject[]): HandPeer {
  return handPeer(({ method, params }) => {
    if (method === "tools/list") return { tools: structuredClone(tools) as Json, ttlMs: 0, cacheScope: "private" };
    const { value } = params?.arguments as { value: JsonObject };
    return { content: [{ type: "text", text: "called" }], structuredContent: value };
  });
}

/** A peer's tool with this output. */
function output(name: string, outputSchema: JsonObject): JsonObject {
  return { name, inputSchema: OBJECT, outputSchema: { type: "object", ...outputSchema } };
}

/** Whether the client takes a value as the structured content of a tool. */
async function takes(client: Client, name: string, value: Json): Promise<boolean> {
  try {
    await client.callTool(name, { value });
    return true;
  } catch (error) {
    assert.equal((error as Json).reason, "not_mcp", String(error));
    return false;
  }
}

/** Runs something while whatever the console would show is kept. */
async function quietly(run: () => Promise<void>): Promise<readonly unknown[]> {
  const written: unknown[] = [];
  const saved = { ...console };
  const write = Deno.stdout.write;
  const take = (...values: unknown[]): void => void written.push(values);
  Object.assign(console, { log: take, warn: take, error: take, info: take, debug: take, trace: take });
  try {
    await run();
  } finally {
    Object.assign(console, saved);
    Deno.stdout.write = write;
  }
  return written;
}

Deno.test("client: a tool with a broken schema is left aside by itself, and every other tool works (B056)", async (t) => {
  const tools = [
    output("a", { properties: { x: { type: "string" } } }),
    output("b", { properties: { x: { $ref: "#/$defs/Missing" } } }),
    { name: "c", inputSchema: { type: "object", pattern: 5 } },
    output("d", { properties: { x: { type: "string", pattern: "(" } } }),
    { inputSchema: OBJECT },
  ];
  const errors: unknown[] = [];
  await overEach(t, () => listing(tools), async (client) => {
    errors.length = 0;
    const names = (await client.listTools()).map(({ name }) => name);
    assert.ok(names.includes("a"));
    assert.ok(errors.length >= 1, "Expected a word for the tool without a name");
    assert.equal(await takes(client, "a", { x: "y" }), true);
    assert.equal(await takes(client, "a", { x: 5 }), false);
    for (const name of ["b", "d"]) assert.equal(await takes(client, name, { x: "y" }), false, name);
    assert.equal(await takes(client, "a", {}), true);
  }, { onError: (error) => errors.push(error) });
});

Deno.test("server: a broken schema is refused at definition, with the tool and the place (B056, B057, B060)", () => {
  const broken: readonly (readonly [schema: JsonObject, place: RegExp])[] = [
    [{ properties: { x: { $ref: "#/$defs/Missing" } } }, /^tools\.t\.input\.properties\.x\.\$ref: /],
    [{ properties: { x: { pattern: "(" } } }, /^tools\.t\.input\.properties\.x\.pattern: /],
    [{ pattern: 5 }, /^tools\.t\.input\.pattern: /],
    [{ $schema: "http://json-schema.org/draft-04/schema#" }, /draft-04/],
    [{ $schema: "https://x.example/my-dialect" }, /my-dialect/],
    [{ $schema: 17 }, /^tools\.t\.input\.\$schema: /],
    [{ $ref: "http://127.0.0.1:9/s.json" }, /^tools\.t\.input\.\$ref: /],
    [{ $ref: "file:///etc/hostname" }, /^tools\.t\.input\.\$ref: /],
    [{ $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" }, /leads back to itself/],
  ];
  for (const [schema, place] of broken) {
    const input = { type: "object", ...schema } as Json;
    assert.throws(
      () => tool({ name: "t", input, handler: () => "" }),
      (error: Error) => place.test(error.message),
      JSON.stringify(schema),
    );
  }
});

const DRAFT_2020 = "https://json-schema.org/draft/2020-12/schema";
const DRAFT_07 = "http://json-schema.org/draft-07/schema";

/** Rules of 2020-12, a value that keeps them and one that does not. */
const NEW_RULES: readonly (readonly [schema: JsonObject, good: Json, bad: Json])[] = [
  [{ properties: { x: { prefixItems: [{ type: "string" }] } } }, { x: ["a"] }, { x: [1] }],
  [{ dependentRequired: { a: ["b"] } }, { a: 1, b: 1 }, { a: 1 }],
  [{ allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }, { a: 1 }, { b: 1 }],
];

Deno.test("client: a declared dialect decides the rules, and one that is not supported concerns its tool alone (B057)", async (t) => {
  const dialects = [undefined, DRAFT_2020, `${DRAFT_2020}#`];
  const tools = [
    ...NEW_RULES.flatMap(([schema], rule) =>
      dialects.map(($schema, at) => output(`new_${rule}_${at}`, $schema === undefined ? schema : { $schema, ...schema }))
    ),
    // In draft-07 these words mean nothing, and "dependencies" does.
    ...[DRAFT_07, `${DRAFT_07}#`].flatMap(($schema, at) => [
      output(`old_${at}`, { $schema, ...NEW_RULES[0]?.[0] }),
      output(`older_${at}`, { $schema, dependencies: { a: ["b"] } }),
    ]),
    ...["http://json-schema.org/draft-04/schema#", "https://x.example/my-dialect", 17]
      .map(($schema, at) => output(`bad_${at}`, { $schema: $schema as Json })),
  ];
  await overEach(t, () => listing(tools), async (client) => {
    const listed = (await client.listTools()).map(({ name }) => name);
    for (const [rule, [, good, bad]] of NEW_RULES.entries()) {
      for (const at of dialects.keys()) {
        assert.equal(await takes(client, `new_${rule}_${at}`, good), true, `${rule} ${at}`);
        assert.equal(await takes(client, `new_${rule}_${at}`, bad), false, `${rule} ${at}`);
      }
    }
    for (const at of [0, 1]) {
      assert.equal(await takes(client, `old_${at}`, { x: [1] }), true);
      assert.equal(await takes(client, `older_${at}`, { a: 1 }), false);
    }
    for (const [at, named] of [/draft-04/, /my-dialect/, /dialect/].entries()) {
      assert.ok(listed.includes(`bad_${at}`));
      assert.match((await failure(client.callTool(`bad_${at}`, { value: {} }))).message, named);
    }
  });
});

Deno.test("server: arguments are judged by the dialect that the schema declares (B057)", async (t) => {
  const input = (schema: JsonObject): Json => ({ type: "object", ...schema });
  const handler = (): string => "ran";
  const make = () =>
    serverOf({
      tools: [
        ...NEW_RULES.map(([schema], at) =>
          tool({ name: `new_${at}`, input: input({ $schema: DRAFT_2020, ...schema }), handler })
        ),
        tool({ name: "old", input: input({ $schema: `${DRAFT_07}#`, ...NEW_RULES[0]?.[0] }), handler }),
      ],
    }, { sessions: true });
  await atEach(t, DOORS, make, async (entry) => {
    const runs = async (name: string, args: Json): Promise<boolean> =>
      (await entry.call("tools/call", { name, arguments: args })).response.result?.content[0].text === "ran";
    for (const [at, [, good, bad]] of NEW_RULES.entries()) {
      assert.deepEqual([await runs(`new_${at}`, good), await runs(`new_${at}`, bad)], [true, false], String(at));
    }
    assert.equal(await runs("old", { x: [1] }), true);
  });
});

/** Everything that a schema may hold and that means nothing. */
const VENDOR: JsonObject = {
  "x-fastmcp-wrap-result": true,
  example: 1,
  deprecated: true,
  discriminator: {},
  required: ["r"],
  properties: {
    a: { type: "string", nullable: true },
    b: { type: ["string", "null"] },
    c: { type: "integer", format: "uint64", default: 7 },
    d: { type: "string", format: "google-duration", "x-mcp-header": "Region", examples: [1] },
  },
};

Deno.test("unknown keywords and formats mean nothing on either side, nothing is printed, and no default is filled in (B059)", async (t) => {
  const seen: unknown[] = [];
  const make = () =>
    serverOf({
      tools: [tool({
        name: "t",
        input: { type: "object", ...VENDOR } as Json,
        handler: (args: Json) => {
          seen.push(args);
          return "ran";
        },
      })],
    }, { sessions: true });
  const written = await quietly(async () => {
    await overEach(t, () => listing([{ ...output("t", VENDOR), inputSchema: { type: "object", ...VENDOR } }]), async (client) => {
      await client.listTools();
      assert.equal(await takes(client, "t", { r: 1, b: null, d: "no duration", c: 2 ** 40 }), true);
      assert.equal(await takes(client, "t", { r: 1, a: null }), false);
      assert.equal(await takes(client, "t", { b: null }), false);
      const { structuredContent } = await client.callTool("t", { value: { r: 1 } });
      assert.deepEqual(structuredContent, { r: 1 });
    });
    await atEach(t, DOORS, make, async (entry) => {
      seen.length = 0;
      const call = async (args: Json): Promise<boolean> => {
        const headers = typeof args.d === "string" ? { "mcp-param-region": args.d } : {};
        return (await entry.call("tools/call", { name: "t", arguments: args }, 1, headers)).response.result?.content?.[0].text ===
          "ran";
      };
      assert.equal(await call({ r: 1, b: null, d: "x" }), true);
      assert.equal(await call({ r: 1, a: null }), false);
      assert.equal(await call({}), false);
      assert.deepEqual(seen, [{ r: 1, b: null, d: "x" }]);
    });
  });
  assert.deepEqual(written.filter((line) => !String(line).includes("request.signal")), []);
});

Deno.test("client: references out of a schema fetch nothing, and are no leave to take everything (B060)", async (t) => {
  let asked = 0;
  const listener = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, () => {
    asked++;
    return Response.json({ type: "string" });
  });
  const at = `http://127.0.0.1:${listener.addr.port}`;
  const schemas: readonly JsonObject[] = [
    { $ref: `${at}/s.json` },
    { $id: `${at}/base/`, properties: { a: { $ref: "s.json" } } },
    { $dynamicRef: `${at}/s.json#x` },
    { $schema: `${at}/meta` },
    { $ref: "file:///etc/hostname" },
    { $defs: { a: { $ref: "#/$defs/a" } }, $ref: "#/$defs/a" },
    { allOf: [{ $ref: "#" }] },
  ];
  const tools = [output("good", {}), ...schemas.map((schema, index) => output(`bad_${index}`, schema))];
  await overEach(t, () => listing(tools), async (client) => {
    await client.listTools();
    for (const index of schemas.keys()) assert.equal(await takes(client, `bad_${index}`, { a: 1 }), false, String(index));
    assert.equal(await takes(client, "good", { a: 1 }), true);
  });
  assert.equal(asked, 0);
  await listener.shutdown();
});

/** What the program of the next test prints of each part. */
interface Listings {
  readonly compiled: number;
  readonly wrong: number;
  readonly early: number;
  readonly late: number;
}

/** Bytes of a heap that counts as flat over thousands of listings, each of which parses twenty schemas. */
const FLAT = 2 << 20;

Deno.test("each schema is compiled once however often it comes, equal names never meet, and the heap stays flat, on both sides (B055)", async (t) => {
  const program = new URL("../client/programs/listings.ts", import.meta.url).href;
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--v8-flags=--expose-gc", program],
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const parts = JSON.parse(new TextDecoder().decode(stdout)) as { readonly [part: string]: Listings };
  // Twenty tools; with changed content each of them has ten schemas in turn.
  const distinct = { "without $id": 20, "equal $id": 20, "equal $id, changed content": 200, servers: 1 };
  assert.deepEqual(Object.keys(parts), Object.keys(distinct));
  for (const [part, expected] of Object.entries(distinct)) {
    await t.step(part, () => {
      const { compiled, wrong, early, late } = parts[part] as Listings;
      assert.deepEqual([compiled, wrong], [expected, 0]);
      assert.ok(late < early + FLAT, `${early} bytes after 200 rounds, ${late} at the end`);
    });
  }
});
