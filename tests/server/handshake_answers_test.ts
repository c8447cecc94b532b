/** Tests of `server/handshake_answers.ts`: what a client of a handshake revision does beside using tools. */
import assert from "node:assert/strict";
import { HELLO_LENGTH, SUBSCRIBED_LENGTH } from "../../protocol/limits.ts";
import { resource } from "../../server/components/resource.ts";
import { tool } from "../../server/components/tool.ts";
import { createSession } from "../../transports/session.ts";
import { errorOf, gate, resultOf, serverOf } from "./calls.ts";
import { HANDSHAKE_VERSIONS, helloOf, openChannel, shakeHands } from "./handshake_client.ts";

const logs = tool({
  name: "log",
  args: { level: { type: "string" } },
  handler: async (_args, ctx) => {
    await ctx.log("debug", "d");
    await ctx.log("info", "i");
    await ctx.log("error", "e");
    return "done";
  },
});

const PARTS = {
  tools: [logs, tool({ name: "plain", handler: () => "text" })],
  resources: [
    resource({ uri: "test://a", name: "a", read: () => "a" }),
    resource({ uri: "test://b", name: "b", read: () => "b" }),
    resource({ uri: "test://hidden", name: "hidden", visible: () => false, read: () => "" }),
  ],
};

const HTTP = { connection: { transport: "http" } } as const;

const call = (method: string, params: Record<string, unknown> = {}) => ({
  jsonrpc: "2.0" as const,
  id: 1,
  method,
  params: params as never,
});

Deno.test("initialize answers each revision that is served with itself, and says who the server is (L-LIFE-003, L-LIFE-009)", async () => {
  const server = serverOf(PARTS, { title: "T", description: "D", instructions: "Ask.", websiteUrl: "https://e.com" });
  for (const version of HANDSHAKE_VERSIONS) {
    const client = openChannel(server);
    const { result } = await client.call("initialize", helloOf(version));
    assert.equal(result.protocolVersion, version);
    assert.deepEqual([result.serverInfo.name, result.serverInfo.version, result.instructions], ["test", "1.0.0", "Ask."]);
    assert.deepEqual(result.capabilities, {
      logging: {},
      tools: { listChanged: true },
      resources: { subscribe: true, listChanged: true },
    });
    await client.close();
  }
});

Deno.test("initialize counters any other revision with the newest that begins so (L-LIFE-010, L-LIFE-011)", async () => {
  const server = serverOf(PARTS);
  for (const version of ["1900-01-01", "2026-07-28", "", "2999-12-31"]) {
    const client = openChannel(server);
    const { result } = await client.call("initialize", helloOf(version));
    assert.equal(result.protocolVersion, HANDSHAKE_VERSIONS[0]);
    await client.close();
  }
});

Deno.test("initialize counters with a revision that is enabled, and is refused where none is", async () => {
  const oldest = HANDSHAKE_VERSIONS.at(-1) as never;
  const old = openChannel(serverOf(PARTS, { versions: [oldest] }));
  assert.equal((await old.call("initialize", helloOf(HANDSHAKE_VERSIONS[0] as string))).result.protocolVersion, oldest);
  await old.close();
  const modern = openChannel(serverOf(PARTS, { versions: ["2026-07-28"] }));
  const { error } = await modern.call("initialize", helloOf(HANDSHAKE_VERSIONS[0] as string));
  assert.deepEqual(error.data.supported, ["2026-07-28"]);
  await modern.close();
});

Deno.test("initialize is refused with params of another shape, and the connection can still begin", async () => {
  const client = openChannel(serverOf(PARTS));
  const good = helloOf(HANDSHAKE_VERSIONS[0] as string);
  for (const bad of [undefined, {}, { ...good, clientInfo: { name: "n" } }, { ...good, capabilities: [] }]) {
    assert.equal((await client.call("initialize", bad)).error.code, -32602);
  }
  assert.equal((await client.call("ping")).error, undefined);
  assert.equal((await client.call("tools/list")).error.code, -32602);
  assert.ok("result" in await client.call("initialize", good));
  await client.close();
});

Deno.test("nothing but ping is answered before initialize, and initialize only once (L-LIFE-001, L-PING-001)", async () => {
  const client = openChannel(serverOf(PARTS));
  assert.deepEqual((await client.call("ping")).result, {});
  await client.notify("notifications/initialized");
  for (const method of ["tools/list", "logging/setLevel", "resources/subscribe"]) {
    const { error } = await client.call(method, { level: "debug", uri: "test://a" });
    assert.equal(error.code, -32602);
    assert.match(error.message, /initialize/);
    for (const version of HANDSHAKE_VERSIONS) assert.ok(error.message.includes(version));
  }
  const version = HANDSHAKE_VERSIONS.at(-1) as string;
  assert.equal((await client.call("initialize", helloOf(version))).result.protocolVersion, version);
  const { error } = await client.call("initialize", helloOf(HANDSHAKE_VERSIONS[0] as string));
  assert.equal(error.code, -32600);
  assert.ok((await client.call("tools/list")).result.tools.length > 0);
  await client.close();
});

