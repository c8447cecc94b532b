/** Tests of `transports/sessions/sessions_on_demand.ts`: what comes before, during and after the load of the sessions. */
import assert from "node:assert/strict";
import { DIALECTS } from "../../../protocol/dialects/mod.ts";
import { resolveLimits } from "../../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../../protocol/types.ts";
import { sessionsOnDemand } from "../../../transports/sessions/sessions_on_demand.ts";
import type { HttpSessions } from "../../../transports/streamable_http_session.ts";
import { call, eventsOf, hello, refusedWith, sessionSite } from "../session_site.ts";
import type { Site, SiteOptions } from "../session_site.ts";
import { until } from "../../until.ts";

const KEYS = ["a key that other instances have too"];
const NONE = new Headers();

/** A load that waits until it is let go. */
function gate() {
  const waiting: PromiseWithResolvers<void>[] = [];
  return {
    /** How often it was begun. */
    get begun(): number {
      return waiting.length;
    },
    load(): Promise<void> {
      const one = Promise.withResolvers<void>();
      waiting.push(one);
      return one.promise;
    },
    go: () => waiting.at(-1)?.resolve(),
    fail: (error: unknown) => waiting.at(-1)?.reject(error),
  };
}

async function on(options: SiteOptions, test: (site: Site, load: ReturnType<typeof gate>) => Promise<void>): Promise<void> {
  const load = gate();
  const site = sessionSite({ ...options, load: load.load });
  try {
    await test(site, load);
  } finally {
    load.go();
    await site.close();
  }
}

/** Sessions that keep what they are given, in order, and answer with its id. */
function recorder() {
  const seen: unknown[] = [];
  let closed = 0;
  const answer = (what: unknown): Promise<Response> => {
    seen.push(what);
    return Promise.resolve(Response.json({ answered: what, closed }));
  };
  const sessions: HttpSessions = {
    allow: "",
    takes: () => assert.fail("asked for nothing"),
    post: (message) => answer("id" in message ? message.id : undefined),
    visit: ({ method }) => answer(method),
    close: () => Promise.resolve(void closed++),
  };
  return { seen, sessions, closed: () => closed };
}

function onDemand(load: () => Promise<HttpSessions>, errors: unknown[] = []): HttpSessions {
  return sessionsOnDemand({ dialects: DIALECTS, limits: resolveLimits({}), load, onError: (error) => errors.push(error) });
}

const post = (sessions: HttpSessions, id: number): Promise<Response> =>
  sessions.post(call("ping", {}, id), NONE, undefined, true);

Deno.test("sessionsOnDemand says what it takes, and closes, without loading anything", async () => {
  let loads = 0;
  const sessions = onDemand(() => (loads++, Promise.reject(new Error("loaded"))));
  assert.equal(sessions.allow, "GET, POST, DELETE");
  const modern = call("tools/list", { _meta: { "io.modelcontextprotocol/protocolVersion": "2026-07-28" } });
  const answer = { jsonrpc: "2.0", id: 1, result: {} } as JsonRpcMessage;
  assert.deepEqual([hello(), answer, modern].map((message) => sessions.takes(message, NONE)), [true, true, false]);
  await sessions.close();
  await sessions.close();
  assert.equal(loads, 0);
});

Deno.test("sessionsOnDemand loads once, and answers in the order in which all came, around the end of the load too", async () => {
  const { seen, sessions: loaded } = recorder();
  const loading = Promise.withResolvers<HttpSessions>();
  let loads = 0;
  const sessions = onDemand(() => (loads++, loading.promise));
  const answers = [post(sessions, 0), sessions.visit(new Request("http://localhost/"), undefined), post(sessions, 1)];
  loading.resolve(loaded);
  const expected: unknown[] = [0, "GET", 1];
  for (let turn = 2; turn < 22; turn++) {
    expected.push(turn);
    answers.push(post(sessions, turn));
    await undefined;
  }
  await Promise.all(answers);
  assert.deepEqual([seen, loads], [expected, 1]);
});

Deno.test("sessionsOnDemand hands over at once what comes after the load", async () => {
  const { seen, sessions: loaded } = recorder();
  const sessions = onDemand(() => Promise.resolve(loaded));
  await post(sessions, 1);
  const answers = [post(sessions, 2), sessions.visit(new Request("http://localhost/", { method: "DELETE" }), undefined)];
  assert.deepEqual(seen, [1, 2, "DELETE"]);
  await Promise.all(answers);
});

Deno.test("sessionsOnDemand answers 500 when the load fails, tells why, and loads again at the next use", async () => {
  const { sessions: loaded } = recorder();
  const errors: unknown[] = [];
  const results = [Promise.reject<HttpSessions>(new Error("secret")), Promise.resolve(loaded)];
  const sessions = onDemand(() => results.shift() ?? assert.fail("loaded again"), errors);
  const [failed, visited] = await Promise.all([post(sessions, 7), sessions.visit(new Request("http://localhost/"), undefined)]);
  const error = { code: -32603, message: "Internal error" };
  assert.deepEqual([failed.status, await failed.json()], [500, { jsonrpc: "2.0", id: 7, error }]);
  assert.deepEqual([visited.status, await visited.json()], [500, { jsonrpc: "2.0", error }]);
  assert.deepEqual(errors.map(String), ["Error: secret", "Error: secret"]);
  assert.deepEqual(await (await post(sessions, 8)).json(), { answered: 8, closed: 0 });
  assert.deepEqual(await (await post(sessions, 9)).json(), { answered: 9, closed: 0 });
});

