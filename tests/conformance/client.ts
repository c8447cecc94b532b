/**
 * The client under test: does what `MCP_CONFORMANCE_SCENARIO` asks for at the URL given as last argument. Which revision is
 * spoken there it finds out by itself.
 */
import { type Client, connect, type InputHandlers, isMcpError, type Tool } from "@causeway/mcp/client";
import { runAuthScenario } from "./auth_client.ts";
import { listSkills, loadSkill } from "./skills_client.ts";

/** One scenario: it gets the server's URL and resolves when everything has been done. */
type Scenario = (url: string) => Promise<void>;

/** What a scenario of its own gives along as JSON. */
interface ToolCalls {
  readonly toolCalls: readonly { readonly name: string; readonly arguments: object }[];
}

const SCENARIOS: ReadonlyMap<string, Scenario> = new Map([
  ["initialize", listOnly],
  ["tools_call", toolsCall],
  ["elicitation-sep1034-client-defaults", elicitationDefaults],
  ["sse-retry", sseRetry],
  ["request-metadata", requestMetadata],
  ["sep-2322-client-request-state", requestState],
  ["http-standard-headers", standardHeaders],
  ["http-custom-headers", customHeaders],
  ["http-invalid-tool-headers", invalidToolHeaders],
  ["json-schema-ref-no-deref", listOnly],
  ["json-schema-2020-12-preservation", schemaPreservation],
  ["sep-2640-client-no-prefetch", listSkills],
  ["sep-2640-client-verify-digest", loadSkill],
  ["sep-2640-client-verify-size", loadSkill],
  ["sep-2640-client-verify-frontmatter", loadSkill],
]);

/** Answers that declare all three capabilities. */
const INPUTS: InputHandlers = {
  form: () => ({ action: "accept", content: { confirmed: true } }),
  sampling: () => ({ role: "assistant", content: { type: "text", text: "An answer." }, model: "test-model" }),
  roots: [{ uri: "file:///workspace", name: "workspace" }],
};

async function toolsCall(url: string): Promise<void> {
  await using client = await connect(url);
  await client.listTools();
  await client.callTool("add_numbers", { a: 5, b: 3 });
}

/** Accepts without a value: the defaults of the schema are filled in by the client. */
async function elicitationDefaults(url: string): Promise<void> {
  await using client = await connect(url, { inputs: { form: () => ({ action: "accept", content: {} }) } });
  await client.listTools();
  await client.callTool("test_client_elicitation_defaults");
}

async function sseRetry(url: string): Promise<void> {
  await using client = await connect(url);
  await client.listTools();
  await client.callTool("test_reconnection");
}

async function requestMetadata(url: string): Promise<void> {
  await using client = await connect(url, { inputs: INPUTS });
  await client.listTools();
}

async function requestState(url: string): Promise<void> {
  await using client = await connect(url, { inputs: INPUTS });
  await client.listTools();
  await client.callTool("test_mrtr_echo_state");
  await client.callTool("test_mrtr_no_state");
  await client.callTool("test_mrtr_unrelated");
  await tolerate(client.callTool("test_mrtr_no_result_type"));
}

async function standardHeaders(url: string): Promise<void> {
  await using client = await connect(url);
  const [tool] = await client.listTools();
  if (tool !== undefined) await client.callTool(tool, sample(tool));
  const [resource] = await client.listResources();
  if (resource !== undefined) await client.readResource(resource.uri);
  const [prompt] = await client.listPrompts();
  if (prompt === undefined) return;
  const wanted = prompt.arguments?.filter(({ required }) => required === true) ?? [];
  await client.getPrompt(prompt.name, Object.fromEntries(wanted.map(({ name }) => [name, "test"])));
}

async function customHeaders(url: string): Promise<void> {
  const { toolCalls } = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}") as ToolCalls;
  await using client = await connect(url);
  const tools = new Map((await client.listTools()).map((tool) => [tool.name, tool]));
  for (const call of toolCalls) {
    const tool = tools.get(call.name);
    if (tool === undefined) throw new Error(`Calling ${call.name}: The server does not list it`);
    await client.callTool(tool, call.arguments);
  }
}

async function invalidToolHeaders(url: string): Promise<void> {
  await using client = await connect(url);
  for (const tool of await client.listTools()) await client.callTool(tool, sample(tool));
}

async function listOnly(url: string): Promise<void> {
  await using client = await connect(url);
  await client.listTools();
}

async function schemaPreservation(url: string): Promise<void> {
  await using client = await connect(url);
  const tool = await find(client, "json_schema_2020_12_tool");
  await client.callTool("json_schema_echo", { schema: tool.inputSchema });
}

async function find(client: Client, name: string): Promise<Tool> {
  const tool = (await client.listTools()).find((tool) => tool.name === name);
  if (tool === undefined) throw new Error(`Looking for ${name}: The server does not list it`);
  return tool;
}

/** Arguments for the required properties of a tool. */
function sample(tool: Tool): object {
  const properties = tool.inputSchema.properties as Record<string, { readonly type?: string }> | undefined;
  const required = (tool.inputSchema.required ?? []) as readonly string[];
  const values: Record<string, unknown> = { string: "test", integer: 0, number: 0, boolean: false, array: [], object: {} };
  return Object.fromEntries(required.map((name) => [name, values[properties?.[name]?.type ?? "string"]]));
}

/** Lets errors of the protocol pass: the scenario allows them. */
async function tolerate(call: Promise<unknown>): Promise<void> {
  try {
    await call;
  } catch (error) {
    if (!isMcpError(error)) throw error;
  }
}

/** A scenario of authorization; what it needs to know comes along as JSON. */
function authorized(name: string): Scenario {
  const facts = JSON.parse(Deno.env.get("MCP_CONFORMANCE_CONTEXT") ?? "{}");
  return (url) => runAuthScenario(name, url, facts);
}

async function main(): Promise<number> {
  const name = Deno.env.get("MCP_CONFORMANCE_SCENARIO") ?? "";
  const scenario = name.startsWith("auth/") ? authorized(name) : SCENARIOS.get(name);
  const url = Deno.args.at(-1);
  if (scenario === undefined || url === undefined) {
    // deno-lint-ignore no-console -- the suite shows what the program says
    console.error(
      scenario === undefined
        ? `Unknown scenario "${name}"; known: ${[...SCENARIOS.keys()].join(", ")}`
        : "Usage: client.ts <url>",
    );
    return 1;
  }
  await scenario(url);
  return 0;
}

Deno.exitCode = await main();
