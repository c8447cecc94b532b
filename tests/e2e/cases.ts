/** What is asked of the fixture on every carrier. */
import assert from "node:assert/strict";
import { type Client, isMcpError, type PendingInput, type ProtocolVersion } from "@causeway/mcp/client";

/** In what way a case differs between revisions. */
export interface Differs {
  /** The error codes of the revisions in which it must fail. */
  readonly codes?: { readonly [version in ProtocolVersion]?: number };
  /** Each revision has an outcome of its own. */
  readonly own?: true;
  /** Only this revision has it. */
  readonly only?: ProtocolVersion;
}

/** One case: its name, the call whose outcome must be the same everywhere, and the error code when it must fail. */
export type Case = readonly [name: string, run: (client: Client) => Promise<unknown>, differs?: number | Differs];

/** With which code a case must fail in a revision; undefined when it must not. */
export function codeOf([, , differs]: Case, version: ProtocolVersion): number | undefined {
  return typeof differs === "number" ? differs : differs?.codes?.[version];
}

/** Has a revision this case? */
export function applies([, , differs]: Case, version: ProtocolVersion): boolean {
  return typeof differs !== "object" || differs.only === undefined || differs.only === version;
}

/** Has each revision an outcome of its own? */
export function isOwn([, , differs]: Case): boolean {
  return typeof differs === "object";
}

const OWN: Differs = { own: true };
const MODERN: Differs = { only: "2026-07-28" };
const NOT_IN_HANDSHAKES: Differs = { codes: { "2025-11-25": -32601, "2025-06-18": -32601 } };
const ONLY_IN_HANDSHAKES: Differs = { codes: { "2026-07-28": -32601 } };
const MISSING_CAPABILITY: Differs = { codes: { "2026-07-28": -32021 } };
const WRONG_ARGUMENTS: Differs = { codes: { "2025-06-18": -32602 } };
const NO_RESOURCE: Differs = { codes: { "2026-07-28": -32602, "2025-11-25": -32002, "2025-06-18": -32002 } };

