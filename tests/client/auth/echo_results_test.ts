/** Answers, other than errors, that repeat the credentials of their caller: no error that is made of them has them. */
import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { Client, HttpConnectOptions, JsonObject } from "../../../client/mod.ts";
import { assertSilent, CARRIERS, connected, echoing, everywhere, fits, refusal, SHAPES, URL } from "./echoing.ts";
import type { Answer, Asked, Heard } from "./echoing.ts";
import { assertNoSecret, MARK } from "./shown_of.ts";

/** Results that errors are made of, and what asks for them. */
const RESULTS: readonly (readonly [
  name: string,
  result: (said: string, asked: Asked) => JsonObject,
  run: (client: Client) => Promise<unknown>,
  only?: "stateless",
])[] = [
  ["an unknown type", (said) => ({ resultType: said }), (client) => client.callTool("x"), "stateless"],
  ["a type that is shortened", (said) => ({ resultType: "x".repeat(110) + said }), (client) => client.callTool("x"), "stateless"],
  ["a tool that says that it failed", (said) => ({
    isError: true,
    content: [{ type: "text", text: said }],
    structuredContent: { said: [said] },
  }), (client) => (client.tools as Record<string, () => Promise<unknown>>).x?.() ?? Promise.resolve()],
  [
    "a task that failed",
    (said, { method, id }) => ({
      ...(method === "tools/call" ? { resultType: "task" } : { resultType: "complete", id: id as string }),
      taskId: "t",
      status: method === "tools/call" ? "working" : "failed",
      error: { code: 1, message: said, data: { [said]: said } },
      ttlMs: null,
      createdAt: "2026-01-01T00:00:00Z",
      lastUpdatedAt: "2026-01-01T00:00:00Z",
      pollIntervalMs: 1,
    }),
    (client) => client.callTool("x"),
    "stateless",
  ],
  [
    "a task that was cancelled",
    (said, { method }) => ({
      resultType: method === "tools/call" ? "task" : "complete",
      taskId: "t",
      status: method === "tools/call" ? "working" : "cancelled",
      statusMessage: said,
      ttlMs: null,
      createdAt: "2026-01-01T00:00:00Z",
      lastUpdatedAt: "2026-01-01T00:00:00Z",
      pollIntervalMs: 1,
    }),
    (client) => client.callTool("x"),
    "stateless",
  ],
  ["structured content that does not fit", (said, { method }) =>
    method === "tools/list"
      ? {
        tools: [{
          name: "x",
          inputSchema: { type: "object" },
          outputSchema: { type: "object", additionalProperties: { type: "number" } },
        }],
      }
      : { content: [], structuredContent: { [said]: said } }, async (client) => {
    await client.listTools();
    await client.callTool("x");
  }],
];

Deno.test("an error that is made of a result tells no credentials, and the result keeps them (M-AUTH-114)", async (t) => {
  await everywhere(t, async (version, carrier, shape) => {
    for (const [name, result, run, only] of RESULTS) {
      if (!fits(version, only)) continue;
      const heard: Heard = { told: [], seen: [] };
      const answer: Answer = (asked) =>
        /^(?:tools|tasks)\//.test(asked.method)
          ? shape([{ jsonrpc: "2.0", id: asked.id, result: result(asked.said, asked) } as JsonObject])
          : undefined;
      const client = await connected(version, carrier, answer, heard);
      await assertSilent(run(client), heard, true).catch((error) => {
        throw new Error(name, { cause: error });
      });
      await client.close();
    }
    const client = await connected(version, carrier, () => undefined, { told: [], seen: [] });
    assert.match(JSON.stringify(await client.callTool("x")), MARK, "a result is the server's word");
    await client.close();
  });
});

