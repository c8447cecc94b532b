import assert from "node:assert/strict";
import { readDoors } from "../scripts/surface.ts";
import { connect } from "../client/mod.ts";
import { defineServer, lines, tool } from "../server/mod.ts";
import { connectInMemory } from "../transports/mod.ts";
import { SURFACE } from "./surface.ts";

type Call = readonly [args: readonly unknown[], begins: string];

const hello = tool({ name: "hello", handler: () => "Hello!" });
const server = defineServer({ name: "greeter", version: "1.0.0", tools: [hello] });
const streams = (): object => ({ readable: new ReadableStream(), writable: new WritableStream() });
const transport = connectInMemory(server);
const skill = { server: "a", uri: "skill://a/SKILL.md", resources: [] };

/** What is no object, where one is expected. */
const NO_OBJECTS = [null, 7, "x", []] as const;

/** Calls with each of them in one place; `begins` is what every message begins with. */
function noObject(begins: string, before: readonly unknown[] = []): Call[] {
  return NO_OBJECTS.map((value) => [[...before, value], begins]);
}

/** The one argument is an object that has to be there, and no other options. */
function options(name: string, nobody = true): Call[] {
  const unknown: Call = [[{ zzz: 1 }], `${name}.zzz: Unknown option`];
  return [[[undefined], name], ...noObject(`${name}: Expected an object`), ...(nobody ? [unknown] : [])];
}

/** The last argument of what builds a block. */
function blockOptions(name: string, before: readonly unknown[]): Call[] {
  return [
    ...noObject(`${name}.options: Expected an object`, before),
    [[...before, { zzz: 1 }], `${name}.zzz: Unknown option`],
    [[...before, { annotation: {} }], `${name}.annotation: Unknown option, perhaps annotations`],
  ];
}

