/** Tests of `transports/streamable_http_session.ts`: how sessions begin, are named, and end, over real HTTP. */
import assert from "node:assert/strict";
import { memoryStore } from "../../server/stores/memory.ts";
import { until } from "../until.ts";
import { later } from "../later.ts";
import { call, eventsOf, hello, refusedWith, sessionSite } from "./session_site.ts";
import type { Site, SiteOptions } from "./session_site.ts";

const UNKNOWN = /the session is unknown or has ended; initialize anew/;

/** Runs a test on a site that is closed afterwards. */
async function on(options: SiteOptions, test: (site: Site) => Promise<void>): Promise<void> {
  const site = sessionSite(options);
  try {
    await test(site);
  } finally {
    await site.close();
  }
}

/** Runs a test on two instances that share something. */
async function onTwo(options: SiteOptions, test: (one: Site, two: Site) => Promise<void>): Promise<void> {
  await on(options, (one) => on(options, (two) => test(one, two)));
}

/** The status of an echo in a session. */
async function statusOf(site: Site, id: string, headers: { readonly [name: string]: string } = {}): Promise<number> {
  const response = await site.post(call("echo"), { "mcp-session-id": id, ...headers });
  await response.body?.cancel();
  return response.status;
}

Deno.test("initialize gives an id that no later answer repeats, each another (L-SES-001, L-SES-002, L-SES-004)", () =>
  on({}, async (site) => {
    const ids = [await site.initialize(), await site.initialize(), await site.initialize("2025-06-18")];
    assert.equal(new Set(ids).size, 3);
    for (const id of ids) {
      assert.match(id, /^[\x21-\x7e]+$/);
      const response = await site.post(call("echo", { a: 1 }), { "mcp-session-id": id });
      assert.equal(response.headers.get("mcp-session-id"), null);
      assert.equal((await response.json()).result.a, 1);
    }
  }));

Deno.test("a session is one object from its initialize on, with its state", () =>
  on({}, async (site) => {
    const id = await site.initialize();
    const other = await site.initialize("2025-06-18");
    const state = async (session: string) =>
      (await (await site.post(call("echo"), { "mcp-session-id": session })).json()).result.state;
    assert.deepEqual([(await state(id)).version, (await state(other)).version], ["2025-11-25", "2025-06-18"]);
    const connections = new Set(site.infos.map(({ connection }) => connection));
    assert.equal(connections.size, 2);
    assert.deepEqual(new Set([...connections].map(({ session }) => session)), new Set(site.sessions));
    assert.equal(site.sessions[0]?.state?.initialized, true);
  }));

Deno.test("initialize that fails opens nothing and gives its place back (B023)", () =>
  on({ limits: { sessions: 1 } }, async (site) => {
    for (let at = 0; at < 3; at++) {
      const refused = await site.post(hello("2025-11-25", { refuse: true }));
      assert.deepEqual([refused.headers.get("mcp-session-id"), (await refused.json()).error.code], [null, -32602]);
      const failed = await site.post(hello("2025-11-25", { throw: true }));
      await refusedWith(failed, 500, /^Internal error$/, -32603);
    }
    assert.equal(site.errors.length, 3);
    await site.initialize();
  }));

Deno.test("initialize that names a session is refused (L-SES-006)", () =>
  on({}, async (site) => {
    const id = await site.initialize();
    for (const named of [id, "nope"]) {
      const body = await refusedWith(await site.post(hello(), { "mcp-session-id": named }), 400, /initialize opens a session/);
      assert.equal(body.id, 0);
    }
    assert.equal(await statusOf(site, id), 200);
  }));

Deno.test("a missing id gets 400, an unknown or ended one 404, by every method (B023, L-SES-007, L-SES-009)", () =>
  on({}, async (site) => {
    const stream = { accept: "text/event-stream" };
    const body = await refusedWith(await site.post(call("echo", {}, 9)), 400, /Mcp-Session-Id is missing/);
    assert.equal(body.id, 9);
    await refusedWith(await site.post({ jsonrpc: "2.0", method: "notifications/initialized" }), 400, /is missing/);
    await refusedWith(await site.send("GET", stream), 400, /is missing/);
    await refusedWith(await site.send("DELETE"), 400, /is missing/);
    const ended = await site.initialize();
    const deleted = await site.send("DELETE", { "mcp-session-id": ended });
    assert.deepEqual([deleted.status, await deleted.text()], [204, ""]);
    for (const id of ["nope", "", "a".repeat(5000), ended, ended.slice(1)]) {
      const named = { "mcp-session-id": id };
      const answer = await refusedWith(await site.post(call("echo", {}, 7), named), 404, UNKNOWN);
      assert.equal(answer.id, 7);
      await refusedWith(await site.post({ jsonrpc: "2.0", method: "notifications/initialized" }, named), 404, UNKNOWN);
      await refusedWith(await site.post({ jsonrpc: "2.0", id: 1, result: {} }, named), 404, UNKNOWN);
      await refusedWith(await site.send("GET", { ...stream, ...named }), 404, UNKNOWN);
      await refusedWith(await site.send("DELETE", named), 404, UNKNOWN);
    }
  }));

