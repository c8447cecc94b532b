/** Tests of `server/http/fetch.ts` and `server/http_sessions.ts`: a whole server with and without sessions, over real HTTP. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import { resource } from "../../server/components/resource.ts";
import type { ServerOptions } from "../../server/options/server_options.ts";
import type { Server } from "../../server/server_types.ts";
import { memoryBus, memoryStore } from "../../server/stores/memory.ts";
import { tool } from "../../server/components/tool.ts";
import { call, eventsOf, hello, refusedWith } from "../transports/session_site.ts";
import type { EventReading, Json } from "../transports/session_site.ts";
import { until } from "../until.ts";
import { headersFor, serverOf, toolCall } from "./calls.ts";

/** A server on a port, and a client of it. */
interface Site {
  readonly server: Server;
  readonly url: string;
  /** What handlers did. */
  readonly events: string[];
  post(message: Json, headers?: { readonly [name: string]: string }): Promise<Response>;
  send(method: string, headers?: { readonly [name: string]: string }): Promise<Response>;
  /** Shakes hands; gives the headers that go with everything else. */
  open(version?: string, capabilities?: Json): Promise<{ readonly [name: string]: string }>;
}

function makeServer(events: string[], options: Partial<ServerOptions>): Server {
  return serverOf({
    tools: [
      tool({ name: "echo", args: { text: { type: "string" } }, handler: ({ text = "" }) => text }),
      tool({
        name: "slow",
        args: { text: { type: "string" } },
        handler: async ({ text = "" }, ctx) => {
          ctx.signal.addEventListener("abort", () => events.push(`aborted ${text}`));
          await ctx.progress(1);
          await until(() => events.includes(`go ${text}`) || ctx.signal.aborted);
          await ctx.progress(2);
          events.push(`done ${text}`);
          return text;
        },
      }),
      tool({
        name: "large",
        handler: async (_args, ctx) => {
          await ctx.progress(1);
          await new Promise((resolve) => setTimeout(resolve, 60));
          return "x".repeat(1_500_000);
        },
      }),
      tool({
        name: "ask",
        handler: async (_args, ctx) => {
          const answer = await ctx.elicit("Name?", { name: { type: "string", required: true } }) as Json;
          return JSON.stringify(answer);
        },
      }),
    ],
    resources: [resource({ uri: "test://one", name: "one", read: () => "1" })],
  }, options);
}

async function on(options: Partial<ServerOptions>, test: (site: Site) => Promise<void>): Promise<void> {
  const events: string[] = [];
  const server = makeServer(events, options);
  const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, server.fetch);
  const url = `http://127.0.0.1:${http.addr.port}/mcp`;
  const post: Site["post"] = (message, headers = {}) =>
    fetch(url, {
      method: "POST",
      body: JSON.stringify(message),
      headers: { "content-type": "application/json", "accept": "application/json, text/event-stream", ...headers },
    });
  try {
    await test({
      server,
      url,
      events,
      post,
      send: (method, headers = {}) => fetch(url, { method, headers }),
      async open(version = "2025-11-25", capabilities = {}) {
        const response = await post(hello(version, { capabilities }));
        const id = response.headers.get("mcp-session-id");
        const { result } = await response.json();
        assert.equal(result?.protocolVersion, version);
        const headers = { "mcp-protocol-version": version, ...id === null ? {} : { "mcp-session-id": id } };
        const accepted = await post({ jsonrpc: "2.0", method: "notifications/initialized" }, headers);
        assert.deepEqual([accepted.status, await accepted.text()], [202, ""]);
        return headers;
      },
    });
  } finally {
    await server.close();
    await http.shutdown();
  }
}

const echo = (text: string, id = 1): Json => call("tools/call", { name: "echo", arguments: { text } }, id);
const slow = (text: string, id = 1): Json =>
  call("tools/call", { name: "slow", arguments: { text }, _meta: { progressToken: text } }, id);

const textOf = (message: Json): unknown => message?.result?.content?.[0]?.text;

async function progressOf(reading: EventReading): Promise<Json> {
  for (let event = await reading.next(); event !== undefined; event = await reading.next()) {
    if (event.message !== undefined) return event.message;
  }
}

