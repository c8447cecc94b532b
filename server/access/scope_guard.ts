/** Refuses callers without the scopes of what they name, before their request runs or waits. */
import { uniteScopes } from "../../protocol/auth/scopes.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { CatalogueIndex } from "../components/catalogue.ts";
import { callInfo } from "../context.ts";
import type { Exchange, Method } from "../core.ts";
import { findResource } from "../resources.ts";
import { componentFinder } from "./named_component.ts";
import type { NamedComponent } from "./named_component.ts";
import { insufficient, lacks } from "./require_scopes.ts";
import { isVisible } from "./is_visible.ts";

/** A method that refuses callers without the scopes of what they name; the method itself when no component has any. */
export function withScopes(name: string, method: Method, catalogue: CatalogueIndex): Method {
  if (!mayNeedScopes(name, catalogue)) return method;
  const find = componentFinder(name, catalogue);
  return {
    ...method,
    guard: (exchange) => {
      const { params } = exchange.request;
      const named = find === undefined ? wanted(params, exchange).map((uri) => findResource(catalogue, uri)) : [find(params)];
      const needed = named.flatMap((component) => {
        const { options } = component ?? {};
        return options?.scopes !== undefined && isVisible(options, () => callInfo(exchange)) && lacks(exchange, options.scopes)
          ? options.scopes
          : [];
      });
      if (needed.length > 0) throw insufficient(exchange, uniteScopes(needed));
    },
  };
}

/** Does a component that requests of the method can name have scopes? */
function mayNeedScopes(method: string, { toolsByName, promptsByName, resourcesByUri, templates }: CatalogueIndex): boolean {
  const some = (...kinds: readonly Iterable<{ readonly parts: Pick<NamedComponent, "options"> }>[]): boolean =>
    kinds.some((entries) => [...entries].some(({ parts }) => parts.options.scopes !== undefined));
  switch (method) {
    case "tools/call":
      return some(toolsByName.values());
    case "prompts/get":
      return some(promptsByName.values());
    case "resources/read":
    case "resources/subscribe":
    case "subscriptions/listen":
      return some(resourcesByUri.values(), templates);
    case "completion/complete":
      return some(promptsByName.values(), resourcesByUri.values(), templates);
    default:
      return false;
  }
}

/** The resources of a change stream; a list that is too long is refused by the method. */
function wanted(params: JsonObject, { core }: Exchange): readonly string[] {
  const filter = ownMember(params, "notifications");
  const uris = isJsonObject(filter) ? ownMember(filter, "resourceSubscriptions") : undefined;
  return Array.isArray(uris) && uris.length <= core.limits.subscriptionUris ? uris.filter((uri) => typeof uri === "string") : [];
}
