/** The official Apps package and one of its servers against this package: its helpers for servers, its bridge, its view. */
import assert from "node:assert/strict";
import { connect } from "@causeway/mcp/client";
import { apps, toolUiUri } from "@causeway/mcp/client/apps";
import { defineServer } from "@causeway/mcp/server";
import { app, appRegistry, apps as serverApps, appTool } from "@causeway/mcp/server/apps";
import { App } from "@modelcontextprotocol/ext-apps";
import { AppBridge, buildAllowAttribute, getToolUiResourceUri } from "@modelcontextprotocol/ext-apps/app-bridge";
import {
  EXTENSION_ID,
  getUiCapability,
  registerAppResource,
  registerAppTool,
  RESOURCE_MIME_TYPE,
} from "@modelcontextprotocol/ext-apps/server";
import { z } from "zod";
import { allowAttribute } from "../../protocol/extensions/app_csp.ts";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import type { ProtocolVersion, Tool } from "../../protocol/types.ts";
import { packageCommand } from "./peers/children.ts";

const HTML = "<!doctype html><title>View</title>";
const URI = "ui://weather/view";

/** One end of a carrier as the official classes take it. */
interface End {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  start(): Promise<void>;
  send(message: unknown): Promise<void>;
  close(): Promise<void>;
}

/** Two ends in this process; messages go over as copies, as `postMessage` has it. */
function pair(): readonly [End, End] {
  const make = (other: () => End): End => ({
    start: () => Promise.resolve(),
    send: (message) => {
      const copy = structuredClone(message);
      queueMicrotask(() => other().onmessage?.(copy as never));
      return Promise.resolve();
    },
    close: () => Promise.resolve(),
  });
  const ends: [End, End] = [make(() => ends[1]), make(() => ends[0])];
  return ends;
}

Deno.test("apps 01 names of the official package are those of this one", async () => {
  const seen: unknown[] = [];
  const look = appTool({
    name: "look",
    handler: (_args, ctx) => {
      seen.push(getUiCapability(ctx.client.capabilities as never));
      return "Seen";
    },
  });
  const server = defineServer({ name: "x", version: "1.0.0", tools: [look] });
  const client = await connect(server, { extensions: [apps] });
  await client.callTool("look");
  assert.deepEqual(seen, [{ mimeTypes: [RESOURCE_MIME_TYPE] }]);
  assert.equal(apps.id, EXTENSION_ID);
  await client.close();
  await server.close();
});

Deno.test("apps 02 the official package finds the views of tools where this one does", () => {
  const metas: readonly object[] = [
    {},
    { ui: { resourceUri: URI } },
    { "ui/resourceUri": URI },
    { ui: { resourceUri: URI }, "ui/resourceUri": "ui://other" },
    { ui: { resourceUri: "https://weather" } },
    { "ui/resourceUri": 7 },
    { ui: { resourceUri: null } },
  ];
  const outcome = (read: () => unknown): unknown => {
    try {
      return read();
    } catch {
      return "thrown";
    }
  };
  for (const _meta of metas) {
    const tool = { name: "a", inputSchema: { type: "object" }, _meta } as Tool;
    assert.equal(outcome(() => toolUiUri(tool)), outcome(() => getToolUiResourceUri(tool as never)), JSON.stringify(_meta));
  }
});

Deno.test("apps 08 the official package grants the same features in the same words", () => {
  const all = { camera: {}, microphone: {}, geolocation: {}, clipboardWrite: {} };
  assert.equal(allowAttribute(all), buildAllowAttribute(all));
  assert.equal(allowAttribute({ clipboardWrite: {} }), buildAllowAttribute({ clipboardWrite: {} }));
  assert.equal(allowAttribute(), buildAllowAttribute(undefined));
});

Deno.test("apps 16 registerAppTool and registerAppResource register apps of a server of this package", async () => {
  const registry = appRegistry();
  registerAppTool(registry, "weather", {
    title: "Weather",
    inputSchema: { city: z.string() },
    outputSchema: { degrees: z.number() },
    _meta: { ui: { resourceUri: URI, visibility: ["model", "app"] } },
  }, ({ city }) => ({ content: [{ type: "text", text: `21 degrees in ${city}` }], structuredContent: { degrees: 21 } }));
  registerAppTool(registry, "bare", { _meta: { "ui/resourceUri": URI } }, () => ({ content: [{ type: "text", text: "Bare" }] }));
  registerAppResource(registry, "view", URI, { _meta: { ui: { prefersBorder: true } } }, (uri) => ({
    contents: [{
      uri: uri.href,
      mimeType: RESOURCE_MIME_TYPE,
      text: HTML,
      _meta: { ui: { csp: { connectDomains: ["https://api.example.com"] } } },
    }],
  }));
  const { tools, resources } = registry;
  const server = defineServer({ name: "x", version: "1.0.0", tools, resources, extensions: [serverApps()] });
  for (const { version } of DIALECTS) {
    const client = await connect(server, { extensions: [apps], protocol: version as ProtocolVersion });
    const result = await client.callTool("weather", { city: "Bern" });
    assert.deepEqual([result.content, result.structuredContent], [[{ type: "text", text: "21 degrees in Bern" }], {
      degrees: 21,
    }]);
    // Some revisions answer with an error, some with a result.
    const refused = await client.callTool("weather", { city: 7 }).then(({ isError }) => isError, ({ code }) => code === -32602);
    assert.equal(refused, true);
    for (const name of ["weather", "bare"]) {
      const view = await apps.on(client).resolve(name);
      assert.deepEqual([view?.uri, view?.html], [URI, HTML]);
      assert.deepEqual(view?.ui, { csp: { connectDomains: ["https://api.example.com"] } });
    }
    assert.deepEqual((await client.listResources())[0]?._meta, { ui: { prefersBorder: true } });
    await client.close();
  }
  await server.close();
});

