/** Puts the components of a server behind a prefix and among those of another one. */
import { toolNameFault } from "../protocol/tool_name.ts";
import { createCatalogue } from "./components/catalogue.ts";
import type { CatalogueIndex, ComponentLists } from "./components/catalogue.ts";
import { placesIn } from "./components/mounted.ts";
import { movePrompt } from "./components/prompt.ts";
import { moveResource } from "./components/resource.ts";
import { partsOf } from "./server_parts.ts";
import type { ServerParts } from "./server_parts.ts";
import type { Server } from "./server_types.ts";
import { moveTool } from "./components/tool.ts";

/** How a server is mounted. */
export interface MountOptions {
  /** What stands before the names of tools and prompts; nothing by default. */
  readonly prefix?: string | undefined;
}

/**
 * The components of two servers together.
 *
 * @param outer The server that the other one is mounted in.
 * @param other The other one.
 * @throws {TypeError} For what is not a server, for an extension of it that the outer one does not have, for a wrong prefix, and
 * for a name or URI that both have; the message names both.
 */
export function mount(outer: Server, other: Server, { prefix = "", ...rest }: MountOptions = {}): CatalogueIndex {
  const own = partsOf(outer) as ServerParts;
  const added = partsOf(other);
  if (added === undefined) throw new TypeError("mount: Expected what defineServer() returns");
  if (added.options.auth !== undefined && own.options.auth === undefined) {
    const given = `"${added.options.name}" has the option auth and "${own.options.name}" has none`;
    throw new TypeError(`mount: Anybody could call what was protected, because ${given}`);
  }
  for (const key of Object.keys(rest)) throw new TypeError(`mount.${key}: Unknown option`);
  if (typeof prefix !== "string") throw new TypeError("mount.prefix: Expected a string");
  const { name } = added.options;
  added.options.extensions?.checkKept(name, own.options);
  const move = placesIn(name, prefix, added.options.use ?? []);
  const now = added.catalogue();
  const moved: ComponentLists = {
    tools: now.tools?.map((tool) => moveTool(tool, checked(prefix + tool.name, name), move)),
    resources: now.resources?.map((resource) => moveResource(resource, move)),
    prompts: now.prompts?.map((prompt) => movePrompt(prompt, prefix + prompt.name, move)),
  };
  const before = own.catalogue();
  const names = [own.options.name, name] as const;
  return createCatalogue({
    tools: together("tools", before.tools, moved.tools, (tool) => tool.name, names),
    resources: together("resources", before.resources, moved.resources, (resource) => resource.uri, names),
    prompts: together("prompts", before.prompts, moved.prompts, (prompt) => prompt.name, names),
  });
}

function checked(tool: string, server: string): string {
  const fault = toolNameFault(tool);
  if (fault === undefined) return tool;
  throw new TypeError(`mount.prefix: The prefix does not go with the tools of "${server}". ${fault}`);
}

function together<T>(
  kind: string,
  own: readonly T[] | undefined,
  added: readonly T[] | undefined,
  keyOf: (component: T) => string,
  [ownName, addedName]: readonly [string, string],
): readonly T[] | undefined {
  if (own === undefined || added === undefined) return own ?? added;
  const taken = new Set(own.map(keyOf));
  for (const component of added) {
    const key = keyOf(component);
    if (taken.has(key)) throw new TypeError(`${kind}.${key}: Mounting "${addedName}" in "${ownName}": both have it`);
  }
  return [...own, ...added];
}