Deno.test("a 2026-07-28 request is served without the session that it names (B023, M-HTTP-036)", () =>
  on({}, async (site) => {
    const meta = { "io.modelcontextprotocol/protocolVersion": "2026-07-28", "io.modelcontextprotocol/clientCapabilities": {} };
    const headers = { "mcp-protocol-version": "2026-07-28", "mcp-method": "echo", "mcp-session-id": "nope" };
    const response = await site.post(call("echo", { _meta: meta }), headers);
    assert.deepEqual([response.status, response.headers.get("mcp-session-id")], [200, null]);
    assert.equal((await response.json()).result.state, undefined);
    assert.equal(site.infos.at(-1)?.connection.session, undefined);
  }));

Deno.test("a response is taken in a session only, with 202 (L-HTTP-002, L-HTTP-003, L-HTTP-004)", () =>
  on({}, async (site) => {
    const response = { jsonrpc: "2.0", id: 5, result: {} };
    await refusedWith(await site.post(response), 400, /is missing/);
    const id = await site.initialize();
    const taken = await site.post(response, { "mcp-session-id": id });
    assert.deepEqual([taken.status, await taken.text()], [202, ""]);
    assert.equal(site.infos.at(-1)?.connection.session, site.sessions[0]);
  }));

Deno.test("the version header is the one agreed on, or absent (B078, L-HDR-001, L-HDR-004)", () =>
  on({}, async (site) => {
    const id = await site.initialize("2025-06-18");
    const note = { jsonrpc: "2.0", method: "notifications/initialized" };
    const reply = { jsonrpc: "2.0", id: 5, result: {} };
    for (
      const [version, fits] of [["2025-06-18", true], ["2025-11-25", false], ["abc", false], [
        "2025-06-18, 2025-06-18",
        false,
      ]] as const
    ) {
      const headers = { "mcp-session-id": id, "mcp-protocol-version": version };
      for (const message of [note, reply]) {
        const response = await site.post(message, headers);
        assert.deepEqual([response.status, fits], [fits ? 202 : 400, fits], `${version} ${JSON.stringify(message)}`);
        await response.body?.cancel();
      }
      const stream = await site.send("GET", { ...headers, accept: "text/event-stream" });
      assert.equal(stream.status, fits ? 200 : 400, version);
      await stream.body?.cancel();
      if (fits) assert.equal(await statusOf(site, id, headers), 200);
      else {await refusedWith(
          await site.send("DELETE", headers),
          400,
          /MCP-Protocol-Version/i,
          version === "2025-11-25" ? -32600 : -32602,
        );}
    }
    assert.equal(await statusOf(site, id), 200);
  }));

Deno.test("a session of one caller is unknown to another, anonymous ones included (L-SES-005)", () =>
  on({}, async (site) => {
    const anna = { "x-test-principal": "anna" };
    const id = await site.initialize("2025-11-25", anna);
    const anonymous = await site.initialize();
    assert.equal(await statusOf(site, id, anna), 200);
    for (const [session, headers] of [[id, { "x-test-principal": "ben" }], [id, {}], [anonymous, anna]] as const) {
      const named = { "mcp-session-id": session, ...headers as { readonly [name: string]: string } };
      await refusedWith(await site.post(call("echo"), named), 404, UNKNOWN);
      await refusedWith(await site.send("GET", { ...named, accept: "text/event-stream" }), 404, UNKNOWN);
      await refusedWith(await site.send("DELETE", named), 404, UNKNOWN);
    }
    assert.equal(await statusOf(site, id, anna), 200);
  }));

