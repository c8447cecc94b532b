import assert from "node:assert/strict";
import { connect } from "../../../client/connect.ts";
import { apps as clientApps } from "../../../client/extensions/apps.ts";
import { tasks as clientTasks } from "../../../client/extensions/tasks.ts";
import { DIALECTS } from "../../../protocol/dialects/mod.ts";
import { APP_LIMITS } from "../../../protocol/limits.ts";
import type { ProtocolVersion, ReadResourceResult } from "../../../protocol/types.ts";
import type { AnyTool } from "../../../server/components/component_types.ts";
import { app, APP_MIME_TYPE, appResource, apps, appTool, showsApps } from "../../../server/extensions/apps.ts";
import { task, tasks } from "../../../server/extensions/tasks.ts";
import { defineServer } from "../../../server/server.ts";

const INFO = { name: "x", version: "1.0.0" };
const HTML = "<!doctype html><title>Weather</title>";
const VERSIONS: readonly ProtocolVersion[] = DIALECTS.map(({ version }) => version as ProtocolVersion);

/** The least that makes an app, with changes. */
function parts(tool: object = {}, resource: object = {}): never {
  return {
    tool: { name: "weather", handler: () => "21 degrees", ...tool },
    resource: { uri: "ui://weather/view", name: "view", html: HTML, ...resource },
  } as never;
}

Deno.test("apps 15 a tool with a view, its resource and the extension reach clients of every revision, with and without Apps", async () => {
  const ui = { csp: { connectDomains: ["https://api.example.com"] }, permissions: { camera: {} }, prefersBorder: true };
  const weather = app({
    tool: {
      name: "weather",
      args: { city: { type: "string", required: true } },
      visibility: ["model", "app"],
      meta: { "com.example/own": 1 },
      handler: ({ city }, ctx) => ({ structured: { city, shows: showsApps(ctx) }, content: `21 degrees in ${city}` }),
    },
    resource: { uri: "ui://weather/view", name: "view", html: HTML, domain: "weather.example", ...ui },
  });
  const server = defineServer({ ...INFO, tools: [weather.tool], resources: [weather.resource], extensions: [apps()] });
  for (const protocol of VERSIONS) {
    for (const extensions of [[clientApps], []]) {
      const client = await connect(server, { protocol, extensions });
      // With one stateless revision nothing is asked while connecting.
      const { capabilities } = client.server.era === "modern" ? await client.discover() : client.server;
      assert.deepEqual(capabilities.extensions, { "io.modelcontextprotocol/ui": {} }, protocol);
      const [tool] = await client.listTools();
      assert.deepEqual(tool?._meta, {
        "com.example/own": 1,
        ui: { resourceUri: "ui://weather/view", visibility: ["model", "app"] },
      });
      const result = await client.callTool("weather", { city: "Bern" });
      assert.deepEqual(result.content, [{ type: "text", text: "21 degrees in Bern" }]);
      assert.deepEqual(result.structuredContent, { city: "Bern", shows: extensions.length === 1 }, protocol);
      const [listed] = await client.listResources();
      assert.equal(listed?.mimeType, APP_MIME_TYPE);
      assert.deepEqual(listed?._meta, { ui: { domain: "weather.example", ...ui } });
      const read = await client.readResource("ui://weather/view") as ReadResourceResult;
      assert.deepEqual(read.contents, [{
        uri: "ui://weather/view",
        mimeType: "text/html;profile=mcp-app",
        text: HTML,
        _meta: { ui: { domain: "weather.example", ...ui } },
      }]);
      await client.close();
    }
  }
  await server.close();
});

