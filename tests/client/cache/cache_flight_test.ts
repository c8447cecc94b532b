import assert from "node:assert/strict";
import { connect, TransportError } from "../../../client/mod.ts";
import type { JsonObject } from "../../../client/mod.ts";
import { until } from "../../until.ts";
import { counted, hinted, spied } from "./cached.ts";
import { complete, deferred, progress, scripted, tokenOf } from "../scripted.ts";

const pause = (ms = 5): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

Deno.test("readers of the same at once share one request, each with an answer of its own", async () => {
  const gate = deferred();
  const server = counted(hinted(), () => gate.promise);
  await using client = await connect(server, { cache: true });
  const reads = Promise.all(Array.from({ length: 5 }, () => client.readResource("mem://x/one")));
  const other = client.readResource("mem://y/a");
  await until(() => server.count("resources/read") === 2);
  await pause();
  gate.resolve();
  const answers = await reads;
  assert.equal(server.count("resources/read"), 2);
  assert.equal(new Set(answers).size, 5);
  for (const answer of answers) assert.deepEqual(answer, answers[0]);
  assert.notDeepEqual((await other).contents, answers[0]?.contents);
});

Deno.test("readers share one request even where the answer may not be kept", async () => {
  const gate = deferred();
  const server = counted(hinted({ ttlMs: 0 }), () => gate.promise);
  await using client = await connect(server, { cache: true, limits: { cacheEntries: 0 } });
  const reads = Promise.all([client.discover(), client.discover()]);
  await until(() => server.count("server/discover") === 1);
  await pause();
  gate.resolve();
  assert.deepEqual(...await reads);
  assert.equal(server.count("server/discover"), 1);
});

Deno.test('"refresh" and "bypass" join no request that is on its way; what it overtakes is not kept', async () => {
  const gates = [deferred(), deferred(), deferred()];
  let asked = 0;
  const server = scripted(async ({ method }): Promise<JsonObject | undefined> => {
    if (method !== "resources/read") return undefined;
    const n = asked++;
    await gates[n]?.promise;
    return complete({ contents: [{ uri: "a:b", text: `${n}` }], ttlMs: 60_000 });
  });
  await using client = await connect(server, { cache: true });
  const read = async (cache?: "refresh" | "bypass"): Promise<string> => {
    const { contents } = await client.readResource("a:b", cache === undefined ? {} : { cache });
    return (contents[0] as { text: string }).text;
  };
  const first = read();
  await until(() => asked === 1);
  const second = read("refresh");
  await until(() => asked === 2);
  const third = read("bypass");
  await until(() => asked === 3);
  const joined = read();
  await pause();
  assert.equal(asked, 3);
  gates[1]?.resolve();
  assert.equal(await second, "1");
  assert.equal(await joined, "1");
  gates[2]?.resolve();
  gates[0]?.resolve();
  assert.equal(await first, "0");
  assert.equal(await third, "2");
  assert.equal(await read(), "1");
});

Deno.test("what a refresh overtakes is not kept either where the answer to the refresh may not be", async () => {
  const gate = deferred();
  let asked = 0;
  const server = scripted(async ({ method }): Promise<JsonObject | undefined> => {
    if (method !== "tools/list") return undefined;
    if (asked++ > 0) return complete({ tools: [], ttlMs: 0 });
    await gate.promise;
    return complete({ tools: [], ttlMs: 60_000 });
  });
  await using client = await connect(server, { cache: true });
  const first = client.listTools();
  await until(() => asked === 1);
  await client.listTools({ cache: "refresh" });
  gate.resolve();
  await first;
  await client.listTools();
  assert.equal(asked, 3);
});

Deno.test("a caller's signal ends its own waiting; the last one that leaves cancels the request", async () => {
  const left = deferred();
  let asked = 0;
  const server = scripted(({ method }, info) => {
    if (method !== "tools/list") return undefined;
    asked++;
    info.onDisconnect(() => left.resolve());
    return new Promise<undefined>(() => undefined);
  });
  await using client = await connect(server, { cache: true });
  const one = new AbortController();
  const two = new AbortController();
  const first = client.listTools({ signal: one.signal });
  const second = client.listTools({ signal: two.signal });
  await until(() => asked === 1);
  await pause();
  one.abort(new Error("one"));
  await assert.rejects(first, { message: "one" });
  let over = false;
  left.promise.then(() => over = true);
  await pause();
  assert.equal(over, false);
  two.abort(new Error("two"));
  await assert.rejects(second, { message: "two" });
  await left.promise;
  assert.equal(asked, 1);
  // Nobody joins what was given up.
  const three = new AbortController();
  const third = client.listTools({ signal: three.signal });
  await until(() => asked === 2);
  three.abort(new Error("three"));
  await assert.rejects(third, { message: "three" });
});

