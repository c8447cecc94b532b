/** The methods of a server's extensions. The extensions bring along what answers them. */
import type { ServingKit } from "../protocol/extensions/extension_serving.ts";
import { readSchema } from "../protocol/standard_schema.ts";
import { argumentChecker } from "./argument_checker.ts";
import { contextOf } from "./context.ts";
import type { Core, Exchange, Method } from "./core.ts";
import { jsonFault } from "./json_safe.ts";

/** The methods of a server's extensions, by name. */
export function extensionMethods({ extensions, validator }: Omit<Core, "methods">): [string, Method][] {
  const kit: ServingKit<Exchange> = {
    checker: (schema, direction, part, path) => argumentChecker(readSchema(schema, direction, path), validator, part),
    contextOf,
    jsonFault,
  };
  return extensions?.methods(kit) ?? [];
}
