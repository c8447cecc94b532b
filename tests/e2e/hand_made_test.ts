/** Tests of a client against servers by hand that say odd things, in every revision over every carrier. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../client/mod.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { failure, handPeer, overEach } from "./hand_peers.ts";
import type { HandPeer, Json } from "./hand_peers.ts";

const OBJECT: JsonObject = { type: "object" };

/** A tool whose one argument is described so. */
function taking(name: string, properties: JsonObject, more: JsonObject = {}): JsonObject {
  return { name, inputSchema: { type: "object", properties, ...more } };
}

/** An argument that wants to travel in this header. */
function marked(header: string, type = "string"): JsonObject {
  return { type, "x-mcp-header": header };
}

Deno.test("a faulty header annotation costs its tool over HTTP of the revision that has them, and nothing elsewhere (B081)", async (t) => {
  const faulty = [
    taking("space", { a: marked("Foo Bar") }),
    taking("empty", { a: marked("") }),
    taking("twice", { a: marked("Region"), b: marked("REGION") }),
    taking("crlf", { a: marked("X\r\nEvil: 1") }),
    taking("number", { a: marked("N", "number") }),
    taking("items", { a: { type: "array", items: marked("I") } }),
    taking("anyOf", { a: { anyOf: [marked("A")] } }),
    taking("ref", { a: { $ref: "#/$defs/a" } }, { $defs: { a: marked("R") } }),
    taking("object", { a: marked("O", "object") }),
  ];
  const sound = [taking("nested", { a: { type: "object", properties: { b: marked("B") } } }), taking("none", {})];
  const tools = [...faulty, ...sound] as Json[];
  const reported: string[] = [];
  const make = (): HandPeer => handPeer(({ method }) => method === "tools/list" ? { tools } : { content: [] });
  await overEach(t, make, async (client, peer, { version, over }) => {
    reported.length = 0;
    const mirrors = over === "http" && version === "2026-07-28";
    const names = (await client.listTools()).map(({ name }) => name);
    assert.deepEqual(names, (mirrors ? sound : tools).map(({ name }: Json) => name));
    assert.equal(reported.length, mirrors ? faulty.length : 0, reported.join("\n"));
    for (const { name } of faulty as Json[]) {
      assert.equal(reported.some((text) => text.includes(JSON.stringify(name))), mirrors, name);
      const called = client.callTool(name, { a: "x" });
      if (mirrors) assert.equal((await failure(called)).reason, "not_mcp", name);
      else assert.deepEqual((await called).content, [], name);
    }
    assert.deepEqual((await client.callTool("nested", { a: { b: "x" } })).content, []);
    assert.equal(
      peer.received.filter((message) => "method" in message && message.method === "tools/call").length,
      mirrors ? 1 : 10,
    );
  }, { onError: (error) => reported.push(String(error)) });
});

Deno.test("the empty text is asked for as a cursor, null ends a list, and cursors that lead nowhere end it with an error (B066)", async (t) => {
  const page = (name: string, rest: JsonObject): JsonObject => ({ tools: [{ name, inputSchema: OBJECT }], ...rest });
  let next: (cursor: unknown) => JsonObject = () => ({});
  const make = (): HandPeer => handPeer(({ params }) => next(params?.cursor));
  const cursors = (peer: HandPeer): unknown[] =>
    peer.received.flatMap((message) => {
      if (!("method" in message) || message.method !== "tools/list") return [];
      return [message.params !== undefined && "cursor" in message.params ? message.params.cursor : "none"];
    });
  await overEach(t, make, async (client, peer) => {
    next = (cursor) => cursor === undefined ? page("a", { nextCursor: "" }) : page("b", { nextCursor: null });
    assert.deepEqual((await client.listTools()).map(({ name }) => name), ["a", "b"]);
    assert.deepEqual(cursors(peer), ["none", ""]);
    for (
      const [reason, answer] of [
        ["not_mcp", () => page("a", { nextCursor: "p1" })],
        ["not_mcp", () => page("a", { nextCursor: "" })],
        ["not_mcp", (cursor: unknown) => page("a", { nextCursor: cursor === "A" ? "B" : "A" })],
        ["limit", (cursor: unknown) => page("a", { nextCursor: `${cursor}1` })],
        ["not_mcp", () => page("a", { nextCursor: 5 })],
      ] as const
    ) {
      next = answer;
      const before = peer.received.length;
      assert.equal((await failure(client.listTools())).reason, reason, String(answer));
      assert.ok(peer.received.length - before <= 5, String(answer));
    }
  }, { limits: { pages: 5 } });
});

