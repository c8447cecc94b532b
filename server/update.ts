/** Makes the next catalogue of a server out of the present one, and says which lists differ. */
import type { Notify } from "../protocol/context.ts";
import { checkOptionNames } from "../protocol/unknown_option.ts";
import { createCatalogue } from "./components/catalogue.ts";
import type { CatalogueIndex, ComponentLists } from "./components/catalogue.ts";
import type { Catalogue, ComponentChange } from "./components/component_types.ts";
import { promptParts } from "./components/prompt.ts";
import { resourceParts } from "./components/resource.ts";
import { toolParts } from "./components/tool.ts";

const KINDS = ["tools", "resources", "prompts"] as const;

/**
 * Applies a change to a catalogue.
 *
 * @param now The present catalogue.
 * @param change New lists, or a function that makes them.
 * @throws {TypeError} For what is not a change, for a feature that was not declared, and for components that do not go together.
 */
export function changedCatalogue(
  now: CatalogueIndex,
  change: ComponentChange | ((now: Catalogue) => ComponentChange),
): CatalogueIndex {
  const { tools = [], resources = [], prompts = [] } = now;
  const given: unknown = typeof change === "function" ? change(Object.freeze({ tools, resources, prompts })) : change;
  if (typeof given !== "object" || given === null || given instanceof Promise) {
    throw new TypeError("update: Expected an object with tools, resources or prompts");
  }
  checkOptionNames(given, new Set(KINDS), "update.");
  const lists = given as ComponentLists;
  for (const kind of KINDS) {
    if (lists[kind] !== undefined && now[kind] === undefined) {
      throw new TypeError(
        `update.${kind}: The server was defined without ${kind}, and clients were told so. Define it with ${kind}: []`,
      );
    }
  }
  return createCatalogue({
    tools: copied(lists.tools ?? now.tools),
    resources: copied(lists.resources ?? now.resources),
    prompts: copied(lists.prompts ?? now.prompts),
  });
}

/** Which functions of `notify` tell of the difference between two catalogues. */
export function changedLists(before: CatalogueIndex, after: CatalogueIndex): readonly Exclude<keyof Notify, "resourceUpdated">[] {
  return [
    ...(isSame(before.tools, after.tools, toolParts) ? [] : ["toolsChanged"] as const),
    ...(isSame(before.resources, after.resources, resourceParts) ? [] : ["resourcesChanged"] as const),
    ...(isSame(before.prompts, after.prompts, promptParts) ? [] : ["promptsChanged"] as const),
  ];
}

/** The list is the application's: what becomes of it later must not reach the catalogue. */
function copied<T>(list: readonly T[] | undefined): readonly T[] | undefined {
  return Array.isArray(list) ? Object.freeze([...list]) : list;
}

interface Part {
  readonly options: { readonly visible?: unknown; readonly list?: unknown; readonly listed?: unknown };
  readonly within?: unknown;
}

/** A list is the same when nothing that is listed, and nothing that decides who sees what, has changed. */
function isSame<T extends { readonly definition: object }>(
  before: readonly T[] = [],
  after: readonly T[] = [],
  partsOf: (component: T) => Part | undefined,
): boolean {
  return before.length === after.length && before.every((one, at) => {
    const other = after[at] as T;
    if (one === other) return true;
    const [parts, others] = [partsOf(one) as Part, partsOf(other) as Part];
    return JSON.stringify(one.definition) === JSON.stringify(other.definition) && parts.within === others.within &&
      parts.options.visible === others.options.visible && parts.options.list === others.options.list &&
      parts.options.listed === others.options.listed;
  });
}
