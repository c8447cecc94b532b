/** A vendor's own extension, described once and used on both ends. */
import assert from "node:assert/strict";
import { connect, defineServer, extension, ProtocolError, tool, TransportError } from "../../mod.ts";
import type { ListenStream } from "../../mod.ts";
import { ROOT, runDeno } from "../../scripts/command.ts";
import { testClient } from "../../testing.ts";
import { until } from "../until.ts";
import { callRaw } from "./extension_calls.ts";

const audit = extension({
  id: "com.example/audit",
  settings: { level: "full" },
  methods: {
    "audit/list": {
      params: { type: "object", properties: { since: { type: "string" } }, required: ["since"] },
      result: { type: "object", properties: { entries: { type: "array", items: { type: "string" } } }, required: ["entries"] },
    },
    "audit/read": {
      params: { type: "object", properties: { entry: { type: "string" } }, required: ["entry"] },
      result: { type: "object" },
      header: "entry",
    },
  },
  notifications: { "notifications/audit": { type: "object" } },
  resultTypes: ["com.example/sealed"],
  listenKeys: { auditSince: { type: "string" } },
});

function auditServer(streams: ListenStream[] = []) {
  return defineServer({
    name: "books",
    version: "1.0.0",
    tools: [tool({ name: "hello", handler: () => "Hello!" })],
    extensions: [
      audit.serve({
        "audit/list": ({ since }, ctx) => ({ entries: [since, ctx.method] }),
        "audit/read": ({ entry }) => {
          if (entry === "sealed") return { resultType: "com.example/sealed" };
          return entry === "odd" ? { resultType: "com.example/odd" } : { entry };
        },
      }, {
        auditSince: (since, stream) => {
          streams.push(stream);
          return since === "never" ? undefined : since;
        },
      }),
    ],
  });
}

Deno.test("extension adds typed methods on both ends, over every carrier (M-VER-013)", async () => {
  for (const over of ["memory", "http", "stdio"] as const) {
    await using client = await testClient(auditServer(), { over, extensions: [audit] });
    const { entries } = await audit.on(client).request("audit/list", { since: "monday" });
    assert.deepEqual(entries, ["monday", "audit/list"]);
    assert.deepEqual(client.server.capabilities.extensions, { "com.example/audit": { level: "full" } });
    assert.equal((await client.request("audit/list", { since: "now" })).resultType, "complete");
    assert.equal((await audit.on(client).request("audit/read", { entry: "ä" })).entry, "ä");
  }
});

Deno.test("a method is refused with -32021 to a request without the declaration, and others are served", async () => {
  const server = auditServer();
  await using client = await connect(server);
  await assert.rejects(client.request("audit/list", {}), (error) => {
    assert.ok(error instanceof ProtocolError);
    assert.equal(error.code, -32021);
    assert.deepEqual(error.data, { requiredCapabilities: { extensions: { "com.example/audit": {} } } });
    return true;
  });
  await client.callTool("hello");
  await assert.rejects(client.request("audit/none", {}), { code: -32601 });
});

Deno.test("params that do not fit are -32602, and a result type that is not listed is no answer", async () => {
  await using client = await connect(auditServer(), { extensions: [audit] });
  await assert.rejects(client.request("audit/list", { since: 1 }), { code: -32602 });
  await assert.rejects(client.request("audit/read", { entry: "odd" }), { code: -32603 });
  assert.equal((await client.request("audit/read", { entry: "sealed" })).resultType, "com.example/sealed");
});

Deno.test("a client refuses a result type of an extension that it does not speak, and a result that does not fit", async () => {
  const other = extension({ id: "com.example/audit", methods: { "audit/list": { params: {}, result: { required: ["none"] } } } });
  await using client = await connect(auditServer(), { extensions: [other] });
  await assert.rejects(client.request("audit/read", { entry: "sealed" }), (error) => {
    assert.ok(error instanceof TransportError);
    assert.equal(error.reason, "not_mcp");
    return true;
  });
  await assert.rejects(other.on(client).request("audit/list", { since: "x" }), { reason: "not_mcp" });
});

