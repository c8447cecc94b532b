/** Keeps the middleware of mounted servers around the calls of their own components. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { CatalogueIndex } from "../components/catalogue.ts";
import type { Exchange, Method } from "../core.ts";
import type { Mounted } from "../components/mounted.ts";
import { componentFinder } from "../access/named_component.ts";
import type { FindComponent } from "../access/named_component.ts";
import type { ParamsView } from "./middleware.ts";
import { layersFor, throughLayers } from "./middleware.ts";

/** A method with the middleware of mounted servers inside; the method itself when no component of its kind has any. */
export function withMounts(name: string, method: Method, catalogue: CatalogueIndex): Method {
  const find = componentFinder(name, catalogue);
  const concerned = find !== undefined && catalogue.places.some(({ use }) => layersFor(use, name).length > 0);
  return concerned
    ? { ...method, runsHandler: true, answer: (exchange) => descend(exchange, { name, method, find }, []) }
    : method;
}

interface Way {
  readonly name: string;
  readonly method: Method;
  readonly find: FindComponent;
}

/** Goes down one mounted server after the other to the component; each may change the call, but not to a component outside of it. */
function descend(exchange: Exchange, way: Way, passed: readonly Mounted[]): JsonObject | Promise<JsonObject> {
  const { name, method, find } = way;
  const chain = find(exchange.request.params)?.within?.chain ?? [];
  const left = passed.find((mounted, at) => chain[at] !== mounted);
  if (left !== undefined) {
    throw new TypeError(`use: The middleware of "${left.server}" changed ${name} to a component that the server does not have`);
  }
  const mounted = chain[passed.length];
  if (mounted === undefined) return method.answer(exchange);
  const below = [...passed, mounted];
  const layers = layersFor(mounted.use, name);
  if (layers.length === 0) return descend(exchange, way, below);
  const inside: Method = { ...method, answer: (inner) => descend(inner, way, below) };
  return throughLayers(exchange, name, inside, layers, viewOf(name, mounted.prefix));
}

/** Names without the prefix, since a policy compares the names that its author gave. */
function viewOf(method: string, prefix: string): ParamsView {
  const rename = (params: JsonObject, change: (name: string) => string): JsonObject =>
    typeof params.name === "string" ? { ...params, name: change(params.name) } : params;
  const inPlace = method === "completion/complete"
    ? (params: JsonObject, change: (name: string) => string): JsonObject =>
      isJsonObject(params.ref) && params.ref.type === "ref/prompt" ? { ...params, ref: rename(params.ref, change) } : params
    : method === "tools/call" || method === "prompts/get"
    ? rename
    : (params: JsonObject): JsonObject => params;
  return {
    show: (params) => inPlace(params, (name) => name.slice(prefix.length)),
    restore: (params) => inPlace(params, (name) => prefix + name),
  };
}
