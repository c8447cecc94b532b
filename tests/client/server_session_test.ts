/** Tests of lost sessions. */
import assert from "node:assert/strict";
import { connect, TransportError } from "../../client/mod.ts";
import type { ChangeEvent, Client, HttpConnectOptions } from "../../client/mod.ts";
import { until } from "../until.ts";
import { eventStream, oldSite } from "./old_site.ts";
import { deferred } from "./scripted.ts";
import { site, visit as visitSite } from "./site.ts";
import type { OldAnswer, OldSite, OldSiteOptions, Visited } from "./old_site.ts";

const WATCHED = { capabilities: { tools: { listChanged: true }, resources: { subscribe: true }, logging: {} } };

async function visit(
  options: HttpConnectOptions & { readonly site?: OldSiteOptions },
  run: (client: Client, site: OldSite) => Promise<void>,
  answer: (visited: Visited) => OldAnswer | Promise<OldAnswer> = () => undefined,
): Promise<void> {
  const { site: how, ...rest } = options;
  const site = oldSite(answer, { sessions: true, ...how });
  try {
    const client = await connect(site.url, { protocol: "2025-11-25", ...rest });
    try {
      await run(client, site);
    } finally {
      await client.close();
    }
  } finally {
    await site.close();
  }
}

const count = (site: OldSite, method: string): number => site.methods().filter((one) => one === method).length;

Deno.test("a lost session is opened anew once for five calls, and each call runs once (B023, L-SES-010)", async () => {
  const ran: unknown[] = [];
  await visit({}, async (client, site) => {
    assert.equal(client.server.sessionId, "s1");
    site.forget();
    const answers = await Promise.all(Array.from({ length: 5 }, (_, index) => client.callTool("x", { index })));
    assert.equal(answers.length, 5);
    assert.equal(count(site, "initialize"), 2);
    assert.equal(count(site, "notifications/initialized"), 2);
    assert.equal(client.server.sessionId, "s2");
    const again = site.visits.filter(({ message }) => message.method === "initialize").at(-1);
    assert.equal(again?.headers.get("mcp-session-id"), null);
    const served = site.visits.filter(({ message, headers }) =>
      message.method === "tools/call" && headers.get("mcp-session-id") === "s2"
    );
    assert.deepEqual(served.map(({ message }) => (message.params?.arguments as { index: number }).index).sort(), [0, 1, 2, 3, 4]);
    assert.equal(new Set(site.visits.map(({ message }) => message.id).filter((id) => id !== undefined)).size, 12);
    await client.callTool("x");
    assert.equal(count(site, "initialize"), 2);
  }, ({ message, headers }) => {
    if (message.method === "tools/call") ran.push(headers.get("mcp-session-id"));
    return undefined;
  });
  assert.deepEqual(ran.sort(), [...Array(5).fill("s1"), ...Array(6).fill("s2")]);
});

Deno.test("a session that is lost twice in one call is told (B023)", async () => {
  await visit({}, async (client, site) => {
    await assert.rejects(client.callTool("x"), (error) => {
      assert.ok(error instanceof TransportError);
      assert.equal(error.reason, "session_lost");
      return true;
    });
    assert.deepEqual(site.methods().slice(2), ["tools/call", "initialize", "notifications/initialized", "tools/call"]);
  }, ({ message }) => message.method === "tools/call" ? new Response("gone", { status: 404 }) : undefined);
});

Deno.test("a session that cannot be opened anew is told as lost", async () => {
  let open = true;
  await visit({}, async (client, site) => {
    open = false;
    site.forget();
    await assert.rejects(client.callTool("x"), { kind: "transport", reason: "session_lost" });
    open = true;
    assert.equal(await client.tools.x?.({}), "old");
  }, ({ message }) => message.method === "initialize" && !open ? new Response("down", { status: 503 }) : undefined);
});

Deno.test("a session that cannot be opened anew in any revision is asked for again in its own", async () => {
  let open = true;
  await visit({ protocol: ["2026-07-28", "2025-11-25"] }, async (client, site) => {
    open = false;
    site.forget();
    await assert.rejects(client.callTool("x"), { kind: "transport", reason: "session_lost" });
    assert.deepEqual(site.methods().slice(-2), ["initialize", "server/discover"]);
    open = true;
    assert.equal(await client.tools.x?.({}), "old");
    assert.equal(client.server.protocolVersion, "2025-11-25");
    assert.deepEqual(site.methods().slice(-4), ["tools/call", "initialize", "notifications/initialized", "tools/call"]);
  }, ({ message: { id, method } }) => {
    if (open) return undefined;
    if (method === "initialize") return Response.json({ jsonrpc: "2.0", id, error: { code: -32600, message: "no" } });
    return method === "server/discover" ? new Response("down", { status: 503 }) : undefined;
  });
});

Deno.test("a call whose stream was lost after it began is not repeated (B023)", async () => {
  await visit({}, async (client, site) => {
    await assert.rejects(client.callTool("x"), { kind: "transport", reason: "closed" });
    assert.equal(count(site, "tools/call"), 1);
    assert.equal(count(site, "initialize"), 1);
  }, ({ message }) => {
    if (message.method !== "tools/call") return undefined;
    const { response, send, end } = eventStream();
    send({ method: "notifications/message", params: { level: "info", data: "begun" } });
    setTimeout(end, 10);
    return response;
  });
});

Deno.test("a notification that finds the session lost is sent again in the new one", async () => {
  await visit({}, async (client, site) => {
    site.forget();
    await client.notify("notifications/own");
    const sent = site.visits.filter(({ message }) => message.method === "notifications/own");
    assert.deepEqual(sent.map(({ headers }) => headers.get("mcp-session-id")), ["s1", "s2"]);
  });
});