Deno.test("a flood of initialize stops at the caps, and open sessions go on (limit sessions, limit sessionsPerPrincipal)", () =>
  on({ limits: { sessions: 4, sessionsPerPrincipal: 2 } }, async (site) => {
    const anna = { "x-test-principal": "anna" };
    const id = await site.initialize("2025-11-25", anna);
    await site.initialize("2025-11-25", anna);
    const own = await refusedWith(
      await site.post(hello(), anna),
      503,
      /^Capacity reached: .*limit sessionsPerPrincipal 2/,
      -32603,
    );
    assert.deepEqual([own.id, own.error.data], [0, { reason: "capacity_reached", sessionsPerPrincipal: 2 }]);
    const seen = site.infos.length;
    const flood = await Promise.all(Array.from({ length: 40 }, () => site.post(hello())));
    const statuses = flood.map(({ status }) => status);
    await Promise.all(flood.map((response) => response.body?.cancel()));
    assert.deepEqual([200, 503].map((status) => statuses.filter((one) => one === status).length), [2, 38]);
    assert.equal(site.infos.length, seen + 2, "refused before the handshake");
    await refusedWith(await site.post(hello()), 503, /limit sessions 4/, -32603);
    assert.equal(await statusOf(site, id, anna), 200);
    await site.send("DELETE", { "mcp-session-id": id, ...anna });
    await site.initialize("2025-11-25", anna);
  }));

Deno.test("DELETE ends what the session still does (L-SES-008, L-SES-011)", () =>
  on({}, async (site) => {
    const headers = { "mcp-session-id": await site.initialize() };
    const standing = eventsOf(await site.send("GET", { ...headers, accept: "text/event-stream" }));
    const waiting = site.post(call("gate", { name: "one" }), headers);
    const streaming = eventsOf(await site.post(call("stream", { name: "two" }), headers));
    await until(() => site.infos.length === 4);
    assert.equal((await site.send("DELETE", headers)).status, 204);
    assert.deepEqual(site.gone.sort(), ["one", "two"]);
    assert.deepEqual(await standing.rest(), []);
    await streaming.rest();
    site.open("one");
    await (await waiting).body?.cancel();
    site.emit("two", "end");
  }));

Deno.test("a session that is not used ends, a used one does not before its age (L-SES-008, L-SES-009, L-HTTP-014, limit sessionIdle, limit sessionAge)", async () => {
  await on({ limits: { sessionIdle: 60, sessionAge: 60_000 } }, async (site) => {
    const [left, used] = [await site.initialize(), await site.initialize()];
    let ended = false;
    site.sessions[0]?.onEnd(() => ended = true);
    while (!ended) assert.equal(await statusOf(site, used), 200);
    await refusedWith(await site.post(call("echo"), { "mcp-session-id": left }), 404, UNKNOWN);
  });
  await on({ limits: { sessionIdle: 60_000, sessionAge: 60 } }, async (site) => {
    const id = await site.initialize();
    const stream = eventsOf(await site.send("GET", { "mcp-session-id": id, accept: "text/event-stream" }));
    assert.deepEqual(await stream.rest(), []);
    await refusedWith(await site.post(call("echo"), { "mcp-session-id": id }), 404, UNKNOWN);
  });
});

Deno.test("a session with an open stream or a running request is used", () =>
  on({ limits: { sessionIdle: 40 } }, async (site) => {
    const [streaming, calling] = [await site.initialize(), await site.initialize()];
    const stream = eventsOf(await site.send("GET", { "mcp-session-id": streaming, accept: "text/event-stream" }));
    const waiting = site.post(call("gate", { name: "g" }), { "mcp-session-id": calling });
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual([await statusOf(site, streaming), await statusOf(site, calling)], [200, 200]);
    site.open("g");
    assert.equal((await (await waiting).json()).result.name, "g");
    await stream.leave();
  }));

Deno.test("other methods are told which ones there are (L-HTTP-001, L-HTTP-021)", () =>
  on({}, async (site) => {
    for (const method of ["PUT", "PATCH", "OPTIONS"]) {
      const response = await site.send(method);
      assert.deepEqual([response.status, response.headers.get("allow")], [405, "GET, POST, DELETE"]);
      await response.body?.cancel();
    }
    const id = await site.initialize();
    for (const accept of ["application/json", "text/event-stream;q=0"]) {
      await refusedWith(await site.send("GET", { accept, "mcp-session-id": id }), 406, /text\/event-stream/);
    }
  }));

Deno.test("instances that share keys and a store serve each other's sessions, with their changes", () =>
  onTwo({ keys: ["a key that is long enough"], store: memoryStore() }, async (one, two) => {
    const id = await one.initialize();
    const named = { "mcp-session-id": id };
    const there = await (await two.post(call("update", { state: { logLevel: "error" } }), named)).json();
    assert.equal(there.result.state.version, "2025-11-25");
    const level = async () => (await (await one.post(call("echo"), named)).json()).result.state.logLevel;
    while (await level() !== "error");
    assert.equal((await two.send("DELETE", named)).status, 204);
    await refusedWith(await one.post(call("echo"), named), 404, UNKNOWN);
    await refusedWith(await two.post(call("echo"), named), 404, UNKNOWN);
  }));

