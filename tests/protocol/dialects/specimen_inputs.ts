/** What the specimens are made of: definitions, results, questions and answers as the newest revision has them. */
import type { Dialect } from "../../../protocol/dialect.ts";
import type { JsonObject } from "../../../protocol/json.ts";
import type { ClientCapabilities, Implementation, InputRequest } from "../../../protocol/types.ts";

const icons = [{ src: "https://example.com/a.png", mimeType: "image/png", sizes: ["48x48"], theme: "dark" }] as const;
const annotations = { audience: ["user"], priority: 0.5, lastModified: "2026-07-28T00:00:00Z" } as const;
const own = { "com.example/a": 1 };

/** Who speaks. */
export const IMPLEMENTATION: Implementation = {
  name: "everything",
  version: "1",
  title: "Everything",
  description: "All of it",
  icons,
  websiteUrl: "https://example.com",
};

/** What a client declares, as the newest revision has it. */
export const DECLARED: ClientCapabilities = {
  elicitation: { form: {}, url: {} },
  sampling: { tools: {}, context: {} },
  roots: {},
  extensions: { "com.example/x": {} },
  experimental: { "com.example/y": {} },
};

/** What a server declares, as the newest revision has it. */
export const OFFERED: JsonObject = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
  extensions: { "com.example/x": {} },
  experimental: { "com.example/y": {} },
};

/** Tools, as the newest revision has them. */
export const TOOLS: readonly JsonObject[] = [{
  name: "rich",
  title: "Rich",
  description: "With everything",
  icons,
  annotations: { readOnlyHint: true, title: "Rich" },
  _meta: own,
  inputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { n: { type: "integer", minimum: 1 }, any: true, none: false },
    required: ["n"],
    additionalProperties: false,
  },
  outputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    type: "object",
    properties: { a: { type: "string" }, any: true },
    required: ["a"],
  },
}, {
  name: "tree",
  inputSchema: { type: "object" },
  outputSchema: {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    anyOf: [{ type: "null" }, { $ref: "#/$defs/node" }],
    $defs: { node: { type: "object", properties: { next: { $ref: "#" } } } },
  },
}];

const blocks: readonly JsonObject[] = [
  { type: "text", text: "t", annotations, _meta: own },
  { type: "image", data: "AQ==", mimeType: "image/png" },
  { type: "audio", data: "AQ==", mimeType: "audio/wav" },
  { type: "resource", resource: { uri: "file:///a", mimeType: "text/plain", text: "a", _meta: own } },
  { type: "resource_link", uri: "file:///b", name: "b", title: "B", size: 3, icons, annotations },
];

/** What is answered to each method, and its type; all definitions still as the newest revision has them. */
export const RESULTS: readonly (readonly [method: string, type: string, result: JsonObject])[] = [
  ["tools/call", "CallToolResult", { content: blocks, structuredContent: { a: "x" }, _meta: own }],
  ["tools/call", "CallToolResult", { content: [{ type: "text", text: "why" }], isError: true }],
  ["prompts/get", "GetPromptResult", {
    description: "p",
    messages: blocks.map((content) => ({ role: "user", content })),
  }],
  ["resources/read", "ReadResourceResult", { contents: [{ uri: "file:///b", blob: "AQ==", mimeType: "image/png" }] }],
  ["completion/complete", "CompleteResult", { completion: { values: ["a"], total: 1, hasMore: false } }],
  ["ping", "EmptyResult", {}],
];

/** Every list: its method, type, member, and the kind of its definitions. */
export const LISTS = [
  ["tools/list", "ListToolsResult", "tools", "tool", TOOLS],
  ["prompts/list", "ListPromptsResult", "prompts", "prompt", [{
    name: "p",
    title: "P",
    description: "A prompt",
    icons,
    arguments: [{ name: "a", title: "A", description: "An argument", required: true }],
    _meta: own,
  }]],
  ["resources/list", "ListResourcesResult", "resources", "resource", [{
    uri: "file:///a",
    name: "a",
    title: "A",
    description: "A file",
    mimeType: "text/plain",
    size: 1,
    icons,
    annotations,
    _meta: own,
  }]],
  ["resources/templates/list", "ListResourceTemplatesResult", "resourceTemplates", "template", [{
    uriTemplate: "file:///{name}",
    name: "t",
    title: "T",
    description: "Files",
    mimeType: "text/plain",
    icons,
    annotations,
    _meta: own,
  }]],
] as const satisfies readonly (readonly [
  string,
  string,
  string,
  Parameters<Dialect["writeDefinition"]>[0],
  readonly JsonObject[],
])[];

/** Every question that has a form in one of the revisions. */
export const QUESTIONS: { readonly [name: string]: InputRequest } = {
  form: {
    method: "elicitation/create",
    params: {
      message: "Who are you?",
      requestedSchema: {
        $schema: "https://json-schema.org/draft/2020-12/schema",
        type: "object",
        properties: {
          name: { type: "string", title: "Name", minLength: 1, default: "me" },
          age: { type: "integer", minimum: 0, default: 1 },
          sure: { type: "boolean", default: true },
          color: { type: "string", enum: ["red", "blue"], default: "red" },
          size: { type: "string", oneOf: [{ const: "s", title: "Small" }, { const: "l", title: "Large" }], default: "s" },
        },
        required: ["name"],
      },
    },
  },
  "form with lists": {
    method: "elicitation/create",
    params: {
      message: "Which?",
      requestedSchema: {
        type: "object",
        properties: { all: { type: "array", items: { type: "string", enum: ["a", "b"] }, default: ["a"] } },
      },
    },
  },
  url: { method: "elicitation/create", params: { mode: "url", message: "Go there", url: "https://example.com/pay" } },
  sampling: {
    method: "sampling/createMessage",
    params: {
      messages: [
        { role: "user", content: [{ type: "text", text: "a" }, { type: "image", data: "AQ==", mimeType: "image/png" }] },
        { role: "assistant", content: { type: "text", text: "b" }, _meta: own },
      ],
      maxTokens: 10,
      systemPrompt: "Be brief",
      temperature: 0.5,
      stopSequences: ["."],
      modelPreferences: { hints: [{ name: "m" }], costPriority: 0.5 },
      includeContext: "none",
      metadata: { a: 1 },
    },
  },
  "sampling with tools": {
    method: "sampling/createMessage",
    params: {
      messages: [
        { role: "assistant", content: [{ type: "tool_use", id: "1", name: "rich", input: {} }] },
        { role: "user", content: [{ type: "tool_result", toolUseId: "1", content: [], structuredContent: [1] }] },
      ],
      maxTokens: 10,
      tools: TOOLS as unknown as [],
      toolChoice: { mode: "auto" },
    },
  },
  roots: { method: "roots/list" },
};

/** Answers to some of them, by the question and the type of the result. */
export const ANSWERS: readonly (readonly [question: string, type: string, answer: JsonObject])[] = [
  ["form", "ElicitResult", { action: "accept", content: { name: "me", age: 1, sure: true } }],
  ["form", "ElicitResult", { action: "decline" }],
  ["url", "ElicitResult", { action: "accept" }],
  ["sampling", "CreateMessageResult", {
    role: "assistant",
    model: "m",
    stopReason: "endTurn",
    content: [{ type: "text", text: "a" }, { type: "text", text: "b" }],
  }],
  ["roots", "ListRootsResult", { roots: [{ uri: "file:///a", name: "a" }] }],
];
