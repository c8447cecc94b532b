import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { JsonObject } from "../../../client/mod.ts";
import { counted, hinted, spied } from "./cached.ts";
import { feeding, SUBSCRIPTION_ID } from "../feeds.ts";
import { complete, deferred, scripted } from "../scripted.ts";

const FILTER = {
  toolsListChanged: true,
  promptsListChanged: true,
  resourcesListChanged: true,
  resourceSubscriptions: ["mem://x/one", "mem://y/a"],
};

Deno.test("a change is known to the cache before anyone reads the event (M-CACHE-020, M-CACHE-019)", async () => {
  for (const cache of [true, spied(true)]) {
    const real = hinted();
    const server = counted(real);
    await using client = await connect(server, { cache });
    await using _changes = await client.listen(FILTER);
    const ask = async (): Promise<number[]> => {
      const before = server.requests.length;
      const counts: number[] = [];
      const calls = [
        () => client.listTools(),
        () => client.listPrompts(),
        () => client.listResources(),
        () => client.listResourceTemplates(),
        () => client.readResource("mem://x/one"),
        () => client.readResource("mem://y/a"),
        () => client.discover(),
      ];
      for (const call of calls) {
        const asked = server.requests.length;
        await call();
        counts.push(server.requests.length - asked);
      }
      assert.equal(counts.reduce((sum, count) => sum + count, 0), server.requests.length - before);
      return counts;
    };
    const told = async (change: Promise<void>): Promise<void> => {
      await change;
      await new Promise((resolve) => setTimeout(resolve, 5));
    };
    assert.deepEqual(await ask(), [3, 1, 1, 1, 1, 1, 1]);
    assert.deepEqual(await ask(), [0, 0, 0, 0, 0, 0, 0]);
    await told(real.notify.toolsChanged());
    assert.deepEqual(await ask(), [3, 0, 0, 0, 0, 0, 0]);
    await told(real.notify.promptsChanged());
    assert.deepEqual(await ask(), [0, 1, 0, 0, 0, 0, 0]);
    await told(real.notify.resourcesChanged());
    assert.deepEqual(await ask(), [0, 0, 1, 1, 0, 0, 0]);
    await told(real.notify.resourceUpdated("mem://x/one"));
    assert.deepEqual(await ask(), [0, 0, 0, 0, 1, 0, 0]);
    assert.deepEqual(await ask(), [0, 0, 0, 0, 0, 0, 0]);
  }
});

Deno.test("the update of a resource concerns it, what is below it and what it is a part of (M-CACHE-020)", async () => {
  const { server, next } = feeding();
  const uris = ["f:/a", "f:/a/b", "f:/a/b/c", "f:/ab", "f:/a?q", "g:/a"];
  const asked: unknown[] = [];
  const served = {
    ...server,
    handle: async (...[message, info]: Parameters<typeof server.handle>) => {
      if (!("method" in message) || !("id" in message) || message.method !== "resources/read") {
        return await server.handle(message, info);
      }
      asked.push(message.params?.uri);
      return { jsonrpc: "2.0" as const, id: message.id, result: complete({ contents: [], ttlMs: 60_000 }) };
    },
  };
  await using client = await connect(served, { cache: true });
  const opening = client.listen({ resourceSubscriptions: ["f:/a"] });
  const feed = await next();
  feed.acknowledge();
  const stream = await opening;
  const readAll = async (): Promise<unknown[]> => {
    asked.length = 0;
    for (const uri of uris) await client.readResource(uri);
    return [...asked];
  };
  assert.deepEqual(await readAll(), uris);
  const tell = async (uri: string): Promise<void> => {
    feed.notify("notifications/resources/updated", { uri });
    await stream.next();
  };
  await tell("f:/a");
  assert.deepEqual(await readAll(), ["f:/a", "f:/a/b", "f:/a/b/c", "f:/a?q"]);
  await tell("f:/a/b");
  assert.deepEqual(await readAll(), ["f:/a", "f:/a/b", "f:/a/b/c"]);
  await tell("f:/a/b/c/d");
  assert.deepEqual(await readAll(), ["f:/a", "f:/a/b", "f:/a/b/c"]);
  await tell("f:/x");
  assert.deepEqual(await readAll(), []);
});

Deno.test("a notification of another stream, or none of a change, touches nothing", async () => {
  const { server, next } = feeding();
  let lists = 0;
  const served = {
    ...server,
    handle: async (...[message, info]: Parameters<typeof server.handle>) => {
      if (!("method" in message) || !("id" in message) || message.method !== "tools/list") {
        return await server.handle(message, info);
      }
      lists++;
      return { jsonrpc: "2.0" as const, id: message.id, result: complete({ tools: [], ttlMs: 60_000 }) };
    },
  };
  await using client = await connect(served, { cache: true });
  const opening = client.listen({ toolsListChanged: true });
  const feed = await next();
  feed.acknowledge();
  const stream = await opening;
  await client.listTools();
  const method = "notifications/tools/list_changed";
  feed.send({ jsonrpc: "2.0", method, params: { _meta: { [SUBSCRIPTION_ID]: "another" } } });
  feed.notify("notifications/resources/updated", {});
  feed.notify("notifications/own");
  await stream.next();
  await client.listTools();
  assert.equal(lists, 1);
  feed.notify(method);
  await stream.next();
  await client.listTools();
  assert.equal(lists, 2);
});