Deno.test("the level of log messages is set again in a new session", async () => {
  await visit({ site: WATCHED }, async (client, site) => {
    await client.request("logging/setLevel", { level: "error" });
    site.forget();
    await client.callTool("x");
    await until(() => count(site, "logging/setLevel") >= 2);
    const again = site.visits.filter(({ message }) => message.method === "logging/setLevel").at(-1);
    assert.equal(again?.message.params?.level, "error");
    assert.equal(again?.headers.get("mcp-session-id"), "s2");
  }, ({ message }) => message.method === "logging/setLevel" ? {} : undefined);
});

Deno.test("watches are subscribed again in a new session and tell the gap", async () => {
  const streams: ReturnType<typeof eventStream>[] = [];
  const onGet = (): Response => {
    const stream = eventStream();
    streams.push(stream);
    return stream.response;
  };
  await visit({ site: { ...WATCHED, onGet } }, async (client, site) => {
    const watch = client.watch({ resourceSubscriptions: ["a:1", "a:2"], toolsListChanged: true });
    await watch.open();
    site.forget();
    await client.callTool("x");
    const events: ChangeEvent[] = [];
    events.push((await watch.next()).value as ChangeEvent);
    await until(() => streams.length >= 2);
    streams.at(-1)?.send({ method: "notifications/resources/updated", params: { uri: "a:2" } });
    for (let event = await watch.next();; event = await watch.next()) {
      events.push(event.value as ChangeEvent);
      if (event.value?.type !== "gap") break;
    }
    assert.deepEqual(events, [{ type: "gap" }, { type: "resourceUpdated", uri: "a:2" }]);
    const subscribed = site.visits.filter(({ message }) => message.method === "resources/subscribe");
    assert.deepEqual(subscribed.map(({ message, headers }) => [headers.get("mcp-session-id"), message.params?.uri]).sort(), [
      ["s1", "a:1"],
      ["s1", "a:2"],
      ["s2", "a:1"],
      ["s2", "a:2"],
    ]);
    await watch.close();
    streams.at(-1)?.end();
  }, ({ message }) => message.method === "resources/subscribe" || message.method === "resources/unsubscribe" ? {} : undefined);
});

Deno.test("a watch whose stream finds the session lost opens a new one, but not for ever", async () => {
  const onGet = (): Response => new Response("gone", { status: 404 });
  await visit({ site: { ...WATCHED, onGet } }, async (client, site) => {
    const watch = client.watch({ toolsListChanged: true });
    const closed = await (watch.open().catch(() => undefined), watch.closed);
    assert.ok(closed.by === "fault" && closed.error instanceof TransportError && closed.error.reason === "session_lost");
    assert.equal(count(site, "initialize"), 2);
  });
});

Deno.test("a server that gives one message and then loses the session is not greeted for ever (limit streamRetries)", async () => {
  let gets = 0;
  const onGet = (): Response => {
    if (++gets % 2 === 0) return new Response("unknown session", { status: 404 });
    const stream = eventStream();
    stream.send({ method: "notifications/tools/list_changed" });
    stream.end();
    return stream.response;
  };
  const limits = { streamRetries: 3, streamRetryDelay: 1 };
  await visit({ site: { ...WATCHED, onGet }, limits }, async (client, site) => {
    const watch = client.watch({ toolsListChanged: true });
    const closed = await (watch.open().catch(() => undefined), watch.closed);
    assert.ok(closed.by === "fault" && closed.error instanceof TransportError && closed.error.reason === "session_lost");
    assert.equal(count(site, "initialize"), 1 + 3);
  });
});

Deno.test("a cancellation that the server never takes is no fault when the client is closed", async () => {
  const end = deferred();
  const faults: unknown[] = [];
  const given = { limits: { requestTimeout: 50 }, onError: (error: unknown) => void faults.push(error) };
  await visit(given, async (client, site) => {
    await assert.rejects(client.callTool("x"), { reason: "timeout" });
    await until(() => count(site, "notifications/cancelled") > 0);
    await client.close();
    end.resolve();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(faults, []);
  }, async ({ message: { method } }) => {
    if (method === "tools/call" || method === "notifications/cancelled") await end.promise;
    return undefined;
  });
});

Deno.test("a session that was lost is named to no server of a revision without sessions, not even to ask for it", async () => {
  let isModern = false;
  const { name, version } = { name: "old", version: "1" };
  const place = site(({ message: { id, method }, headers }) => {
    if (isModern) {
      if (headers.has("mcp-session-id")) return new Response("no such session", { status: 404 });
      return method === "initialize" ? new Response("no such method", { status: 400 }) : undefined;
    }
    if (id === undefined) return new Response(null, { status: 202 });
    if (method === "server/discover") return new Response("no such method", { status: 400 });
    if (method !== "initialize") return undefined;
    const result = { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name, version } };
    return Response.json({ jsonrpc: "2.0", id, result }, { headers: { "mcp-session-id": "s1" } });
  });
  await visitSite(place, {}, async (client) => {
    assert.equal(client.server.protocolVersion, "2025-11-25");
    isModern = true;
    await client.callTool("any");
    await client.notify("notifications/any");
    assert.equal(client.server.protocolVersion, "2026-07-28");
    assert.deepEqual(place.posts.slice(-4).map(({ message, headers }) => [message.method, headers.get("mcp-session-id")]), [
      ["initialize", null],
      ["server/discover", null],
      ["tools/call", null],
      ["notifications/any", null],
    ]);
  });
});