Deno.test("without sessions no id is given, and GET and DELETE answer 405 (L-SES-001, L-SES-012, L-HTTP-021)", () =>
  on({}, async ({ post, send, open }) => {
    const headers = await open();
    assert.equal(headers["mcp-session-id"], undefined);
    assert.equal(textOf(await (await post(echo("a"), headers)).json()), "a");
    for (const method of ["GET", "DELETE"]) {
      const response = await send(method, { ...headers, accept: "text/event-stream" });
      assert.deepEqual([response.status, response.headers.get("allow")], [405, "POST"]);
      await response.body?.cancel();
    }
    await refusedWith(await post({ jsonrpc: "2.0", id: 1, result: {} }, headers), 400, /received a response/);
  }));

Deno.test("without sessions and without a header the oldest revision is spoken, a bad header gets 400 (L-HDR-003, L-HDR-004)", () =>
  on({}, async ({ post }) => {
    assert.equal(textOf(await (await post(echo("a"))).json()), "a");
    const response = await post(echo("a"), { "mcp-protocol-version": "1999-01-01" });
    assert.equal(response.status, 400);
    await response.body?.cancel();
  }));

Deno.test("sessions are not there when no revision that is served has them", () =>
  on({ sessions: true, versions: ["2026-07-28"] }, async ({ post, send }) => {
    const refused = await post(hello());
    assert.deepEqual([refused.status, refused.headers.get("mcp-session-id")], [400, null]);
    await refused.body?.cancel();
    const response = await send("GET");
    assert.equal(response.status, 405);
    await response.body?.cancel();
  }));

Deno.test("one URL serves sessions and 2026-07-28 side by side (B023)", () =>
  on({ sessions: true }, async ({ post, open }) => {
    for (const version of ["2025-11-25", "2025-06-18"]) {
      const headers = await open(version);
      assert.equal(textOf(await (await post(echo(version), headers)).json()), version);
    }
    const modern = toolCall("echo", { text: "modern" });
    const response = await post(modern, { ...Object.fromEntries(headersFor(modern)), "mcp-session-id": "nope" });
    assert.deepEqual([response.status, response.headers.get("mcp-session-id")], [200, null]);
    assert.equal(textOf(await response.json()), "modern");
    await refusedWith(await post(echo("lost"), { "mcp-session-id": "nope" }), 404, /initialize anew/);
    await refusedWith(await post(echo("bare")), 400, /Mcp-Session-Id is missing/);
  }));

Deno.test("the version header is checked against the session and the body (B078, L-HDR-004)", () =>
  on({ sessions: true }, async ({ post, open }) => {
    const headers = await open("2025-06-18");
    const { "mcp-protocol-version": _version, ...bare } = headers;
    assert.equal((await post(echo("absent"), bare).then((response) => response.json())).result.content[0].text, "absent");
    for (const version of ["1999-01-01", "abc", "2025-11-25", "2025-06-18, 2025-06-18"]) {
      const response = await post(echo("a"), { ...headers, "mcp-protocol-version": version });
      assert.equal(response.status, 400, version);
      await response.body?.cancel();
    }
    const modern = toolCall("echo", { text: "a" });
    await refusedWith(
      await post(modern, { ...Object.fromEntries(headersFor(modern)), "mcp-protocol-version": "2025-11-25" }),
      400,
      /.*/,
      -32020,
    );
    const future = toolCall("echo", { text: "a", _meta: {} });
    const meta = { ...future.params?._meta as Json, "io.modelcontextprotocol/protocolVersion": "2031-01-01" };
    const unknown = { ...future, params: { ...future.params, _meta: meta } };
    const { error } = await refusedWith(
      await post(unknown, { ...Object.fromEntries(headersFor(modern)), "mcp-protocol-version": "2031-01-01" }),
      400,
      /Unsupported/,
      -32022,
    );
    assert.equal(error.data.requested, "2031-01-01");
    assert.ok(error.data.supported.includes("2026-07-28"));
  }));

