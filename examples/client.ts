/**
 * Shows what a server offers, and calls one of its tools if asked to.
 *
 *     deno run --allow-net examples/client.ts http://127.0.0.1:8000/mcp
 *     deno run --allow-run --allow-env examples/client.ts --call search '{"query":"json"}' deno run examples/stdio_server.ts
 */
// deno-lint-ignore-file no-console -- printing is what this program does
import { type Client, connect, textOf } from "@causeway/mcp/client";

/** What the command line asks for. */
interface Order {
  readonly target: readonly string[];
  readonly call: { readonly name: string; readonly args: object } | undefined;
}

const { target, call } = readArguments(Deno.args);
await using client = await open(target);
if (call === undefined) await show(client);
else {
  const result = await client.callTool(call.name, call.args, {
    onProgress: ({ progress, total, message }) => console.error(`${progress}/${total ?? "?"} ${message ?? ""}`),
  });
  console.log(textOf(result));
  if (result.isError) Deno.exitCode = 1;
}

function readArguments(args: readonly string[]): Order {
  const [flag, name, json, ...rest] = args;
  if (flag === "--call" && name !== undefined && json !== undefined) {
    return { target: rest, call: { name, args: JSON.parse(json) } };
  }
  return { target: args, call: undefined };
}

/** The client is the same for a URL and for a command. */
function open([first, ...args]: readonly string[]): Promise<Client> {
  if (first === undefined) throw new TypeError("Usage: client.ts [--call <tool> <json>] <url | command [arguments]>");
  return /^https?:/.test(first) ? connect(first) : connect({ command: first, args, stderr: "inherit" });
}

async function show(client: Client): Promise<void> {
  const { info, protocolVersion, capabilities } = client.server;
  console.log(`${info?.name ?? "unnamed"} ${info?.version ?? ""}, protocol ${protocolVersion}`);
  const lists = {
    Tools: capabilities.tools ? await client.listTools() : [],
    Resources: capabilities.resources ? await client.listResources() : [],
    Templates: capabilities.resources ? await client.listResourceTemplates() : [],
    Prompts: capabilities.prompts ? await client.listPrompts() : [],
  };
  for (const [title, items] of Object.entries(lists)) {
    if (items.length > 0) console.log(`\n${title}`);
    for (const item of items) console.log(`  ${item.name}${item.description === undefined ? "" : `: ${item.description}`}`);
  }
}
