/** `catalogSnapshot`: what a server offers, as text that is the same in every run. */
import type { Client } from "../client/client_types.ts";
import { connect } from "../client/connect.ts";
import { chooseDialects } from "../protocol/dialects/mod.ts";
import type { ProtocolVersion } from "../protocol/types.ts";
import { checkObject } from "../protocol/unknown_option.ts";
import type { AuthInfo, Served } from "../transports/transport.ts";
import { sortedJson } from "./sorted_json.ts";

/** Options of {@linkcode catalogSnapshot}. */
export interface CatalogSnapshotOptions {
  /** In which revision the server is asked; the newest one by default. Of a client, its own counts. */
  readonly protocol?: ProtocolVersion | undefined;
  /** Who asks, where not everybody sees everything; nobody by default. */
  readonly auth?: AuthInfo<unknown> | undefined;
}

/**
 * Writes what a server offers as sorted JSON: capabilities, instructions, tools, prompts, resources and templates. Its name and
 * version are left out, so that the text changes only when the offer does.
 *
 * ```ts
 * import { defineServer, tool } from "@causeway/mcp/server";
 * import { catalogSnapshot } from "@causeway/mcp/testing";
 *
 * const a = tool({ name: "a", handler: () => "a" });
 * const b = tool({ name: "b", handler: () => "b" });
 * const before = await catalogSnapshot(defineServer({ name: "letters", version: "1.0.0", tools: [a, b] }));
 * const after = await catalogSnapshot(defineServer({ name: "letters", version: "1.1.0", tools: [b, a] }));
 * if (before !== after) throw new Error("The catalogue has changed"); // in a test: compare with a file
 * ```
 *
 * @param target A server in this process, or a client of any server.
 * @param options How a server is asked.
 * @returns JSON text, indented by two spaces.
 * @throws {TypeError} For what is neither, and for a malformed option.
 * @throws What the server answers to a list that it declares.
 */
export async function catalogSnapshot(target: Served | Client, options: CatalogSnapshotOptions = {}): Promise<string> {
  checkObject(target, "catalogSnapshot.target");
  checkObject(options, "catalogSnapshot.options");
  if ("listTools" in target) return await write(target);
  const client = await connect(target, options);
  try {
    return await write(client);
  } finally {
    await client.close();
  }
}

async function write(client: Client): Promise<string> {
  // A pinned revision without a handshake sends nothing at connect, so that the capabilities have to be asked for.
  const { protocolVersion } = client.server;
  const [dialect] = chooseDialects([protocolVersion], "protocol");
  const asks = dialect?.hasRequest("server/discover", "client") === true;
  const { capabilities, instructions } = asks ? await client.discover() : client.server;
  const has = (name: string): boolean => Object.hasOwn(capabilities, name);
  const tools = has("tools") ? await client.listTools() : [];
  const prompts = has("prompts") ? await client.listPrompts() : [];
  const resources = has("resources") ? await client.listResources() : [];
  const resourceTemplates = has("resources") ? await client.listResourceTemplates() : [];
  return sortedJson({
    protocolVersion,
    capabilities,
    ...(instructions === undefined ? {} : { instructions }),
    tools: sortedBy(tools, ({ name }) => name),
    prompts: sortedBy(prompts, ({ name }) => name),
    resources: sortedBy(resources, ({ uri }) => uri),
    resourceTemplates: sortedBy(resourceTemplates, ({ uriTemplate }) => uriTemplate),
  });
}

function sortedBy<T>(items: readonly T[], key: (item: T) => string): readonly T[] {
  return [...items].sort((a, b) => key(a) < key(b) ? -1 : key(a) > key(b) ? 1 : 0);
}
