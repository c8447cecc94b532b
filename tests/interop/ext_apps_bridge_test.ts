import assert from "node:assert/strict";
import { App } from "@modelcontextprotocol/ext-apps";
import { AppBridge } from "@modelcontextprotocol/ext-apps/app-bridge";
import { styleVariables } from "../../protocol/extensions/bridge/style_variables.ts";
import { readBridgeMessage } from "../../protocol/extensions/bridge/read_bridge_message.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { hosted } from "../client/extensions/hosted.ts";
import { RESULTS, SPECIMENS } from "../protocol/extensions/bridge/bridge_specimens.ts";

type OfficialTransport = Parameters<App["connect"]>[0] & object;

/** What the official side sends goes to `out`; what `push` gets comes in. */
class Wire {
  onmessage?: (message: never) => void;
  onclose?: () => void;
  readonly #out: (message: JsonObject) => void;
  constructor(out: (message: JsonObject) => void) {
    this.#out = out;
  }
  start(): Promise<void> {
    return Promise.resolve();
  }
  send(message: unknown): Promise<void> {
    this.#out(structuredClone(message) as JsonObject);
    return Promise.resolve();
  }
  close(): Promise<void> {
    this.onclose?.();
    return Promise.resolve();
  }
  push(message: object): void {
    this.onmessage?.(structuredClone(message) as never);
  }
  get transport(): OfficialTransport {
    return this as unknown as OfficialTransport;
  }
}

const INFO = { name: "card", version: "1.0.0" };
const CONTEXT = {
  theme: "dark",
  displayMode: "inline",
  availableDisplayModes: ["inline", "fullscreen"],
  locale: "nb-NO",
  styles: { variables: { "--color-text-primary": "#111" } },
  containerDimensions: { maxHeight: 500 },
  "x-own": { kept: true },
} as const;

Deno.test("apps 16 the App of ext-apps and our host: the whole life of a view", async () => {
  const seen: [string, unknown][] = [];
  const note = (name: string) => (params?: unknown): void => void seen.push([name, params]);
  const handlers = {
    openLink: note("open-link"),
    message: note("message"),
    updateModelContext: note("context"),
    displayMode: note("mode"),
    log: note("log"),
    sizeChanged: note("size"),
    requestTeardown: note("request-teardown"),
  };
  let wire: Wire;
  await hosted({ handlers, context: CONTEXT, post: (message) => wire.push(message) }, async ({ host, client, ran }) => {
    wire = new Wire((message) => host.receive(message));
    const app = new App(INFO, { availableDisplayModes: ["inline", "fullscreen"] }, { autoResize: false });
    app.ontoolinputpartial = note("partial");
    app.ontoolinput = note("input");
    app.ontoolresult = note("result");
    app.onhostcontextchanged = note("changed");
    app.onteardown = () => {
      note("teardown")();
      return {};
    };
    await app.connect(wire.transport);
    await host.ready;
    assert.deepEqual(app.getHostVersion(), { name: "test-host", version: "1.0.0" });
    assert.equal(app.getHostContext()?.theme, "dark");
    assert.equal((app.getHostContext() as { "x-own"?: { kept: boolean } })["x-own"]?.kept, true);
    assert.equal(app.getHostContext()?.toolInfo?.tool.name, "weather");
    assert.deepEqual(app.getHostCapabilities()?.serverTools, {});

    host.toolInputPartial({ city: "O" });
    host.toolInput({ city: "Oslo" });
    host.toolResult(await client.callTool("weather", { city: "Oslo" }));
    host.setContext({ theme: "light" });

    const result = await app.callServerTool({ name: "weather", arguments: { city: "Rome" } });
    assert.deepEqual(result.structuredContent, { city: "Rome", degrees: 12, server: "mast" });
    await assert.rejects(app.callServerTool({ name: "failing", arguments: {} }), { code: -31_999, data: { mast: 7 } });
    await assert.rejects(app.callServerTool({ name: "forecast", arguments: {} }), { code: -32602 });
    assert.ok(!ran.includes("forecast"));
    const read = await app.readServerResource({ uri: "log://today" });
    assert.equal((read.contents[0] as { text?: string }).text, "calm");
    assert.deepEqual(await app.sendMessage({ role: "user", content: [{ type: "text", text: "Hi" }] }), {});
    assert.deepEqual(await app.openLink({ url: "https://example.com/" }), {});
    await assert.rejects(app.openLink({ url: "http://example.com/" }), { code: -32602 });
    assert.deepEqual(await app.updateModelContext({ structuredContent: { at: 1 } }), {});
    assert.deepEqual(await app.requestDisplayMode({ mode: "fullscreen" }), { mode: "fullscreen" });
    assert.deepEqual(await app.requestDisplayMode({ mode: "pip" }), { mode: "fullscreen" });
    await app.sendLog({ level: "info", data: "seen" });
    await app.sendSizeChanged({ width: 300, height: 200 });
    await app.requestTeardown();
    assert.equal(await host.teardown(), "answered");
    assert.deepEqual(seen.map(([name]) => name).toSorted(), [
      "changed",
      "changed",
      "context",
      "input",
      "log",
      "message",
      "mode",
      "open-link",
      "partial",
      "request-teardown",
      "result",
      "size",
      "teardown",
    ]);
    await app.close();
  });
});