Deno.test("a change that comes outside of change streams counts too", async () => {
  const changes: JsonObject = {};
  const server = scripted((request) => {
    if (request.method === "tools/list") return complete({ tools: [], ttlMs: 60_000 });
    if (request.method !== "tools/call") return undefined;
    return (async function* () {
      await Promise.resolve();
      yield { jsonrpc: "2.0" as const, method: "notifications/tools/list_changed", params: changes };
      yield { jsonrpc: "2.0" as const, id: request.id, result: complete({ content: [] }) };
    })();
  });
  await using client = await connect(server, { cache: true });
  await client.listTools();
  await client.listTools();
  await client.callTool("x");
  await client.listTools();
  assert.equal(server.requests("tools/list").length, 2);
});

Deno.test("an answer that a change overtakes on its way is given to who waits, and not kept (M-CACHE-020)", async () => {
  for (const cache of [true, spied(true)]) {
    const real = hinted();
    const gate = deferred();
    const reached = deferred();
    const server = counted(real, ({ method }) => {
      if (method !== "resources/read") return undefined;
      reached.resolve();
      return gate.promise;
    });
    await using client = await connect(server, { cache });
    await using changes = await client.listen({ resourceSubscriptions: ["mem://x/one"] });
    const waiting = client.readResource("mem://x/one");
    await reached.promise;
    await real.notify.resourceUpdated("mem://x/one");
    await changes.next();
    const later = client.readResource("mem://x/one");
    gate.resolve();
    const answers = [await waiting, await later];
    // The later one did not join what was asked before the change.
    assert.equal(server.count("resources/read"), 2);
    assert.deepEqual(await client.readResource("mem://x/one"), answers[1]);
    assert.equal(server.count("resources/read"), 2);
  }
});

Deno.test("a change while the store still keeps an answer takes it away all the same", async () => {
  const store = spied();
  const gate = deferred();
  const set = store.set;
  const slow = { ...store, set: (...args: Parameters<typeof set>) => gate.promise.then(() => set(...args)) };
  const { server, next } = feeding();
  let reads = 0;
  const served = {
    ...server,
    handle: async (...[message, info]: Parameters<typeof server.handle>) => {
      if (!("method" in message) || !("id" in message) || message.method !== "resources/read") {
        return await server.handle(message, info);
      }
      return {
        jsonrpc: "2.0" as const,
        id: message.id,
        result: complete({ contents: [{ uri: "a:b", text: `${++reads}` }], ttlMs: 1e6 }),
      };
    },
  };
  await using client = await connect(served, { cache: slow });
  const opening = client.listen({ resourceSubscriptions: ["a:b"] });
  const feed = await next();
  feed.acknowledge();
  const stream = await opening;
  await client.readResource("a:b");
  // What the store has not got yet is there already.
  await client.readResource("a:b");
  assert.equal(reads, 1);
  feed.notify("notifications/resources/updated", { uri: "a:b" });
  await stream.next();
  gate.resolve();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.equal(store.values.size, 0);
  await client.readResource("a:b");
  assert.equal(reads, 2);
});

Deno.test("no reader is given what was asked for before a change that was told, in any order of things (seeded, M-CACHE-020)", async () => {
  for (let seed = 1; seed <= 12; seed++) {
    let state = seed * 7919;
    const below = (n: number): number => {
      state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
      return Math.floor(state / 2 ** 32 * n);
    };
    const { server, next } = feeding();
    const versions = new Map<string, number>();
    const versionOf = (uri: string): number => versions.get(uri) ?? 0;
    const turns = async (count: number): Promise<void> => {
      for (let i = 0; i < count; i++) await new Promise((resolve) => setTimeout(resolve, 0));
    };
    const served = {
      ...server,
      handle: async (...[message, info]: Parameters<typeof server.handle>) => {
        if (!("method" in message) || !("id" in message) || message.method !== "resources/read") {
          return await server.handle(message, info);
        }
        const uri = message.params?.uri as string;
        await turns(below(3));
        const text = `${versionOf(uri)}`;
        await turns(below(3));
        const cacheScope = below(2) === 0 ? "public" : "private";
        return {
          jsonrpc: "2.0" as const,
          id: message.id,
          result: complete({ contents: [{ uri, text }], ttlMs: 60_000, cacheScope }),
        };
      },
    };
    await using client = await connect(served, {
      cache: seed % 2 === 0 ? true : spied(seed % 3 === 0),
      limits: { cacheEntries: 1 + below(4) },
    });
    const opening = client.listen({ resourceSubscriptions: ["m:/"] });
    const feed = await next();
    feed.acknowledge();
    const stream = await opening;
    const reads: Promise<void>[] = [];
    for (let step = 0; step < 60; step++) {
      const uri = `m:/${below(4)}`;
      if (below(3) === 0) {
        versions.set(uri, versionOf(uri) + 1);
        feed.notify("notifications/resources/updated", { uri });
        await stream.next();
      } else {
        const told = versionOf(uri);
        const cache = [undefined, undefined, "refresh", "bypass"][below(4)] as "refresh" | "bypass" | undefined;
        reads.push(
          client.readResource(uri, cache === undefined ? {} : { cache }).then(({ contents }) => {
            const version = Number((contents[0] as { text: string }).text);
            assert.ok(version >= told, `seed ${seed}, step ${step}: version ${version} after the change to ${told} was told`);
          }),
        );
      }
      await turns(below(2));
    }
    await Promise.all(reads);
  }
});