Deno.test("progress under a token of another type or of nobody reaches no call, nor does what goes back (B073)", async (t) => {
  const make = (): HandPeer =>
    handPeer((request) => {
      const token = (request.params?._meta as Json)?.progressToken;
      const report = (progressToken: unknown, progress: unknown): JsonRpcMessage =>
        ({ jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } }) as JsonRpcMessage;
      const other = typeof token === "number" ? String(token) : Number(token);
      return (async function* () {
        yield report(other, 1);
        yield report("nobody's", 2);
        yield report(token, 5);
        for (const odd of [5, 3, -1, null, "9", [10]]) yield report(token, odd);
        yield report(token, 1e308);
        yield { jsonrpc: "2.0", id: request.id, result: { resultType: "complete", content: [] } } as JsonRpcMessage;
      })();
    });
  await overEach(t, make, async (client) => {
    const seen: number[] = [];
    await client.callTool("x", {}, { onProgress: ({ progress }) => void seen.push(progress) });
    assert.deepEqual(seen, [5, 1e308]);
  }, { onError: () => undefined });
});

Deno.test("an error of a tool reaches the caller as it is, and structured content that does not fit is the server's fault (B063)", async (t) => {
  const outputSchema = { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] };
  const results: { readonly [name: string]: JsonObject } = {
    text: { isError: true, content: [{ type: "text", text: "gone" }] },
    structured: { isError: true, content: [], structuredContent: { why: "gone" } },
    none: { content: [{ type: "text", text: "no rows" }] },
    wrong: { content: [], structuredContent: { rows: 5 } },
    bare: { structuredContent: { rows: [1] } },
  };
  const make = (): HandPeer =>
    handPeer(({ method, params }) =>
      method === "tools/list"
        ? { tools: Object.keys(results).map((name) => ({ name, inputSchema: OBJECT, outputSchema })) }
        : results[params?.name as string]
    );
  await overEach(t, make, async (client) => {
    await client.listTools();
    const { isError, content } = await client.callTool("text");
    assert.deepEqual([isError, content], [true, [{ type: "text", text: "gone" }]]);
    const structured = await client.callTool("structured");
    assert.deepEqual([structured.isError, structured.structuredContent], [true, { why: "gone" }]);
    for (const name of ["none", "wrong"]) {
      const error = await failure(client.callTool(name));
      assert.deepEqual([error.kind, error.reason], ["transport", "not_mcp"], name);
      assert.match(error.message, new RegExp(`"${name}"`));
    }
    const bare = await client.callTool("bare");
    assert.deepEqual([bare.content, bare.structuredContent], [[], { rows: [1] }]);
  });
});

Deno.test("what nests too deep costs its own call or tool, and the rest goes on (B040, B056)", async (t) => {
  const nested = (levels: number): JsonObject => {
    let deep: JsonObject = OBJECT;
    for (let level = 0; level < levels; level++) deep = { type: "object", properties: { a: deep } };
    return deep;
  };
  const tools = [{ name: "deep", inputSchema: nested(2500) }, { name: "good", inputSchema: OBJECT }];
  const make = (): HandPeer =>
    handPeer(({ method, params }) =>
      method === "tools/list" ? { tools } : params?.name === "deep" ? { content: [], deep: nested(2500) } : { content: [] }
    );
  const reported: string[] = [];
  await overEach(t, make, async (client) => {
    reported.length = 0;
    assert.deepEqual((await client.listTools()).map(({ name }) => name), ["good"]);
    assert.equal(reported.length, 1);
    assert.match(reported[0] ?? "", /"deep".*limit jsonDepth/);
    const error = await failure(client.callTool("deep"));
    assert.match(String(error.message), /limit jsonDepth/);
    assert.deepEqual((await client.callTool("good")).content, []);
  }, { onError: (error) => reported.push(String(error)) });
});
