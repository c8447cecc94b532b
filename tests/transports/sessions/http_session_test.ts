/** Tests of `transports/sessions/http_session.ts`: the streams of a session, over real HTTP. */
import assert from "node:assert/strict";
import { memoryStore } from "../../../server/stores/memory.ts";
import type { Store } from "../../../server/stores/store.ts";
import type { JsonRpcMessage } from "../../../protocol/types.ts";
import { call, eventsOf, refusedWith, sessionSite } from "../session_site.ts";
import type { EventReading, Json, Site, SiteOptions, SseEvent } from "../session_site.ts";
import { until } from "../../until.ts";

const note = (at: unknown): JsonRpcMessage => ({
  jsonrpc: "2.0",
  method: "notifications/message",
  params: { level: "info", data: at as Json },
});
const result = (id: number, at: unknown): JsonRpcMessage => ({ jsonrpc: "2.0", id, result: { at: at as Json } });

/** What a test has: the site, the headers of its session, and short ways to open streams. */
interface Open {
  readonly site: Site;
  readonly named: { readonly [name: string]: string };
  /** Opens a GET stream. */
  get(lastEventId?: string): Promise<EventReading>;
  /** Begins a request that is answered with a stream. */
  stream(name: string, id?: number): Promise<EventReading>;
}

/** Runs a test in a session of a site. */
async function inSession(
  options: SiteOptions & { readonly version?: string },
  test: (open: Open) => Promise<void>,
): Promise<void> {
  const site = sessionSite(options);
  try {
    const named = { "mcp-session-id": await site.initialize(options.version) };
    await test({
      site,
      named,
      get: async (last) =>
        eventsOf(
          await site.send("GET", {
            ...named,
            accept: "text/event-stream",
            ...last === undefined ? {} : { "last-event-id": last },
          }),
        ),
      stream: async (name, id = 1) => eventsOf(await site.post(call("stream", { name }, id), named)),
    });
  } finally {
    await site.close();
  }
}

const data = (events: readonly (SseEvent | undefined)[]): unknown[] =>
  events.map((event) => event?.message?.params?.data ?? event?.message?.result?.at);

Deno.test("a single answer in a session is plain JSON", () =>
  inSession({}, async ({ site, named }) => {
    const response = await site.post(call("echo", { a: 1 }), named);
    assert.equal(response.headers.get("content-type"), "application/json");
    assert.equal((await response.json()).result.a, 1);
  }));

Deno.test("a stream begins with an id and a retry, and has its messages and the response (L-HTTP-005, L-HTTP-010, L-HTTP-011, L-HTTP-015, L-SSE-001)", () =>
  inSession({}, async ({ site, stream }) => {
    const reading = await stream("s", 4);
    const first = await reading.next();
    assert.equal(first?.message, undefined);
    assert.match(first?.id ?? "", /^[\x21-\x7e]+$/);
    assert.equal(first?.retry, "1000");
    site.emit("s", note(1));
    site.emit("s", { jsonrpc: "2.0", id: "ask", method: "ping" });
    site.emit("s", result(4, 2));
    site.emit("s", "end");
    const [one, asked, last, ...more] = await reading.rest();
    assert.deepEqual([data([one]), asked?.message.id, last?.message, more], [[1], "ask", result(4, 2), []]);
  }));

Deno.test("a stream of 2025-06-18 has ids, no empty event, and is not closed early (L-HTTP-013, L-SSE-001)", () =>
  inSession({ version: "2025-06-18", limits: { streamAge: 10 } }, async ({ site, stream }) => {
    const reading = await stream("s");
    site.emit("s", note(1));
    const first = await reading.next();
    assert.deepEqual([data([first]), first?.retry], [[1], undefined]);
    assert.ok(first?.id);
    await new Promise((resolve) => setTimeout(resolve, 60));
    site.emit("s", result(1, 2));
    site.emit("s", "end");
    assert.deepEqual(data(await reading.rest()), [2]);
  }));

