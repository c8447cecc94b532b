/**
 * Apps on a server (`io.modelcontextprotocol/ui`): tools whose results a host shows in a view of the server's own.
 *
 * @module
 */
import type { CallInfo } from "../../protocol/context.ts";
import { APP_MIME_TYPE, APPS_ID, describeApps } from "../../protocol/extensions/apps.ts";
import type { ServerExtension } from "../../protocol/extensions/extension_types.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { checkObject } from "../../protocol/unknown_option.ts";

export { APP_MIME_TYPE, APPS_ID } from "../../protocol/extensions/apps.ts";
export type { AppCsp, AppPermissions, AppToolUi, AppUi, AppVisibility } from "../../protocol/extensions/apps.ts";
export { app } from "./app_definition.ts";
export type { App, AppOptions, DefineApp } from "./app_definition.ts";
export { appRegistry } from "./app_registry.ts";
export type { AppRegistry } from "./app_registry.ts";
export { appResource } from "./app_resource.ts";
export type { AppDocument, AppResourceOptions, AppUri } from "./app_resource.ts";
export { appTool } from "./app_tool.ts";
export type { AppToolOptions, DefineAppTool } from "./app_tool.ts";
export type * from "../mod.ts";

/**
 * The Apps extension for `defineServer({ extensions: [apps()] })`: the server advertises it, in every revision. Tools with a view
 * work with every client; one without Apps shows their content.
 */
export function apps(): ServerExtension {
  return describeApps("server").serve({});
}

/**
 * Does the client show views? For handlers, and for `visible` of a tool that is of no use without its view.
 *
 * ```ts
 * import { appTool, showsApps } from "@causeway/mcp/server/apps";
 *
 * export const draw = appTool({
 *   name: "draw",
 *   resourceUri: "ui://drawing/board",
 *   visible: showsApps,
 *   handler: () => "The board is open",
 * });
 * ```
 *
 * @param info The context of a handler, or what `visible` gets.
 * @throws {TypeError} For what is neither.
 */
export function showsApps(info: Pick<CallInfo, "client">): boolean {
  checkObject(info?.client, "showsApps.info.client");
  const { extensions } = info.client.capabilities;
  const settings: unknown = isJsonObject(extensions) ? ownMember(extensions, APPS_ID) : undefined;
  const types = isJsonObject(settings) ? ownMember(settings, "mimeTypes") : undefined;
  return Array.isArray(types) && types.includes(APP_MIME_TYPE);
}