Deno.test("a client of a session that hangs up cancels nothing, one that says so does (B029, L-HTTP-016, L-HTTP-017)", () =>
  on({ sessions: true }, async ({ post, send, open, events }) => {
    const headers = await open();
    const reading = eventsOf(await post(slow("a"), headers));
    const first = await reading.next();
    await progressOf(reading);
    await reading.leave();
    await new Promise((resolve) => setTimeout(resolve, 150));
    assert.equal(events.length, 0);
    events.push("go a");
    await until(() => events.includes("done a"));
    const rest = await eventsOf(await send("GET", { ...headers, accept: "text/event-stream", "last-event-id": first?.id ?? "" }))
      .rest();
    assert.equal(textOf(rest.at(-1)?.message), "a");
    assert.ok(!events.includes("aborted a"));

    const other = eventsOf(await post(slow("b", 2), headers));
    await progressOf(other);
    const cancel = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 2 } };
    const taken = await post(cancel, headers);
    assert.deepEqual([taken.status, await taken.text()], [202, ""]);
    await until(() => events.includes("aborted b"));
    assert.ok((await other.rest()).every(({ message }) => message?.id !== 2));
  }));

Deno.test("a client gets a result that is larger than the events that are kept and comes while its stream is closed (L-HTTP-006)", () =>
  on({ sessions: true, limits: { streamAge: 5 } }, async ({ url }) => {
    const client = await connect(url, { protocol: "2025-11-25", limits: { streamRetryDelay: 100 } });
    const { content } = await client.callTool("large", {}, { onProgress: () => undefined }) as Json;
    assert.equal(content[0].text.length, 1_500_000);
    await client.close();
  }));

Deno.test("two sessions with the same ids at once get each their own answers, as JSON and as streams (B027)", () =>
  on({ sessions: true }, async ({ post, open, events }) => {
    const [one, two] = [await open(), await open("2025-06-18")];
    const json = await Promise.all([post(echo("one"), one), post(echo("two"), two)]);
    assert.deepEqual(await Promise.all(json.map((response) => response.json().then(textOf))), ["one", "two"]);
    const streams = (await Promise.all([post(slow("one"), one), post(slow("two"), two)])).map(eventsOf);
    events.push("go two");
    const second = await (streams[1] as EventReading).rest();
    events.push("go one");
    const first = await (streams[0] as EventReading).rest();
    assert.deepEqual([textOf(first.at(-1)?.message), textOf(second.at(-1)?.message)], ["one", "two"]);
    assert.ok(first.every(({ message }) => message?.params?.progressToken !== "two"));
  }));

Deno.test("a handler asks its client on the stream of the call, and is answered by a POST in the session (L-HTTP-002, L-HTTP-003, L-HTTP-011)", () =>
  on({ sessions: true }, async ({ post, open }) => {
    const headers = await open("2025-11-25", { elicitation: {} });
    const stranger = await open("2025-11-25", { elicitation: {} });
    const reading = eventsOf(await post(call("tools/call", { name: "ask" }), headers));
    const asked = await progressOf(reading);
    assert.deepEqual([asked.method, asked.params.message], ["elicitation/create", "Name?"]);
    const answer = { jsonrpc: "2.0", id: asked.id, result: { action: "accept", content: { name: "Ada" } } };
    await (await post(answer, stranger)).body?.cancel();
    const taken = await post(answer, headers);
    assert.deepEqual([taken.status, await taken.text()], [202, ""]);
    assert.match(String(textOf((await reading.rest()).at(-1)?.message)), /Ada/);
  }));

Deno.test("a client that takes no event stream is asked on its GET stream, and without one the question fails at once", () =>
  on({ sessions: true }, async ({ post, send, open }) => {
    const headers = await open("2025-11-25", { elicitation: {} });
    const deaf = async (): Promise<Json> =>
      await (await post(call("tools/call", { name: "ask" }), { ...headers, accept: "application/json" })).json();
    const { error } = await deaf();
    assert.deepEqual([error.code, error.data], [-32603, { reason: "no_stream" }]);
    assert.match(error.message, /takes no text\/event-stream with this request, and has no GET stream open here$/);
    const reading = eventsOf(await send("GET", { ...headers, accept: "text/event-stream" }));
    const answered = deaf();
    const asked = await progressOf(reading);
    const answer = { jsonrpc: "2.0", id: asked.id, result: { action: "accept", content: { name: "Ada" } } };
    await (await post(answer, headers)).body?.cancel();
    assert.match(String(textOf(await answered)), /Ada/);
    await reading.leave();
  }));

