/** Tests of the vocabulary: what a server and the dialect really write fits the published JSON Schema. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { dialect20260728 as dialect } from "../../protocol/dialects/2026-07-28.ts";
import type { RequestOut } from "../../protocol/dialect.ts";
import {
  ask,
  audio,
  defineServer,
  embed,
  image,
  inputRequired,
  link,
  prompt,
  resource,
  text,
  tool,
  user,
} from "../../server/mod.ts";
import type { Server } from "../../server/mod.ts";
import { ALL_CAPABILITIES, call, callTool, httpRequest, listen, metaOfClient, metaWith, post, request } from "../server/wire.ts";
import type { Json } from "../server/wire.ts";

const EXAMPLES = new URL("../examples_of_the_spec/", import.meta.url);

/** The published file says integer where schema.ts, from which it is made, says number. */
function mended(): Json {
  const schema = JSON.parse(readFileSync(new URL("schema/2026-07-28.json", EXAMPLES), "utf8"));
  const types = schema.$defs.ElicitResult.properties.content.additionalProperties.anyOf[1].type;
  assert.deepEqual(types, ["string", "integer", "boolean"]);
  types[1] = "number";
  return schema;
}

function createChecker(): (type: string, value: Json) => void {
  const ajv = new Ajv2020({ strict: false, validateFormats: false, allErrors: true });
  ajv.addSchema(mended(), "mcp");
  return (type, value) => {
    const check = ajv.compile({ $ref: `mcp#/$defs/${type}` });
    assert.ok(check(value), `${type}: ${ajv.errorsText(check.errors)}\n${JSON.stringify(value).slice(0, 500)}`);
  };
}

const fits = createChecker();
const icons = [{ src: "https://example.com/a.png", mimeType: "image/png", sizes: ["48x48", "any"], theme: "dark" }] as const;
const both = { annotations: { audience: ["user", "assistant"], priority: 0.5, lastModified: "2026-07-28T00:00:00Z" } } as const;

function everything(): Server {
  return defineServer({
    name: "everything",
    version: "1",
    title: "Everything",
    description: "All of it",
    icons,
    websiteUrl: "https://example.com",
    instructions: "Use it",
    tools: [
      tool({
        name: "blocks",
        title: "Blocks",
        description: "Every kind of block",
        icons,
        annotations: { readOnlyHint: true, title: "Blocks", openWorldHint: false },
        meta: { "com.example/a": 1 },
        args: { n: { type: "integer", required: true } },
        handler: () => [
          text("t", both),
          image(new Uint8Array([1]), "image/png", both),
          audio(new Uint8Array([2]), "audio/wav"),
          embed("file:///a", "text"),
          embed("file:///b", new Uint8Array([3])),
          link("file:///c", { name: "c", size: 3, icons, ...both }),
        ],
      }),
      tool({ name: "structured", output: { type: "object" }, handler: () => ({ a: 1 }) }),
      tool({ name: "list", handler: () => [1, 2] }),
      tool({ name: "fails", handler: () => ({ structured: { why: 1 }, isError: true }) }),
      tool({
        name: "speaks",
        handler: async (_args, ctx) => {
          await ctx.log("warning", { a: 1 }, "db");
          await ctx.progress(1, 2, "half");
          await ctx.progress(2, 2);
        },
      }),
      tool({
        name: "asks",
        handler: () =>
          inputRequired({
            form: ask.form("Who?", {
              name: { type: "string", title: "Name", minLength: 1, maxLength: 9, format: "email", default: "a", required: true },
              age: { type: "integer", minimum: 0, maximum: 99 },
              size: { type: "number", default: 1.5 },
              sure: { type: "boolean", default: false },
              colour: { type: "string", enum: ["red", "blue"] },
              titled: { type: "string", oneOf: [{ const: "r", title: "Red" }] },
              several: { type: "array", items: { type: "string", enum: ["a"] }, minItems: 1 },
              severalTitled: { type: "array", items: { anyOf: [{ const: "r", title: "Red" }] } },
            }),
            page: ask.url("Visit", "https://example.com"),
            model: ask.sampling({
              messages: [{ role: "user", content: { type: "text", text: "?" } }],
              maxTokens: 5,
              modelPreferences: { hints: [{ name: "a" }], costPriority: 1 },
              toolChoice: { mode: "auto" },
            }),
            roots: ask.roots(),
          }, { state: { step: 1 } }),
      }),
      tool({ name: "waits", handler: () => inputRequired({}, { state: 1 }) }),
    ],
    resources: [
      resource({ uri: "file:///a", name: "a", title: "A", mimeType: "text/plain", size: 3, icons, ...both, read: () => "abc" }),
      resource({ uri: "file:///b", name: "b", read: () => new Uint8Array([1]) }),
      resource({
        uri: "x://{id}",
        name: "x",
        mimeType: "application/json",
        ...both,
        complete: { id: () => ["1"] },
        read: ({ id }) => ({ id }),
      }),
    ],
    prompts: [
      prompt({
        name: "review",
        title: "Review",
        description: "Reviews",
        icons,
        arguments: { code: { required: true, description: "The code", title: "Code" }, style: {} },
        complete: { style: () => ({ values: ["a"], total: 7 }) },
        render: ({ code }) => [user(code), { role: "assistant", content: text("ok") }, user(embed("file:///a", "b"))],
      }),
    ],
  });
}

