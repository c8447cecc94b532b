/** What a tool says of its view: the URI, and who may use the tool. */
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { APP_LIMITS } from "../limits.ts";
import { checkList, checkObject } from "../unknown_option.ts";
import { APP_URI_PREFIX, FLAT_URI_KEY } from "./apps.ts";
import type { AppVisibility } from "./apps.ts";

/** A tool, as far as Apps looks at it. */
export interface WithMeta {
  /** Its metadata. */
  readonly _meta?: JsonObject | undefined;
}

/**
 * The `ui://` URI of the view that shows a tool's results: `_meta.ui.resourceUri`, else the older `_meta["ui/resourceUri"]`.
 *
 * @returns The URI; undefined when the tool has no view.
 * @throws {TypeError} When there is a value that is no `ui://` URI.
 */
export function toolUiUri(tool: WithMeta): string | undefined {
  checkObject(tool, "toolUiUri");
  const nested = ownMember(uiOf(tool), "resourceUri");
  const uri = nested === undefined ? ownMember(metaOf(tool), FLAT_URI_KEY) : nested;
  if (uri === undefined) return undefined;
  const fault = uiUriFault(uri);
  if (fault !== undefined) throw new TypeError(`The URI of the view of a tool: ${fault}`);
  return uri as string;
}

/** Says why a value is not a URI of a view, or undefined. */
export function uiUriFault(uri: unknown): string | undefined {
  if (typeof uri !== "string" || !uri.startsWith(APP_URI_PREFIX)) return `Expected a URI that begins with ${APP_URI_PREFIX}`;
  if (uri.length > APP_LIMITS.uriLength) return `Expected at most ${APP_LIMITS.uriLength} characters, received ${uri.length}`;
  if (!/^[\x21-\x7e]+$/.test(uri) || uri.length === APP_URI_PREFIX.length) return "Expected a name after ui://, without blanks";
  return undefined;
}

/** Says why a value cannot be the visibility of a tool, as one sentence that begins with `path`, or undefined. */
export function visibilityFault(visibility: unknown, path: string): string | undefined {
  if (!Array.isArray(visibility) || visibility.length === 0) return `${path}: Expected a list with "model", "app" or both`;
  const at = visibility.findIndex((one) => one !== "model" && one !== "app");
  return at < 0 ? undefined : `${path}[${at}]: Expected "model" or "app"`;
}

/**
 * Who may use a tool (Apps 2026-01-26, Resource Discovery § Visibility).
 *
 * @returns Both when the tool does not say; nobody when what it says is empty or unknown.
 */
export function toolVisibility(tool: WithMeta): readonly AppVisibility[] {
  checkObject(tool, "toolVisibility");
  const meta = metaOf(tool);
  const ui = ownMember(meta, "ui");
  if (ui === undefined) return BOTH;
  if (!isJsonObject(ui)) return NOBODY;
  const visibility: JsonValue | undefined = ownMember(ui, "visibility");
  if (visibility === undefined) return BOTH;
  return visibilityFault(visibility, "visibility") === undefined ? visibility as readonly AppVisibility[] : NOBODY;
}

/**
 * The tools that the model may know of: a host has to leave out all others.
 *
 * @throws {TypeError} For what is not a list of tools.
 */
export function modelTools<T extends WithMeta>(tools: readonly T[]): T[] {
  checkTools(tools, "modelTools");
  return tools.filter((tool) => toolVisibility(tool).includes("model"));
}

/**
 * The tools that views of the same server may call.
 *
 * @throws {TypeError} For what is not a list of tools.
 */
export function appTools<T extends WithMeta>(tools: readonly T[]): T[] {
  checkTools(tools, "appTools");
  return tools.filter((tool) => toolVisibility(tool).includes("app"));
}

const BOTH: readonly AppVisibility[] = Object.freeze(["model", "app"] as const);
const NOBODY: readonly AppVisibility[] = Object.freeze([]);
const NOTHING: JsonObject = Object.freeze({});

function checkTools(tools: readonly WithMeta[], path: string): void {
  checkList(tools ?? null, path);
  tools.forEach((tool, at) => checkObject(tool, `${path}[${at}]`));
}

function metaOf({ _meta }: WithMeta): JsonObject {
  return isJsonObject(_meta) ? _meta : NOTHING;
}

function uiOf(tool: WithMeta): JsonObject {
  const ui = ownMember(metaOf(tool), "ui");
  return isJsonObject(ui) ? ui : NOTHING;
}