/** Cases by subject; a failure is an outcome too. */
export const CASES: { readonly [subject: string]: readonly Case[] } = {
  "lists and discovery": [
    ["server facts", serverFacts, OWN],
    ["server/discover", (client) => client.discover(), NOT_IN_HANDSHAKES],
    ["ping", (client) => client.ping(), ONLY_IN_HANDSHAKES],
    ["tools/list", (client) => client.listTools(), OWN],
    ["one page of tools/list", (client) => client.listPage("tools"), OWN],
    ["resources/list", (client) => client.listResources()],
    ["resources/templates/list", (client) => client.listResourceTemplates()],
    ["prompts/list", (client) => client.listPrompts()],
    ["a raw tools/list", (client) => client.request("tools/list"), OWN],
  ],
  "tools": [
    ...[
      "test_simple_text",
      "test_image_content",
      "test_audio_content",
      "test_embedded_resource",
      "test_multiple_content_types",
      "test_error_handling",
      "test_tool_with_progress",
      "json_schema_2020_12_tool",
      "test_x_mcp_header",
      "test_trigger_tool_change",
    ].map((name): Case => [name, (client) => client.callTool(name)]),
    ["progress", progress],
    ["log messages nobody asked for", (client) => client.callTool("test_logging_tool"), OWN],
    ["log messages of one call", (client) => client.callTool("test_logging_tool", {}, { logLevel: "debug" }), OWN],
    ["a level for the session", (client) => client.request("logging/setLevel", { level: "warning" }), ONLY_IN_HANDSHAKES],
    ["log messages of the session's level", (client) => client.callTool("test_logging_tool"), OWN],
    ["arguments", (client) => client.callTool("test_x_mcp_header", { region: "Zürich" })],
    ["structured content", (client) => client.callTool("test_structured_output", { a: 2, b: 3 })],
    ["a tool as a function", (client) => client.tools.test_structured_output!({ a: 2, b: 3 })],
    ["wrong arguments", (client) => client.callTool("test_structured_output", { a: "2" }), WRONG_ARGUMENTS],
    [
      "an argument that is not allowed",
      (client) => client.callTool("json_schema_2020_12_tool", { other: true }),
      WRONG_ARGUMENTS,
    ],
    ["an unknown tool", (client) => client.callTool("no_such_tool"), -32602],
    ["a tool named as a member of objects", (client) => client.callTool("constructor"), -32602],
  ],
  "input (M-MRTR-011, M-MRTR-020)": [
    ...[
      "test_input_required_result_elicitation",
      "test_input_required_result_sampling",
      "test_input_required_result_list_roots",
      "test_input_required_result_request_state",
      "test_input_required_result_tampered_state",
      "test_input_required_result_multiple_inputs",
      "test_input_required_result_multi_round",
      "test_input_required_result_capabilities",
      "test_missing_capability",
      "test_streaming_elicitation",
    ].map((name): Case => [name, (client) => client.callTool(name)]),
    ["a prompt that asks", (client) => client.getPrompt("test_input_required_result_prompt")],
    ["questions by hand", questions, MODERN],
    ["answers by hand", byHand, MODERN],
    ["a declined question", (client) => {
      const inputResponses = { user_name: { action: "decline" } } as const;
      return client.callTool("test_input_required_result_elicitation", {}, { inputResponses });
    }, MODERN],
    ["a state that was changed", tampered, { codes: { "2026-07-28": -32602 }, ...MODERN }],
  ],
  "a client without capabilities (M-META-014)": [
    ["needs a model", (client) => client.callTool("test_missing_capability"), MISSING_CAPABILITY],
    ["needs a form", (client) => client.callTool("test_input_required_result_elicitation"), MISSING_CAPABILITY],
    ["needs roots", (client) => client.callTool("test_input_required_result_list_roots"), MISSING_CAPABILITY],
    ["needs nothing", (client) => client.callTool("test_input_required_result_capabilities")],
  ],
  "resources": [
    ["a text", (client) => client.readResource("test://static-text")],
    ["bytes", (client) => client.readResource("test://static-binary")],
    ["a template", (client) => client.readResource("test://template/123/data")],
    ["a template with an encoded variable", (client) => client.readResource("test://template/a%2Fb/data")],
    ["the watched resource", (client) => client.readResource(new URL("test://watched-resource"))],
    ["an unknown resource", (client) => client.readResource("test://no-such-resource"), NO_RESOURCE],
  ],
  "prompts and completion": [
    ["without arguments", (client) => client.getPrompt("test_simple_prompt")],
    ["with arguments", (client) => client.getPrompt("test_prompt_with_arguments", { arg1: "one", arg2: "two" })],
    ["with a resource", (client) => client.getPrompt("test_prompt_with_embedded_resource", { resourceUri: "test://x" })],
    ["with an image", (client) => client.getPrompt("test_prompt_with_image")],
    ["without a required argument", (client) => client.getPrompt("test_prompt_with_arguments", { arg1: "one" }), -32602],
    ["an unknown prompt", (client) => client.getPrompt("no_such_prompt"), -32602],
    ["an argument", (client) => client.complete({ prompt: "test_prompt_with_arguments" }, { name: "arg1", value: "pa" })],
    ["an argument that knows another", (client) => {
      const context = { arg1: "paris" };
      return client.complete({ prompt: "test_prompt_with_arguments" }, { name: "arg2", value: "x" }, { context });
    }],
    ["a template variable", (client) => client.complete({ template: "test://template/{id}/data" }, { name: "id", value: "12" })],
    [
      "an unknown prompt's argument",
      (client) => client.complete({ prompt: "no_such_prompt" }, { name: "a", value: "" }),
      -32602,
    ],
  ],
  "changes and other methods (M-SUB-001)": [
    ["watched changes", watched],
    ["changes", changes, MODERN],
    ["another filter", (client) => accepted(client, { promptsListChanged: true }), MODERN],
    ["an unknown method", (client) => client.request("no/such/method"), -32601],
  ],
};

