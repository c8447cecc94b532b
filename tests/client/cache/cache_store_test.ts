import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { CacheStore, Transport } from "../../../client/mod.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../../../protocol/types.ts";
import { counted, hinted, spied } from "./cached.ts";
import { complete, DISCOVERED, scripted } from "../scripted.ts";

Deno.test("a store of one's own is used, slow or not, and is told for how long", async () => {
  for (const slow of [false, true]) {
    const store = spied(slow);
    const server = counted(hinted({ ttlMs: 60_000 }));
    await using client = await connect(server, { cache: store, limits: { cacheTtl: 50_000 } });
    const first = await client.listTools();
    assert.deepEqual(await client.listTools(), first);
    assert.equal(server.count("tools/list"), 3);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(await client.listTools(), first);
    assert.equal(server.count("tools/list"), 3);
    assert.deepEqual(store.sets.map(([, value, ttlMs]) => [typeof value, ttlMs]), Array(3).fill(["string", 50_000]));
  }
});

Deno.test("servers in this process share nothing, not even what is public (M-CACHE-018)", async () => {
  const store = spied();
  const server = counted(hinted({ ttlMs: 60_000, cacheScope: "public" }));
  for (let i = 1; i <= 2; i++) {
    await using client = await connect(server, { cache: store });
    await client.discover();
    await client.discover();
    // Connecting asks too, and is only left out of the count the first time.
    assert.equal(server.count("server/discover"), 2 * i - 1);
  }
});

const FAULTY: readonly (readonly [what: string, store: Partial<CacheStore>, faults: number])[] = [
  ["get throws", { get: () => fail() }, 4],
  ["get rejects", { get: () => Promise.reject(new Error("store")) }, 4],
  ["set throws", { set: () => fail() }, 2],
  ["set rejects", { set: () => Promise.reject(new Error("store")) }, 2],
  ["get gives a number", { get: () => 5 }, 4],
  ["get gives no JSON", { get: () => "{" }, 4],
  ["get gives other JSON", { get: () => "[]" }, 4],
  ["get gives an entry without an answer", { get: () => '{"head":{"by":"x","n":1,"asked":0,"arrived":0,"ttlMs":1}}' }, 4],
  ["get gives an entry without times", { get: () => '{"head":{"by":"x","n":1},"result":{"supportedVersions":[]}}' }, 4],
  ["get gives the answer of another method", { get: () => entry(Date.now(), { tools: [] }) }, 4],
];

Deno.test("a store that throws or gives something else is reported, and the request is sent", async () => {
  for (const [what, broken, faults] of FAULTY) {
    const told: unknown[] = [];
    const server = counted(hinted());
    await using client = await connect(server, { cache: { ...spied(), ...broken }, onError: (error) => told.push(error) });
    for (let i = 0; i < 2; i++) {
      assert.deepEqual(
        (await client.discover()).supportedVersions,
        (await client.discover({ cache: "bypass" })).supportedVersions,
      );
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    assert.equal(server.count("server/discover"), what.startsWith("get") ? 4 : 4, what);
    assert.equal(told.length, faults, what);
    for (const error of told) assert.match(String(error), /^Error: (?:Using|Reading) the cache: the store /, what);
  }
});

Deno.test("a store that can't delete is reported, and what was to go is not used", async () => {
  const told: unknown[] = [];
  const server = counted(hinted());
  const store = { ...spied(), delete: () => fail() };
  await using client = await connect(server, { cache: store, limits: { cacheEntries: 1 }, onError: (error) => told.push(error) });
  await client.discover();
  await client.listPrompts();
  assert.ok(told.length > 0);
  await client.discover();
  assert.equal(server.count("server/discover"), 2);
});

Deno.test("null from a store means that there is nothing", async () => {
  const told: unknown[] = [];
  const server = counted(hinted());
  const store = spied();
  const cache = { ...store, get: (key: string) => store.values.get(key) ?? null };
  await using client = await connect(server, { cache, onError: (error) => told.push(error) });
  await client.discover();
  await client.discover();
  assert.equal(server.count("server/discover"), 1);
  assert.deepEqual(told, []);
});

Deno.test("what others put into the store as private, or under a private key, is not used (M-CACHE-018)", async () => {
  // The public key is asked for first; under the private one there is an entry of another connection.
  const asked: string[] = [];
  const server = scripted(({ method }) => method === "tools/list" ? complete({ tools: [], ttlMs: 1000 }) : undefined);
  const cache: CacheStore = {
    get: (key) => {
      asked.push(key);
      return asked.length > 1 ? entry(Date.now(), { tools: [] }) : undefined;
    },
    set: () => undefined,
    delete: () => undefined,
  };
  await using client = await connect(server, { cache });
  await client.listTools();
  assert.equal(asked.length, 2);
  assert.equal(server.requests("tools/list").length, 1);
});

Deno.test("cacheEntries and cacheBytes bound a store of one's own too; the one used longest ago goes", async () => {
  const store = spied();
  const server = counted(hinted());
  await using client = await connect(server, { cache: store, limits: { cacheEntries: 2 } });
  const read = (name: string): Promise<unknown> => client.readResource(`mem://y/${name}`);
  await read("a");
  await read("b");
  await read("a");
  await read("c");
  assert.equal(store.values.size, 2);
  assert.equal(server.count("resources/read"), 3);
  await read("a");
  assert.equal(server.count("resources/read"), 3);
  await read("b");
  assert.equal(server.count("resources/read"), 4);
  assert.equal(store.values.size, 2);
});

Deno.test("one answer may have a quarter of cacheBytes, in bytes of UTF-8 of its JSON, and not one more", async () => {
  const result = complete({ contents: [{ uri: "a:b", text: "é🦊".repeat(50) }], ttlMs: 60_000 });
  const bytes = new TextEncoder().encode(JSON.stringify(result)).length;
  for (const [cacheBytes, asked] of [[4 * bytes, 1], [4 * bytes - 1, 2], [0, 2]] as const) {
    const server = scripted(({ method }) => method === "resources/read" ? result : undefined);
    await using client = await connect(server, { cache: true, limits: { cacheBytes } });
    await client.readResource("a:b");
    await client.readResource("a:b");
    assert.equal(server.requests("resources/read").length, asked, String(cacheBytes));
  }
});

Deno.test("without entries nothing is kept", async () => {
  const server = counted(hinted());
  await using client = await connect(server, { cache: true, limits: { cacheEntries: 0 } });
  await client.discover();
  await client.discover();
  assert.equal(server.count("server/discover"), 2);
});

Deno.test("an answer that JSON can't carry, of a carrier of one's own, is given, and not kept", async () => {
  let reads = 0;
  const answers = (request: JsonRpcRequest): JsonRpcMessage => {
    if (request.method === "resources/read") reads++;
    const result = request.method === "resources/read"
      ? complete({ contents: [], ttlMs: 1000, odd: 5n as unknown as number })
      : DISCOVERED;
    return { jsonrpc: "2.0", id: request.id, result };
  };
  const transport: Transport = {
    async *exchange(request) {
      yield answers(request);
    },
    send: () => Promise.resolve(),
    incoming: (async function* () {})(),
    close: () => Promise.resolve(),
  };
  await using client = await connect(transport, { cache: true });
  await client.readResource("a:b");
  assert.equal((await client.readResource("a:b") as unknown as { odd: unknown }).odd, 5n);
  assert.equal(reads, 2);
});

function entry(at: number, result: object): string {
  return JSON.stringify({ head: { by: "another", n: 1, asked: at, arrived: at, ttlMs: 60_000 }, result });
}

function fail(): never {
  throw new Error("store");
}
