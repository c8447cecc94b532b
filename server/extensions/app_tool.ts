/** A tool that belongs to a view. */
import { FLAT_URI_KEY } from "../../protocol/extensions/apps.ts";
import type { AppVisibility } from "../../protocol/extensions/apps.ts";
import { toolVisibility, uiUriFault, visibilityFault } from "../../protocol/extensions/app_tool.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { Fields, Schema } from "../../protocol/schema.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { checkObject } from "../../protocol/unknown_option.ts";
import { DEFERRED } from "../requests/deferred.ts";
import type { Deferred } from "../requests/deferred.ts";
import { tool } from "../components/tool.ts";
import type {
  CallerArgs,
  Later,
  PromisedReturn,
  Promising,
  ServerTool,
  StructuredOf,
  ToolOptions,
  ToolReturn,
} from "../components/tool_types.ts";
import { deepFrozen, ownCopy } from "./app_copies.ts";

/** What {@linkcode appTool} takes: everything that `tool()` takes, and how the tool belongs to a view. */
export interface AppToolOptions<N extends string, I, A, O, R> extends ToolOptions<N, I, A, O, R> {
  /** The `ui://` URI of the view that shows its results; none when absent. */
  readonly resourceUri?: string | undefined;
  /** Who may use it: the model, views of this server, or both when absent. Hosts keep tools without "model" from the model. */
  readonly visibility?: readonly AppVisibility[] | undefined;
}

/** The forms of {@linkcode appTool}; as those of `tool()`. */
export interface DefineAppTool {
  /** Defines a tool whose result has the type that the handler returns. */
  <
    const N extends string,
    R extends Later<ToolReturn<undefined>>,
    const I extends Schema | undefined = undefined,
    const A extends Fields | undefined = undefined,
    P = never,
    const L extends Later<ToolReturn<undefined>> = undefined,
  >(
    options: AppToolOptions<N, I, A, undefined, R> | Promising<I, A, P, L>,
    ...none: [P] extends [never] ? [] : [never]
  ): ServerTool<N, CallerArgs<I, A>, StructuredOf<undefined, R>>;
  /** Defines a tool whose handler returns what `output` says. */
  <
    const N extends string,
    const R extends Later<PromisedReturn<O>>,
    const I extends Schema | undefined = undefined,
    const A extends Fields | undefined = undefined,
    const O extends Schema | undefined = undefined,
  >(
    options: AppToolOptions<N, I, A, O, R>,
    ...none: O extends Schema ? [] : [never]
  ): ServerTool<N, CallerArgs<I, A>, StructuredOf<O, never>>;
}

type AnyAppToolOptions = AppToolOptions<string, Schema | undefined, Fields | undefined, Schema | undefined, unknown>;

/**
 * Defines a further tool for a view: one that shows its results in a view of another app, or that only views call.
 *
 * @example A button of a view
 * ```ts
 * import { appTool } from "@causeway/mcp/server/apps";
 *
 * export const refresh = appTool({
 *   name: "refresh",
 *   resourceUri: "ui://weather/view",
 *   visibility: ["app"],
 *   handler: () => "Refreshed",
 * });
 * ```
 *
 * A tool that the model may use has to answer with content, for hosts without Apps (Apps 2026-01-26, Client<>Server Capability
 * Negotiation § Graceful Degradation): a result without any fails, and is reported.
 *
 * @throws {TypeError} For a malformed URI or visibility, for what belongs to the resource, and for everything that `tool()`
 * refuses; the message begins with the path.
 */
export const appTool: DefineAppTool = defineAppTool as never;

function defineAppTool(options: AnyAppToolOptions): ServerTool {
  checkObject(options, "appTool");
  const { resourceUri: _uri, visibility: _visibility, ...rest } = options;
  const path = `tools.${String(options.name)}`;
  const meta = ownCopy(options.meta, `${path}.meta`) ?? {};
  const ui = uiOf(options as unknown as JsonObject, meta, path);
  const { handler } = options;
  const forModel = toolVisibility({ _meta: { ui } }).includes("model");
  const defined = tool({
    ...rest,
    ...(options.annotations === undefined ? {} : { annotations: ownCopy(options.annotations, `${path}.annotations`) }),
    ...(options.icons === undefined ? {} : { icons: ownCopy(options.icons, `${path}.icons`) }),
    ...(options.scopes === undefined ? {} : { scopes: [...options.scopes] }),
    meta: { ...meta, ui },
    handler: !forModel || typeof handler !== "function" ? handler : (args, ctx) => withContent(path, handler(args, ctx)),
  });
  deepFrozen(defined.definition);
  return defined;
}

/** `_meta.ui` of the tool, from the options, which nothing in `meta` may contradict. */
function uiOf(options: JsonObject, meta: JsonObject, path: string): JsonObject {
  const given = meta.ui ?? {};
  if (!isJsonObject(given)) throw new TypeError(`${path}.meta.ui: Expected an object`);
  for (const [where, place] of [[options, path], [given, `${path}.meta.ui`]] as const) {
    for (const name of ["csp", "permissions", "domain", "prefersBorder"]) {
      if (where[name] !== undefined) {
        throw new TypeError(`${place}.${name}: It belongs to the resource of the view, not to the tool`);
      }
    }
  }
  const { resourceUri = given.resourceUri ?? meta[FLAT_URI_KEY], visibility = given.visibility } = options;
  const uriFault = resourceUri === undefined ? undefined : uiUriFault(resourceUri);
  if (uriFault !== undefined) throw new TypeError(`${path}.resourceUri: ${uriFault}`);
  const fault = visibility === undefined ? undefined : visibilityFault(visibility, `${path}.visibility`);
  if (fault !== undefined) throw new TypeError(fault);
  for (const named of [given.resourceUri, meta[FLAT_URI_KEY]]) {
    if (named !== undefined && named !== resourceUri) throw new TypeError(`${path}.meta: It names another view than resourceUri`);
  }
  return {
    ...given,
    ...(resourceUri === undefined ? {} : { resourceUri }),
    ...(visibility === undefined ? {} : { visibility: [...visibility as readonly string[]] }),
  };
}

/** What `task()` gives has no content yet: its work is looked at when it has ended, as a task or at once. */
function deferredWithContent(path: string, deferred: Deferred): Deferred {
  return {
    resultType: "input_required",
    [DEFERRED]: (exchange, context, run, tool) =>
      deferred[DEFERRED](exchange, context, (exchange, context, work) => {
        return run(exchange, context, (args, ctx) => withContent(path, work(args, ctx)));
      }, tool),
  };
}

/** Hosts without Apps, and the model, have the content only. */
function withContent(path: string, returned: unknown): unknown {
  if (returned instanceof Promise) return returned.then((value) => withContent(path, value));
  if (isJsonObject(returned) && DEFERRED in returned) return deferredWithContent(path, returned as unknown as Deferred);
  const content: unknown = isJsonObject(returned) && Object.hasOwn(returned, "content") ? returned.content : returned;
  if (content === undefined || content === "" || (content !== returned && Array.isArray(content) && content.length === 0)) {
    throw new TypeError(`${path}: The handler returned no content, which is all that a client without Apps gets`);
  }
  return returned;
}