/** What a call came to. */
export interface Outcome {
  readonly value?: unknown;
  readonly error?: { readonly kind: string; readonly message: string; readonly code?: number; readonly data?: unknown };
  readonly logs?: readonly unknown[];
}

/** The value of a call, or what it failed with. */
export async function outcome(call: Promise<unknown>): Promise<Outcome> {
  try {
    return { value: await call };
  } catch (error) {
    if (!isMcpError(error)) throw error;
    const { kind, message } = error;
    const data = "data" in error ? error.data : undefined;
    return { error: "code" in error ? { kind, message, code: error.code, data } : { kind, message, data } };
  }
}

/** All that is known of the server but its session, which one of the carriers has. */
function serverFacts({ server: { sessionId: _session, ...facts } }: Client): Promise<unknown> {
  return Promise.resolve(facts);
}

async function progress(client: Client): Promise<unknown> {
  const seen: unknown[] = [];
  const result = await client.callTool("test_tool_with_progress", {}, { onProgress: (step) => seen.push(step) });
  return { seen, result };
}

/** The questions of one round; the sealed state differs each time, so only that it is there counts. */
async function questions(client: Client): Promise<unknown> {
  const result = await client.callTool("test_input_required_result_multiple_inputs", {}, { input: "manual" });
  if (result.resultType !== "input_required") return result;
  return { inputRequests: result.inputRequests, state: typeof result.requestState };
}

async function byHand(client: Client): Promise<unknown> {
  const name = "test_input_required_result_multi_round";
  const first = pending(await client.callTool(name, {}, { input: "manual" }));
  const second = pending(await first.resume({ step1: { action: "accept", content: { name: "Ada" } } }));
  const last = await second.resume({ step2: { action: "accept", content: { color: "blue" } } });
  return { first: first.inputRequests, second: second.inputRequests, last, same: first.requestState === second.requestState };
}

async function tampered(client: Client): Promise<unknown> {
  const name = "test_input_required_result_tampered_state";
  const { requestState } = pending(await client.callTool(name, {}, { input: "manual" }));
  const inputResponses = { confirm: { action: "accept", content: { ok: true } } } as const;
  return await client.callTool(name, {}, { inputResponses, requestState: `${requestState}-TAMPERED` });
}

function pending<R>(result: R | PendingInput<R>): PendingInput<R> {
  const found = result as PendingInput<R>;
  if (found.resultType !== "input_required") throw new TypeError("Calling a tool that asks: It did not ask");
  return found;
}

async function watched(client: Client): Promise<unknown> {
  const filter = { toolsListChanged: true, resourceSubscriptions: ["test://watched-resource"] };
  const watch = client.watch(filter, { signal: AbortSignal.timeout(10_000) });
  await watch.open();
  const events: unknown[] = [];
  for (const trigger of ["test_trigger_tool_change", "test_trigger_prompt_change", "test_trigger_resource_update"]) {
    await client.callTool(trigger);
    if (trigger !== "test_trigger_prompt_change") events.push((await watch.next()).value);
  }
  await watch.close();
  return { events, closed: await watch.closed };
}

async function changes(client: Client): Promise<unknown> {
  const filter = { toolsListChanged: true, resourceSubscriptions: ["test://watched-resource"] };
  const stream = await client.listen(filter, { signal: AbortSignal.timeout(10_000) });
  const events: unknown[] = [];
  for (const trigger of ["test_trigger_tool_change", "test_trigger_prompt_change", "test_trigger_resource_update"]) {
    await client.callTool(trigger);
    if (trigger !== "test_trigger_prompt_change") events.push((await stream.next()).value);
  }
  await stream.close();
  assert.deepStrictEqual(events, [
    { type: "toolsListChanged" },
    { type: "resourceUpdated", uri: "test://watched-resource" },
  ]);
  return { accepted: stream.accepted, closed: await stream.closed };
}

async function accepted(client: Client, filter: { readonly promptsListChanged: boolean }): Promise<unknown> {
  const stream = await client.listen(filter);
  await stream.close();
  return stream.accepted;
}