Deno.test("event ids are unique over all streams of a session, and tell the stream (L-SSE-002, L-SSE-003)", () =>
  inSession({}, async ({ site, get, stream }) => {
    const readings = [await get(), await stream("a"), await stream("b", 2)];
    for (let at = 0; at < 3; at++) {
      await site.sessions[0]?.send(note(at) as never);
      site.emit("a", note(at));
      site.emit("b", note(at));
    }
    const ids: string[][] = [];
    for (const reading of readings) ids.push([(await reading.next())?.id ?? "", (await reading.next())?.id ?? ""]);
    assert.equal(new Set(ids.flat()).size, 6);
    for (const [one = "", two = ""] of ids) assert.equal(one.slice(0, one.lastIndexOf("-")), two.slice(0, two.lastIndexOf("-")));
    for (const reading of readings) await reading.leave();
  }));

Deno.test("a client that hangs up cancels nothing, and gets the rest by its last event (B029, L-HTTP-016, L-SSE-005)", () =>
  inSession({}, async ({ site, get, stream }) => {
    const reading = await stream("s", 3);
    site.emit("s", note(1));
    await reading.next();
    const seen = await reading.next();
    await reading.leave();
    site.emit("s", note(2));
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.deepEqual(site.gone, []);
    const again = await get(seen?.id);
    assert.deepEqual(data([await again.next()]), [2]);
    await again.leave();
    site.emit("s", note(3));
    site.emit("s", result(3, 4));
    site.emit("s", "end");
    const last = await get(seen?.id);
    assert.deepEqual(data(await last.rest()), [2, 3, 4]);
    assert.deepEqual(data(await (await get(seen?.id)).rest()), [2, 3, 4], "a finished stream may be read again");
  }));

Deno.test("what followed on other streams is not replayed (L-SSE-006)", () =>
  inSession({}, async ({ site, get, stream }) => {
    const [one, two] = [await stream("a", 1), await stream("b", 2)];
    const first = await one.next();
    await two.next();
    for (let at = 0; at < 3; at++) {
      site.emit("a", note(`a${at}`));
      site.emit("b", note(`b${at}`));
      await site.sessions[0]?.send(note(`g${at}`) as never);
    }
    site.emit("a", result(1, "end of a"));
    site.emit("a", "end");
    await one.rest();
    assert.deepEqual(data(await (await get(first?.id)).rest()), ["a0", "a1", "a2", "end of a"]);
    await two.leave();
  }));

Deno.test("an event id that is unknown, of another session, or no longer kept is refused", () =>
  inSession({ limits: { sessionEvents: 4 } }, async ({ site, named, get, stream }) => {
    const refused = async (last: string, headers = named) =>
      await refusedWith(
        await site.send("GET", { ...headers, accept: "text/event-stream", "last-event-id": last }),
        400,
        /Last-Event-ID names no event that is kept/,
      );
    const reading = await stream("s");
    const first = (await reading.next())?.id ?? "";
    const next = first.replace(/\d+$/, "1");
    for (
      const last of [
        "",
        "nope",
        next,
        `${first}x`,
        first.replace(/^./, "g"),
        "__proto__-0",
        `${"0".repeat(8)}.1-0`,
        `${"0".repeat(8)}.g-0`,
      ]
    ) {
      await refused(last);
    }
    await refused(first, { "mcp-session-id": await site.initialize() });
    const standing = await get();
    for (let at = 0; at <= 5; at++) await site.sessions[0]?.send(note(at) as never);
    const begun = (await standing.next())?.id ?? "";
    await standing.leave();
    await refused(begun);
    const kept = await get(begun.replace(/\d+$/, "1"));
    assert.deepEqual(data([await kept.next(), await kept.next()]), [2, 3]);
    await kept.leave();
    await reading.leave();
  }));

Deno.test("a stream is closed after streamAge with a retry, and goes on when its client comes back (L-HTTP-006, L-HTTP-008)", () =>
  inSession({ limits: { streamAge: 20 } }, async ({ site, get, stream }) => {
    const reading = await stream("s", 2);
    const events = await reading.rest();
    assert.deepEqual(events.map(({ message, retry }) => [message, retry]), [[undefined, "1000"], [undefined, "1000"]]);
    const again = await (await get(events[0]?.id)).rest();
    assert.deepEqual(again.map(({ message, retry }) => [message, retry]), [[undefined, "1000"]]);
    site.emit("s", result(2, "late"));
    site.emit("s", "end");
    assert.deepEqual(data(await (await get(events[0]?.id)).rest()), ["late"]);
    assert.deepEqual(site.gone, []);
  }));

