import assert from "node:assert/strict";
import { connect, ProtocolError } from "../../../client/mod.ts";
import type { JsonObject } from "../../../client/mod.ts";
import { defineServer, resource, tool } from "../../../server/mod.ts";
import { until } from "../../until.ts";
import { counted, hinted, withClocks } from "./cached.ts";
import { complete, deferred, scripted } from "../scripted.ts";

Deno.test("a client without the option keeps nothing, whatever the server allows", async () => {
  const server = counted(hinted());
  await using client = await connect(server);
  await client.listTools();
  await client.listTools();
  assert.equal(server.count("tools/list"), 6);
});

Deno.test("cache: true answers discovery, all four lists and reads again without a request (M-CACHE-004, M-CACHE-017)", async () => {
  const server = counted(hinted());
  await using client = await connect(server, { cache: true });
  const ask = async (): Promise<unknown[]> => [
    await client.discover(),
    await client.listTools(),
    await client.listPrompts(),
    await client.listResources(),
    await client.listResourceTemplates(),
    await client.readResource("mem://x/one"),
  ];
  const first = await ask();
  const asked = server.requests.length;
  assert.equal(asked, 8);
  const second = await ask();
  assert.deepEqual(second, first);
  assert.equal(server.requests.length, asked);
  assert.equal((second[1] as unknown[]).length, 5);
});

Deno.test("the cache answers only for the same method and params (M-CACHE-002)", async () => {
  const server = counted(hinted());
  await using client = await connect(server, { cache: true });
  const page = await client.listPage("tools");
  const next = await client.listPage("tools", page.nextCursor);
  assert.notDeepEqual(next.items, page.items);
  const reads = await Promise.all(["a", "b"].map((name) => client.readResource(`mem://y/${name}`)));
  assert.notDeepEqual(reads[0], reads[1]);
  assert.equal(server.count("tools/list"), 2);
  assert.equal(server.count("resources/read"), 2);
  await client.listResources();
  assert.equal(server.count("resources/list"), 1);
});

Deno.test("calls, prompts and what request() sends are not cached", async () => {
  const server = counted(hinted());
  await using client = await connect(server, { cache: true });
  await client.callTool("a");
  await client.callTool("a");
  await client.request("tools/list");
  await client.request("tools/list");
  assert.equal(server.count("tools/call"), 2);
  assert.equal(server.count("tools/list"), 2);
});

const LIFETIMES: readonly (readonly [unknown, boolean])[] = [
  [undefined, false],
  [0, false],
  [-5, false],
  [1.5, false],
  ["60000", false],
  [null, false],
  [Infinity, false],
  [60_000, true],
];

Deno.test("only a positive whole ttlMs is kept; the result is accepted in any case (M-CACHE-005, M-CACHE-007, M-CACHE-008, B084)", async () => {
  for (const [ttlMs, kept] of LIFETIMES) {
    const hint = ttlMs === undefined ? {} : { ttlMs: ttlMs as number };
    const server = scripted(({ method }) =>
      method === "tools/list" ? complete({ tools: [], cacheScope: "public", ...hint }) : undefined
    );
    await using client = await connect(server, { cache: true });
    assert.deepEqual(await client.listTools(), []);
    await client.listTools();
    assert.equal(server.requests("tools/list").length, kept ? 1 : 2, String(ttlMs));
  }
});

Deno.test("an answer is fresh until ttlMs after its arrival, not at it, and then asked for once (M-CACHE-006, M-CACHE-010, B084)", async () => {
  await withClocks(async (move) => {
    const server = counted(hinted({ ttlMs: 1000 }));
    await using client = await connect(server, { cache: true });
    await client.readResource("mem://x/one");
    move.steady(999);
    await client.readResource("mem://x/one");
    assert.equal(server.count("resources/read"), 1);
    // The wall clock was set back; the answer does not last longer.
    move.wall(-5000);
    move.steady(1);
    await client.readResource("mem://x/one");
    await client.readResource("mem://x/one");
    assert.equal(server.count("resources/read"), 2);
    // The machine slept: only the wall clock went on.
    move.wall(1000);
    await client.readResource("mem://x/one");
    assert.equal(server.count("resources/read"), 3);
  });
});

Deno.test("the time counts from the arrival, not from the request", async () => {
  await withClocks(async (move) => {
    const server = counted(hinted({ ttlMs: 1000 }), () => Promise.resolve(move.steady(900)));
    await using client = await connect(server, { cache: true });
    await client.discover();
    move.steady(999);
    await client.discover();
    assert.equal(server.count("server/discover"), 1);
  });
});

Deno.test("cacheTtl caps what a server allows", async () => {
  await withClocks(async (move) => {
    const server = counted(hinted({ ttlMs: 60_000 }));
    await using client = await connect(server, { cache: true, limits: { cacheTtl: 100 } });
    await client.discover();
    move.steady(99);
    await client.discover();
    assert.equal(server.count("server/discover"), 1);
    move.steady(1);
    await client.discover();
    assert.equal(server.count("server/discover"), 2);
  });
});

