/** The resource of a view. */
import { CSP_LISTS } from "../../protocol/extensions/app_csp.ts";
import { appUiFault, htmlFault, readAppContents } from "../../protocol/extensions/app_contents.ts";
import { uiUriFault } from "../../protocol/extensions/app_tool.ts";
import { APP_MIME_TYPE } from "../../protocol/extensions/apps.ts";
import type { AppUi } from "../../protocol/extensions/apps.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { APP_LIMITS } from "../../protocol/limits.ts";
import type { Annotations, Awaitable, CacheHint, JsonObject } from "../../protocol/types.ts";
import { checkObject } from "../../protocol/unknown_option.ts";
import type { ComponentOptions } from "../components/component.ts";
import { writeReadResult } from "../results/read_return.ts";
import { resource } from "../components/resource.ts";
import type { ResourceContext, ServerResource } from "../components/resource.ts";
import { deepFrozen, ownCopy } from "./app_copies.ts";

/** The URI of a view. */
export type AppUri = `ui://${string}`;

/** What a function for the document may return: HTML, its bytes in UTF-8, or contents written out as `resources/read` has them. */
export type AppDocument = string | Uint8Array | { readonly contents: readonly object[] };

/** What {@linkcode appResource} takes. */
export interface AppResourceOptions<U extends AppUri> extends ComponentOptions, CacheHint, AppUi {
  /** An exact URI that begins with `ui://`. */
  readonly uri: U;
  /** For programs. */
  readonly name: string;
  /**
   * The document: HTML that begins with `<!doctype html>`, at most 4,194,304 characters, its bytes in UTF-8, or a function that
   * gives either for each reading.
   */
  readonly html: string | Uint8Array | ((ctx: ResourceContext) => Awaitable<AppDocument>);
  /** Only the one type that there is. */
  readonly mimeType?: typeof APP_MIME_TYPE | undefined;
  /** Is it in `resources/list`? Hosts read views either way; true when absent. */
  readonly listed?: boolean | undefined;
  /** Who should see it. */
  readonly annotations?: Annotations | undefined;
}

/**
 * Defines the resource of a view by itself, for tools made with {@linkcode appTool}; `app` defines both at once. What it declares
 * stands in the list and with the document.
 *
 * @throws {TypeError} For a URI, a type, a document or a declaration that no view can have, and for everything that `resource()`
 * refuses; the message begins with the path.
 */
export function appResource<const U extends AppUri>(options: AppResourceOptions<U>): ServerResource<U> {
  checkObject(options, "appResource");
  const { html, csp, permissions, domain, prefersBorder, mimeType = APP_MIME_TYPE, ...rest } = options;
  const path = `resources.${String(options.name ?? options.uri)}`;
  const uriFault = uiUriFault(options.uri) ?? (options.uri.includes("{") ? "Expected no template" : undefined);
  if (uriFault !== undefined) throw new TypeError(`${path}.uri: ${uriFault}`);
  if (Object.hasOwn(rest, "read")) throw new TypeError(`${path}.read: Expected html instead`);
  if (mimeType !== APP_MIME_TYPE) throw new TypeError(`${path}.mimeType: Expected exactly ${APP_MIME_TYPE}`);
  const text = typeof html === "function" ? undefined : readDocument(html, path);
  const meta = ownCopy(options.meta, `${path}.meta`) ?? {};
  const ui = uiOf({ csp, permissions, domain, prefersBorder }, meta, path);
  const fixed = text === undefined ? undefined : contentsOf(text, options.uri, ui);
  const defined = resource<U>({
    ...rest,
    mimeType,
    ...(options.annotations === undefined ? {} : { annotations: ownCopy(options.annotations, `${path}.annotations`) }),
    ...(options.icons === undefined ? {} : { icons: ownCopy(options.icons, `${path}.icons`) }),
    ...(options.scopes === undefined ? {} : { scopes: [...options.scopes] }),
    meta: ui === undefined ? meta : { ...meta, ui },
    read: (_variables, ctx) => fixed ?? given(html as (ctx: ResourceContext) => Awaitable<AppDocument>, ctx, ui, path),
  });
  deepFrozen(defined.definition);
  return defined;
}