/** Misuse of each function, by door and name, and what the message of the `TypeError` begins with. */
const MISUSES: Readonly<Record<string, Readonly<Record<string, () => readonly Call[]>>>> = {
  "./server": {
    around:
      () => [[[null, () => 1], "around: Expected one of"], [["tools/call", null], "around.tools/call: Expected a function"]],
    assistant: () => [null, 7, []].map((value) => [[value], "assistant: Expected an object"]),
    audio: () => [
      ...[null, 7, {}].map((value): Call => [[value, "audio/wav"], "audio.data: Expected a string or bytes"]),
      ...blockOptions("audio", ["", "audio/wav"]),
    ],
    defineServer: () => [
      ...noObject("defineServer: Expected an object"),
      [[{ name: "a", version: "1", zzz: 1 }], "zzz: Unknown option"],
      ...["tools", "resources", "prompts", "use", "extensions", "icons", "hosts", "origins", "stateKeys", "versions"].map((
        name,
      ): Call => [[{ name: "a", version: "1", [name]: 7 }], name === "icons" ? "server.icons: Expected" : `${name}: Expected`]),
      ...["auth", "bus", "validator", "sessions", "limits", "cache", "onError", "consumeState"].map((
        name,
      ): Call => [[{ name: "a", version: "1", [name]: 7 }], `${name}: Expected`]),
      ...["tools", "resources", "prompts", "use", "extensions"].map((
        name,
      ): Call => [[{ name: "a", version: "1", [name]: [null] }], `${name}[0]: Expected`]),
    ],
    embed: () => [
      ...[null, 7, {}].map((value): Call => [["a:b", value], "embed.data: Expected a string or bytes"]),
      ...blockOptions("embed", ["a:b", ""]),
      [["a:b", "", { mimetype: "a/b" }], "embed.mimetype: Unknown option, perhaps mimeType"],
    ],
    extension: () => [
      ...options("extension"),
      [[{ id: "com.example/a", method: {} }], "extension.method: Unknown option, perhaps methods"],
    ],
    fields: () => [
      ...noObject("fields: Expected an object"),
      ...noObject("fields.options: Expected an object", [{}]),
      [[{}, { zzz: 1 }], "fields.zzz: Unknown option"],
    ],
    image: () => [
      ...[null, 7, {}].map((value): Call => [[value, "image/png"], "image.data: Expected a string or bytes"]),
      ...blockOptions("image", ["", "image/png"]),
    ],
    inputRequired: () => [
      ...noObject("inputRequired.questions: Expected an object"),
      ...noObject("inputRequired.options: Expected an object", [{}]),
      [[{}], "inputRequired: Expected a question or a state"],
      [[{}, { zzz: 1, state: 1 }], "inputRequired.zzz: Unknown option"],
    ],
    lines: () => [
      ...noObject("lines.bytes: Expected streams"),
      ...noObject("lines.options: Expected an object", [streams()]),
      [[streams(), { limits: { zzz: 1 } }], "limits.zzz: Unknown limit"],
      [[streams(), { limit: {} }], "lines.limit: Unknown option, perhaps limits"],
    ],
    link: () => [[["a:b"], "link.options: Expected an object"], ...blockOptions("link", ["a:b"])],
    logging: () => [null, 7, "x", [], {}].map((value) => [[value], "logging.write: Expected a function"]),
    prompt: () => [...options("prompt", false), [[{ name: "a", zzz: 1 }], "prompts.a.zzz: Unknown option"]],
    rateLimit: () => options("rateLimit"),
    resource: () => [
      ...options("resource", false),
      [[{ name: "a", uri: "a:b", zzz: 1 }], "resources.a.zzz: Unknown option"],
    ],
    serveChannel: () => [
      ...noObject("serveChannel.server: Expected a server"),
      ...noObject("serveChannel.channel: Expected streams", [server]),
      ...noObject("serveChannel.options: Expected an object", [server, lines(streams() as never)]),
      [[server, lines(streams() as never), { token: "a" }], "serveChannel.token: Unknown option, perhaps auth"],
    ],
    text: () => blockOptions("text", ["a"]),
    timing: () => [null, 7, "x", [], {}].map((value) => [[value], "timing.report: Expected a function"]),
    toJson: () => [[[() => 1], "value: "]],
    tool: () => [...options("tool", false), [[{ name: "a", zzz: 1 }], "tools.a.zzz: Unknown option"]],
    uriTemplate: () => NO_OBJECTS.filter((value) => value !== "x").map((value) => [[value], "Parsing the URI template"]),
    user: () => [null, 7, []].map((value) => [[value], "user: Expected an object"]),
    withJsonSchema: () => noObject("withJsonSchema: Expected a Standard Schema"),
    textOf: () => [undefined, ...NO_OBJECTS, {}].map((value) => [[value], "textOf: Expected a result"]),
  },
  "./server/auth": {
    bearer: () => options("bearer"),
    introspection: () => options("introspection"),
    jwt: () => options("jwt"),
  },
  "./client": {
    connect: () => [
      ...[null, undefined, 7, [], {}].map((value): Call => [[value], "connect: Expected a URL"]),
      [["x"], "connect: Expected an absolute URL"],
      ...noObject("connect.options: Expected an object", [server]),
      [[server, { zzz: 1 }], "connect.zzz: Unknown option"],
      ...["inputs", "use", "extensions", "capabilities", "info", "cache", "limits", "onLog", "onError"].flatMap((name): Call[] =>
        [7, "x"].map((value) => [[server, { [name]: value }], name === "limits" ? name : `connect.${name}`])
      ),
      [[server, { extensions: [null] }], "connect.extensions[0]: Expected"],
      [[server, { info: null }], "connect.info: Expected"],
      [[server, { inputs: null }], "connect.inputs: Expected"],
      [[server, { capabilities: null }], "connect.capabilities: Expected"],
      [[server, { protocol: 7 }], "connect.protocol: Expected"],
      [["https://mcp.example.com", { headers: 7 }], "connect.headers: Expected"],
      [["https://mcp.example.com", { headers: null }], "connect.headers: Expected"],
      [["https://mcp.example.com", { auth: 7 }], "connect.auth: Expected"],
      [["https://mcp.example.com", { auth: null }], "connect.auth: Expected"],
      [["https://mcp.example.com", { fetch: 7 }], "connect.fetch: Expected"],
      [[{ command: "x", args: 7 }], "connect.args: Expected"],
    ],
  },
  "./client/auth": {
    clientCredentials: () => options("clientCredentials"),
    enterpriseManaged: () => options("enterpriseManaged"),
    fileTokenStore: () => [undefined, null, 7, [], {}].map((value) => [[value], "fileTokenStore.path: Expected a path"]),
    oauth: () => [
      ...noObject("oauth: Expected an object"),
      [[{ zzz: 1 }], "oauth.zzz: Unknown option"],
      ...noObject("oauth.client: Expected an object").map(([[client], begins]): Call => [[{ client }], begins]),
    ],
    workloadIdentity: () => options("workloadIdentity"),
  },
  "./client/skills": {
    approvals: () => [undefined, ...NO_OBJECTS, {}].map((value) => [[value], "approvals.store: Expected a store"]),
    skillFingerprint: () => [
      ...noObject("skillFingerprint.skill: Expected an object"),
      [[{ ...skill, resources: null }], "skillFingerprint.skill.resources: Expected a list"],
    ],
  },
  "./server/tasks": {
    task: () => [
      ...[undefined, ...NO_OBJECTS].map((value): Call => [[value], "task.work: Expected a function"]),
      ...noObject("task.options: Expected an object", [() => 1]),
      [[() => 1, { zzz: 1 }], "task.zzz: Unknown option"],
    ],
    tasks: () => [
      ...noObject("tasks: Expected an object"),
      [[{ zzz: 1 }], "tasks.zzz: Unknown option"],
      [[{ store: 7 }], "tasks.store: Expected"],
      [[{ store: null }], "tasks.store: Expected"],
      [[{ bus: 7 }], "tasks.bus: Expected"],
    ],
  },
  "./server/skills": {
    dynamicSkill: () => options("dynamicSkill"),
    skill: () => [
      ...noObject("skill: Expected an object"),
      [[{ files: { "SKILL.md": "" }, zzz: 1 }], "skill.zzz: Unknown option"],
      [[{ files: 7 }], "skill.files: Expected an object"],
    ],
    skills:
      () => [...options("skills"), [[{ skills: [null] }], "skills.skills[0]: Expected"], [[{ skills: 7 }], "skills.skills"]],
    skillsFrom: () => [
      ...[undefined, null, 7, [], {}].map((value): Call => [[value], "skillsFrom.directory: Expected a path"]),
      ...noObject("skillsFrom.options: Expected an object", ["/nowhere"]),
      [["/nowhere", { zzz: 1 }], "skillsFrom.zzz: Unknown option"],
    ],
  },
  "./client/apps": {
    allowAttribute: () => noObject("allowAttribute: Expected an object"),
    appHost: () => [...options("appHost"), [[{ client: {}, tool: {}, info: {} }], "appHost.post: Expected a function"]],
    appTools: () => [undefined, null, 7, "x", {}].map((value) => [[value], "appTools: Expected a list"]),
    bridgeStep: () => noObject("bridgeStep.event: Expected an object", ["created"]),
    contentSecurityPolicy: () => noObject("csp: Expected an object"),
    displayModeFor: () => noObject("displayModeFor.modes: Expected an object", ["inline"]),
    mergedContext: () => [
      ...noObject("mergedContext.context: Expected an object"),
      ...noObject("mergedContext.change: Expected an object", [{}]),
    ],
    modelTools: () => [
      ...[undefined, null, 7, "x", {}].map((value): Call => [[value], "modelTools: Expected a list"]),
      [[[null]], "modelTools[0]: Expected an object"],
    ],
    openLinkFault: () => [
      ...noObject("openLinkFault: Expected an object", ["https://example.com"]),
      [["https://example.com", { zzz: 1 }], "openLinkFault.zzz: Unknown option"],
      [["https://example.com", { schemes: 7 }], "openLinkFault.schemes: Expected a list"],
    ],
    toolUiUri: () => noObject("toolUiUri: Expected an object"),
    toolVisibility: () => noObject("toolVisibility: Expected an object"),
  },
  "./server/apps": {
    app: () => [
      ...[undefined, ...NO_OBJECTS, {}].map((value): Call => [[value], "app: Expected { tool, resource }"]),
      [[{ tool: {}, resource: {}, zzz: 1 }], "app.zzz: Unknown option"],
    ],
    appResource: () => [
      ...options("appResource", false),
      [[{ name: "a", uri: "ui://a/b", html: "<!doctype html><p>", zzz: 1 }], "resources.a.zzz: Unknown option"],
    ],
    appTool: () => [
      ...options("appTool", false),
      [[{ name: "a", resourceUri: "ui://a/b", handler: () => "", zzz: 1 }], "tools.a.zzz: Unknown option"],
    ],
    showsApps: () => [...noObject("showsApps.info.client: Expected"), [[{ client: null }], "showsApps.info.client: Expected"]],
  },
  "./transports": {
    connectChannel: () => [
      ...noObject("connectChannel.channel: Expected streams"),
      ...noObject("connectChannel.options: Expected an object", [streams()]),
      [[streams(), { zzz: 1 }], "connectChannel.zzz: Unknown option"],
    ],
    connectInMemory: () => [
      ...noObject("connectInMemory.server: Expected a server"),
      ...noObject("connectInMemory.options: Expected an object", [server]),
      [[server, { zzz: 1 }], "connectInMemory.zzz: Unknown option"],
    ],
    connectStreamableHttp: () => [
      ...noObject("connectStreamableHttp.url: Expected an absolute URL"),
      ...noObject("connectStreamableHttp.options: Expected an object", ["https://mcp.example.com"]),
      [["https://mcp.example.com", { zzz: 1 }], "connectStreamableHttp.zzz: Unknown option"],
    ],
  },
  "./stdio": {
    serveStdio: () => [
      ...noObject("serveStdio.server: Expected a server"),
      ...noObject("serveStdio.options: Expected an object", [server]),
      [[server, { zzz: 1 }], "serveStdio.zzz: Unknown option"],
    ],
  },
  "./node": {
    serveNode: () => [
      ...noObject("serveNode.server: Expected a server"),
      ...noObject("serveNode.options: Expected an object", [server]),
      [[server, { zzz: 1 }], "serveNode.zzz: Unknown option"],
    ],
    toNodeHandler: () => [
      ...noObject("toNodeHandler.server: Expected a server"),
      [[{ zzz: 1 }], "toNodeHandler.server: Expected"],
      ...noObject("toNodeHandler.options: Expected an object", [server]),
      [[server, { zzz: 1 }], "toNodeHandler.zzz: Unknown option"],
      [[server, { auth: {} }], "toNodeHandler.auth: Expected a function"],
      [[{ fetch: server.fetch }, { auth: () => undefined }], "toNodeHandler.auth: Expected a server with respond"],
    ],
  },
  "./testing": {
    catalogSnapshot: () => [
      ...noObject("catalogSnapshot.target: Expected an object"),
      ...noObject("catalogSnapshot.options: Expected an object", [server]),
      [[server, { zzz: 1 }], "connect.zzz: Unknown option"],
    ],
    faulty: () => [
      ...noObject("faulty.target: Expected an object", []).map(([[value], begins]): Call => [[value, {}], begins]),
      [[{}, {}], "faulty.target: Expected a transport or a channel"],
      ...noObject("faulty.faults: Expected an object", [transport]),
      [[transport, { zzz: 1 }], "faults.zzz: Unknown option"],
    ],
    recorded: () => [...NO_OBJECTS, {}].map((value) => [[value], "recorded.transport: Expected a transport"]),
    testClient: () => [
      ...noObject("testClient.server: Expected a server"),
      ...noObject("testClient.options: Expected an object", [server]),
      [[server, { zzz: 1 }], "connect.zzz: Unknown option"],
      [[server, { over: 7 }], "testClient.over: Expected"],
    ],
    transportCases: () => NO_OBJECTS.map((value) => [[value], "transportCases.open: Expected a function"]),
    wireSnapshot: () => [undefined, null, 7, "x", {}].map((value) => [[value], "wireSnapshot.wire: Expected a list"]),
  },
  "./stores/memory": {
    memoryStore: () => [
      ...noObject("memoryStore: Expected an object"),
      [[{ zzz: 1 }], "memoryStore.zzz: Unknown option"],
      [[{ maxEntries: 0 }], "maxEntries: Expected a positive integer"],
    ],
  },
};