Deno.test("apps 15 a tool that the model may use fails without content, and one for views alone does not", async () => {
  const reported: string[] = [];
  const returns: readonly unknown[] = [undefined, "", { content: [] }, { structured: {}, content: [] }];
  const link = { resourceUri: "ui://weather/view" };
  const tools: AnyTool[] = returns.flatMap((value, at) => [
    appTool({ ...link, name: `now${at}`, handler: () => value as string }),
    appTool({ ...link, name: `later${at}`, handler: () => Promise.resolve(value as string) }),
    appTool({ ...link, name: `app${at}`, visibility: ["app"], handler: () => value as string }),
    appTool({ ...link, name: `meta${at}`, meta: { ui: { visibility: ["app"] } }, handler: () => value as string }),
  ]);
  tools.push(appTool({ ...link, name: "data", handler: () => ({ degrees: 21 }) }));
  const server = defineServer({ ...INFO, tools, onError: (error) => void reported.push((error as Error).message) });
  const client = await connect(server);
  assert.deepEqual((await client.callTool("data")).content, [{ type: "text", text: '{"degrees":21}' }]);
  for (const at of returns.keys()) {
    for (const name of [`app${at}`, `meta${at}`]) assert.equal((await client.callTool(name)).isError, undefined, name);
    for (const name of [`now${at}`, `later${at}`]) {
      const failed = await client.callTool(name).then((result) => result.isError === true, () => true);
      assert.equal(failed, true, name);
    }
  }
  assert.equal(reported.filter((text) => text.includes("returned no content")).length, 2 * returns.length);
  await client.close();
  await server.close();
});

Deno.test("apps 15 what task() gives in the handler of an app fails without content too, as a task and at once", async () => {
  const reported: string[] = [];
  const link = { resourceUri: "ui://weather/view" };
  const tools: AnyTool[] = [
    appTool({ ...link, name: "empty", handler: () => task(() => "") }),
    appTool({ ...link, name: "later", handler: async () => await Promise.resolve(task(() => Promise.resolve(""))) }),
    appTool({ ...link, name: "optional", task: "optional", handler: () => "" }),
    appTool({ ...link, name: "good", handler: () => task(() => "21 degrees") }),
  ];
  const onError = (error: unknown): void => void reported.push((error as Error).message);
  const server = defineServer({ ...INFO, tools, extensions: [tasks({ pollInterval: 1 })], onError });
  for (const extensions of [[clientTasks], []]) {
    const client = await connect(server, { extensions });
    for (const name of ["empty", "later", "optional"]) {
      const failed = await client.callTool(name).then((result) => result.isError === true, () => true);
      assert.equal(failed, true, name);
    }
    assert.deepEqual((await client.callTool("good")).content, [{ type: "text", text: "21 degrees" }]);
    await client.close();
  }
  assert.equal(reported.filter((text) => text.includes("returned no content")).length, 6, reported.join("; "));
  await server.close();
});

Deno.test("apps 15 showsApps hides a tool from clients that show no views, or other types of them", async () => {
  const draw = appTool({ name: "draw", resourceUri: "ui://draw/board", visible: showsApps, handler: () => "Open" });
  const server = defineServer({ ...INFO, tools: [draw], extensions: [apps()] });
  const names = async (settings: object | undefined): Promise<readonly string[]> => {
    const extensions = settings === undefined
      ? []
      : [{ id: "io.modelcontextprotocol/ui", settings: settings as never, handshake: true }];
    const client = await connect(server, { extensions });
    const tools = await client.listTools();
    await client.close();
    return tools.map(({ name }) => name);
  };
  assert.deepEqual(await names({ mimeTypes: ["text/x", APP_MIME_TYPE] }), ["draw"]);
  for (const settings of [undefined, {}, { mimeTypes: [] }, { mimeTypes: ["text/html"] }, { mimeTypes: APP_MIME_TYPE }]) {
    assert.deepEqual(await names(settings), [], JSON.stringify(settings));
  }
  await server.close();
});