Deno.test("with a store a session goes on after its instance has gone, until it is not used for too long", async () => {
  const options = { keys: ["a key that is long enough"], store: memoryStore(), limits: { sessionIdle: 60_000 } };
  let id = "";
  await on(options, async (site) => {
    id = await site.initialize();
  });
  await on(options, async (site) => {
    assert.equal(await statusOf(site, id), 200);
  });
  await later(60_001, () =>
    on(options, async (site) => {
      await refusedWith(await site.post(call("echo"), { "mcp-session-id": id }), 404, UNKNOWN);
    }));
});

Deno.test("without a store a session of another instance begins anew, is counted, and stays ended", () =>
  onTwo({ keys: ["a key that is long enough"], limits: { sessions: 1 } }, async (one, two) => {
    const named = { "mcp-session-id": await one.initialize() };
    const answers = await Promise.all([1, 2, 3].map(() => two.post(call("echo"), named).then((response) => response.json())));
    for (const { result } of answers) assert.deepEqual([result.state.version, result.state.initialized], ["2025-11-25", true]);
    assert.equal(new Set(two.infos.map(({ connection }) => connection.session)).size, 1, "one session, however many at once");
    await refusedWith(await two.post(hello()), 503, /limit sessions 1/, -32603);
    assert.equal((await two.send("DELETE", named)).status, 204);
    await refusedWith(await two.post(call("echo"), named), 404, UNKNOWN);
    await two.initialize();
    const other = { "mcp-session-id": await one.initialize().catch(() => "") };
    assert.equal(other["mcp-session-id"], "", "the first instance is full");
  }));

Deno.test("an id that an instance without place does not hold is refused with the limit", () =>
  onTwo({ keys: ["a key that is long enough"], limits: { sessions: 1 } }, async (one, two) => {
    const named = { "mcp-session-id": await one.initialize() };
    await two.initialize();
    await refusedWith(await two.post(call("echo"), named), 503, /limit sessions 1/, -32603);
  }));

Deno.test("a session is found under other keys than the newest, and under none that is unknown", async () => {
  await on({ keys: ["the old key, long enough"], store: memoryStore() }, async (site) => {
    await refusedWith(await site.post(call("echo"), { "mcp-session-id": "x".repeat(200) }), 404, UNKNOWN);
  });
});

Deno.test("a store that fails answers with an error that tells nothing, and it is reported", async () => {
  const inner = memoryStore();
  let broken = false;
  const store = {
    get: (key: readonly string[]) => broken ? Promise.reject(new Error("secret")) : inner.get(key),
    set: inner.set.bind(inner),
    delete: inner.delete.bind(inner),
    list: inner.list.bind(inner),
  };
  await on({ store }, async (site) => {
    const named = { "mcp-session-id": await site.initialize() };
    broken = true;
    await refusedWith(await site.post(call("echo"), named), 500, /^Internal error$/, -32603);
    await refusedWith(await site.send("DELETE", named), 500, /^Internal error$/, -32603);
    broken = false;
    assert.equal(await statusOf(site, named["mcp-session-id"]), 200);
    assert.ok(site.errors.every((error) => String(error) === "Error: secret"));
  });
});

Deno.test("a session that the store has no room for is refused with 503, by naming the option", async () => {
  await on({ store: memoryStore({ maxEntries: 1 }) }, async (site) => {
    const named = { "mcp-session-id": await site.initialize() };
    const response = await site.post(hello());
    assert.deepEqual([response.status, response.headers.get("mcp-session-id")], [503, null]);
    const { error } = await response.json();
    assert.deepEqual(error.data, { reason: "capacity_reached", limit: "maxEntries" });
    assert.match(error.message, /^Capacity reached: the store of the sessions has no room/);
    await (await site.send("DELETE", named)).body?.cancel();
    assert.ok(await site.initialize());
  });
});

Deno.test("events of streams never take the room of a session", async () => {
  await on({ store: memoryStore({ maxEntries: 3 }) }, async (site) => {
    const id = await site.initialize();
    const reading = eventsOf(await site.post(call("stream", { name: "s" }), { "mcp-session-id": id }));
    for (let n = 0; n < 20; n++) site.emit("s", { jsonrpc: "2.0", method: "notifications/x", params: { n } });
    site.emit("s", { jsonrpc: "2.0", id: 1, result: {} });
    site.emit("s", "end");
    await reading.rest();
    const other = await site.initialize();
    assert.equal(await statusOf(site, id), 200);
    assert.equal(await statusOf(site, other), 200);
    assert.deepEqual(site.errors, []);
  });
});
