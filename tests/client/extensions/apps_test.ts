import assert from "node:assert/strict";
import { wrapClient } from "../../../client/extensions/bridge_client.ts";
import { connect } from "../../../client/connect.ts";
import { apps } from "../../../client/extensions/apps.ts";
import { DIALECTS } from "../../../protocol/dialects/mod.ts";
import { ProtocolError, TransportError } from "../../../protocol/errors.ts";
import type { JsonObject, JsonRpcRequest, ProtocolVersion, Tool } from "../../../protocol/types.ts";
import { app, apps as serverApps, appTool } from "../../../server/extensions/apps.ts";
import { defineServer } from "../../../server/server.ts";
import { tool } from "../../../server/components/tool.ts";
import { complete, DISCOVERED, scripted, text } from "../scripted.ts";
import type { ScriptedServer } from "../scripted.ts";

const HTML = "<!doctype html><title>A</title>";
const URI = "ui://a/view";
const MIME = "text/html;profile=mcp-app";
const LINK: JsonObject = { ui: { resourceUri: URI } };

/** What a peer of these tests serves. */
interface Peer {
  readonly tools?: readonly JsonObject[];
  readonly contents?: readonly unknown[];
  readonly resources?: readonly JsonObject[] | ProtocolError;
}

/** A server with one tool that has a view, and changes. */
function peer({ tools = [listed("a", LINK)], contents = [item()], resources = [] }: Peer = {}): ScriptedServer {
  return scripted(({ method }: JsonRpcRequest) => {
    switch (method) {
      case "server/discover":
        return { ...DISCOVERED, capabilities: { tools: {}, resources: {} } };
      case "tools/list":
        return complete({ tools, ttlMs: 0, cacheScope: "private" });
      case "tools/call":
        return text("called");
      case "resources/read":
        return complete({ contents: contents as JsonObject[], ttlMs: 0, cacheScope: "private" });
      case "resources/list":
        if (resources instanceof ProtocolError) throw resources;
        return complete({ resources, ttlMs: 0, cacheScope: "private" });
      default:
        throw new ProtocolError(-32601, "Unknown method");
    }
  });
}

function listed(name: string, _meta?: JsonObject): JsonObject {
  return { name, inputSchema: { type: "object" }, ...(_meta === undefined ? {} : { _meta }) };
}

function item(changes: JsonObject = {}): JsonObject {
  return JSON.parse(JSON.stringify({ uri: URI, mimeType: MIME, text: HTML, ...changes }));
}

/** What resolving gives, or throws. */
async function resolved(server: ScriptedServer, wanted: string | Tool = "a"): Promise<unknown> {
  const client = await connect(server, { extensions: [apps] });
  try {
    return await apps.on(client).resolve(wanted);
  } catch (error) {
    return error;
  } finally {
    await client.close();
  }
}

function isBroken(error: unknown, why: RegExp): boolean {
  return error instanceof TransportError && error.reason === "not_mcp" && why.test(error.message);
}

Deno.test("apps 01 the client declares exactly the one type of views, in every revision", async () => {
  for (const { version, handshake } of DIALECTS) {
    const seen: unknown[] = [];
    const server = defineServer({
      name: "x",
      version: "1.0.0",
      tools: [tool({ name: "seen", handler: (_args, ctx) => void seen.push(ctx.client.capabilities.extensions) })],
    });
    const client = await connect(server, { extensions: [apps], protocol: version as ProtocolVersion });
    await client.callTool("seen");
    assert.deepEqual(seen, [{ "io.modelcontextprotocol/ui": { mimeTypes: ["text/html;profile=mcp-app"] } }], version);
    assert.equal(client.server.era === "legacy", handshake !== undefined);
    await client.close();
    await server.close();
  }
});

Deno.test("apps 02 resolve reads the view that the nested key names, else the flat one, and gives undefined for a tool without", async () => {
  const flat = await resolved(peer({ tools: [listed("a", { "ui/resourceUri": URI })] }));
  assert.equal((flat as { html: string }).html, HTML);
  const both = peer({ tools: [listed("a", { ...LINK, "ui/resourceUri": "ui://a/other" })] });
  const view = await resolved(both) as { readonly tool: Tool; readonly uri: string; readonly ui: object };
  assert.deepEqual([view.tool.name, view.uri, view.ui], ["a", URI, {}]);
  assert.deepEqual(both.requests("resources/read").map(({ params }) => params?.uri), [URI]);
  for (const meta of [undefined, {}, { ui: {} }, { ui: { visibility: ["app"] } }]) {
    const server = peer({ tools: [listed("a", meta)] });
    assert.equal(await resolved(server), undefined);
    assert.equal(server.requests("resources/read").length, 0);
  }
});