const LISTS = [
  ["tools/list", "ListToolsResultResponse"],
  ["prompts/list", "ListPromptsResultResponse"],
  ["resources/list", "ListResourcesResultResponse"],
  ["resources/templates/list", "ListResourceTemplatesResultResponse"],
] as const;

Deno.test("what the server answers to server/discover fits the schema (M-DISC-003, M-DISC-004, M-DISC-005)", async () => {
  const { last } = await call(everything(), "server/discover");
  fits("DiscoverResultResponse", last);
  fits("Implementation", last.result._meta["io.modelcontextprotocol/serverInfo"]);
});

Deno.test("what the server lists fits the schema (M-BASE-038, M-RES-026, M-RES-027, M-TOOL-014)", async () => {
  for (const [method, type] of LISTS) fits(type, (await call(everything(), method)).last);
});

Deno.test("what the server answers to tools/call fits the schema (M-TOOL-034)", async () => {
  for (const [name, args] of [["blocks", { n: 1 }], ["blocks", {}], ["structured"], ["list"], ["fails"]] as const) {
    const { last } = await callTool(everything(), name, args);
    fits("CallToolResultResponse", last);
    fits("CallToolResult", last.result);
  }
});

Deno.test("what the server answers to resources/read fits the schema (M-RES-029)", async () => {
  for (const uri of ["file:///a", "file:///b", "x://7"]) {
    const { last } = await call(everything(), "resources/read", { uri });
    fits("ReadResourceResultResponse", last);
    fits("ReadResourceResult", last.result);
  }
});

Deno.test("what the server answers to prompts/get and completion/complete fits the schema", async () => {
  fits("GetPromptResult", (await call(everything(), "prompts/get", { name: "review", arguments: { code: "x" } })).result);
  for (
    const [ref, name] of [[{ type: "ref/prompt", name: "review" }, "style"], [{ type: "ref/resource", uri: "x://{id}" }, "id"]]
  ) {
    fits("CompleteResult", (await call(everything(), "completion/complete", { ref, argument: { name, value: "" } })).result);
  }
});

Deno.test("what the server asks fits the schema (M-MRTR-001, M-MRTR-007, M-ELIC-018, M-ELIC-020, M-SAMP-012)", async () => {
  for (const name of ["asks", "waits"]) {
    const { last } = await callTool(everything(), name, {}, metaOfClient(ALL_CAPABILITIES));
    assert.equal(last.result.resultType, "input_required");
    fits("InputRequiredResult", last.result);
    fits("CallToolResultResponse", last);
  }
});

Deno.test("progress and log notifications fit the schema (M-LOG-011, M-BASE-020)", async () => {
  const meta = metaWith({ progressToken: "t", "io.modelcontextprotocol/logLevel": "debug" });
  const { messages } = await callTool(everything(), "speaks", {}, meta);
  const types = ["LoggingMessageNotification", "ProgressNotification", "ProgressNotification", "CallToolResultResponse"];
  assert.equal(messages.length, types.length);
  messages.forEach((message: Json, at: number) => fits(types[at] ?? "", message));
});

