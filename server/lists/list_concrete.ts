/** Runs the program's functions that list the concrete resources of templates. */
import type { CallInfo } from "../../protocol/context.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { kindOf } from "../../protocol/kind_of.ts";
import { hasScheme } from "../components/absolute_uri.ts";
import type { Entry } from "../components/catalogue.ts";
import { jsonFault } from "../json/json_fault.ts";
import type { ResourceParts } from "../components/resource.ts";
import { isVisible } from "../access/is_visible.ts";
import type { Listed } from "./list_source.ts";

/**
 * Lists the concrete resources of templates, as far as a caller sees these.
 *
 * @throws {TypeError} When a function gave no resources; the message begins with the path of that function.
 */
export async function listConcrete(
  templates: readonly Entry<unknown, ResourceParts>[],
  info: CallInfo,
): Promise<readonly Listed[]> {
  const lists = await Promise.all(templates.map(async ({ parts: { options, within } }) => {
    if (!isVisible(options, () => info)) return [];
    const found: unknown = await options.list?.(info);
    const path = `resources.${options.name}.list`;
    const fault = listFault(found, path) ?? jsonFault(found, path);
    if (fault !== undefined) throw new TypeError(fault);
    return (found as readonly JsonObject[]).map((definition) => ({ key: definition.uri as string, definition, within }));
  }));
  return lists.flat();
}

/** Says what is wrong with what a function gave: where, and which rule, never the value. */
function listFault(found: unknown, path: string): string | undefined {
  if (!Array.isArray(found)) return `${path}: Expected a list of resources, found ${kindOf(found)}`;
  for (const [at, item] of found.entries()) {
    if (!isJsonObject(item)) return `${path}[${at}]: Expected an object with a uri and a name, found ${kindOf(item)}`;
    const { uri, name } = item;
    if (typeof uri !== "string") return `${path}[${at}].uri: Expected a string, found ${kindOf(uri)}`;
    if (!hasScheme(uri)) return `${path}[${at}].uri: Expected a URI that begins with a scheme`;
    if (typeof name !== "string") return `${path}[${at}].name: Expected a string, found ${kindOf(name)}`;
  }
  return undefined;
}
