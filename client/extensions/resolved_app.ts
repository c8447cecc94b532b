/** Finds the view of a tool: read over the connection of the tool, and checked. */
import { appUiFault, readAppContents } from "../../protocol/extensions/app_contents.ts";
import { toolUiUri, visibilityFault } from "../../protocol/extensions/app_tool.ts";
import type { AppUi } from "../../protocol/extensions/apps.ts";
import { isMcpError, TransportError } from "../../protocol/errors.ts";
import { frozenCopy } from "../../protocol/frozen_copy.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { shown } from "../../protocol/shown.ts";
import type { JsonObject, ReadResourceResult, Resource, Tool } from "../../protocol/types.ts";
import type { PendingInput, ReadOptions } from "../options.ts";
import { shownUri } from "./shown_uri.ts";

/** A view that is ready to be shown. */
export interface ResolvedApp {
  /** The tool, as the server lists it. */
  readonly tool: Tool;
  /** The `ui://` URI of the view. */
  readonly uri: string;
  /** The document. It comes from the server: it belongs into a sandboxed frame of another origin, under its policy. */
  readonly html: string;
  /** What the view declares; empty when it declares nothing. Frozen. */
  readonly ui: AppUi;
}

/** What resolving needs of a client. */
export interface AppReader {
  /** Reads a resource. */
  readResource(uri: string, options?: ReadOptions): Promise<ReadResourceResult | PendingInput<ReadResourceResult>>;
  /** Lists the resources. */
  listResources(options?: ReadOptions): Promise<readonly Resource[]>;
}

/**
 * Reads and checks the view of a tool.
 *
 * @returns The view; undefined when the tool has none.
 * @throws {TransportError} "not_mcp" when the tool or the view break the rules of Apps.
 */
export async function resolvedApp(client: AppReader, tool: Tool, options: ReadOptions): Promise<ResolvedApp | undefined> {
  const uri = uriOf(tool);
  if (uri === undefined) return undefined;
  const result = await client.readResource(uri, options);
  const read = readAppContents(result as unknown as JsonObject, uri);
  if (typeof read === "string") throw broken(`Reading the view ${shownUri(uri)}: ${read}`);
  const ui = read.ui ?? await listedUi(client, uri, options);
  return Object.freeze({ tool, uri, html: read.html, ui: frozenCopy(ui) });
}

function uriOf(tool: Tool): string | undefined {
  const what = `Reading the view of the tool ${JSON.stringify(shown(tool.name))}`;
  const ui = isJsonObject(tool._meta) ? ownMember(tool._meta, "ui") : undefined;
  if (ui !== undefined && !isJsonObject(ui)) throw broken(`${what}: _meta.ui is not an object`);
  const visibility = ui === undefined ? undefined : ownMember(ui, "visibility");
  const fault = visibility === undefined ? undefined : visibilityFault(visibility, "_meta.ui.visibility");
  if (fault !== undefined) throw broken(`${what}: ${fault}`);
  try {
    return toolUiUri(tool);
  } catch (cause) {
    throw broken(`${what}: ${(cause as Error).message}`, cause);
  }
}

/** What the list says, when the document itself says nothing (Apps 2026-01-26, UI Resource Format). Views may be left out of it. */
async function listedUi(client: AppReader, uri: string, options: ReadOptions): Promise<AppUi> {
  let resources: readonly Resource[];
  try {
    resources = await client.listResources(options);
  } catch (error) {
    // A server that only reads has no list.
    if (isMcpError(error) && error.kind === "protocol") return {};
    throw error;
  }
  const meta = resources.find((resource) => resource.uri === uri)?._meta;
  const ui = isJsonObject(meta) ? ownMember(meta, "ui") : undefined;
  if (ui === undefined) return {};
  const fault = appUiFault(ui, "_meta.ui");
  if (fault !== undefined) throw broken(`Reading the listed resource of the view ${shownUri(uri)}: ${fault}`);
  return ui as AppUi;
}

function broken(message: string, cause?: unknown): TransportError {
  return new TransportError("not_mcp", message, { cause });
}
