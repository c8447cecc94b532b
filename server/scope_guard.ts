/** Refuses callers without the scopes of what they name, before their request runs or waits. */
import { uniteScopes } from "../protocol/auth/scopes.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import type { JsonObject } from "../protocol/types.ts";
import type { CatalogueIndex } from "./catalogue.ts";
import type { ComponentOptions } from "./component.ts";
import { callInfo } from "./context.ts";
import type { Exchange, Method } from "./core.ts";
import { insufficient, lacks } from "./require_scopes.ts";
import { findResource } from "./resources.ts";
import { isVisible } from "./visible.ts";

/** A method that refuses callers without the scopes of what they name; the method itself when no component has any. */
export function withScopes(name: string, method: Method, catalogue: CatalogueIndex): Method {
  const named = finderOf(name, catalogue);
  if (named === undefined) return method;
  return {
    ...method,
    guard: (exchange) => {
      const needed = named(exchange.request.params, exchange).flatMap((options) =>
        options?.scopes !== undefined && isVisible(options, () => callInfo(exchange)) && lacks(exchange, options.scopes)
          ? options.scopes
          : []
      );
      if (needed.length > 0) throw insufficient(exchange, uniteScopes(needed));
    },
  };
}

/** The components that a request names; what is unknown or malformed is left to the method. */
type Finder = (params: JsonObject, exchange: Exchange) => readonly (ComponentOptions | undefined)[];

function finderOf(method: string, catalogue: CatalogueIndex): Finder | undefined {
  const { toolsByName, promptsByName, resourcesByUri, templates } = catalogue;
  const some = (entries: Iterable<{ readonly parts: { readonly options: ComponentOptions } }>): boolean =>
    [...entries].some(({ parts }) => parts.options.scopes !== undefined);
  const prompt = (name: unknown): ComponentOptions | undefined => promptsByName.get(name as string)?.parts.options;
  const resource = (uri: unknown): ComponentOptions | undefined =>
    typeof uri === "string" ? findResource(catalogue, uri)?.options : undefined;
  const ofResources = some(resourcesByUri.values()) || some(templates);
  switch (method) {
    case "tools/call":
      return some(toolsByName.values())
        ? (params) => [toolsByName.get(ownMember(params, "name") as string)?.parts.options]
        : undefined;
    case "prompts/get":
      return some(promptsByName.values()) ? (params) => [prompt(ownMember(params, "name"))] : undefined;
    case "resources/read":
    case "resources/subscribe":
      return ofResources ? (params) => [resource(ownMember(params, "uri"))] : undefined;
    case "subscriptions/listen":
      return ofResources ? (params, exchange) => wanted(params, exchange).map(resource) : undefined;
    case "completion/complete":
      return ofResources || some(promptsByName.values())
        ? (params) => {
          const ref = ownMember(params, "ref");
          if (!isJsonObject(ref)) return [];
          const template = templates.find(({ key }) => key === ref.uri) ?? resourcesByUri.get(ref.uri as string);
          return [ref.type === "ref/prompt" ? prompt(ref.name) : template?.parts.options];
        }
        : undefined;
    default:
      return undefined;
  }
}

/** The resources of a change stream; a list that is too long is refused by the method. */
function wanted(params: JsonObject, { core }: Exchange): readonly unknown[] {
  const filter = ownMember(params, "notifications");
  const uris = isJsonObject(filter) ? ownMember(filter, "resourceSubscriptions") : undefined;
  return Array.isArray(uris) && uris.length <= core.limits.subscriptionUris ? uris : [];
}