Deno.test("apps 17 a definition is frozen at every depth, and what is changed afterwards has no effect", async () => {
  const args = { city: { type: "string" as string, enum: ["Bern"] } };
  const connectDomains = ["https://a.example"];
  const visibility: ("model" | "app")[] = ["app"];
  const icons = [{ src: "https://a.example/i.png" }];
  const meta = { "com.example/own": { list: [1] } };
  const html = new TextEncoder().encode(HTML);
  const options = {
    tool: { name: "weather", args, visibility, meta, icons, handler: () => "21 degrees" },
    resource: { uri: "ui://weather/view", name: "view", html, csp: { connectDomains }, permissions: { camera: {} }, meta, icons },
  } as const;
  const made = app(options as never) as ReturnType<typeof app>;
  const before = JSON.stringify([made.tool.definition, made.resource.definition]);
  args.city.type = "number";
  args.city.enum.push("Basel");
  connectDomains.push("https://b.example");
  visibility.push("model");
  icons[0]!.src = "https://b.example/i.png";
  meta["com.example/own"].list.push(2);
  html.fill(32);
  Object.assign(options.tool, { name: "other", handler: () => "other" });
  assert.equal(JSON.stringify([made.tool.definition, made.resource.definition]), before);
  const unfrozen: string[] = [];
  const look = (value: unknown, path: string): void => {
    if (typeof value !== "object" || value === null) return;
    if (!Object.isFrozen(value)) unfrozen.push(path);
    for (const [key, member] of Object.entries(value)) look(member, `${path}.${key}`);
  };
  look(made, "app");
  assert.deepEqual(unfrozen, []);
  // What the program gave stays its own.
  assert.equal(Object.isFrozen(args.city), false);
  assert.equal(Object.isFrozen(meta), false);
  const server = defineServer({ ...INFO, tools: [made.tool], resources: [made.resource] });
  const client = await connect(server);
  assert.deepEqual((await client.callTool("weather", { city: "Bern" })).content, [{ type: "text", text: "21 degrees" }]);
  assert.equal((await client.callTool("weather", { city: "Basel" })).isError, true);
  const [item] = (await client.readResource("ui://weather/view") as ReadResourceResult).contents;
  assert.equal((item as { text?: string }).text, HTML);
  assert.deepEqual(item?._meta, { ui: { csp: { connectDomains: ["https://a.example"] }, permissions: { camera: {} } } });
  await client.close();
  await server.close();
});