Deno.test("the header Mcp-Name repeats the member that the method names, and is checked before the declaration", async () => {
  const server = auditServer();
  for (const name of [undefined, "other"]) {
    const refused = await callRaw(server, "audit/read", { entry: "e" }, { name });
    assert.equal(refused.status, 400);
    assert.equal(refused.error?.code, -32020);
  }
  assert.equal((await callRaw(server, "audit/read", { entry: "e" }, { name: "e" })).error?.code, -32021);
  const declared = { extensions: { "com.example/audit": {} } };
  assert.deepEqual((await callRaw(server, "audit/read", { entry: "e" }, { name: "e", declared })).result?.entry, "e");
});

Deno.test("a key of the filter is acknowledged by the extension, which sends its notifications on the stream", async () => {
  const streams: ListenStream[] = [];
  await using client = await connect(auditServer(streams), { extensions: [audit] });
  const stream = await client.listen({ toolsListChanged: true, auditSince: "now" });
  assert.deepEqual(stream.accepted, { toolsListChanged: true, auditSince: "now" });
  let ended = false;
  streams[0]?.onEnd(() => ended = true);
  await streams[0]?.notify("notifications/audit", { entry: 1 });
  await assert.rejects(async () => await streams[0]?.notify("notifications/other", {}), TypeError);
  const { value } = await stream.next();
  assert.ok(value?.type === "notification");
  assert.equal(value.method, "notifications/audit");
  assert.equal(value.params.entry, 1);
  assert.equal(ended, false);
  await stream.close();
  await until(() => ended);
  const none = await client.listen({ auditSince: "never" });
  assert.deepEqual(none.accepted, {});
  await none.close();
  await assert.rejects(client.listen({ auditSince: 1 }), { code: -32602 });
});

Deno.test("a key of the filter is refused with -32021 without the declaration, and unknown keys are left out", async () => {
  await using client = await connect(auditServer());
  await assert.rejects(client.listen({ auditSince: "now" }), { code: -32021 });
  const stream = await client.listen({ somethingElse: ["file:///secret"] });
  assert.deepEqual(stream.accepted, {});
  await stream.close();
});

Deno.test("an extension is neither declared nor served in a revision with a handshake, unless it exists there", async () => {
  await using client = await testClient(auditServer(), { protocol: "2025-11-25", extensions: [audit] });
  assert.equal(client.server.capabilities.extensions, undefined);
  assert.equal(JSON.stringify(client.wire[0]).includes("com.example"), false);
  await assert.rejects(client.request("audit/list", { since: "x" }), { code: -32601 });
  const old = extension({
    id: "com.example/old",
    handshake: true,
    methods: { "old/ping": { params: { type: "object" }, result: { type: "object" } } },
  });
  const server = defineServer({ name: "old", version: "1.0.0", extensions: [old.serve({ "old/ping": () => ({ pong: true }) })] });
  for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
    await using both = await testClient(server, { protocol, over: "stdio", extensions: [old] });
    assert.deepEqual(both.server.capabilities.extensions, protocol === "2026-07-28" ? undefined : { "com.example/old": {} });
    assert.equal((await old.on(both).request("old/ping", {})).pong, true);
    await using bare = await testClient(server, { protocol, over: "stdio" });
    await assert.rejects(bare.request("old/ping", {}), (error) => {
      assert.ok(error instanceof ProtocolError);
      assert.equal(error.code, protocol === "2026-07-28" ? -32021 : -32603);
      return /the extension com\.example\/old/.test(error.message);
    });
  }
});

Deno.test("the example of a vendor's extension runs without a permission", async () => {
  const { code, output } = await runDeno(["run", "--no-check", "--no-prompt", `${ROOT}/examples/audit.ts`]);
  assert.equal(code, 0, output);
  assert.match(output, /Told: Ordered Flatland\n.*Listed: Ordered Flatland/s);
});