Deno.test("results of the handshake revisions carry nothing of later ones, and methods of these are unknown (L-BASE-008, L-BASE-001)", async () => {
  const empty = serverOf({});
  for (const version of HANDSHAKE_VERSIONS) {
    const client = await shakeHands(serverOf(PARTS, { versions: [version as never] }), version);
    const results = [
      await client.call("tools/list"),
      await client.call("resources/list"),
      await client.call("resources/read", { uri: "test://a" }),
      await client.tool("plain"),
      await client.call("ping"),
      await client.call("logging/setLevel", { level: "info" }),
    ].map(({ result }) => result);
    for (const result of results) {
      for (const key of ["resultType", "ttlMs", "cacheScope", "_meta"]) assert.ok(!(key in result), key);
    }
    for (const method of ["server/discover", "subscriptions/listen"]) {
      assert.equal((await client.call(method)).error.code, -32601);
    }
    assert.equal((await client.call("resources/read", { uri: "test://none" })).error.code, -32002);
    await client.close();
    const bare = await shakeHands(empty, version);
    assert.deepEqual((await bare.call("ping")).result, {});
    assert.equal((await bare.call("resources/subscribe", { uri: "x:" })).error.code, -32601);
    await bare.close();
  }
});

Deno.test("ping is answered while a call runs (L-PING-001)", async () => {
  const release = gate();
  const slow = tool({ name: "slow", handler: () => release.passed.then(() => "done") });
  const client = await shakeHands(serverOf({ tools: [slow] }, { limits: { handlers: 1, handlerQueue: 0 } }));
  const running = client.tool("slow");
  assert.deepEqual((await client.call("ping")).result, {});
  release.open();
  assert.equal((await running).result.content[0].text, "done");
  await client.close();
});

Deno.test("logging/setLevel holds for its session; before it the server's choice does (L-LOG-001, L-LOG-002, L-LOG-003, L-LOG-004)", async () => {
  const server = serverOf(PARTS);
  const [one, other] = [await shakeHands(server), await shakeHands(server)];
  const levels = async (client: typeof one): Promise<unknown[]> => {
    const before = client.received.length;
    await client.tool("log");
    return client.received.slice(before).flatMap((message) =>
      "method" in message && message.method === "notifications/message" ? [message.params?.level] : []
    );
  };
  assert.deepEqual(await levels(one), ["info", "error"]);
  assert.deepEqual((await one.call("logging/setLevel", { level: "error" })).result, {});
  assert.deepEqual((await other.call("logging/setLevel", { level: "debug" })).result, {});
  for (const level of ["loud", undefined, 1, "__proto__"]) {
    assert.equal((await one.call("logging/setLevel", { level })).error.code, -32602);
  }
  assert.deepEqual(await levels(one), ["error"]);
  assert.deepEqual(await levels(other), ["debug", "info", "error"]);
  await one.close();
  await other.close();
});

Deno.test("resources/subscribe tells of a resource until unsubscribe, to its session only (L-RES-001, L-RES-002)", async () => {
  const server = serverOf(PARTS);
  for (const version of HANDSHAKE_VERSIONS) {
    const [one, other] = [await shakeHands(server, version), await shakeHands(server, version)];
    for (let turn = 0; turn < 2; turn++) {
      assert.deepEqual((await one.call("resources/subscribe", { uri: "test://a" })).result, {});
    }
    await server.notify.resourceUpdated("test://a");
    await server.notify.resourceUpdated("test://b");
    assert.deepEqual((await one.incoming("notifications/resources/updated")).params, { uri: "test://a" });
    assert.deepEqual((await one.call("resources/unsubscribe", { uri: "test://a" })).result, {});
    assert.deepEqual((await one.call("resources/unsubscribe", { uri: "test://a" })).result, {});
    await server.notify.resourceUpdated("test://a");
    for (const client of [one, other]) await client.call("ping");
    const updates = (client: typeof one) =>
      client.received.filter((message) => "method" in message && message.method === "notifications/resources/updated").length;
    assert.deepEqual([updates(one), updates(other)], [1, 0]);
    await one.close();
    await other.close();
  }
});

Deno.test("resources/subscribe bounds what a session names, and gives away no hidden resource", async () => {
  const server = serverOf(PARTS, { limits: { subscriptionUris: 2 } });
  const client = await shakeHands(server);
  for (const uri of ["test://hidden", "test://a", "test://a", "test://b"]) {
    assert.deepEqual((await client.call("resources/subscribe", { uri })).result, {});
  }
  const { error } = await client.call("resources/subscribe", { uri: "test://c" });
  assert.deepEqual([error.code, error.data], [-32602, { limit: 2, seen: 3 }]);
  for (const uri of [undefined, 1, {}]) assert.equal((await client.call("resources/subscribe", { uri })).error.code, -32602);
  await server.notify.resourceUpdated("test://hidden");
  await server.notify.resourceUpdated("test://b");
  assert.deepEqual((await client.incoming("notifications/resources/updated")).params, { uri: "test://b" });
  await client.close();
});

