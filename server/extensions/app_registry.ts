/** Takes registrations in the form of the official server classes, for code that is written for them. */
import type { Context } from "../../protocol/context.ts";
import { APP_MIME_TYPE } from "../../protocol/extensions/apps.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { Awaitable, JsonObject } from "../../protocol/types.ts";
import type { AnyTool } from "../components/component_types.ts";
import { resource } from "../components/resource.ts";
import type { ServerResource } from "../components/resource.ts";
import { appResource } from "./app_resource.ts";
import type { AppDocument, AppUri } from "./app_resource.ts";
import { shapeSchema } from "./app_shape.ts";
import { appTool } from "./app_tool.ts";

/** Collects what is registered. */
export interface AppRegistry {
  /** For `defineServer({ tools })`. */
  readonly tools: readonly AnyTool[];
  /** For `defineServer({ resources })`. */
  readonly resources: readonly ServerResource[];
  /**
   * Takes a tool.
   *
   * @param config `title`, `description`, `inputSchema`, `outputSchema`, `annotations`, `icons` and `_meta`.
   * @param callback Called with the arguments and the context, or with the context alone when there is no `inputSchema`.
   * @throws {TypeError} For everything that `appTool` refuses.
   */
  // deno-lint-ignore no-explicit-any -- the official types of this member are generic over a schema library
  registerTool(name: string, config: any, callback: any): any;
  /**
   * Takes a resource.
   *
   * @param config `mimeType`, `title`, `description`, `icons`, `annotations`, `size` and `_meta`.
   * @param callback Called with the URI and the context; gives the result of `resources/read`.
   * @throws {TypeError} For everything that `appResource` refuses.
   */
  // deno-lint-ignore no-explicit-any -- as above
  registerResource(name: string, uri: any, config: any, callback: any): any;
}

/**
 * A registry with the two members that `registerAppTool` and `registerAppResource` of `@modelcontextprotocol/ext-apps/server` use,
 * so that they register apps of a server of this package. Give it in place of their server, and its lists to `defineServer`.
 *
 * ```ts
 * import { defineServer } from "@causeway/mcp/server";
 * import { appRegistry, apps } from "@causeway/mcp/server/apps";
 * import { registerAppResource, registerAppTool } from "@modelcontextprotocol/ext-apps/server";
 *
 * const registry = appRegistry();
 * const uri = "ui://clock/view";
 * registerAppTool(registry, "clock", { _meta: { ui: { resourceUri: uri } } }, () => ({
 *   content: [{ type: "text", text: "It is noon" }],
 * }));
 * registerAppResource(registry, "clock_view", uri, {}, () => ({
 *   contents: [{ uri, mimeType: "text/html;profile=mcp-app", text: "<!doctype html><title>Clock</title>" }],
 * }));
 * const { tools, resources } = registry;
 * export const server = defineServer({ name: "clock", version: "1.0.0", tools, resources, extensions: [apps()] });
 * ```
 */
export function appRegistry(): AppRegistry {
  const tools: AnyTool[] = [];
  const resources: ServerResource[] = [];
  return Object.freeze({
    tools,
    resources,
    registerTool(name: string, config: JsonObject, callback: Callback): AnyTool {
      const defined = toolOf(name, config, callback);
      tools.push(defined);
      return defined;
    },
    registerResource(name: string, uri: unknown, config: JsonObject, callback: Callback): ServerResource {
      const defined = resourceOf(name, uri, config, callback);
      resources.push(defined);
      return defined;
    },
  });
}

type Callback = (...args: readonly unknown[]) => Awaitable<unknown>;

const TOOL_KEYS: readonly string[] = ["title", "description", "inputSchema", "outputSchema", "annotations", "icons", "_meta"];
const RESOURCE_KEYS: readonly string[] = ["mimeType", "title", "description", "icons", "annotations", "size", "_meta"];

function toolOf(name: string, config: JsonObject, callback: Callback): AnyTool {
  const path = `tools.${String(name)}`;
  check(path, config, TOOL_KEYS, callback);
  const { inputSchema, outputSchema, _meta: meta, ...rest } = config;
  return appTool({
    ...rest,
    name,
    ...(inputSchema === undefined ? {} : { input: shapeSchema(inputSchema, "input", `${path}.inputSchema`) }),
    ...(outputSchema === undefined ? {} : { output: shapeSchema(outputSchema, "output", `${path}.outputSchema`) }),
    ...(meta === undefined ? {} : { meta: meta as JsonObject }),
    handler: (args: unknown, ctx: Context) => (inputSchema === undefined ? callback(ctx) : callback(args, ctx)) as object,
  });
}

function resourceOf(name: string, uri: unknown, config: JsonObject, callback: Callback): ServerResource {
  const path = `resources.${String(name)}`;
  check(path, config, RESOURCE_KEYS, callback);
  if (typeof uri !== "string") throw new TypeError(`${path}.uri: Expected a string; a template is defined with resource()`);
  const { _meta: meta, mimeType, ...rest } = config as JsonObject & { readonly mimeType?: string };
  const common = { ...rest, name, ...(meta === undefined ? {} : { meta: meta as JsonObject }) };
  if (mimeType === APP_MIME_TYPE) {
    return appResource({ ...common, uri: uri as AppUri, html: (ctx) => callback(new URL(uri), ctx) as Awaitable<AppDocument> });
  }
  const read = (_variables: unknown, ctx: Context): Awaitable<object> => callback(new URL(uri), ctx) as Awaitable<object>;
  return resource({ ...common, uri, ...(mimeType === undefined ? {} : { mimeType }), read });
}

function check(path: string, config: unknown, keys: readonly string[], callback: unknown): void {
  if (!isJsonObject(config)) throw new TypeError(`${path}: Expected its configuration as an object`);
  const unknown = Object.keys(config).find((key) => !keys.includes(key));
  if (unknown !== undefined) throw new TypeError(`${path}.${unknown}: Unknown member of the configuration`);
  if (typeof callback !== "function") throw new TypeError(`${path}: Expected a function after the configuration`);
}
