/** The components of a server together with those that its extensions bring along. */
import type { ServerExtension } from "../protocol/extensions/extension_types.ts";
import type { ServedTogether } from "../protocol/extensions/extension_serving.ts";
import { createCatalogue } from "./catalogue.ts";
import type { CatalogueIndex } from "./catalogue.ts";
import type { ServerResource } from "./resource.ts";

/** An extension with resources of its own. */
export interface ResourceExtension extends ServerExtension {
  /** The server that has the extension has these resources too, and declares resources even if there are none. */
  readonly resources: readonly ServerResource[];
}

/**
 * Adds the resources of extensions to a catalogue. They go with the extension, not with the server's own components: a change
 * of those keeps them, and a server that is mounted elsewhere leaves them behind.
 *
 * @throws {TypeError} For a URI that is taken twice.
 */
export function extendedCatalogue(catalogue: CatalogueIndex, extensions: ServedTogether | undefined): CatalogueIndex {
  return extensions?.catalogue(catalogue, createCatalogue) ?? catalogue;
}