Deno.test("a connection that fails by a result tells no credentials, when it is opened, and when it is opened again (M-AUTH-114)", async (t) => {
  await everywhere(t, async (version, carrier, shape) => {
    const stateless = version === "2026-07-28";
    const faults: readonly ((said: string, capabilities: JsonObject) => JsonObject)[] = stateless
      ? [
        (said, capabilities) => ({ supportedVersions: [said], capabilities }),
        (said, capabilities) => ({ resultType: said, supportedVersions: [version], capabilities }),
      ]
      : [(said, capabilities) => ({ protocolVersion: said, capabilities, serverInfo: { name: "x", version: "1" } })];
    for (const fault of faults) {
      for (const later of [false, true]) {
        const heard: Heard = { told: [], seen: [] };
        let wrong = !later;
        const answer: Answer = ({ id, method, said }) => {
          if (!wrong) return undefined;
          const opens = method === "initialize" || method === "server/discover";
          if (opens) return shape([{ jsonrpc: "2.0", id, result: fault(said, { tools: {} }) } as JsonObject]);
          // A revision that is not spoken any more, or a session that is lost.
          return stateless ? shape([refusal({ id, said }, -32022)]) : new Response(said, { status: 404 });
        };
        const options: HttpConnectOptions = {
          ...carrier,
          protocol: stateless ? [version, "2025-11-25"] : version,
          fetch: echoing(version, answer),
          getStream: false,
          onError: (error) => void heard.told.push(error),
        };
        const opening = connect(URL, options);
        const client = later ? await opening : undefined;
        wrong = true;
        await assertSilent(client?.callTool("x") ?? opening, heard, true);
        await client?.close();
      }
    }
  });
});

Deno.test("a tool whose annotations break the rules is refused without the credentials in its schema (M-AUTH-114)", async () => {
  for (const [, carrier] of CARRIERS) {
    const heard: Heard = { told: [], seen: [] };
    const answer: Answer = ({ id, method, said }) => {
      const inputSchema = { type: "object", properties: { [said]: { type: "object", "x-mcp-header": said } } };
      return method === "tools/list"
        ? Response.json({ jsonrpc: "2.0", id, result: { tools: [{ name: "x", inputSchema }] } })
        : undefined;
    };
    const client = await connected("2026-07-28", carrier(), answer, heard);
    await client.listTools();
    await assertSilent(client.callTool("x"), heard, true);
    await client.close();
  }
});

Deno.test("a fetch that fails with a text that quotes its request leads to errors without the credentials (M-AUTH-114)", async () => {
  for (const [, carrier] of CARRIERS) {
    const heard: Heard = { told: [], seen: [] };
    let broken = false;
    const usual = echoing("2026-07-28", () => undefined);
    const fetch: typeof globalThis.fetch = (input, init) => {
      if (!broken) return usual(input, init);
      const quoted = JSON.stringify([...new Headers(init?.headers)]);
      throw new TypeError(`Cannot send ${quoted}`, { cause: new Error(quoted) });
    };
    const client = await connect(URL, { ...carrier(), protocol: "2026-07-28", fetch });
    broken = true;
    await assertSilent(client.callTool("x"), heard, true);
    await assertSilent(client.notify("x/notice"), heard, true);
    await client.close();
  }
});

Deno.test("faults that belong to no call tell no credentials, while log messages come as they are (M-AUTH-114)", async (t) => {
  await everywhere(t, async (version, carrier, shape) => {
    const heard: Heard = { told: [], seen: [] };
    const logged: unknown[] = [];
    const answer: Answer = ({ id, method, verb, said }) => {
      if (verb === "DELETE") return Response.json(refusal({ id: 1, said }), { status: 500 });
      if (verb === "GET") return new Response(said, { status: 400 });
      if (method === "tools/list") {
        const broken = { name: said, inputSchema: 1 };
        const deep = {
          name: said,
          inputSchema: { type: "object", properties: JSON.parse('{"a":'.repeat(80) + "1" + "}".repeat(80)) },
        };
        const wrong = {
          name: said,
          inputSchema: { type: "object", properties: { [said]: { type: "object", "x-mcp-header": said } } },
        };
        return shape([{ jsonrpc: "2.0", id, result: { tools: [broken, deep, wrong] } } as JsonObject]);
      }
      if (method !== "tools/call") return undefined;
      return shape([
        { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: said } },
        { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: said, progress: 1, message: said } },
        { jsonrpc: "2.0", id: 900, method: said, params: {} },
        { jsonrpc: "2.0", id: said, result: {} },
        { jsonrpc: "2.0", id: 901, error: { code: said, message: said } },
        { jsonrpc: "2.0", id, error: { code: said, message: said, data: said } },
      ] as JsonObject[]);
    };
    const client = await connect(URL, {
      ...carrier,
      protocol: version,
      fetch: echoing(version, answer),
      limits: { streamRetries: 0 },
      onError: (error) => void heard.told.push(error),
      onLog: (message) => void logged.push(message),
    });
    await client.listTools();
    await assertSilent(client.callTool("x"), heard, false);
    await client.close();
    assert.ok(heard.told.length >= 1);
    for (const error of heard.told) assertNoSecret(error);
    if (shape === SHAPES[1]?.[1]) assert.match(JSON.stringify(logged), MARK);
  });
});