Deno.test("nothing is asked for in the background when an answer has become stale (M-CACHE-011)", async () => {
  const server = counted(hinted({ ttlMs: 5 }));
  await using client = await connect(server, { cache: true });
  await client.discover();
  await new Promise((resolve) => setTimeout(resolve, 30));
  assert.equal(server.requests.length, 1);
});

Deno.test("a page that has become stale is asked for alone, by its cursor (M-CACHE-021, M-CACHE-022)", async () => {
  await withClocks(async (move) => {
    const server = scripted(({ method, params }) => {
      if (method !== "tools/list") return undefined;
      const second = params?.cursor === "2";
      return complete({ tools: [], ttlMs: second ? 10 : 1000, ...(second ? {} : { nextCursor: "2" }) });
    });
    await using client = await connect(server, { cache: true });
    await client.listTools();
    move.steady(10);
    await client.listTools();
    assert.deepEqual(server.requests("tools/list").map(({ params }) => params?.cursor), [undefined, "2", "2"]);
  });
});

Deno.test("a cursor that was forgotten takes all pages along, and the walk begins anew (M-CACHE-024)", async () => {
  let round = 1;
  const server = scripted(({ method, params }) => {
    if (method !== "tools/list") return undefined;
    const cursor = params?.cursor;
    if (cursor === undefined) return complete({ tools: [named(`first${round}`)], nextCursor: `${round}`, ttlMs: 1000 });
    if (cursor !== `${round}`) throw new ProtocolError(-32602, "Invalid cursor");
    return complete({ tools: [named(`second${round}`)], ttlMs: 0 });
  });
  await using client = await connect(server, { cache: true });
  await client.listTools();
  round = 2;
  assert.deepEqual((await client.listTools()).map(({ name }) => name), ["first2", "second2"]);
  round = 3;
  // A single page is not walked: its reader learns of the fault, and the pages are gone.
  await assert.rejects(client.listPage("tools", "2"), { code: -32602 });
  assert.equal((await client.listPage("tools")).nextCursor, "3");
});

Deno.test("a walk whose cursor is refused for good fails after the second time", async () => {
  const server = scripted(({ method, params }) => {
    if (method !== "tools/list") return undefined;
    if (params?.cursor === undefined) return complete({ tools: [], nextCursor: "x", ttlMs: 1000 });
    throw new ProtocolError(-32602, "Invalid cursor");
  });
  await using client = await connect(server, { cache: true });
  await assert.rejects(client.listTools(), { code: -32602 });
  assert.equal(server.requests("tools/list").length, 4);
  await assert.rejects(client.listTools({ cache: "bypass" }), { code: -32602 });
  assert.equal(server.requests("tools/list").length, 6);
});

Deno.test('"refresh" asks and keeps, "bypass" asks and keeps nothing (M-CACHE-014)', async () => {
  const server = counted(hinted());
  await using client = await connect(server, { cache: true });
  const text = async (cache?: "refresh" | "bypass"): Promise<unknown> =>
    (await client.readResource("mem://x/one", cache === undefined ? {} : { cache })).contents[0];
  const one = await text("bypass");
  const two = await text();
  assert.notDeepEqual(two, one);
  const three = await text("bypass");
  assert.notDeepEqual(three, two);
  assert.deepEqual(await text(), two);
  const four = await text("refresh");
  assert.notDeepEqual(four, two);
  assert.deepEqual(await text(), four);
  assert.equal(server.count("resources/read"), 4);
});

Deno.test("a first page that is refreshed takes later pages along (M-CACHE-023)", async () => {
  const server = counted(hinted());
  await using client = await connect(server, { cache: true });
  await client.listTools();
  const page = await client.listPage("tools", undefined, { cache: "refresh" });
  assert.equal(server.count("tools/list"), 4);
  await client.listPage("tools");
  assert.equal(server.count("tools/list"), 4);
  await client.listPage("tools", page.nextCursor);
  assert.equal(server.count("tools/list"), 5);
  // A snapshot of the whole list: every page is asked for.
  await client.listTools({ cache: "refresh" });
  assert.equal(server.count("tools/list"), 8);
  await client.listTools();
  assert.equal(server.count("tools/list"), 8);
});

Deno.test("an answer that may not be kept takes away the one before", async () => {
  let ttlMs = 1000;
  const server = scripted(({ method }) => method === "tools/list" ? complete({ tools: [], ttlMs }) : undefined);
  await using client = await connect(server, { cache: true });
  await client.listTools();
  ttlMs = 0;
  await client.listTools({ cache: "refresh" });
  await client.listTools();
  assert.equal(server.requests("tools/list").length, 3);
});

Deno.test("options refuse another word for cache, with and without one", async () => {
  for (const cache of [true, false]) {
    await using client = await connect(hinted(), { cache });
    const options = { cache: "no-store" as "bypass" };
    const calls = [
      () => client.listTools(options),
      () => client.discover(options),
      () => client.listPage("tools", undefined, options),
      () => client.readResource("mem://x/one", options),
    ];
    for (const call of calls) await assert.rejects(call(), { name: "TypeError", message: /^options\.cache: / });
  }
});

