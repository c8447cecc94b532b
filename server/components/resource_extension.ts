/** An extension that brings resources along. */
import type { ServerExtension } from "../../protocol/extensions/extension_types.ts";
import type { ServerResource } from "./resource.ts";

/**
 * An extension with resources of its own. They go with the extension, not with the server's own components: a change of those
 * keeps them, and a server that is mounted elsewhere leaves them behind.
 */
export interface ResourceExtension extends ServerExtension {
  /** The server that has the extension has these resources too, and declares resources even if there are none. */
  readonly resources: readonly ServerResource[];
}
