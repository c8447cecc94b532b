/** What a server is made of, kept on it for servers that it is mounted in. */
import type { CatalogueIndex } from "./components/catalogue.ts";
import type { CheckedOptions, Core } from "./core.ts";

/** What a server is made of. */
export interface ServerParts {
  /** What its parts share. */
  readonly core: Core;
  /** Its options. */
  readonly options: CheckedOptions;
  /** What it offers now. */
  readonly catalogue: () => CatalogueIndex;
}

const PARTS: unique symbol = Symbol("parts of a server");

/** Notes what a server is made of. */
export function withParts(server: object, parts: ServerParts): void {
  Object.defineProperty(server, PARTS, { value: parts });
}

/** What a server is made of; undefined when the value was not made by `defineServer`. */
export function partsOf(server: unknown): ServerParts | undefined {
  return (server as { readonly [PARTS]?: ServerParts } | null | undefined)?.[PARTS];
}
