/** Tests of `transports/sessions/session_registry.ts`: what is left of many sessions. */
import assert from "node:assert/strict";
import { DIALECTS } from "../../../protocol/dialects/mod.ts";
import { resolveLimits, SESSION_REFRESH, SESSION_SPARE } from "../../../protocol/limits.ts";
import { createSessionTokens } from "../../../server/http/session_tokens.ts";
import { storedEvents } from "../../../server/stores/events.ts";
import { MemoryStore } from "../../../server/stores/memory_store.ts";
import { storedSessions } from "../../../server/stores/sessions.ts";
import { SessionRegistry } from "../../../transports/sessions/session_registry.ts";
import type { HttpSession } from "../../../transports/sessions/http_session.ts";
import type { SessionRegistryOptions } from "../../../transports/sessions/session_registry.ts";
import { SseResponses } from "../../../transports/sse_response.ts";
import type { Limits } from "../../../protocol/limits.ts";
import { until } from "../../until.ts";

const STATE = {
  version: "2025-11-25",
  clientInfo: { name: "c", version: "1" },
  clientCapabilities: {},
  initialized: false,
  subscriptions: [],
};

function registryOf(given: Limits, options: Partial<SessionRegistryOptions> = {}) {
  const limits = resolveLimits(given);
  const store = new MemoryStore(1_000_000);
  const registry = new SessionRegistry({
    handle: () => Promise.resolve(undefined),
    limits,
    dialects: DIALECTS,
    events: storedEvents(store),
    streams: new SseResponses(limits),
    onError: (error) => assert.fail(String(error)),
    tokens: createSessionTokens({
      keys: ["a key that is long enough"],
      lifetime: limits.sessionAge,
      onProcessKey: () => undefined,
    }),
    records: undefined,
    shared: true,
    ...options,
  });
  return { registry, store };
}

/** Opens a session as a handshake would. */
async function open(registry: SessionRegistry, principal?: string): Promise<string> {
  const beginning = registry.begin(principal);
  if ("ok" in beginning) throw new Error(beginning.sentence);
  beginning.session.session.update(STATE);
  const token = await beginning.establish();
  return typeof token === "string" ? token : assert.fail("not established");
}

function found(session: unknown): HttpSession {
  assert.ok(typeof session === "object" && session !== null && !("ok" in session));
  return session as HttpSession;
}

Deno.test("ten thousand sessions that are left leave no timer, stream or entry behind", async () => {
  const count = 10_000;
  const { registry, store } = registryOf({ sessions: count, sessionIdle: 1000 });
  let ended = 0;
  const tokens: string[] = [];
  for (let at = 0; at < count; at++) {
    const token = await open(registry, `p${at % 1000}`);
    tokens.push(token);
    const session = found(await registry.find(token, `p${at % 1000}`));
    session.session.onEnd(() => ended++);
    if (at % 10 === 0) {
      await session.session.send({ jsonrpc: "2.0", method: "n" });
      const response = await session.listen();
      await response.body?.cancel();
    }
  }
  await until(() => registry.size === 0);
  await until(() => store.size === 0);
  assert.equal(ended, count);
  assert.equal(await registry.find(tokens[0] ?? "", "p0"), undefined);
  const again = await open(registry, "p0");
  await registry.end(found(await registry.find(again, "p0")));
  assert.equal(registry.size, 0);
});

Deno.test("SessionRegistry gives back a place that no handshake filled, and keeps one that it did", async () => {
  const { registry } = registryOf({ sessions: 1 });
  const beginning = registry.begin(undefined);
  assert.ok(!("ok" in beginning));
  assert.ok("ok" in registry.begin(undefined));
  assert.equal(await beginning.establish(), undefined, "nothing was agreed on");
  beginning.abandon();
  beginning.abandon();
  await open(registry);
  assert.ok("ok" in registry.begin(undefined));
  await registry.close();
  assert.equal(registry.size, 0);
});

Deno.test("SessionRegistry that is closed opens and adopts nothing, and has no timer", async () => {
  const [one, two] = [registryOf({}).registry, registryOf({}).registry];
  const token = await open(one);
  const beginning = two.begin(undefined);
  assert.ok(!("ok" in beginning));
  await two.close();
  beginning.session.session.update(STATE);
  assert.equal(await beginning.establish(), undefined);
  beginning.abandon();
  assert.equal(await two.find(token, undefined), undefined);
  await one.close();
});