Deno.test("calls with meta, trace, progress or log messages of their own pass the cache by", async () => {
  const server = counted(hinted());
  await using client = await connect(server, { cache: true });
  await client.discover();
  const traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
  const personal = [
    { meta: { "com.example/a": 1 } },
    { trace: { traceparent } },
    { onProgress: () => undefined },
    { logLevel: "info" as const },
  ];
  for (const [index, options] of personal.entries()) {
    await client.discover(options);
    await client.discover(options);
    assert.equal(server.count("server/discover"), 3 + 2 * index, Object.keys(options)[0]);
  }
  await client.discover();
  assert.equal(server.count("server/discover"), 9);
});

Deno.test("middleware sees calls that the cache answers, and what it changes is what is cached", async () => {
  const server = counted(hinted());
  const seen: string[] = [];
  await using client = await connect(server, {
    cache: true,
    use: [(request, next) => {
      seen.push(request.method);
      return next(request.params?.uri === "mem://y/a" ? { ...request, params: { uri: "mem://y/b" } } : request);
    }],
  });
  const a = await client.readResource("mem://y/a");
  assert.deepEqual(await client.readResource("mem://y/b"), a);
  assert.equal(server.count("resources/read"), 1);
  assert.equal(seen.length, 2);
});

Deno.test("answers to questions and to rounds of input are never kept (M-CACHE-003, B084)", async () => {
  const server = scripted(({ method, params }) => {
    if (method !== "resources/read") return undefined;
    if (params?.requestState === undefined) return { resultType: "input_required", requestState: "s", ttlMs: 60_000 };
    return complete({ contents: [], ttlMs: 60_000, cacheScope: "public" });
  });
  await using client = await connect(server, { cache: true });
  await client.readResource("a:b");
  await client.readResource("a:b");
  const states = server.requests("resources/read").map(({ params }) => params?.requestState);
  assert.deepEqual(states, [undefined, "s", undefined, "s"]);
});

Deno.test("readers that are asked something are asked one by one", async () => {
  let asked = 0;
  const gate = deferred();
  const server = scripted(async ({ method, params }): Promise<JsonObject | undefined> => {
    if (method !== "resources/read") return undefined;
    if (params?.requestState !== undefined) return complete({ contents: [{ uri: "a:b", text: params.requestState }] });
    asked++;
    await gate.promise;
    return { resultType: "input_required", requestState: `${asked}` };
  });
  await using client = await connect(server, { cache: true });
  const reads = Promise.all([client.readResource("a:b"), client.readResource("a:b")]);
  await until(() => asked === 1);
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(asked, 1);
  gate.resolve();
  const texts = (await reads).map(({ contents }) => (contents[0] as { text?: string }).text);
  assert.deepEqual(texts.sort(), ["1", "2"]);
});

Deno.test("errors and malformed answers are never kept (B084)", async () => {
  const answers: (() => JsonObject)[] = [
    () => {
      throw new ProtocolError(-32603, "no", { data: { ttlMs: 60_000 } });
    },
    () => complete({ tools: 5, ttlMs: 60_000 }),
    () => complete({ tools: [], nextCursor: 5, ttlMs: 60_000 }),
    () => ({ resultType: "banana", tools: [], ttlMs: 60_000 }),
  ];
  const server = scripted(({ method }) => method === "tools/list" ? (answers.shift() ?? complete)({ tools: [] }) : undefined);
  await using client = await connect(server, { cache: true });
  for (let i = 0; i < 4; i++) await assert.rejects(client.listTools());
  assert.deepEqual(await client.listTools(), []);
});

Deno.test("what a caller does to an answer does not reach the cache, nor another caller", async () => {
  const server = counted(hinted());
  await using client = await connect(server, { cache: true });
  const damage = (list: readonly unknown[]): void => list.forEach((item) => (item as { name: string }).name = "damaged");
  for (let i = 0; i < 3; i++) {
    const [one, other] = await Promise.all([client.listTools(), client.listTools()]);
    damage(one);
    assert.deepEqual(other.map(({ name }) => name), ["a", "b", "c", "d", "e"]);
    damage(other);
  }
});

Deno.test("a resource that is not there is asked for each time", async () => {
  const server = counted(defineServer({
    name: "plain",
    version: "1.0.0",
    tools: [tool({ name: "a", handler: () => "a" })],
    resources: [resource({ uri: "mem://none", name: "none", read: () => undefined })],
    cache: { read: { ttlMs: 1000 } },
  }));
  await using client = await connect(server, { cache: true });
  await assert.rejects(client.readResource("mem://none"), { code: -32602 });
  await assert.rejects(client.readResource("mem://none"), { code: -32602 });
  assert.equal(server.count("resources/read"), 2);
});

function named(name: string): JsonObject {
  return { name, inputSchema: { type: "object" } };
}