Deno.test("a response that comes while its stream is closed is there for its client, whatever its size and whatever others wrote", () =>
  inSession({ limits: { streamAge: 20, sessionEvents: 4, sessionEventBytes: 500 } }, async ({ site, get, stream }) => {
    const text = "x".repeat(2000);
    const [one, two, asking] = [await stream("a", 1), await stream("b", 2), await stream("c", 3)];
    const first = (await one.rest())[0]?.id;
    const second = (await two.rest())[0]?.id;
    const third = (await asking.rest())[0]?.id;
    for (let at = 0; at < 3; at++) site.emit("b", note(`early ${at}`));
    site.emit("a", result(1, text));
    site.emit("a", "end");
    site.emit("b", result(2, "small"));
    site.emit("b", "end");
    site.emit("c", { jsonrpc: "2.0", id: "ask", method: "ping" });
    for (let at = 0; at < 20; at++) await site.sessions[0]?.send(note(`chatter ${at}`) as never);
    assert.deepEqual(data(await (await get(first)).rest()), [text]);
    assert.deepEqual(data(await (await get(first)).rest()), [text], "the second attempt of a client whose first one broke off");
    assert.deepEqual(data(await (await get(second)).rest()), ["small"]);
    const again = await get(third);
    assert.equal((await again.next())?.message.id, "ask");
    await again.leave();
  }));

Deno.test("streamAge 0 closes no stream, and the GET stream is not closed for its age", async () => {
  await inSession({ limits: { streamAge: 0, keepAlive: 8 } }, async ({ site, stream }) => {
    const reading = await stream("s");
    await new Promise((resolve) => setTimeout(resolve, 50));
    site.emit("s", result(1, 1));
    site.emit("s", "end");
    assert.deepEqual(data(await reading.rest()), [undefined, 1]);
  });
  await inSession({ limits: { streamAge: 10 } }, async ({ site, get }) => {
    const reading = await get();
    await new Promise((resolve) => setTimeout(resolve, 50));
    await site.sessions[0]?.send(note(1) as never);
    assert.deepEqual(data([await reading.next()]), [1]);
    await reading.leave();
  });
});

Deno.test("what belongs to no request goes on the GET stream alone, and no response does (L-HTTP-022, L-HTTP-023, L-HTTP-024)", () =>
  inSession({}, async ({ site, named, get, stream }) => {
    const standing = await get();
    const calling = await stream("s");
    await site.sessions[0]?.send(note("mine") as never);
    site.emit("s", note("call's"));
    site.emit("s", result(1, "answer"));
    site.emit("s", "end");
    await (await site.post(call("echo"), named)).body?.cancel();
    assert.deepEqual(data(await calling.rest()), [undefined, "call's", "answer"]);
    await site.sessions[0]?.send(note("mine too") as never);
    assert.deepEqual(data([await standing.next(), await standing.next()]), ["mine", "mine too"]);
    await standing.leave();
  }));

Deno.test("messages wait for a GET stream, and the newest one takes the place of the older (L-HTTP-025, L-HTTP-026, L-HTTP-028)", () =>
  inSession({}, async ({ site, get }) => {
    const session = site.sessions[0];
    await session?.send(note(1) as never);
    await session?.send(note(2) as never);
    const older = await get();
    assert.deepEqual(data([await older.next(), await older.next()]), [1, 2]);
    const newer = await get();
    assert.deepEqual(await older.rest(), []);
    await session?.send(note(3) as never);
    assert.deepEqual(data([await newer.next()]), [3]);
    await newer.leave();
  }));

Deno.test("a GET stream is taken up after an event, and goes on (L-SSE-005, L-HTTP-018)", () =>
  inSession({}, async ({ site, get }) => {
    const session = site.sessions[0];
    const first = await get();
    await session?.send(note(1) as never);
    const seen = await first.next();
    await first.leave();
    for (const at of [2, 3]) await session?.send(note(at) as never);
    const again = await get(seen?.id);
    assert.deepEqual(data([await again.next(), await again.next()]), [2, 3]);
    await session?.send(note(4) as never);
    assert.deepEqual(data([await again.next()]), [4]);
    await again.leave();
  }));