Deno.test("apps 02 resolve refuses a tool whose link or visibility breaks the rules, and reads nothing", async () => {
  const wrong: readonly (readonly [meta: JsonObject, why: RegExp])[] = [
    [{ ui: { resourceUri: "https://a.example/view" } }, /begins with ui:\/\//],
    [{ "ui/resourceUri": "file:///view" }, /begins with ui:\/\//],
    [{ ui: { resourceUri: 7 } }, /begins with ui:\/\//],
    [{ ui: "ui://a/view" }, /_meta\.ui is not an object/],
    [{ ui: { resourceUri: URI, visibility: [] } }, /_meta\.ui\.visibility: Expected a list/],
    [{ ui: { resourceUri: URI, visibility: ["user"] } }, /_meta\.ui\.visibility\[0\]/],
  ];
  for (const [meta, why] of wrong) {
    const server = peer({ tools: [listed("a", meta)] });
    const error = await resolved(server);
    assert.ok(isBroken(error, why), String(error));
    assert.equal(server.requests("resources/read").length, 0);
  }
});

Deno.test("apps 03 resolve refuses documents of another type, several of them, and those with both or neither of text and blob", async () => {
  const wrong: readonly (readonly [contents: readonly unknown[], why: RegExp])[] = [
    [[item({ mimeType: "text/html; profile=mcp-app" })], /its type is not text\/html;profile=mcp-app/],
    [[item({ mimeType: "text/html;profile=mcp-app;charset=utf-8" })], /its type is not/],
    [[item({ mimeType: "Text/HTML;profile=mcp-app" })], /its type is not/],
    [[item(), item()], /exactly one document/],
    [[], /exactly one document/],
    [[item({ uri: "ui://b/view" })], /its URI is another one/],
    [[item({ blob: btoa(HTML) })], /either text or blob/],
    [[item({ text: undefined, blob: "?" })], /not Base64|not_mcp|blob/],
    [[item({ _meta: { ui: { csp: { frameDomains: ["https://a.example 'unsafe-eval'"] } } } })], /frameDomains\[0\]/],
  ];
  for (const [contents, why] of wrong) {
    const error = await resolved(peer({ contents }));
    assert.ok(isBroken(error, why), `${why}: ${error}`);
  }
  const neither = await resolved(peer({ contents: [item({ text: undefined })] }));
  assert.ok(isBroken(neither, /./), String(neither));
  const blob = await resolved(peer({ contents: [item({ text: undefined, blob: btoa(HTML) })] }));
  assert.equal((blob as { html: string }).html, HTML);
});

Deno.test("apps 04 what the document declares wins over the list, and the list stands in where it declares nothing", async () => {
  const own = { csp: { connectDomains: ["https://own.example"] } };
  const other = { csp: { connectDomains: ["https://listed.example"] }, prefersBorder: true };
  const resources = [{ uri: "ui://b", name: "b", _meta: { ui: own } }, { uri: URI, name: "a", _meta: { ui: other } }];
  const both = peer({ contents: [item({ _meta: { ui: own } })], resources });
  const view = await resolved(both) as { readonly ui: { readonly csp: object } };
  assert.deepEqual(view.ui, own);
  assert.ok(Object.isFrozen(view.ui) && Object.isFrozen(view.ui.csp) && Object.isFrozen(view));
  assert.equal(both.requests("resources/list").length, 0);
  assert.deepEqual((await resolved(peer({ contents: [item({ _meta: { ui: {} } })], resources })) as { ui: object }).ui, {});
  assert.deepEqual((await resolved(peer({ resources })) as { ui: object }).ui, other);
  assert.deepEqual((await resolved(peer({ resources: [] })) as { ui: object }).ui, {});
  const unlisted = peer({ resources: new ProtocolError(-32601, "Unknown method") });
  assert.deepEqual((await resolved(unlisted) as { ui: object }).ui, {});
  const faulty = await resolved(peer({ resources: [{ uri: URI, name: "a", _meta: { ui: { csp: [] } } }] }));
  assert.ok(isBroken(faulty, /_meta\.ui\.csp: Expected an object/), String(faulty));
});

Deno.test("apps 05 callFromApp calls tools for views, and the server never sees the call of any other one", async () => {
  const tools = [
    listed("both"),
    listed("app", { ui: { visibility: ["app"] } }),
    listed("model", { ui: { visibility: ["model"] } }),
    listed("empty", { ui: { visibility: [] } }),
    listed("unknown", { ui: { visibility: ["app", "user"] } }),
    listed("twice", { ui: { visibility: ["app"] } }),
    listed("twice", { ui: { visibility: ["model"] } }),
  ];
  const server = peer({ tools });
  const client = await connect(server, { extensions: [apps] });
  const { callFromApp } = apps.on(client);
  for (const name of ["both", "app"]) assert.deepEqual((await callFromApp(name, { x: 1 })).content, text("called").content);
  assert.deepEqual(server.requests("tools/call").map(({ params }) => [params?.name, params?.arguments]), [
    ["both", { x: 1 }],
    ["app", { x: 1 }],
  ]);
  for (const name of ["model", "empty", "unknown", "twice", "absent", "__proto__", "constructor"]) {
    await assert.rejects(callFromApp(name), (error) => error instanceof ProtocolError && error.code === -32602, name);
  }
  assert.equal(server.requests("tools/call").length, 2);
  // A view that asks for tools which are not there does not make the client list them each time.
  assert.equal(server.requests("tools/list").length, 1);
  await client.close();
});

Deno.test("apps 06 a view of one server reaches no tool of another one, also of the same name", async () => {
  const [called, uri] = [[] as string[], "ui://shared/view"] as const;
  const serve = (label: string, visibility: ("app" | "model")[]): ReturnType<typeof defineServer> => {
    const made = app({
      tool: { name: "act", visibility, handler: () => (called.push(label), label) },
      resource: { uri, name: "view", html: `${HTML}${label}` },
    });
    const own = appTool({ name: `only_${label}`, handler: () => (called.push(`only_${label}`), "ok") });
    return defineServer({
      name: label,
      version: "1.0.0",
      tools: [made.tool, own],
      resources: [made.resource],
      extensions: [serverApps()],
    }) as never;
  };
  const [a, b] = [serve("a", ["model"]), serve("b", ["app"])];
  const onA = await connect(a, { extensions: [apps] });
  const onB = await connect(b, { extensions: [apps] });
  await assert.rejects(apps.on(onA).callFromApp("act"), /it is not for views/);
  await assert.rejects(apps.on(onA).callFromApp("only_b"), /this server lists no such tool/);
  await apps.on(onB).callFromApp("act");
  assert.deepEqual(called, ["b"]);
  const [ofA] = await onA.listTools();
  const [ofB] = await onB.listTools();
  assert.match((await apps.on(onA).resolve(ofA as Tool))?.html ?? "", /a$/);
  assert.match((await apps.on(onB).resolve("act"))?.html ?? "", /b$/);
  // A tool that another server listed is not taken at its word.
  await assert.rejects(
    apps.on(onA).resolve(ofB as Tool),
    /^TypeError: apps\.resolve: The tool "act" has another view on this server/,
  );
  await assert.rejects(
    apps.on(onA).resolve("only_b"),
    /^TypeError: apps\.resolve: The tool "only_b" is none that this server lists/,
  );
  for (const client of [onA, onB]) await client.close();
  for (const server of [a, b]) await server.close();
});

Deno.test("apps 04 a view that is not listed is found all the same", async () => {
  const csp = { connectDomains: ["https://a.example"] };
  const made = app({
    tool: { name: "a", handler: () => "a" },
    resource: { uri: URI, name: "view", html: HTML, listed: false, csp },
  });
  const server = defineServer({ name: "x", version: "1.0.0", tools: [made.tool], resources: [made.resource] });
  const client = await connect(server, { extensions: [apps] });
  assert.deepEqual(await client.listResources(), []);
  const view = await apps.on(client).resolve("a");
  assert.deepEqual([view?.html, view?.ui], [HTML, { csp }]);
  await client.close();
  await server.close();
});

Deno.test("apps.on refuses a client without the extension, and resolve something that is no tool", async () => {
  const bare = await connect(peer());
  assert.throws(() => apps.on(bare), /^TypeError: apps\.on: Expected a client that was connected/);
  const client = await connect(peer(), { extensions: [apps] });
  assert.equal(apps.on(client), apps.on(client));
  await assert.rejects(apps.on(client).resolve(undefined as never), /^TypeError: apps\.resolve: Expected a tool/);
  for (const one of [bare, client]) await one.close();
});

Deno.test("bridgeClient relays errors of the server as they are, and tells nothing of the connection", async () => {
  const server = scripted(({ method }) => {
    if (method === "server/discover") return { ...DISCOVERED, capabilities: { tools: {}, resources: {} } };
    throw new ProtocolError(-32050, "Its own", { data: { more: 1 } });
  });
  const client = await connect(server, { extensions: [apps] });
  const bridge = apps.on(client).bridgeClient();
  const read = { method: "resources/read", params: { uri: URI, _meta: { "com.example/trust": true } } };
  await assert.rejects(bridge.request(read), { code: -32050, message: "Its own", data: { more: 1 } });
  const { uri, _meta } = server.requests("resources/read")[0]?.params ?? {};
  assert.deepEqual([uri, Object.hasOwn(_meta as object, "com.example/trust")], [URI, false]);
  const stop = new AbortController();
  stop.abort(new Error("by the view"));
  await assert.rejects(bridge.request(read, { signal: stop.signal }), /by the view/);
  await client.close();
  await assert.rejects(bridge.request(read), { kind: "protocol", code: -32000, message: "The connection to the server failed" });
});

Deno.test("bridgeClient sends what views may ask, without their _meta, and tells of changes until it is closed", async () => {
  let visibility: ("app" | "model")[] = ["model"];
  const seen: unknown[] = [];
  const act = (): ReturnType<typeof appTool> =>
    appTool({ name: "act", visibility, handler: (_args, ctx) => (seen.push(ctx.meta["com.example/trust"]), "ok") });
  const server = defineServer({ name: "x", version: "1.0.0", tools: [act()], extensions: [serverApps()] });
  const client = await connect(server, { extensions: [apps] });
  const bridge = apps.on(client).bridgeClient();
  assert.deepEqual(bridge.getServerCapabilities(), client.server.capabilities);
  await assert.rejects(bridge.request({ method: "tools/call", params: { name: "act" } }), { code: -32602 });
  await assert.rejects(bridge.request({ method: "tools/call", params: { name: 7 } }), { code: -32602 });
  await assert.rejects(bridge.request({ method: "tools/call", params: { name: "act", arguments: [] } }), { code: -32602 });
  await assert.rejects(bridge.request({ method: "tools/call", params: [] }), { code: -32602 });
  for (const method of ["tools/list", "prompts/get", "server/discover", "initialize", "subscriptions/listen", "ui/message"]) {
    await assert.rejects(bridge.request({ method }), { code: -32601 }, method);
  }
  const changes: unknown[] = [];
  const changed = new Promise<void>((resolve) =>
    bridge.setNotificationHandler("notifications/tools/list_changed", (notification) => {
      changes.push(notification);
      resolve();
      throw new Error("no harm");
    })
  );
  bridge.setNotificationHandler("notifications/other", () => changes.push("other"));
  visibility = ["app"];
  // The stream opens on its own; a change before that is not told.
  const update = setInterval(() => server.update({ tools: [act()] } as never), 10);
  await changed;
  clearInterval(update);
  assert.deepEqual(changes[0], { method: "notifications/tools/list_changed", params: {} });
  // The change is known at once.
  const result = await bridge.request({ method: "tools/call", params: { name: "act", _meta: { "com.example/trust": true } } });
  assert.deepEqual(result.content, [{ type: "text", text: "ok" }]);
  assert.deepEqual(seen, [undefined]);
  await bridge.close();
  // A view that is slower than its end opens nothing that nobody would close.
  const open: unknown[] = [];
  const watching = { ...client, server: client.server, watch: (...args: unknown[]) => open.push(args) } as never;
  const late = wrapClient(watching, () => Promise.reject(new Error("not called")), () => undefined);
  await late.close();
  late.setNotificationHandler("notifications/tools/list_changed", () => undefined);
  assert.deepEqual(open, []);
  assert.throws(
    () => late.setNotificationHandler("notifications/tools/list_changed", null as never),
    /^TypeError: bridgeClient\.setNotificationHandler\.handler: Expected a function/,
  );
  await client.close();
  await server.close();
});
