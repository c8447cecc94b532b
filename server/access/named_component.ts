/** Finds the component that a request names. */
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { CatalogueIndex } from "../components/catalogue.ts";
import type { ComponentOptions } from "../components/component.ts";
import type { Mounted } from "../components/mounted.ts";
import { findResource } from "../resources.ts";

/** A component, as far as every kind has it. */
export interface NamedComponent {
  /** The options as they were given. */
  readonly options: ComponentOptions;
  /** The mounted server that it belongs to. */
  readonly within?: Mounted | undefined;
}

/** Finds the component that params name, whoever may see it; undefined when they are malformed, or name none. */
export type FindComponent = (params: JsonObject) => NamedComponent | undefined;

/** What finds the component that requests of a method name; undefined for methods that name none. */
export function componentFinder(method: string, catalogue: CatalogueIndex): FindComponent | undefined {
  const prompt: FindComponent = (holder) => catalogue.promptsByName.get(ownMember(holder, "name") as string)?.parts;
  switch (method) {
    case "tools/call":
      return (params) => catalogue.toolsByName.get(ownMember(params, "name") as string)?.parts;
    case "prompts/get":
      return prompt;
    case "resources/read":
    case "resources/subscribe":
    case "resources/unsubscribe":
      return (params) => {
        const uri = ownMember(params, "uri");
        return typeof uri === "string" ? findResource(catalogue, uri) : undefined;
      };
    case "completion/complete":
      return (params) => {
        const ref = ownMember(params, "ref");
        if (!isJsonObject(ref)) return undefined;
        if (ref.type === "ref/prompt") return prompt(ref);
        return (catalogue.templates.find(({ key }) => key === ref.uri) ?? catalogue.resourcesByUri.get(ref.uri as string))?.parts;
      };
    default:
      return undefined;
  }
}