Deno.test("resources/subscribe bounds the characters of all that a session names", async () => {
  const all = resource({ uri: "test://{+path}", name: "all", read: () => "" });
  const client = await shakeHands(serverOf({ resources: [all] }));
  const uri = (n: number): string => `test://${n}`.padEnd(8192, "a");
  const most = SUBSCRIBED_LENGTH / 8192;
  for (let n = 0; n < most; n++) assert.deepEqual((await client.call("resources/subscribe", { uri: uri(n) })).result, {});
  const { error } = await client.call("resources/subscribe", { uri: "test://b" });
  assert.deepEqual([error.code, error.data], [-32602, { limit: SUBSCRIBED_LENGTH, seen: SUBSCRIBED_LENGTH + 8 }]);
  await client.call("resources/unsubscribe", { uri: uri(0) });
  assert.deepEqual((await client.call("resources/subscribe", { uri: "test://b" })).result, {});
  await client.close();
});

Deno.test("a session keeps no name and no URI that is as large as a request may be", async () => {
  const client = openChannel(serverOf(PARTS));
  const hello = helloOf(HANDSHAKE_VERSIONS[0] as string);
  const capabilities = { extensions: { "com.example/a": { text: "t".repeat(HELLO_LENGTH) } } };
  const { error } = await client.call("initialize", { ...hello, capabilities });
  assert.deepEqual([error.code, error.data.limit], [-32602, HELLO_LENGTH]);
  assert.match(error.message, /what the session keeps of clientInfo and capabilities has \d{4} characters, at most 4096$/);
  assert.ok((await client.call("initialize", hello)).result);
  const uri = (length: number) => "test://".padEnd(length, "a");
  assert.deepEqual((await client.call("resources/subscribe", { uri: uri(8192) })).result, {});
  const long = await client.call("resources/subscribe", { uri: uri(8193) });
  assert.deepEqual([long.error.code, long.error.data], [-32602, { limit: 8192, seen: 8193 }]);
  await client.close();
});

Deno.test("list changes reach every session after notifications/initialized, and no session before (L-LIFE-006)", async () => {
  const server = serverOf(PARTS);
  const ready = await shakeHands(server);
  const early = openChannel(server);
  await early.call("initialize", helloOf(HANDSHAKE_VERSIONS[0] as string));
  const untouched = openChannel(server);
  await server.notify.toolsChanged();
  await ready.incoming("notifications/tools/list_changed");
  for (const client of [early, untouched]) {
    await client.call("ping");
    assert.ok(client.received.every((message) => !("method" in message)));
  }
  await early.notify("notifications/initialized");
  await early.call("ping");
  await server.notify.resourcesChanged();
  await server.notify.promptsChanged();
  await early.incoming("notifications/resources/list_changed");
  assert.ok(early.received.every((message) => !("method" in message) || !message.method.startsWith("notifications/prompts")));
  for (const client of [ready, early, untouched]) await client.close();
});

Deno.test("roots/list_changed and notifications that nobody knows are taken without an answer (B036)", async () => {
  const client = await shakeHands(serverOf(PARTS));
  for (const method of ["notifications/roots/list_changed", "notifications/nope", "notifications/initialized", "tools/list"]) {
    await client.notify(method);
  }
  await client.call("ping");
  assert.equal(client.received.length, 2);
  await client.close();
});

Deno.test("without a session a single request is answered, and nothing is offered that needs one", async () => {
  const server = serverOf(PARTS);
  const welcome = await resultOf(server, call("initialize", helloOf(HANDSHAKE_VERSIONS[0] as string)), HTTP);
  assert.deepEqual(welcome.capabilities, { logging: {}, tools: {}, resources: {} });
  assert.ok(Array.isArray((await resultOf(server, call("tools/list"), HTTP)).tools));
  assert.deepEqual(await resultOf(server, call("ping"), HTTP), {});
  assert.deepEqual(await resultOf(server, call("logging/setLevel", { level: "error" }), HTTP), {});
  for (const method of ["resources/subscribe", "resources/unsubscribe"]) {
    const error = await errorOf(server, call(method, { uri: "test://a" }), HTTP);
    assert.equal(error.code, -32601);
    assert.match(error.message, /session/);
  }
});

Deno.test("a session that another instance has opened goes on, and one whose revision is not served any more does not", async () => {
  const state = {
    version: HANDSHAKE_VERSIONS[0] as string,
    clientInfo: { name: "c", version: "1" },
    clientCapabilities: {},
    initialized: true,
    subscriptions: [],
  };
  const connection = { transport: "http", session: createSession({ send: () => undefined, state }) } as const;
  assert.ok("tools" in await resultOf(serverOf(PARTS), call("tools/list"), { connection }));
  const old = serverOf(PARTS, { versions: [HANDSHAKE_VERSIONS.at(-1) as never] });
  assert.equal((await errorOf(old, call("tools/list"), { connection })).code, -32600);
});