Deno.test("apps 16 the official bridge sits on a client of this package, and the official view speaks to its server", async () => {
  const called: string[] = [];
  const note = (name: string): string => (called.push(name), `did ${name}`);
  const weather = app({
    tool: {
      name: "weather",
      args: { city: { type: "string", required: true } },
      handler: ({ city }) => ({ structured: { city }, content: note("weather"), meta: { "com.example/x": 1 } }),
    },
    resource: { uri: URI, name: "view", html: HTML },
  });
  const tools = [
    weather.tool,
    appTool({ name: "refresh", visibility: ["app"], handler: () => note("refresh") }),
    appTool({ name: "secret", visibility: ["model"], handler: () => note("secret") }),
    appTool({
      name: "fail",
      handler: () => ({ content: [{ type: "text", text: note("fail") }], isError: true }),
    }),
  ];
  for (const { version, handshake } of DIALECTS) {
    called.length = 0;
    const server = defineServer({
      name: "x",
      version: "1.0.0",
      tools,
      resources: [weather.resource],
      extensions: [serverApps()],
    });
    // Pinned to one stateless revision nothing would be known of the server.
    const protocol = handshake === undefined ? undefined : version as ProtocolVersion;
    const client = await connect(server, { extensions: [apps], protocol });
    const bridgeClient = apps.on(client).bridgeClient();
    const bridge = new AppBridge(bridgeClient as never, { name: "host", version: "1.0.0" }, {
      openLinks: {},
      serverTools: {},
      serverResources: {},
    });
    const view = new App({ name: "view", version: "1.0.0" }, {}, { autoResize: false });
    const [hostEnd, viewEnd] = pair();
    const ready = new Promise<void>((resolve) => bridge.oninitialized = () => resolve());
    const told = new Promise<unknown>((resolve) => view.ontoolresult = resolve);
    const changed = new Promise<void>((resolve) =>
      view.fallbackNotificationHandler = (notification) => {
        if (notification.method === "notifications/tools/list_changed") resolve();
        return Promise.resolve();
      }
    );
    await bridge.connect(hostEnd as never);
    await view.connect(viewEnd as never);
    await ready;
    assert.equal(view.getHostVersion()?.name, "host");

    const result = await client.callTool("weather", { city: "Bern" });
    await bridge.sendToolInput({ arguments: { city: "Bern" } });
    await bridge.sendToolResult(result as never);
    const seen = await told as { structuredContent: unknown; _meta: { [key: string]: unknown } };
    assert.deepEqual([seen.structuredContent, seen._meta["com.example/x"]], [{ city: "Bern" }, 1]);

    const again = await view.callServerTool({ name: "weather", arguments: { city: "Basel" } });
    assert.deepEqual([again.content, again.structuredContent], [[{ type: "text", text: "did weather" }], { city: "Basel" }]);
    assert.deepEqual((await view.callServerTool({ name: "refresh" })).content, [{ type: "text", text: "did refresh" }]);
    assert.equal((await view.callServerTool({ name: "fail" })).isError, true);
    await assert.rejects(view.callServerTool({ name: "secret" }), { code: -32602 });
    await assert.rejects(view.callServerTool({ name: "absent" }), { code: -32602 });
    assert.deepEqual(called, ["weather", "weather", "refresh", "fail"], version);

    const read = await view.readServerResource({ uri: URI });
    assert.equal((read.contents[0] as { text?: string }).text, HTML);
    // The official bridge has one code for it.
    await assert.rejects(view.readServerResource({ uri: "ui://absent" }), { code: -32602 });
    const absent = { method: "resources/read", params: { uri: "ui://absent" } };
    await assert.rejects(bridgeClient.request(absent), { code: handshake === undefined ? -32602 : -32002 });
    assert.deepEqual((await view.listServerResources()).resources.map(({ uri }) => uri), [URI]);

    const update = setInterval(() => server.update({ tools: tools.slice(0, 2) } as never), 10);
    await changed;
    clearInterval(update);
    await bridgeClient.close();
    await view.close();
    await bridge.close();
    await client.close();
    await server.close();
  }
});

Deno.test("apps 16 the views of an official server are found and read", async () => {
  const command = await packageCommand("@modelcontextprotocol/server-basic-vanillajs", "--stdio");
  const client = await connect({ ...command, stderr: "null" }, { extensions: [apps] });
  try {
    const tools = await client.listTools();
    const [tool] = tools.filter((one) => toolUiUri(one) !== undefined);
    assert.ok(tool !== undefined);
    const view = await apps.on(client).resolve(tool);
    assert.match(view?.html ?? "", /^<!doctype html>/i);
    assert.equal(view?.uri, toolUiUri(tool));
    const result = await apps.on(client).callFromApp(tool.name);
    assert.equal(result.content[0]?.type, "text");
  } finally {
    await client.close();
  }
});