Deno.test("changes of lists and resources come on the GET stream of a session (L-HTTP-022)", () =>
  on({ sessions: true }, async ({ server, post, send, open }) => {
    const headers = await open();
    const subscribed = await post(call("resources/subscribe", { uri: "test://one" }), headers);
    assert.deepEqual((await subscribed.json()).result, {});
    const reading = eventsOf(await send("GET", { ...headers, accept: "text/event-stream" }));
    await server.notify.toolsChanged();
    assert.equal((await reading.next())?.message.method, "notifications/tools/list_changed");
    await server.notify.resourceUpdated("test://one");
    assert.deepEqual((await reading.next())?.message.params, { uri: "test://one" });
    await reading.leave();
  }));

Deno.test("instances with one store and one bus serve a session together: its stream is here, its changes come from there", async () => {
  const options = { sessions: { store: memoryStore() }, bus: memoryBus(), stateKeys: ["a key that is long enough"] };
  await on(options, (one) =>
    on(options, async (two) => {
      const headers = await one.open();
      const reading = eventsOf(await two.send("GET", { ...headers, accept: "text/event-stream" }));
      await (await one.post(call("resources/subscribe", { uri: "test://one" }), headers)).body?.cancel();
      assert.equal(textOf(await (await two.post(echo("there"), headers)).json()), "there");
      await one.server.notify.toolsChanged();
      assert.equal((await reading.next())?.message.method, "notifications/tools/list_changed");
      await reading.leave();
      assert.equal((await two.send("DELETE", headers)).status, 204);
      await refusedWith(await one.post(echo("a"), headers), 404, /initialize anew/);
    }));
});

Deno.test("an instance that takes a session over tells how a call ended that server.close() gave up, to one reader at a time", async () => {
  const options = { sessions: { store: memoryStore() }, bus: memoryBus(), stateKeys: ["a key that is long enough"] };
  await on(options, (one) =>
    on(options, async (two) => {
      const headers = await one.open();
      const running = eventsOf(await one.post(slow("a"), headers));
      const { id: last } = await running.next() as { id: string };
      const resume = { ...headers, accept: "text/event-stream", "last-event-id": last };
      const first = eventsOf(await two.send("GET", resume));
      const second = eventsOf(await two.send("GET", resume));
      // The first reader was sent away; the call still runs.
      await first.rest();
      await one.server.close();
      assert.deepEqual((await second.rest()).at(-1)?.message.error.data, { reason: "closing" });
      await running.rest();
    }));
});

Deno.test("of several instances one tells a session of a change, whoever holds its GET stream then or later (L-HTTP-023)", async () => {
  const options = { sessions: { store: memoryStore() }, bus: memoryBus(), stateKeys: ["a key that is long enough"] };
  await on(options, (one) =>
    on(options, async (two) => {
      const headers = await one.open();
      await (await two.post(call("ping"), headers)).body?.cancel();
      await (await one.post(call("resources/subscribe", { uri: "test://one" }), headers)).body?.cancel();
      await (await two.post(call("ping"), headers)).body?.cancel();
      const listen = async (site: Site) => eventsOf(await site.send("GET", { ...headers, accept: "text/event-stream" }));
      const methods = async (reading: EventReading, count: number): Promise<unknown[]> => {
        const all: unknown[] = [];
        for (let at = 0; at < count; at++) all.push((await reading.next())?.message.method);
        return all;
      };
      const [tools, resources, updated] = [
        "notifications/tools/list_changed",
        "notifications/resources/list_changed",
        "notifications/resources/updated",
      ];
      await one.server.notify.toolsChanged();
      const first = await listen(one);
      assert.deepEqual(await methods(first, 1), [tools], "it has waited");
      await two.server.notify.resourcesChanged();
      assert.deepEqual(await methods(first, 1), [resources], "the other instance made the change");
      await first.leave();
      const second = await listen(two);
      await one.server.notify.resourceUpdated("test://one");
      assert.deepEqual(await methods(second, 1), [updated], "nothing comes again");
      const third = await listen(one);
      await two.server.notify.toolsChanged();
      assert.deepEqual(await methods(third, 1), [tools], "the newest stream has it");
      await second.leave();
      await third.leave();
    }));
});