/** `_meta.ui` of the resource; undefined when nothing is declared. */
function uiOf(own: AppUi, meta: JsonObject, path: string): JsonObject | undefined {
  const members = Object.entries(own).filter(([, value]) => value !== undefined);
  if (members.length > 0 && meta.ui !== undefined) {
    throw new TypeError(`${path}.meta.ui: Expected either ${members[0]?.[0]} as an option, or all of it in meta`);
  }
  if (members.length === 0 && meta.ui === undefined) return undefined;
  const ui = meta.ui ?? Object.fromEntries(members);
  const fault = appUiFault(ui, path) ?? unknownFault(ui as JsonObject, path);
  if (fault !== undefined) throw new TypeError(fault);
  return ownCopy(ui as JsonObject, path);
}

/** A list that no host knows, most often one with a spelling mistake, would silently do nothing. */
function unknownFault({ csp }: JsonObject, path: string): string | undefined {
  const unknown = Object.keys(csp ?? {}).find((name) => !(CSP_LISTS as readonly string[]).includes(name));
  return unknown === undefined ? undefined : `${path}.csp.${unknown}: Expected one of ${CSP_LISTS.join(", ")}`;
}

async function given(
  html: (ctx: ResourceContext) => Awaitable<AppDocument>,
  ctx: ResourceContext,
  ui: JsonObject | undefined,
  path: string,
): Promise<object> {
  const document = await html(ctx);
  if (!isJsonObject(document) || !Array.isArray(document.contents)) {
    return contentsOf(readDocument(document as string | Uint8Array, path), ctx.uri, ui);
  }
  const written = writeReadResult(document, ctx.uri, undefined);
  const read = readAppContents(written, ctx.uri);
  if (typeof read === "string") throw new TypeError(`${path}.html: The contents do not fit the view: ${read}`);
  readDocument(read.html, path);
  return read.ui === undefined && ui !== undefined ? withUi(written, ui) : written;
}

/** A view that is not listed has nothing but its document to declare in. */
function withUi({ contents, ...rest }: JsonObject, ui: JsonObject): JsonObject {
  const [item] = contents as readonly JsonObject[];
  const meta = item?._meta as JsonObject | undefined;
  return { ...rest, contents: [{ ...item, _meta: { ...meta, ui } }] };
}

function contentsOf(text: string, uri: string, ui: JsonObject | undefined): object {
  return deepFrozen({ contents: [{ uri, mimeType: APP_MIME_TYPE, text, ...(ui === undefined ? {} : { _meta: { ui } }) }] });
}

function readDocument(document: string | Uint8Array, path: string): string {
  const html = document instanceof Uint8Array ? decoded(document, path) : document;
  if (typeof html !== "string") throw new TypeError(`${path}.html: Expected HTML as a string, or its bytes`);
  const fault = htmlFault(html);
  if (fault !== undefined) throw new TypeError(`${path}.html: Checking the document: ${fault}`);
  if (!hasDoctype(html)) throw new TypeError(`${path}.html: Expected an HTML document that begins with <!doctype html>`);
  return html;
}

/** A mark, comments and blanks may stand before it (HTML Living Standard § 13.1, Writing HTML documents). */
function hasDoctype(html: string): boolean {
  let rest = html.trimStart();
  while (rest.startsWith("<!--")) {
    const end = rest.indexOf("-->", 4);
    rest = end < 0 ? "" : rest.slice(end + 3).trimStart();
  }
  return /^<!doctype html[\s>]/i.test(rest);
}

function decoded(bytes: Uint8Array, path: string): string {
  if (bytes.length > APP_LIMITS.html * 3) {
    throw new TypeError(`${path}.html: Checking the document: it has more than ${APP_LIMITS.html} characters`);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new TypeError(`${path}.html: Expected bytes in UTF-8`, { cause });
  }
}