Deno.test("SessionRegistry hears from the store within moments that another instance has ended a session that only listens", async () => {
  const store = new MemoryStore(1000);
  const records = storedSessions(store);
  const { registry } = registryOf({ sessionIdle: 200 }, { records });
  const session = found(await registry.find(await open(registry), undefined));
  const response = await session.listen();
  await records.end(session.key);
  assert.equal(await response.text(), "");
  assert.equal(registry.size, 0);
});

Deno.test("SessionRegistry keeps the record of a session that only listens", async () => {
  const store = new MemoryStore(1000);
  const records = storedSessions(store);
  const { registry } = registryOf({ sessionIdle: 60 }, { records });
  const token = await open(registry);
  const response = await found(await registry.find(token, undefined)).listen();
  await new Promise((resolve) => setTimeout(resolve, 200));
  found(await registry.find(token, undefined));
  await response.body?.cancel();
  await registry.close();
});

Deno.test("SessionRegistry keeps no process alive for a session that nobody uses", async () => {
  const program = new URL("../programs/idle_session.ts", import.meta.url).pathname;
  const { code, stdout } = await new Deno.Command(Deno.execPath(), { args: ["run", "--no-check", program] }).output();
  assert.deepEqual([code, new TextDecoder().decode(stdout)], [0, "200 true"]);
});

/** Makes a session look unused for so many milliseconds. */
async function unused(registry: SessionRegistry, token: string, milliseconds: number, principal?: string): Promise<HttpSession> {
  const session = found(await registry.find(token, principal));
  session.seenAt -= milliseconds;
  return session;
}

function limitOf(beginning: ReturnType<SessionRegistry["begin"]>): string | undefined {
  return "ok" in beginning ? beginning.limit.name : undefined;
}

Deno.test("a session of an unknown caller that is unused makes room where all places are taken, the one unused longest first", async () => {
  const { registry } = registryOf({ sessions: 4 });
  const [a, b, c, d] = [await open(registry), await open(registry), await open(registry), await open(registry, "anna")];
  // All are in use, or nearly.
  assert.equal(limitOf(registry.begin(undefined)), "sessions");
  await unused(registry, a, SESSION_SPARE - 10_000);
  assert.equal(limitOf(registry.begin(undefined)), "sessions");
  await unused(registry, b, SESSION_SPARE + 1000);
  const oldest = await unused(registry, c, SESSION_SPARE + 2000);
  await unused(registry, d, 10 * SESSION_SPARE, "anna");
  let ended = false;
  oldest.session.onEnd(() => ended = true);
  await open(registry);
  assert.equal(ended, true);
  assert.equal(registry.size, 4);
  assert.equal(await registry.find(c, undefined), undefined);
  assert.ok(found(await registry.find(d, "anna")));
  await open(registry);
  assert.equal(await registry.find(b, undefined), undefined);
  // What is left is in use, or of a verified caller.
  await registry.find(a, undefined);
  assert.equal(limitOf(registry.begin(undefined)), "sessions");
  assert.equal(limitOf(registry.begin("ben")), "sessions");
  await registry.close();
});

Deno.test("a verified caller takes the place of an unknown one, up to its own limit, and keeps it against all of them", async () => {
  const { registry } = registryOf({ sessions: 3, sessionsPerPrincipal: 2 });
  const tokens = [await open(registry), await open(registry), await open(registry)];
  for (const token of tokens) await unused(registry, token, SESSION_REFRESH + 100);
  assert.equal(limitOf(registry.begin(undefined)), "sessions");
  const own = [await open(registry, "anna"), await open(registry, "anna")];
  assert.equal(limitOf(registry.begin("anna")), "sessionsPerPrincipal");
  assert.equal(registry.size, 3);
  for (const token of own) await unused(registry, token, 20 * SESSION_SPARE, "anna");
  const [, , last = ""] = tokens;
  await unused(registry, last, SESSION_SPARE);
  await open(registry);
  assert.equal(limitOf(registry.begin(undefined)), "sessions");
  for (const token of own) assert.ok(found(await registry.find(token, "anna")));
  await registry.close();
});

Deno.test("a session in which something is going on makes no room, however long ago it was used", async () => {
  const { registry } = registryOf({ sessions: 1 });
  const token = await open(registry);
  const session = await unused(registry, token, 10 * SESSION_SPARE);
  const response = await session.listen();
  assert.equal(session.busy, true);
  session.seenAt = Date.now() - 10 * SESSION_SPARE;
  assert.equal(limitOf(registry.begin(undefined)), "sessions");
  assert.equal(limitOf(registry.begin("anna")), "sessions");
  await response.body?.cancel();
  await registry.close();
});
