/** Which methods a server answers in which dialect. */
import type { Dialect } from "../protocol/dialect.ts";
import { readSchema } from "../protocol/standard_schema.ts";
import type { ServerCapabilities } from "../protocol/types.ts";
import type { CatalogueIndex } from "./components/catalogue.ts";
import { completionMethods } from "./lists/completion.ts";
import type { Core, Method } from "./core.ts";
import { discoverMethods } from "./discover.ts";
import { handshakeMethods } from "./handshake.ts";
import { listenMethod } from "./changes/listen_method.ts";
import { layersFor, withLayers } from "./middleware/middleware.ts";
import { withMounts } from "./middleware/mounted_methods.ts";
import { promptMethods } from "./prompts.ts";
import { resourceMethods, resourceVisibility } from "./resources.ts";
import { withScopes } from "./access/scope_guard.ts";
import { toolMethods } from "./tools.ts";
// Last, because a bundle is smaller when these stand with what uses them most.
import { argumentChecker } from "./argument_checker.ts";
import { contextOf } from "./context.ts";
import { jsonFault } from "./json/json_fault.ts";

/**
 * The methods of one server, by dialect and name: in each dialect those that it has, and those that no dialect names.
 *
 * @param core What the server's parts share.
 * @param catalogue What the server offers.
 * @param capabilities What it declares.
 */
export function methodsOf(
  core: Omit<Core, "methods">,
  catalogue: CatalogueIndex,
  capabilities: ServerCapabilities,
): ReadonlyMap<Dialect, ReadonlyMap<string, Method>> {
  const isVisible = resourceVisibility(catalogue);
  const bare: [string, Method][] = [
    ...discoverMethods(core, capabilities),
    ...handshakeMethods(core, capabilities, isVisible),
    ...(catalogue.tools === undefined ? [] : toolMethods(core, catalogue)),
    ...(catalogue.resources === undefined ? [] : resourceMethods(core, catalogue)),
    ...(catalogue.prompts === undefined ? [] : promptMethods(core, catalogue)),
    ...(capabilities.completions === undefined ? [] : completionMethods(catalogue)),
    ...listenMethod(core, capabilities, isVisible),
    ...core.options.extensions?.methods(core, contextOf, readSchema, argumentChecker, jsonFault) ?? [],
  ];
  const methods = bare.map(([name, method]): [string, Method] => [
    name,
    withScopes(name, withLayers(name, withMounts(name, method, catalogue), layersFor(core.options.use, name)), catalogue),
  ]);
  return new Map(core.dialects.map((dialect) => [
    dialect,
    new Map(
      methods.filter(([name, { isIn }]) => isIn?.(dialect) ?? dialect.hasRequest(name, "client")),
    ),
  ]));
}