Deno.test("app refuses a tool, a resource and a document that do not fit together, and says where", () => {
  const wrong: readonly (readonly [tool: object, resource: object, why: RegExp])[] = [
    [{ resourceUri: "ui://weather/other" }, {}, /^tools\.weather\.resourceUri: The view is ui:\/\/weather\/view/],
    [{ meta: { ui: { resourceUri: "ui://weather/other" } } }, {}, /^tools\.weather\.meta: It names another view/],
    [{ meta: { "ui/resourceUri": "ui://weather/other" } }, {}, /^tools\.weather\.meta: It names another view/],
    [{ meta: { ui: [] } }, {}, /^tools\.weather\.meta\.ui: Expected an object/],
    [{ csp: {} }, {}, /^tools\.weather\.csp: It belongs to the resource/],
    [{ meta: { ui: { permissions: {} } } }, {}, /^tools\.weather\.meta\.ui\.permissions: It belongs to the resource/],
    [{ visibility: [] }, {}, /^tools\.weather\.visibility: Expected a list/],
    [{ visibility: ["user"] }, {}, /^tools\.weather\.visibility\[0\]: Expected/],
    [{ meta: { ui: { visibility: ["user"] } } }, {}, /^tools\.weather\.visibility\[0\]: Expected/],
    [{ handler: 1 }, {}, /^tools\.weather\.handler: Expected a function/],
    [{ name: "a b" }, {}, /^tools\.a b: /],
    [{ annotations: { title: () => "" } }, {}, /^tools\.weather\.annotations/],
    [{}, { uri: "https://weather" }, /^resources\.view\.uri: Expected a URI that begins with ui:\/\//],
    [{}, { uri: "ui://weather/{city}" }, /^resources\.view\.uri: Expected no template/],
    [{}, { uri: "ui://" }, /^resources\.view\.uri: /],
    [{}, { uri: 7 }, /^resources\.view\.uri: /],
    [{}, { name: "" }, /^resources\..*name/],
    [{}, { mimeType: "text/html" }, /^resources\.view\.mimeType: Expected exactly text\/html;profile=mcp-app$/],
    [{}, { html: undefined }, /^resources\.view\.html: Expected HTML/],
    [{}, { html: "" }, /^resources\.view\.html: .*empty/],
    [{}, { html: "Hello" }, /^resources\.view\.html: Expected an HTML document/],
    [{}, { html: "<!-- <!doctype html> --><p>" }, /^resources\.view\.html: Expected an HTML document/],
    [{}, { html: "<!-- <!doctype html>" }, /^resources\.view\.html: Expected an HTML document/],
    [{}, { html: `${HTML}${" ".repeat(APP_LIMITS.html)}` }, /^resources\.view\.html: .*at most 4194304/],
    [{}, { html: Uint8Array.of(0xff) }, /^resources\.view\.html: Expected bytes in UTF-8/],
    [{}, { html: new Uint8Array(APP_LIMITS.html * 3 + 1) }, /^resources\.view\.html: .*more than 4194304/],
    [{}, { csp: { connectDomains: ["x; script-src *"] } }, /^resources\.view\.csp\.connectDomains\[0\]: Expected an origin/],
    [{}, { csp: { connectDomain: [] } }, /^resources\.view\.csp\.connectDomain: Expected one of connectDomains/],
    [{}, { permissions: { camera: true } }, /^resources\.view\.permissions\.camera/],
    [{}, { prefersBorder: 1 }, /^resources\.view\.prefersBorder/],
    [{}, { domain: "a b" }, /^resources\.view\.domain/],
    [{}, { meta: { ui: {} }, csp: {} }, /^resources\.view\.meta\.ui: Expected either csp as an option/],
    [{}, { meta: { ui: { csp: 1 } } }, /^resources\.view\.csp: Expected an object/],
    [{}, { read: () => HTML }, /^resources\.view\.read: Expected html instead/],
  ];
  for (const [tool, resource, why] of wrong) {
    assert.throws(
      () => app(parts(tool, resource)),
      (error) => error instanceof TypeError && why.test(error.message),
      String(why),
    );
  }
  assert.throws(() => app({} as never), /^TypeError: app: Expected \{ tool, resource \}/);
  assert.throws(() => app({ ...parts() as object, html: HTML } as never), /^TypeError: app\.html: Unknown option/);
  const { tool } = app(parts({ meta: { ui: { resourceUri: "ui://weather/view" } } }, { html: ` <!-- a -->\n<!DOCTYPE HTML>` }));
  assert.deepEqual(tool.definition._meta, { ui: { resourceUri: "ui://weather/view" } });
});

Deno.test("a function gives the document of each reading, and what it gives is checked", async () => {
  const reported: string[] = [];
  const uri = "ui://weather/view";
  let next: unknown;
  const view = appResource({ uri, name: "view", html: () => next as string, csp: { frameDomains: ["https://a.example"] } });
  const server = defineServer({ ...INFO, resources: [view], onError: (error) => void reported.push((error as Error).message) });
  const client = await connect(server);
  const read = async (document: unknown): Promise<unknown> => {
    next = document;
    return (await client.readResource(uri) as ReadResourceResult).contents[0];
  };
  const declared = { _meta: { ui: { csp: { frameDomains: ["https://a.example"] } } } };
  const item = { uri, mimeType: APP_MIME_TYPE, text: HTML };
  assert.deepEqual(await read(HTML), { ...item, ...declared });
  assert.deepEqual(await read(Promise.resolve(new TextEncoder().encode(HTML))), { ...item, ...declared });
  const own = { ...item, _meta: { ui: { prefersBorder: true } } };
  assert.deepEqual(await read({ contents: [own] }), own);
  const { text: _text, ...bare } = item;
  assert.deepEqual(await read({ contents: [{ ...bare, blob: new TextEncoder().encode("<!doctype html>") }] }), {
    ...bare,
    ...declared,
    blob: btoa("<!doctype html>"),
  });
  const more = await read({ contents: [{ ...item, _meta: { "com.example/own": 1 } }] });
  assert.deepEqual(more, { ...item, _meta: { "com.example/own": 1, ...declared._meta } });
  const refused: readonly (readonly [document: unknown, why: RegExp])[] = [
    ["Hello", /begins with <!doctype html>/],
    [undefined, /Expected HTML/],
    [{ contents: [] }, /exactly one document/],
    [{ contents: [{ ...item, mimeType: "text/html" }] }, /its type is not/],
    [{ contents: [{ ...item, uri: "ui://other" }] }, /its URI is another one/],
    [{ contents: [{ ...item, text: "Hello" }] }, /begins with <!doctype html>/],
    [{ contents: [{ ...item, _meta: { ui: { csp: { connectDomains: ["*"] } } } }] }, /connectDomains\[0\]/],
  ];
  for (const [document, why] of refused) {
    await assert.rejects(read(document), { code: -32603 });
    assert.match(reported.at(-1) ?? "", why);
  }
  await client.close();
  await server.close();
});
