/** Components of the catalogue, as items of a list. */
import type { JsonObject } from "../../protocol/types.ts";
import type { Entry } from "../components/catalogue.ts";
import type { ComponentOptions } from "../components/component.ts";
import type { Mounted } from "../components/mounted.ts";
import type { Listed } from "./list_source.ts";

/** What decides who sees a component in a list. */
interface ListedParts {
  readonly options: Pick<ComponentOptions, "visible">;
  readonly within?: Mounted | undefined;
}

/** The item that a component is in a list of its kind. */
export function listedEntry({ key, definition, parts }: Entry<unknown, ListedParts>): Listed {
  return { key, definition: definition as JsonObject, visible: parts.options.visible, within: parts.within };
}