Deno.test("sessionsOnDemand does not load again to close what could not be loaded", async () => {
  let loads = 0;
  const sessions = onDemand(() => (loads++, Promise.reject(new Error("gone"))));
  assert.equal((await post(sessions, 1)).status, 500);
  await sessions.close();
  assert.equal(loads, 1);
});

Deno.test("sessionsOnDemand closes what was loaded while those of a load before were told that it failed", async () => {
  const { sessions: loaded, closed } = recorder();
  const results = [Promise.reject<HttpSessions>(new Error("gone")), Promise.resolve(loaded)];
  let again: Promise<Response> | undefined;
  const sessions = sessionsOnDemand({
    dialects: DIALECTS,
    limits: resolveLimits({}),
    load: () => results.shift() ?? assert.fail("loaded again"),
    onError: () => again ??= post(sessions, 3),
  });
  await Promise.all([post(sessions, 1), post(sessions, 2)]);
  assert.equal((await again)?.status, 200);
  await sessions.close();
  assert.equal(closed(), 1);
});

Deno.test("sessionsOnDemand closes what it loads while or after it is closed, before anybody is answered", async () => {
  for (const early of [true, false]) {
    const { sessions: loaded, closed } = recorder();
    const loading = Promise.withResolvers<HttpSessions>();
    const sessions = onDemand(() => loading.promise);
    const before = early ? sessions.close() : undefined;
    const answer = post(sessions, 1);
    const closing = sessions.close();
    loading.resolve(loaded);
    assert.deepEqual((await (await answer).json()).closed > 0, true);
    await Promise.all([before, closing]);
    assert.ok(closed() > 0);
  }
});

Deno.test("sessionsOnDemand closes although the load fails meanwhile", async () => {
  const loading = Promise.withResolvers<HttpSessions>();
  const sessions = onDemand(() => loading.promise);
  const answer = post(sessions, 1);
  const closing = sessions.close();
  loading.reject(new Error("gone"));
  await closing;
  assert.equal((await answer).status, 500);
});

Deno.test("clients that open sessions at once while they are loaded get one each (L-SES-001)", () =>
  on({}, async ({ post, sessions }, load) => {
    const opening = [post(hello()), post(hello("2025-06-18")), post(hello())];
    await until(() => load.begun > 0);
    // All of them wait.
    await new Promise((resolve) => setTimeout(resolve, 30));
    load.go();
    const ids = await Promise.all(opening.map(async (one) => {
      const response = await one;
      await response.body?.cancel();
      return response.headers.get("mcp-session-id") ?? assert.fail("no session id");
    }));
    assert.deepEqual([load.begun, sessions.length, new Set(ids).size], [1, 3, 3]);
    for (const id of ids) {
      const { result } = await (await post(call("echo", { name: id }), { "mcp-session-id": id, accept: "application/json" }))
        .json();
      assert.equal(result?.name, id);
    }
  }));

Deno.test("a client that hangs up while the sessions are loaded leaves nothing that disturbs the next one", () =>
  on({ limits: { sessions: 2 } }, async ({ post, initialize, errors }, load) => {
    const hangUp = new AbortController();
    const gone = post(hello(), {}, { signal: hangUp.signal });
    await until(() => load.begun > 0);
    hangUp.abort();
    await assert.rejects(gone, { name: "AbortError" });
    load.go();
    const id = await initialize();
    const { result } = await (await post(call("echo", { name: "a" }), { "mcp-session-id": id })).json();
    assert.deepEqual([result?.name, load.begun, errors], ["a", 1, []]);
  }));

Deno.test("a GET stream whose client hangs up while the sessions are loaded is free for the next one", async () => {
  const first = sessionSite({ keys: KEYS });
  try {
    const session = { "mcp-session-id": await first.initialize() };
    const headers = { ...session, accept: "text/event-stream" };
    await on({ keys: KEYS }, async (site, load) => {
      const hangUp = new AbortController();
      const gone = site.send("GET", headers, { signal: hangUp.signal });
      await until(() => load.begun > 0);
      hangUp.abort();
      await assert.rejects(gone, { name: "AbortError" });
      load.go();
      const reading = eventsOf(await site.send("GET", headers));
      await site.post(call("echo", { name: "a" }), session).then((response) => response.body?.cancel());
      const { connection } = site.infos.at(-1) ?? assert.fail("nothing came");
      await connection.session?.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      assert.equal((await reading.next())?.message.method, "notifications/tools/list_changed");
      await reading.leave();
      assert.deepEqual(site.errors, []);
    });
  } finally {
    await first.close();
  }
});

Deno.test("sessions that are closed while they are loaded give no id, and find none (L-SES-008)", async () => {
  const load = gate();
  const site = sessionSite({ load: load.load });
  const opening = site.post(hello());
  const finding = site.send("GET", { "mcp-session-id": "x", "accept": "text/event-stream" });
  await until(() => load.begun > 0);
  const closing = site.close();
  load.go();
  const response = await opening;
  assert.deepEqual([response.status, response.headers.get("mcp-session-id")], [200, null]);
  await response.body?.cancel();
  await refusedWith(await finding, 404, /unknown or has ended/);
  await closing;
});