/** What nobody can misuse: they take nothing, any value, or any text. */
const ANY: ReadonlySet<string> = new Set([
  "appRegistry",
  "apps",
  "isMcpError",
  "isSafePathValue",
  "memoryBus",
  "memoryTokenStore",
  "readBridgeMessage",
]);

/** Parts of carriers, which are given what the compiler and the caller have checked, on every message. */
const PARTS = "./protocol";

interface Exported {
  readonly door: string;
  readonly name: string;
  readonly call: (...args: readonly unknown[]) => unknown;
}

/** Every function of the doors, classes and parts left out, once. */
async function exported(): Promise<readonly Exported[]> {
  const doors = await readDoors();
  const found = new Map<unknown, Exported>();
  for (const door of ["./server", ...Object.keys(doors).filter((one) => one !== "./server")]) {
    if (door === PARTS) continue;
    const module = await import(`../${doors[door]?.slice(2)}`) as Record<string, unknown>;
    for (const name of SURFACE[door]?.values ?? []) {
      const value = module[name];
      if (typeof value !== "function" || /^class\b/.test(Function.prototype.toString.call(value)) || found.has(value)) continue;
      found.set(value, { door, name, call: value as Exported["call"] });
    }
  }
  return [...found.values()];
}

function rowOf({ door, name }: Exported): (() => readonly Call[]) | undefined {
  // What several doors export stands with one of them.
  const row = MISUSES[door]?.[name] ?? (door === "." ? MISUSES["./client"]?.[name] : undefined);
  return row;
}