Deno.test("apps 16 a tool of the App of ext-apps is listed and called by our host", async () => {
  let wire: Wire;
  await hosted({ post: (message) => wire.push(message) }, async ({ host }) => {
    wire = new Wire((message) => host.receive(message));
    const app = new App(INFO, { tools: {} }, { autoResize: false });
    app.onlisttools = () => Promise.resolve({ tools: [{ name: "zoom", inputSchema: { type: "object" } }] });
    app.oncalltool = (params) => Promise.resolve({ content: [{ type: "text", text: `${params.name} ran` }] });
    await app.connect(wire.transport);
    await host.ready;
    assert.deepEqual((await host.request("tools/list")).tools, [{ name: "zoom", inputSchema: { type: "object" } }]);
    assert.deepEqual((await host.request("tools/call", { name: "zoom" })).content, [{ type: "text", text: "zoom ran" }]);
    await app.close();
  });
});

Deno.test("apps 16 our codec of a view and the AppBridge of ext-apps understand each other's messages", async () => {
  const fromHost: unknown[] = [];
  const asked = new Map<string | number, string>();
  const answers = new Map<string | number, (result: unknown) => void>();
  const wire = new Wire((message) => {
    const read = readBridgeMessage(message, "host", { asked });
    assert.ok(read.ok, JSON.stringify(read));
    const { message: sound } = read;
    if (sound.kind === "response") answers.get(sound.id)?.("result" in sound ? sound.result : sound.error);
    else fromHost.push(sound);
    if (sound.kind === "request") wire.push({ jsonrpc: "2.0", id: sound.id, result: RESULTS.view[sound.method] ?? {} });
  });
  const bridge = new AppBridge(null, { name: "host", version: "1" }, { openLinks: {}, serverTools: {}, logging: {} }, {
    hostContext: { theme: "light", displayMode: "inline", availableDisplayModes: ["inline"] },
  });
  const taken: string[] = [];
  bridge.oninitialized = () => void taken.push("initialized");
  bridge.onsizechange = () => void taken.push("size-changed");
  bridge.onloggingmessage = () => void taken.push("message");
  bridge.onrequestteardown = () => void taken.push("request-teardown");
  bridge.onmessage = () => Promise.resolve({});
  bridge.onopenlink = () => Promise.resolve({});
  bridge.onupdatemodelcontext = () => Promise.resolve({});
  bridge.ondownloadfile = () => Promise.resolve({});
  bridge.oncalltool = () => Promise.resolve(RESULTS.host["tools/call"] as never);
  bridge.onreadresource = () => Promise.resolve(RESULTS.host["resources/read"] as never);
  await bridge.connect(wire.transport as never);
  let id = 0;
  const send = (method: string, params: JsonObject): void => wire.push({ jsonrpc: "2.0", method, params });
  const ask = (method: string): Promise<unknown> => {
    const message = { jsonrpc: "2.0", id: ++id, method, params: SPECIMENS.view.request[method] as JsonObject };
    const read = readBridgeMessage(message, "view");
    assert.ok(read.ok && read.message.kind === "request");
    asked.set(id, method);
    const answer = new Promise((resolve) => answers.set(id, resolve));
    wire.push({ ...message, params: read.message.params });
    return answer;
  };
  const hello = await ask("ui/initialize") as { hostContext: { theme: string } };
  assert.equal(hello.hostContext.theme, "light");
  for (const [method, params] of Object.entries(SPECIMENS.view.notification)) if (method.startsWith("ui/")) send(method, params);
  send("notifications/message", SPECIMENS.view.notification["notifications/message"] as JsonObject);
  // It takes notifications later than requests.
  await new Promise((resolve) => setTimeout(resolve, 0));
  assert.deepEqual(await ask("ui/message"), {});
  assert.deepEqual(await ask("ui/open-link"), {});
  assert.deepEqual(await ask("ui/download-file"), {});
  assert.deepEqual(await ask("ui/update-model-context"), {});
  assert.deepEqual(await ask("ui/request-display-mode"), { mode: "inline" });
  assert.deepEqual(await ask("tools/call"), RESULTS.host["tools/call"]);
  assert.deepEqual(await ask("resources/read"), RESULTS.host["resources/read"]);
  assert.deepEqual(await ask("ping"), {});
  assert.deepEqual(taken.toSorted(), ["initialized", "message", "request-teardown", "size-changed"]);

  await bridge.sendToolInputPartial({ arguments: { city: "O" } });
  await bridge.sendToolInput({ arguments: { city: "Oslo" } });
  await bridge.sendToolResult({ content: [{ type: "text", text: "12 °C" }], structuredContent: { degrees: 12 } });
  await bridge.sendToolCancelled({ reason: "stopped" });
  bridge.setHostContext({ theme: "dark", displayMode: "inline", availableDisplayModes: ["inline"] });
  await bridge.sendToolListChanged();
  assert.deepEqual(await bridge.listTools({}), { tools: [] });
  await bridge.teardownResource({});
  assert.deepEqual((fromHost as { method: string }[]).map(({ method }) => method), [
    "ui/notifications/tool-input-partial",
    "ui/notifications/tool-input",
    "ui/notifications/tool-result",
    "ui/notifications/tool-cancelled",
    "ui/notifications/host-context-changed",
    "notifications/tools/list_changed",
    "tools/list",
    "ui/resource-teardown",
  ]);
  await bridge.close();
});

Deno.test("apps 16 our style variables are those of ext-apps", async () => {
  const imported: unknown = await import("@modelcontextprotocol/ext-apps/schema.json", { with: { type: "json" } });
  const { $defs } = (imported as { default: { $defs: Record<string, { anyOf: { const: string }[] }> } }).default;
  const names = $defs.McpUiStyleVariableKey?.anyOf.map((entry) => entry.const);
  assert.deepEqual([...styleVariables()].toSorted(), names?.toSorted());
});
