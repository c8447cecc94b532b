/**
 * Apps on a client (`io.modelcontextprotocol/ui`): finds the views of tools, and guards what views may ask of their server.
 *
 * @example The view of a tool
 * ```ts ignore
 * import { connect } from "@causeway/mcp/client";
 * import { apps, contentSecurityPolicy } from "@causeway/mcp/client/apps";
 *
 * const client = await connect("https://example.com/mcp", { extensions: [apps] });
 * const view = await apps.on(client).resolve("weather");
 * if (view !== undefined) console.log(view.html.length, contentSecurityPolicy(view.ui.csp));
 * await client.close();
 * ```
 *
 * @module
 */
import { ProtocolError } from "../../protocol/errors.ts";
import { describeApps } from "../../protocol/extensions/apps.ts";
import { toolVisibility } from "../../protocol/extensions/app_tool.ts";
import { shown } from "../../protocol/shown.ts";
import type { CallToolResult, Tool } from "../../protocol/types.ts";
import type { Client } from "../client_types.ts";
import type { ClientExtension, ReadOptions, RequestOptions } from "../options.ts";
import { wrapClient } from "./bridge_client.ts";
import type { BridgeClient } from "./bridge_client.ts";
import { ListedTools } from "./listed_tools.ts";
import { resolvedApp } from "./resolved_app.ts";
import type { ResolvedApp } from "./resolved_app.ts";

export { allowAttribute, contentSecurityPolicy } from "../../protocol/extensions/app_csp.ts";
export { openLinkFault } from "../../protocol/extensions/app_link.ts";
export type { OpenLinkOptions } from "../../protocol/extensions/app_link.ts";
export { appTools, modelTools, toolUiUri, toolVisibility } from "../../protocol/extensions/app_tool.ts";
export type { WithMeta } from "../../protocol/extensions/app_tool.ts";
export { APP_MIME_TYPE, APPS_ID } from "../../protocol/extensions/apps.ts";
export type { AppCsp, AppPermissions, AppToolUi, AppUi, AppVisibility } from "../../protocol/extensions/apps.ts";
export type { BridgeClient, BridgeNotification } from "./bridge_client.ts";
export type { ResolvedApp } from "./resolved_app.ts";
export { bridgeStep } from "../../protocol/extensions/bridge/bridge_lifecycle.ts";
export type { BridgeEvent, BridgeState, BridgeStep } from "../../protocol/extensions/bridge/bridge_lifecycle.ts";
export { SANDBOX_PREFIX, SANDBOX_READY, SANDBOX_RESOURCE } from "../../protocol/extensions/bridge/bridge_methods.ts";
export type * from "../../protocol/extensions/bridge/bridge_types.ts";
export { BRIDGE_VERSION } from "../../protocol/extensions/bridge/bridge_version.ts";
export { displayModeFor } from "../../protocol/extensions/bridge/display_mode.ts";
export type { DisplayModes } from "../../protocol/extensions/bridge/display_mode.ts";
export { mergedContext } from "../../protocol/extensions/bridge/merged_context.ts";
export type { CopyBounds } from "../../protocol/extensions/bridge/plain_copy.ts";
export { readBridgeMessage } from "../../protocol/extensions/bridge/read_bridge_message.ts";
export type { BridgeReading, ReadBridge } from "../../protocol/extensions/bridge/read_bridge_message.ts";
export type { StyleTone, StyleVariable } from "../../protocol/extensions/bridge/style_variables.ts";
export { appHost } from "./app_host.ts";
export type * from "./app_host_types.ts";
export type * from "../mod.ts";