Deno.test("messages that wait for a GET stream are bounded; the oldest go", () =>
  inSession({ limits: { sessionEvents: 3 } }, async ({ site, get }) => {
    for (let at = 1; at <= 10; at++) await site.sessions[0]?.send(note(at) as never);
    const reading = await get();
    assert.deepEqual(data([await reading.next(), await reading.next(), await reading.next()]), [8, 9, 10]);
    await reading.leave();
  }));

Deno.test("a reader of the GET stream that takes nothing holds up a bounded number of messages", () =>
  inSession({ limits: { sessionEvents: 8 } }, async ({ site, get }) => {
    const reading = await get();
    const text = "x".repeat(100_000);
    const sent = Array.from({ length: 500 }, (_, at) => site.sessions[0]?.send(note(`${at}${text}`) as never));
    await reading.leave();
    await Promise.all(sent);
  }));

Deno.test("without sessionEvents there are no ids, nothing waits, and nothing is closed early", () =>
  inSession({ limits: { sessionEvents: 0, streamAge: 10 } }, async ({ site, named, get, stream }) => {
    await site.sessions[0]?.send(note("lost") as never);
    const standing = await get();
    const reading = await stream("s");
    await new Promise((resolve) => setTimeout(resolve, 40));
    await site.sessions[0]?.send(note(1) as never);
    site.emit("s", result(1, 2));
    site.emit("s", "end");
    const events = [await standing.next(), ...await reading.rest()];
    assert.deepEqual([data(events), events.map((event) => event?.id)], [[1, 2], [undefined, undefined]]);
    const response = await site.send("GET", { ...named, accept: "text/event-stream", "last-event-id": "00000000.1-0" });
    await refusedWith(response, 400, /Last-Event-ID/);
    await standing.leave();
  }));

Deno.test("quiet streams of a session get comments (M-HTTP-022)", () =>
  inSession({ limits: { keepAlive: 8 } }, async ({ site, named }) => {
    const response = await site.send("GET", { ...named, accept: "text/event-stream" });
    const reader = response.body?.getReader();
    assert.match(new TextDecoder().decode((await reader?.read())?.value), /^:/);
    await reader?.cancel();
  }));

Deno.test("two sessions with the same ids at once get each their own answers, as JSON and as streams (B027)", async () => {
  const site = sessionSite();
  try {
    const sessions = [await site.initialize(), await site.initialize("2025-06-18")];
    const posted = (name: string, method: string) =>
      sessions.map((session, at) => site.post(call(method, { name: `${name}${at}` }, 1), { "mcp-session-id": session }));
    const gated = posted("g", "gate");
    await until(() => site.infos.length === 6);
    site.open("g1");
    const second = await (await gated[1] as Response).json();
    site.open("g0");
    const first = await (await gated[0] as Response).json();
    assert.deepEqual([first.result.name, second.result.name], ["g0", "g1"]);
    const readings = (await Promise.all(posted("s", "stream"))).map(eventsOf);
    for (const at of [1, 0]) {
      site.emit(`s${at}`, note(at));
      site.emit(`s${at}`, result(1, `answer ${at}`));
      site.emit(`s${at}`, "end");
    }
    const [zero = [], one = []] = await Promise.all(readings.map((reading) => reading.rest()));
    assert.deepEqual(data(zero).slice(-2), [0, "answer 0"]);
    assert.deepEqual(data(one), [1, "answer 1"]);
  } finally {
    await site.close();
  }
});

Deno.test("the same id twice at once in one session is answered by exchange (B027)", () =>
  inSession({}, async ({ site, named }) => {
    const posts = ["a", "b"].map((name) => site.post(call("gate", { name }, 1), named));
    await until(() => site.infos.length === 4);
    site.open("b");
    assert.equal((await (await posts[1] as Response).json()).result.name, "b");
    site.open("a");
    assert.equal((await (await posts[0] as Response).json()).result.name, "a");
  }));