Deno.test("a signal that has aborted before asks nothing", async () => {
  const server = counted(hinted());
  await using client = await connect(server, { cache: true });
  await client.discover();
  await assert.rejects(client.discover({ signal: AbortSignal.abort(new Error("before")) }), { message: "before" });
  const soon = new AbortController();
  const asking = client.listTools({ signal: soon.signal });
  soon.abort(new Error("soon"));
  await assert.rejects(asking, { message: "soon" });
  await pause();
  assert.equal(server.count("tools/list"), 0);
});

Deno.test("each reader keeps its own times", async () => {
  const gate = deferred();
  const server = counted(hinted(), () => gate.promise);
  await using client = await connect(server, { cache: true });
  const quick = client.discover({ timeout: 10 });
  const total = client.discover({ totalTimeout: 10 });
  const patient = client.discover();
  await assert.rejects(quick, (error) => {
    assert.ok(error instanceof TransportError);
    assert.equal(error.reason, "timeout");
    assert.deepEqual(error.data, { limit: "requestTimeout" });
    assert.match(error.message, /server\/discover.*within 10 ms/);
    return true;
  });
  await assert.rejects(total, { reason: "timeout", data: { limit: "requestTotalTimeout" } });
  gate.resolve();
  assert.equal((await patient).resultType, "complete");
  assert.equal(server.count("server/discover"), 1);
});

Deno.test("progress gives every reader new time", async () => {
  const server = scripted((request) => {
    if (request.method !== "tools/list") return undefined;
    return (async function* () {
      for (let i = 1; i <= 4; i++) {
        await pause(100);
        yield progress(tokenOf(request), i);
      }
      yield { jsonrpc: "2.0" as const, id: request.id, result: complete({ tools: [] }) };
    })();
  });
  await using client = await connect(server, { cache: true });
  const readers = [1, 2].map(() => client.listTools({ timeout: 300 }));
  assert.deepEqual(await Promise.all(readers), [[], []]);
  assert.equal(server.requests("tools/list").length, 1);
});

Deno.test("what is no answer fails one reader, and the other one asks for itself", async () => {
  let asked = 0;
  const gate = deferred();
  const server = scripted(async ({ method }) => {
    if (method !== "tools/list") return undefined;
    const n = asked++;
    await gate.promise;
    return n === 0 ? { resultType: "banana" } : complete({ tools: [] });
  });
  await using client = await connect(server, { cache: true });
  const readers = [client.listTools(), client.listTools()];
  await until(() => asked === 1);
  await pause();
  gate.resolve();
  // One reader has the answer; the other one must not be given what is no answer, and asks.
  const settled = await Promise.allSettled(readers);
  assert.deepEqual(settled.map(({ status }) => status).sort(), ["fulfilled", "rejected"]);
  assert.equal(asked, 2);
});

Deno.test("closing the client ends every reader, also while the store is at work", async () => {
  const stuck = new Promise<never>(() => undefined);
  const store = { ...spied(), get: () => stuck };
  for (const cache of [true, store]) {
    const server = scripted(({ method }) => method === "tools/list" ? stuck : undefined);
    const client = await connect(server, { cache });
    const readers = [client.listTools(), client.listTools()];
    await pause();
    await client.close();
    for (const reader of readers) await assert.rejects(reader, { reason: "closed" });
    await assert.rejects(client.listTools(), { reason: "closed" });
  }
});

Deno.test("a store that never answers costs a reader its own time only", async () => {
  const store = { ...spied(), get: () => new Promise<never>(() => undefined) };
  const server = counted(hinted());
  await using client = await connect(server, { cache: store });
  await assert.rejects(client.discover({ timeout: 10 }), { reason: "timeout" });
  await client.discover({ cache: "refresh" });
  assert.equal(server.count("server/discover"), 1);
});
