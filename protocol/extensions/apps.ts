/** The Apps extension (`io.modelcontextprotocol/ui`, SEP-1865 of 2026-01-26): its names and shapes. */
import type { JsonObject } from "../json.ts";
import { extension } from "./extension.ts";
import type { Extension } from "./extension_types.ts";

/** The identifier. */
export const APPS_ID = "io.modelcontextprotocol/ui";

/** The type of a view: one spelling, no blank, no charset (Apps 2026-01-26, UI Resource Format). */
export const APP_MIME_TYPE = "text/html;profile=mcp-app";

/** The scheme and slashes that every URI of a view begins with. */
export const APP_URI_PREFIX = "ui://";

/** The older place of a tool's URI in its `_meta`. It is read, and never written. */
export const FLAT_URI_KEY = "ui/resourceUri";

/** Who may use a tool: the model, or views of the same server. */
export type AppVisibility = "model" | "app";

/** The origins that a view reaches beside its own document (Apps 2026-01-26, UI Resource Format). */
export interface AppCsp {
  /** For requests: `connect-src`. */
  readonly connectDomains?: readonly string[] | undefined;
  /** For scripts, styles, images, fonts and media. */
  readonly resourceDomains?: readonly string[] | undefined;
  /** For frames within the view: `frame-src`. */
  readonly frameDomains?: readonly string[] | undefined;
  /** For the document's base: `base-uri`. */
  readonly baseUriDomains?: readonly string[] | undefined;
}

/** What a view asks for; an empty object asks. The host decides. */
export interface AppPermissions {
  /** The camera. */
  readonly camera?: JsonObject | undefined;
  /** The microphone. */
  readonly microphone?: JsonObject | undefined;
  /** Where the device is. */
  readonly geolocation?: JsonObject | undefined;
  /** Writing to the clipboard. */
  readonly clipboardWrite?: JsonObject | undefined;
}

/** How a view is shown: `_meta.ui` of its resource. */
export interface AppUi {
  /** The origins that it reaches; none when absent. */
  readonly csp?: AppCsp | undefined;
  /** What it asks for. */
  readonly permissions?: AppPermissions | undefined;
  /** An origin of its own, in the form that the host documents. */
  readonly domain?: string | undefined;
  /** Does it want a border? The host decides when absent. */
  readonly prefersBorder?: boolean | undefined;
}

/** How a tool belongs to a view: `_meta.ui` of the tool. */
export interface AppToolUi {
  /** The `ui://` URI of the view that shows its results. */
  readonly resourceUri?: string | undefined;
  /** Who may use it; both when absent. */
  readonly visibility?: readonly AppVisibility[] | undefined;
}

/** Describes the extension; what a client declares are the types of views that it shows. It exists in every revision. */
export function describeApps(end: "client" | "server"): Extension<Record<never, never>> {
  const settings: JsonObject = end === "client" ? { mimeTypes: [APP_MIME_TYPE] } : {};
  return extension({ id: APPS_ID, settings, handshake: true });
}