for (const version of ["2025-11-25", "2025-06-18"]) {
  Deno.test(`a session of ${version} answers other methods, junk in Last-Event-ID and a second end with their statuses (L-HTTP-021, L-SES-009)`, () =>
    on({ sessions: true }, async ({ send, open }) => {
      const headers = await open(version);
      const listening = { ...headers, accept: "text/event-stream" };
      for (const method of ["HEAD", "OPTIONS", "PUT", "PATCH"]) {
        const { status, headers: answered, body } = await send(method, headers);
        assert.deepEqual([status, answered.get("allow")], [405, "GET, POST, DELETE"], method);
        await body?.cancel();
      }
      for (const junk of ["", "junk", "00000000.g-0", "é", "-1", "00000000.1-0, 00000000.1-1", "x".repeat(5000)]) {
        await refusedWith(await send("GET", { ...listening, "last-event-id": junk }), 400, /Last-Event-ID names no event/);
      }
      const first = await send("GET", listening);
      assert.deepEqual([first.status, first.headers.get("content-type")], [200, "text/event-stream"]);
      const second = await send("GET", listening);
      assert.equal(second.status, 200);
      assert.equal(await first.text(), "", "the newest stream is the one that is read");
      assert.equal((await send("DELETE", headers)).status, 204);
      assert.equal(await second.text(), "");
      await refusedWith(await send("DELETE", headers), 404, /unknown or has ended/);
    }));

  Deno.test(`DELETE in a session of ${version} ends the call that runs, with its stream (L-SES-008)`, () =>
    on({ sessions: true }, async ({ post, send, open, events }) => {
      const headers = await open(version);
      const running = eventsOf(await post(slow("a"), headers));
      await progressOf(running);
      assert.equal((await send("DELETE", headers)).status, 204);
      assert.equal(await progressOf(running), undefined);
      await until(() => events.includes("done a"));
      assert.deepEqual(events, ["aborted a", "done a"]);
    }));
}

Deno.test("an allowed page may open a session, read its id, and end it", () =>
  on({ sessions: true, origins: ["https://app.example.com"] }, async ({ post, send }) => {
    const origin = { origin: "https://app.example.com" };
    const preflight = await send("OPTIONS", { ...origin, "access-control-request-method": "DELETE" });
    assert.equal(preflight.headers.get("access-control-allow-methods"), "GET, POST, DELETE");
    const response = await post(hello(), origin);
    assert.match(response.headers.get("access-control-expose-headers") ?? "", /mcp-session-id/);
    const id = response.headers.get("mcp-session-id") ?? "";
    await response.body?.cancel();
    const ended = await send("DELETE", { ...origin, "mcp-session-id": id });
    assert.deepEqual([ended.status, ended.headers.get("access-control-allow-origin")], [204, "https://app.example.com"]);
    const foreign = await send("DELETE", { origin: "https://evil.example", "mcp-session-id": id });
    assert.equal(foreign.status, 403);
    await foreign.body?.cancel();
  }));

Deno.test("server.close() ends the sessions, their streams and what they wait for (L-SES-008)", () =>
  on({ sessions: true }, async ({ server, post, send, open, events }) => {
    const headers = await open();
    const standing = eventsOf(await send("GET", { ...headers, accept: "text/event-stream" }));
    const running = eventsOf(await post(slow("a"), headers));
    await progressOf(running);
    const json = post(slow("b", 2), { ...headers, accept: "application/json" });
    await new Promise((resolve) => setTimeout(resolve, 30));
    await server.close();
    assert.deepEqual(await standing.rest(), []);
    const closing = { reason: "closing" };
    assert.deepEqual((await running.rest()).at(-1)?.message.error.data, closing);
    assert.deepEqual((await (await json).json()).error.data, closing);
    assert.ok(events.includes("aborted a"));
    const late = await post(hello());
    assert.deepEqual([late.status, late.headers.get("mcp-session-id")], [503, null]);
    await late.body?.cancel();
  }));