Deno.test("a stream of another instance is taken up from the shared store, up to its response (L-SSE-005)", async () => {
  const options = { keys: ["a key that is long enough"], store: memoryStore() };
  const [one, two] = [sessionSite(options), sessionSite(options)];
  try {
    const named = { "mcp-session-id": await one.initialize() };
    const get = async (last: string) =>
      eventsOf(await two.send("GET", { ...named, accept: "text/event-stream", "last-event-id": last }));
    const reading = eventsOf(await one.post(call("stream", { name: "s" }, 6), named));
    const first = await reading.next();
    one.emit("s", note(1));
    await reading.next();
    const there = await get(first?.id ?? "");
    assert.deepEqual(data([await there.next()]), [1]);
    one.emit("s", note(2));
    one.emit("s", result(6, 3));
    one.emit("s", "end");
    assert.deepEqual(data(await there.rest()), [2, 3]);
    assert.deepEqual(data(await reading.rest()), [2, 3]);

    await one.sessions[0]?.send(note("waits at one") as never);
    const standing = eventsOf(await one.send("GET", { ...named, accept: "text/event-stream" }));
    const seen = await standing.next();
    await one.sessions[0]?.send(note("missed") as never);
    await standing.next();
    await standing.leave();
    const moved = await get(seen?.id ?? "");
    assert.deepEqual(data([await moved.next()]), ["missed"]);
    await two.infos.at(-1)?.connection.session?.send(note("of two") as never);
    await moved.leave();
  } finally {
    await one.close();
    await two.close();
  }
});

Deno.test("what a client that takes JSON only is asked goes on its GET stream", () =>
  inSession({}, async ({ site, named, get }) => {
    const standing = await get();
    const answer = site.post(call("stream", { name: "s" }, 7), { ...named, accept: "application/json" });
    await until(() => site.infos.length === 3);
    site.emit("s", note("left out"));
    site.emit("s", { jsonrpc: "2.0", id: "q", method: "roots/list" });
    assert.deepEqual((await standing.next())?.message, { jsonrpc: "2.0", id: "q", method: "roots/list" });
    site.emit("s", { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "q" } });
    assert.equal((await standing.next())?.message.method, "notifications/cancelled");
    site.emit("s", result(7, 1));
    assert.equal((await (await answer).json()).result.at, 1);
    await standing.leave();
  }));

Deno.test("a stream of another instance is not closed for its age where the revision has no polling (L-HTTP-013)", async () => {
  const options = { keys: ["a key that is long enough"], store: memoryStore(), limits: { streamAge: 1 } };
  const [one, two] = [sessionSite(options), sessionSite(options)];
  try {
    const named = { "mcp-session-id": await one.initialize("2025-06-18") };
    const reading = eventsOf(await one.post(call("stream", { name: "s" }, 6), named));
    one.emit("s", note(1));
    const first = await reading.next();
    const headers = { ...named, accept: "text/event-stream", "last-event-id": first?.id ?? "" };
    const there = eventsOf(await two.send("GET", headers));
    one.emit("s", note(2));
    one.emit("s", result(6, 3));
    one.emit("s", "end");
    const events = await there.rest();
    assert.deepEqual(data(events), [2, 3]);
    assert.deepEqual(events.map(({ retry }) => retry), [undefined, undefined]);
    await reading.rest();
  } finally {
    await one.close();
    await two.close();
  }
});

Deno.test("a message that changes the session is answered when the other instances can know of it", async () => {
  const inner = memoryStore();
  const store: Store = {
    ...inner,
    get: (key) => inner.get(key),
    delete: (key) => inner.delete(key),
    list: (prefix) => inner.list(prefix),
    async set(key, value, how) {
      await new Promise((resolve) => setTimeout(resolve, 20));
      return await inner.set(key, value, how);
    },
  };
  const options = { keys: ["a key that is long enough"], store };
  const [one, two] = [sessionSite(options), sessionSite(options)];
  try {
    const named = { "mcp-session-id": await one.initialize() };
    assert.equal((await (await two.post(call("echo"), named)).json()).result.state.initialized, true);
  } finally {
    await one.close();
    await two.close();
  }
});