Deno.test("what travels on a change stream fits the schema (M-SUB-008, M-SUB-014)", async () => {
  const server = everything();
  const filter = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    resourceSubscriptions: ["file:///a"],
  };
  const stream = await listen(server, filter);
  fits("SubscriptionsAcknowledgedNotification", stream.acknowledged);
  const changes = [
    [() => server.notify.toolsChanged(), "ToolListChangedNotification"],
    [() => server.notify.promptsChanged(), "PromptListChangedNotification"],
    [() => server.notify.resourcesChanged(), "ResourceListChangedNotification"],
    [() => server.notify.resourceUpdated("file:///a"), "ResourceUpdatedNotification"],
  ] as const;
  for (const [change, type] of changes) {
    await change();
    fits(type, await stream.next());
  }
  await server.close({ drain: 1000 });
  const [end] = await stream.rest();
  fits("SubscriptionsListenResultResponse", end);
});

Deno.test("errors that the server answers fit the schema (M-BASE-016, M-BASE-017)", async () => {
  const server = everything();
  const errors: [string, Json][] = [
    ["ParseError", (await post(server, "{")).error],
    ["InvalidRequestError", (await post(server, { jsonrpc: "2.0", id: 1 })).error],
    ["MethodNotFoundError", (await call(server, "x/y")).error],
    ["InvalidParamsError", (await callTool(server, "nope")).error],
    ["HeaderMismatchError", (await post(server, request("tools/list"), { "mcp-method": "x" })).last],
    [
      "UnsupportedProtocolVersionError",
      (await call(server, "tools/list", {}, metaWith({ "io.modelcontextprotocol/protocolVersion": "1" }))).last,
    ],
    ["MissingRequiredClientCapabilityError", (await callTool(server, "asks")).last],
  ];
  for (const [type, error] of errors) fits(type, error);
  fits("JSONRPCErrorResponse", (await post(server, "{")).last);
});

const PARAMS: readonly (readonly [method: string, type: string, params: Json])[] = [
  ["server/discover", "DiscoverRequest", {}],
  ["tools/list", "ListToolsRequest", { cursor: "" }],
  ["tools/call", "CallToolRequest", { name: "a", arguments: { b: 1 } }],
  ["prompts/list", "ListPromptsRequest", {}],
  ["prompts/get", "GetPromptRequest", { name: "a", arguments: { b: "1" } }],
  ["resources/list", "ListResourcesRequest", {}],
  ["resources/templates/list", "ListResourceTemplatesRequest", {}],
  ["resources/read", "ReadResourceRequest", { uri: "a:b" }],
  ["completion/complete", "CompleteRequest", { ref: { type: "ref/prompt", name: "a" }, argument: { name: "b", value: "" } }],
  ["subscriptions/listen", "SubscriptionsListenRequest", { notifications: { toolsListChanged: true } }],
];

Deno.test("requests that the dialect writes fit the schema (M-META-023)", () => {
  for (const [method, type, params] of PARAMS) {
    const out: RequestOut = {
      id: "a",
      method,
      params,
      clientInfo: { name: "c", version: "1" },
      clientCapabilities: ALL_CAPABILITIES,
      progressToken: 1,
      logLevel: "info",
      meta: undefined,
      inputResponses: undefined,
      requestState: undefined,
      mirrored: [],
    };
    fits(type, dialect.writeRequest(out).message);
  }
});

Deno.test("requests of the tests of the wire fit the schema", async () => {
  fits("CallToolRequest", await httpRequest(request("tools/call", { name: "a" })).json());
});

Deno.test("answers with a number that is no integer fit the mended schema (M-SCHEMA-021)", () => {
  fits("ElicitResult", { action: "accept", content: { size: 1.5, list: ["a"], sure: true, name: "x" } });
});

Deno.test("every published example fits the published schema, so that the two belong together", () => {
  const root = new URL("2026-07-28/", EXAMPLES);
  const misfits: string[] = [];
  for (const type of readdirSync(root)) {
    for (const file of readdirSync(new URL(`${type}/`, root))) {
      try {
        fits(type, JSON.parse(readFileSync(new URL(`${type}/${file}`, root), "utf8")));
      } catch {
        misfits.push(`${type}/${file}`);
      }
    }
  }
  assert.deepEqual(misfits, []);
});
