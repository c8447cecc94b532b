/** The components of a server, checked against each other and looked up by name: immutable, made once. */
import type { Declared } from "../../protocol/extensions/extension_serving.ts";
import type { Prompt, Resource, ResourceTemplate, Tool } from "../../protocol/types.ts";
import { normalizeUri } from "../../protocol/uri_encoding.ts";
import { checkList } from "../../protocol/unknown_option.ts";
import type { Mounted } from "./mounted.ts";
import { promptParts } from "./prompt.ts";
import type { PromptParts, ServerPrompt } from "./prompt.ts";
import { resourceParts } from "./resource.ts";
import type { ResourceParts, ServerResource } from "./resource.ts";
import { toolParts } from "./tool.ts";
import type { ToolParts } from "./tool.ts";
import type { ServerTool } from "./tool_types.ts";

/** A component with what is needed to answer for it. */
export interface Entry<Definition, Parts> {
  /** The name, or the URI. */
  readonly key: string;
  /** As it is listed. */
  readonly definition: Definition;
  /** What answers. */
  readonly parts: Parts;
}

/** The components as they were given. */
export interface ComponentLists {
  /** Undefined when the server has no such feature. */
  readonly tools: readonly ServerTool[] | undefined;
  /** Undefined when the server has no such feature. */
  readonly resources: readonly ServerResource[] | undefined;
  /** Undefined when the server has no such feature. */
  readonly prompts: readonly ServerPrompt[] | undefined;
}

/** The components of a server. */
export interface CatalogueIndex extends ComponentLists {
  /** Tools by name. */
  readonly toolsByName: ReadonlyMap<string, Entry<Tool, ToolParts>>;
  /** Exact resources by URI. */
  readonly resourcesByUri: ReadonlyMap<string, Entry<Resource, ResourceParts>>;
  /** The normal forms of their URIs (RFC 3986 § 6.2.2): templates match none of these. */
  readonly exactForms: ReadonlySet<string>;
  /** Templates in the order of their definition. */
  readonly templates: readonly Entry<ResourceTemplate, ResourceParts>[];
  /** Prompts by name. */
  readonly promptsByName: ReadonlyMap<string, Entry<Prompt, PromptParts>>;
  /** Does anything complete? */
  readonly completes: boolean;
  /** What is declared for extensions; undefined when there are none. */
  readonly declared?: Declared | undefined;
  /** The mounted servers, as far as their components remember them. */
  readonly places: readonly Mounted[];
}

/**
 * Checks components against each other.
 *
 * @throws {TypeError} For what is not a component, and for a name, URI or template that is taken twice, naming both places.
 */
export function createCatalogue(components: ComponentLists): CatalogueIndex {
  const toolsByName = index(components.tools, "tools", (tool) => entry(tool.name, tool.definition, toolParts(tool)));
  const promptsByName = index(
    components.prompts,
    "prompts",
    (prompt) => entry(prompt.name, prompt.definition, promptParts(prompt)),
  );
  const resources = index(
    components.resources,
    "resources",
    (resource) => entry(resource.uri, resource.definition, resourceParts(resource)),
  );
  const resourcesByUri = new Map<string, Entry<Resource, ResourceParts>>();
  const templates: Entry<ResourceTemplate, ResourceParts>[] = [];
  for (const [uri, found] of resources) {
    if (uri.includes("{")) templates.push(found as Entry<ResourceTemplate, ResourceParts>);
    else resourcesByUri.set(uri, found as Entry<Resource, ResourceParts>);
  }
  const exactForms = new Set([...resourcesByUri.keys()].map((uri) => normalizeUri(uri) ?? uri));
  const completes = [...promptsByName.values()].some(({ parts }) => parts.options.complete !== undefined) ||
    templates.some(({ parts }) => parts.options.complete !== undefined);
  const entries = [...toolsByName.values(), ...resources.values(), ...promptsByName.values()];
  const places = [...new Set(entries.flatMap(({ parts }) => parts.within?.chain ?? []))];
  return Object.freeze({
    ...components,
    toolsByName,
    resourcesByUri,
    exactForms,
    templates,
    promptsByName,
    completes,
    places,
  });
}

function entry<D, P>(key: string, definition: D, parts: P | undefined): Entry<D, P> | undefined {
  return parts === undefined ? undefined : { key, definition, parts };
}

function index<T, D, P>(
  list: readonly T[] | undefined,
  kind: "tools" | "resources" | "prompts",
  read: (item: T) => Entry<D, P> | undefined,
): Map<string, Entry<D, P>> {
  const found = new Map<string, Entry<D, P>>();
  const places = new Map<string, number>();
  checkList(list, kind);
  list?.forEach((item, at) => {
    const own = typeof item === "object" && item !== null ? read(item) : undefined;
    if (own === undefined) throw new TypeError(`${kind}[${at}]: Expected what ${kind.slice(0, -1)}() returns`);
    const before = places.get(own.key);
    if (before !== undefined) throw new TypeError(`${kind}[${at}]: "${own.key}" is taken by ${kind}[${before}] already`);
    places.set(own.key, at);
    found.set(own.key, own);
  });
  return found;
}
