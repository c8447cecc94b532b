/** Keeps the middleware of mounted servers around their part of a list. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { callInfo } from "../context.ts";
import type { Exchange } from "../core.ts";
import { jsonFault } from "../json/json_fault.ts";
import { LayeredExchange } from "../middleware/layered_exchange.ts";
import { layersFor } from "../middleware/middleware.ts";
import type { Mounted } from "../components/mounted.ts";
import { runOnion } from "../middleware/onion.ts";
import type { Listed, ListSource } from "./list_source.ts";

/**
 * Lets every mounted server see its part of a list: all of it, as one page, under its own names. What it gives stands in the
 * list, under the names that the whole server uses.
 */
export function throughMounts(exchange: Exchange, source: ListSource, listed: readonly Listed[]): Promise<readonly Listed[]> {
  return assemble(exchange, source, listed, 0);
}

/** Puts a list together, mounted servers of one level by one, in the order in which their components stand. */
async function assemble(
  exchange: Exchange,
  source: ListSource,
  listed: readonly Listed[],
  level: number,
): Promise<readonly Listed[]> {
  const parts = new Map<Mounted | Listed, Listed[]>();
  for (const item of listed) {
    const mounted = item.within?.chain[level];
    const part = parts.get(mounted ?? item);
    if (part === undefined) parts.set(mounted ?? item, [item]);
    else part.push(item);
  }
  const lists = await Promise.all([...parts].map(async ([at, part]): Promise<readonly Listed[]> => {
    if (!("chain" in at)) return part;
    const inside = () => assemble(exchange, source, part, level + 1);
    const layers = layersFor(at.use, source.method);
    return layers.length === 0 ? await inside() : await seen(exchange, source, at, layers, inside);
  }));
  return lists.flat();
}

async function seen(
  exchange: Exchange,
  source: ListSource,
  mounted: Mounted,
  layers: ReturnType<typeof layersFor>,
  inside: () => Promise<readonly Listed[]>,
): Promise<readonly Listed[]> {
  const { method, member } = source;
  const named = method === "tools/list" || method === "prompts/list";
  const prefix = named ? mounted.prefix : "";
  const rename = (item: JsonObject, name: string): JsonObject => Object.freeze({ ...item, name });
  const core = async (): Promise<JsonObject> => {
    const items = (await inside()).map(({ definition }) =>
      named ? rename(definition, String(definition.name).slice(prefix.length)) : definition
    );
    return new LayeredExchange(exchange, exchange.request).write({ [member]: Object.freeze(items) });
  };
  const params = Object.freeze({});
  const result = await runOnion({ exchange, method, layers, params, info: callInfo(exchange), core });
  return readItems(source, result).map((item) => {
    const definition = named ? rename(item, prefix + String(item.name)) : item;
    return { key: String(definition[source.key]), definition, within: mounted };
  });
}

/**
 * The items of a list that a middleware gave.
 *
 * @throws {TypeError} When they are not definitions with names or URIs.
 */
export function readItems({ method, member, key }: ListSource, result: JsonObject): readonly JsonObject[] {
  const items = result[member];
  if (!Array.isArray(items) || items.some((item) => !isJsonObject(item) || typeof item[key] !== "string")) {
    throw new TypeError(
      `use: What a middleware gave for ${method}: Expected ${member} to be a list of definitions, each with ${key}`,
    );
  }
  const fault = jsonFault(items, `use: What a middleware gave for ${method}`);
  if (fault !== undefined) throw new TypeError(fault);
  return items;
}