Deno.test("every function of the doors has its misuses written down, or takes anything", async () => {
  const functions = await exported();
  assert.deepEqual(functions.filter((one) => rowOf(one) === undefined && !ANY.has(one.name)).map(({ name }) => name), []);
  const names = new Set(functions.map(({ name }) => name));
  assert.deepEqual(Object.values(MISUSES).flatMap((rows) => Object.keys(rows)).filter((name) => !names.has(name)), []);
  assert.deepEqual([...ANY].filter((name) => !names.has(name)), []);
});

/** What a call did other than throw the `TypeError` that it should; undefined when it did that. */
async function faultOf(name: string, call: Exported["call"], [args, begins]: Call): Promise<string | undefined> {
  const shown = `${name}(${args.map((value) => Deno.inspect(value, { depth: 1, breakLength: Infinity })).join(", ")})`;
  try {
    await call(...args);
    return `${shown}: nothing was thrown`;
  } catch (error) {
    return error instanceof TypeError && error.message.startsWith(begins) ? undefined : `${shown}: ${String(error)}`;
  }
}

async function faultsOf(name: string, call: Exported["call"], calls: readonly Call[]): Promise<readonly string[]> {
  const faults: string[] = [];
  for (const one of calls) faults.push(...[await faultOf(name, call, one)].filter((fault) => fault !== undefined));
  return faults;
}