/** The apps of a connected client. All of it goes over this one connection: a view never reaches another server. */
export interface AppsClient {
  /**
   * Reads the view of a tool and checks it (Apps 2026-01-26, UI Resource Format). What the document declares wins over what the
   * list says.
   *
   * @param tool A tool of this server, or its name.
   * @param options As of `readResource`.
   * @returns The view; undefined when the tool has none.
   * @throws {TypeError} When this server lists no such tool, or another view for it.
   * @throws {TransportError} "not_mcp" when the tool or the view break the rules; what reading a resource throws.
   */
  resolve(tool: string | Tool, options?: ReadOptions): Promise<ResolvedApp | undefined>;
  /**
   * Calls a tool for a view. The server never sees the call of a tool that is not for views.
   *
   * @throws {ProtocolError} -32602 for a tool that is not for views, or not there; what `callTool` throws.
   */
  callFromApp(name: string, args?: object, options?: RequestOptions): Promise<CallToolResult>;
  /** The client as `AppBridge` of `@modelcontextprotocol/ext-apps` uses one, behind the same guard. */
  bridgeClient(): BridgeClient;
}

/** The Apps extension of a client. */
export interface AppsClientExtension extends ClientExtension {
  /**
   * The apps of a client.
   *
   * @throws {TypeError} When the client was connected without the extension.
   */
  on(client: Client): AppsClient;
}

/**
 * The Apps extension for `connect({ extensions: [apps] })`: the client declares that it shows views, in every revision. Give it
 * only to clients whose host does: a server may answer with less text then.
 *
 * ```ts ignore
 * import { connect } from "@causeway/mcp";
 * import { apps, contentSecurityPolicy, modelTools } from "@causeway/mcp/client/apps";
 *
 * const client = await connect("https://example.com/mcp", { extensions: [apps] });
 * const tools = await client.listTools();
 * console.log("For the model:", modelTools(tools).map(({ name }) => name));
 * for (const tool of tools) {
 *   const view = await apps.on(client).resolve(tool);
 *   if (view !== undefined) console.log(view.uri, view.html.length, contentSecurityPolicy(view.ui.csp));
 * }
 * ```
 */
export const apps: AppsClientExtension = createApps();

function createApps(): AppsClientExtension {
  const { id, settings, handshake } = describeApps("client");
  const attached = new WeakMap<object, AppsClient>();
  return Object.freeze(
    {
      id,
      settings,
      handshake,
      attach: (client: object) => void attached.set(client, appsOf(client as Client)),
      on: (client) => {
        const own = attached.get(client);
        if (own === undefined) throw new TypeError("apps.on: Expected a client that was connected with extensions: [apps]");
        return own;
      },
    } satisfies AppsClientExtension,
  );
}

function appsOf(client: Client): AppsClient {
  const listed = new ListedTools((options) => client.listTools(options));
  const callFromApp: AppsClient["callFromApp"] = async (name, args, options = {}) => {
    const { signal } = options;
    const tool = await listed.find(name, { signal });
    if (tool === undefined || !toolVisibility(tool).includes("app")) {
      const seen = tool === undefined ? "this server lists no such tool" : "it is not for views";
      throw ProtocolError.invalidParams(`Calling the tool ${JSON.stringify(shown(name))} for a view: ${seen}`, {
        data: tool === undefined ? undefined : { reason: "tool_not_visible" },
      });
    }
    return await client.callTool(tool, args, options as RequestOptions) as CallToolResult;
  };
  return Object.freeze(
    {
      resolve: async (tool, options = {}) => await resolvedApp(client, await ownTool(listed, tool, options), options),
      callFromApp,
      bridgeClient: () => wrapClient(client, callFromApp, () => listed.forget()),
    } satisfies AppsClient,
  );
}

/** The tool as this server lists it: what another server said of it counts for nothing. */
async function ownTool(listed: ListedTools, tool: string | Tool, { signal }: RequestOptions): Promise<Tool> {
  const name: unknown = typeof tool === "string" ? tool : tool?.name;
  if (typeof name !== "string") throw new TypeError("apps.resolve: Expected a tool, or the name of one");
  const own = await listed.find(name, { signal });
  const what = `apps.resolve: The tool ${JSON.stringify(shown(name))}`;
  if (own === undefined) throw new TypeError(`${what} is none that this server lists`);
  if (typeof tool !== "string" && JSON.stringify(uiOf(tool)) !== JSON.stringify(uiOf(own))) {
    throw new TypeError(`${what} has another view on this server: it was listed by another one, or before a change`);
  }
  return own;
}

function uiOf({ _meta }: Tool): unknown {
  return [_meta?.ui, _meta?.["ui/resourceUri"]];
}
