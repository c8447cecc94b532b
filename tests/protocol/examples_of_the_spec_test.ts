/** Tests that every published example of the specification is read. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dialect20260728 as dialect } from "../../protocol/dialects/2026-07-28.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { isNotification, isRequest, parseMessage } from "../../protocol/json_rpc.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";

const ROOT = new URL("../examples_of_the_spec/2026-07-28/", import.meta.url);

interface Example {
  readonly name: string;
  readonly text: string;
  readonly value: JsonObject;
}

/** The examples of one type. */
function examples(type: string): readonly Example[] {
  return readdirSync(new URL(`${type}/`, ROOT)).sort().map((file) => {
    const text = readFileSync(new URL(`${type}/${file}`, ROOT), "utf8");
    return { name: `${type}/${file}`, text, value: JSON.parse(text) };
  });
}

const TYPES = readdirSync(ROOT).sort();
const ending = (end: string): readonly string[] => TYPES.filter((type) => type.endsWith(end));

function message({ name, text }: Example): JsonRpcMessage {
  const read = parseMessage(text, resolveLimits(undefined));
  assert.ok(read.ok, `${name}: ${read.ok ? "" : read.error.message}`);
  return read.message;
}

/** The method whose result the type is. */
const METHODS: { readonly [type: string]: string } = {
  CallToolResult: "tools/call",
  CompleteResult: "completion/complete",
  DiscoverResult: "server/discover",
  GetPromptResult: "prompts/get",
  InputRequiredResult: "tools/call",
  ListPromptsResult: "prompts/list",
  ListResourceTemplatesResult: "resources/templates/list",
  ListResourcesResult: "resources/list",
  ListToolsResult: "tools/list",
  ReadResourceResult: "resources/read",
  SubscriptionsListenResult: "subscriptions/listen",
};

/** What a client answers inside of inputResponses; no result of JSON-RPC. */
const EMBEDDED = ["CreateMessageResult", "ElicitResult", "ListRootsResult"];

/** What a server asks inside of inputRequests; no request of JSON-RPC. */
const ASKED = ["CreateMessageRequest", "ElicitRequest", "ListRootsRequest"];

Deno.test("the examples are there: 86 types or more, each with a file", () => {
  assert.ok(TYPES.length >= 86, String(TYPES.length));
  for (const type of TYPES) assert.ok(examples(type).length > 0, type);
});

for (const type of ending("Request").filter((type) => !ASKED.includes(type))) {
  Deno.test(`parseMessage and readRequest read the examples of ${type} (M-META-023)`, () => {
    for (const example of examples(type)) {
      const request = message(example);
      assert.ok(isRequest(request), example.name);
      assert.ok(dialect.hasRequest(request.method, "client"), example.name);
      const read = dialect.readRequest(request);
      assert.ok(read.ok, `${example.name}: ${read.ok ? "" : read.error.message}`);
      assert.deepEqual(read.value.params, example.value.params);
      assert.deepEqual(read.value.clientInfo, { name: "ExampleClient", version: "1.0.0" });
    }
  });
}

for (const type of ending("Result").filter((type) => !EMBEDDED.includes(type))) {
  Deno.test(`readResult reads the examples of ${type}`, () => {
    for (const { name, value } of examples(type)) {
      const read = dialect.readResult(METHODS[type] ?? assert.fail(type), value, new Set());
      assert.ok(read.ok, `${name}: ${read.ok ? "" : read.error.message}`);
      assert.equal(read.value.type, type === "InputRequiredResult" ? "input_required" : "complete");
      assert.deepEqual(read.value.result, value);
    }
  });
}

for (const type of ending("ResultResponse")) {
  Deno.test(`parseMessage reads the examples of ${type} as results (M-BASE-008)`, () => {
    for (const example of examples(type)) {
      const response = message(example);
      assert.ok("result" in response, example.name);
      const method = METHODS[type.replace(/Response$/, "")] ?? assert.fail(type);
      assert.ok(dialect.readResult(method, response.result, new Set()).ok, example.name);
    }
  });
}

for (const type of ending("Notification")) {
  Deno.test(`hasNotification recognises the examples of ${type} (M-BASE-020)`, () => {
    for (const example of examples(type)) {
      const notification = message(example);
      assert.ok(isNotification(notification), example.name);
      const from = type === "CancelledNotification" ? "client" : "server";
      assert.ok(dialect.hasNotification(notification.method, from), example.name);
    }
  });
}

for (const type of ending("Error")) {
  Deno.test(`parseMessage and allowsErrorCode accept the examples of ${type} (M-BASE-016, M-BASE-017)`, () => {
    for (const { name, value } of examples(type)) {
      // Some are the error alone, others the whole response.
      const response = "jsonrpc" in value ? value : { jsonrpc: "2.0", id: 1, error: value };
      const read = message({ name, text: JSON.stringify(response), value });
      assert.ok("error" in read, name);
      assert.ok(dialect.allowsErrorCode(read.error.code), name);
    }
  });
}

Deno.test("readResult accepts each embedded request of the examples (M-MRTR-001, M-MRTR-007)", () => {
  for (const type of ASKED) {
    for (const { name, value } of examples(type)) {
      const { id: _id, ...asked } = value;
      const read = dialect.readResult("tools/call", { resultType: "input_required", inputRequests: { a: asked } }, new Set());
      assert.ok(read.ok, name);
    }
  }
  for (const { name, value } of examples("InputRequests")) {
    assert.ok(dialect.readResult("tools/call", { resultType: "input_required", inputRequests: value }, new Set()).ok, name);
  }
});

Deno.test("writeRequest writes the examples of answers back unchanged", () => {
  for (const { value } of examples("InputResponses")) {
    const { message } = dialect.writeRequest({
      id: 1,
      method: "tools/call",
      params: { name: "a" },
      clientInfo: { name: "ExampleClient", version: "1.0.0" },
      clientCapabilities: {},
      progressToken: undefined,
      logLevel: undefined,
      meta: undefined,
      inputResponses: value as never,
      requestState: undefined,
      mirrored: [],
    });
    assert.deepEqual(message.params?.inputResponses, value);
  }
});

Deno.test("readRequest reads the examples of request params (M-META-023)", () => {
  for (const type of ending("RequestParams")) {
    for (const { name, value } of examples(type)) {
      if (!isJsonObject(value._meta)) continue;
      const read = dialect.readRequest({ jsonrpc: "2.0", id: 1, method: "tools/call", params: value });
      assert.ok(read.ok, `${name}: ${read.ok ? "" : read.error.message}`);
    }
  }
});