Deno.test("misuse of a function of the doors is a TypeError that begins with the path", async (t) => {
  for (const one of await exported()) {
    const calls = rowOf(one)?.() ?? [];
    if (calls.length > 0) await t.step(one.name, async () => assert.deepEqual(await faultsOf(one.name, one.call, calls), []));
  }
});

/** Methods of a client whose last argument is an object of options. */
const METHODS: readonly (readonly [method: string, before: readonly unknown[]])[] = [
  ["callTool", ["hello", {}]],
  ["readResource", ["a:b"]],
  ["getPrompt", ["a", {}]],
  ["listTools", []],
  ["listPrompts", []],
  ["listResources", []],
  ["request", ["tools/list", {}]],
  ["complete", [{ prompt: "a" }, { name: "b", value: "" }]],
  ["listen", [{ toolsListChanged: true }]],
  ["watch", [{ toolsListChanged: true }]],
  ["ping", []],
  ["discover", []],
];

Deno.test("misuse of a client's methods is a TypeError that begins with the path", async (t) => {
  for (const protocol of ["2026-07-28", "2025-11-25"] as const) {
    const client = await connect(server, { protocol });
    const methods = client as unknown as Record<string, Exported["call"]>;
    for (const [method, before] of METHODS) {
      await t.step(`${method}, ${protocol}`, async () => {
        const call: Exported["call"] = (...args) => methods[method]?.(...args);
        assert.deepEqual(await faultsOf(method, call, noObject("options: Expected an object", before)), []);
      });
    }
    await client.close();
  }
});
