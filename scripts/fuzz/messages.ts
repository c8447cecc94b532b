/** Messages of every revision, to be changed by the fuzzer. */
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import type { Dialect } from "../../protocol/dialect.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { Random } from "./random.ts";

/** Params of every method that a client may send. */
const CALLS: readonly (readonly [method: string, params: JsonObject])[] = [
  ["server/discover", {}],
  ["ping", {}],
  ["tools/list", { cursor: "abc-1" }],
  ["tools/call", { name: "echo", arguments: { text: "x", n: 1 } }],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "app://items/1" }],
  ["resources/subscribe", { uri: "app://items/1" }],
  ["prompts/list", {}],
  ["prompts/get", { name: "hello", arguments: { name: "x" } }],
  ["completion/complete", { ref: { type: "ref/prompt", name: "hello" }, argument: { name: "name", value: "x" } }],
  ["logging/setLevel", { level: "info" }],
  ["subscriptions/listen", { notifications: { toolsListChanged: true, resourceSubscriptions: ["app://items/1"] } }],
  ["com.example/extra", { any: [1, 2] }],
];

/** A request with its headers, written as the dialect has it. */
export function writtenCall(random: Random, dialect: Dialect): ReturnType<Dialect["writeRequest"]> {
  const [method, params] = random.pick(CALLS);
  const id = random.oneIn(2) ? random.below(100) : `id-${random.below(100)}`;
  if (dialect.handshake !== undefined && random.oneIn(4)) {
    return dialect.handshake.writeHello(id, { clientInfo: INFO, clientCapabilities: CAPABILITIES });
  }
  return dialect.writeRequest({
    id,
    method,
    params,
    clientInfo: INFO,
    clientCapabilities: CAPABILITIES,
    progressToken: random.oneIn(2) ? id : undefined,
    logLevel: random.oneIn(4) ? "debug" : undefined,
    meta: random.oneIn(4) ? { "com.example/key": "value" } : undefined,
    inputResponses: random.oneIn(6) ? { confirm: { action: "accept", content: { yes: true } } } : undefined,
    requestState: random.oneIn(6) ? "c3RhdGU=" : undefined,
    mirrored: random.oneIn(3) ? [{ header: "mcp-param-text", spelled: "Text", path: ["text"] }] : [],
  });
}

/** One of the dialects. */
export function anyDialect(random: Random): Dialect {
  return random.pick(DIALECTS);
}

/** A client's name and version. */
export const INFO = { name: "fuzz", version: "1.0.0" } as const;

/** What a client declares that can do everything. */
export const CAPABILITIES = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} } as const;

/** Results of every method, complete and asking, to be changed. */
export const RESULTS: readonly (readonly [method: string, result: JsonObject])[] = [
  [
    "server/discover",
    {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: { tools: { listChanged: true }, resources: {}, prompts: {} },
      instructions: "Be kind",
      ttlMs: 1000,
      cacheScope: "private",
      _meta: { "io.modelcontextprotocol/serverInfo": { name: "s", version: "1" } },
    },
  ],
  [
    "initialize",
    {
      protocolVersion: "2025-11-25",
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: "s", version: "1" },
      instructions: "Be kind",
    },
  ],
  ["tools/call", { resultType: "complete", content: [{ type: "text", text: "x" }], structuredContent: { a: 1 }, isError: false }],
  [
    "tools/call",
    {
      resultType: "input_required",
      requestState: "c3RhdGU=",
      inputRequests: {
        confirm: {
          method: "elicitation/create",
          params: {
            mode: "form",
            message: "Sure?",
            requestedSchema: {
              type: "object",
              properties: { yes: { type: "boolean" }, word: { type: "string", default: "x", pattern: "^x$" } },
              required: ["yes"],
            },
          },
        },
        visit: { method: "elicitation/create", params: { mode: "url", message: "Go", url: "https://example.com/x" } },
        think: {
          method: "sampling/createMessage",
          params: { messages: [{ role: "user", content: { type: "text", text: "x" } }], maxTokens: 10 },
        },
        where: { method: "roots/list", params: {} },
      },
    },
  ],
  ["tools/list", { resultType: "complete", tools: [{ name: "echo", inputSchema: { type: "object" } }], nextCursor: "abc-1" }],
  ["resources/list", { resultType: "complete", resources: [{ uri: "app://1", name: "one" }] }],
  ["resources/templates/list", { resultType: "complete", resourceTemplates: [{ uriTemplate: "app://{id}", name: "one" }] }],
  ["resources/read", { resultType: "complete", contents: [{ uri: "app://1", text: "x" }], ttlMs: 5, cacheScope: "public" }],
  ["prompts/list", { resultType: "complete", prompts: [{ name: "hello", arguments: [{ name: "name", required: true }] }] }],
  ["prompts/get", { resultType: "complete", messages: [{ role: "user", content: { type: "text", text: "x" } }] }],
  ["completion/complete", { resultType: "complete", completion: { values: ["a", "b"], total: 2, hasMore: false } }],
];
