/** An app: a tool, the view that shows its results, and the document of the view, checked as one. */
import { isJsonObject } from "../../protocol/json.ts";
import type { Fields, Schema } from "../../protocol/schema.ts";
import type { ServerResource } from "../components/resource.ts";
import type {
  CallerArgs,
  Later,
  PromisedReturn,
  Promising,
  ServerTool,
  StructuredOf,
  ToolReturn,
} from "../components/tool_types.ts";
import { appResource } from "./app_resource.ts";
import type { AppResourceOptions, AppUri } from "./app_resource.ts";
import { appTool } from "./app_tool.ts";
import type { AppToolOptions } from "./app_tool.ts";

/** What {@linkcode app} takes. */
export interface AppOptions<N extends string, I, A, O, R, U extends AppUri> {
  /** The tool, as `tool()` takes it; `visibility` says who may use it. Its view is that of `resource`. */
  readonly tool: AppToolOptions<N, I, A, O, R>;
  /** The view. */
  readonly resource: AppResourceOptions<U>;
}

/** A defined app. */
export interface App<N extends string = string, Args extends object = object, Result = unknown, U extends string = string> {
  /** For `defineServer({ tools })`. */
  readonly tool: ServerTool<N, Args, Result>;
  /** For `defineServer({ resources })`. */
  readonly resource: ServerResource<U>;
}

/** The forms of {@linkcode app}; as those of `tool()`. */
export interface DefineApp {
  /** Defines an app whose tool has results of the type that the handler returns. */
  <
    const N extends string,
    R extends Later<ToolReturn<undefined>>,
    const U extends AppUri,
    const I extends Schema | undefined = undefined,
    const A extends Fields | undefined = undefined,
    P = never,
    const L extends Later<ToolReturn<undefined>> = undefined,
  >(
    options: {
      readonly tool: AppToolOptions<N, I, A, undefined, R> | Promising<I, A, P, L>;
      readonly resource: AppResourceOptions<U>;
    },
    ...none: [P] extends [never] ? [] : [never]
  ): App<N, CallerArgs<I, A>, StructuredOf<undefined, R>, U>;
  /** Defines an app whose handler returns what `output` says. */
  <
    const N extends string,
    const R extends Later<PromisedReturn<O>>,
    const U extends AppUri,
    const I extends Schema | undefined = undefined,
    const A extends Fields | undefined = undefined,
    const O extends Schema | undefined = undefined,
  >(
    options: AppOptions<N, I, A, O, R, U>,
    ...none: O extends Schema ? [] : [never]
  ): App<N, CallerArgs<I, A>, StructuredOf<O, never>, U>;
}

/**
 * Defines an app: a tool whose results a host with Apps shows in a view (Apps 2026-01-26). The tool links to the resource, the
 * resource has the type of views, and its document is HTML; what does not fit together is refused here. The definition is frozen
 * at every depth, and nothing that is changed in the options afterwards has an effect.
 *
 * @example A tool with a view
 * ```ts
 * import { defineServer } from "@causeway/mcp/server";
 * import { app, apps } from "@causeway/mcp/server/apps";
 *
 * const weather = app({
 *   tool: {
 *     name: "weather",
 *     args: { city: { type: "string", required: true } },
 *     handler: ({ city }) => ({ structured: { city, degrees: 21 }, content: `21 degrees in ${city}` }),
 *   },
 *   resource: {
 *     uri: "ui://weather/view",
 *     name: "weather_view",
 *     html: "<!doctype html><title>Weather</title><p>…",
 *     csp: { connectDomains: ["https://api.example.com"] },
 *   },
 * });
 * export const server = defineServer({
 *   name: "weather",
 *   version: "1.0.0",
 *   tools: [weather.tool],
 *   resources: [weather.resource],
 *   extensions: [apps()],
 * });
 * ```
 *
 * @throws {TypeError} For what does not fit together, and for everything that `tool()` and `resource()` refuse; the message
 * begins with the path.
 */
export const app: DefineApp = defineApp as never;

type AnyAppOptions = AppOptions<string, Schema | undefined, Fields | undefined, Schema | undefined, unknown, AppUri>;

function defineApp(options: AnyAppOptions): App {
  if (!isJsonObject(options?.tool) || !isJsonObject(options.resource)) {
    throw new TypeError("app: Expected { tool, resource }");
  }
  const unknown = Object.keys(options).find((key) => key !== "tool" && key !== "resource");
  if (unknown !== undefined) throw new TypeError(`app.${unknown}: Unknown option`);
  const resource = appResource(options.resource);
  const { resourceUri = resource.uri } = options.tool;
  if (resourceUri !== resource.uri) {
    throw new TypeError(`tools.${options.tool.name}.resourceUri: The view is ${resource.uri}, another one is named`);
  }
  return Object.freeze({ tool: appTool({ ...options.tool, resourceUri } as never), resource });
}
