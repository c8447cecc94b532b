/** What a server answers to the reading of a view: checked, and taken apart. */
import { decodeBase64 } from "../base64.ts";
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { APP_LIMITS } from "../limits.ts";
import { cspFault, permissionsFault } from "./app_csp.ts";
import { APP_MIME_TYPE } from "./apps.ts";
import type { AppUi } from "./apps.ts";

/** A view that was read. */
export interface AppContents {
  /** The document. */
  readonly html: string;
  /** `_meta.ui` of what was read; undefined when it has none. */
  readonly ui: AppUi | undefined;
}

/**
 * Reads the `contents` of a view: one item with the URI that was asked for, the one type, and either text or Base64 of UTF-8.
 *
 * @param result The answer to `resources/read`.
 * @param uri What was asked for.
 * @returns The view, or what is wrong, as the end of a sentence.
 */
export function readAppContents(result: JsonObject, uri: string): AppContents | string {
  const contents = ownMember(result, "contents");
  if (!Array.isArray(contents) || contents.length !== 1) return "it is not exactly one document";
  const item: JsonValue = contents[0];
  if (!isJsonObject(item)) return "the document is not an object";
  if (ownMember(item, "uri") !== uri) return "its URI is another one";
  if (ownMember(item, "mimeType") !== APP_MIME_TYPE) return `its type is not ${APP_MIME_TYPE}`;
  const html = documentOf(item);
  if (html.fault !== undefined) return html.fault;
  const meta = ownMember(item, "_meta");
  const ui = isJsonObject(meta) ? ownMember(meta, "ui") : undefined;
  const fault = ui === undefined ? undefined : appUiFault(ui, "_meta.ui");
  return fault ?? { html: html.text, ui: ui as AppUi | undefined };
}

/** Says what is wrong with `_meta.ui` of a view's resource, as one sentence that begins with `path`, or undefined. */
export function appUiFault(ui: unknown, path: string): string | undefined {
  if (!isJsonObject(ui)) return `${path}: Expected an object`;
  const { csp, permissions, domain, prefersBorder } = ui;
  if (prefersBorder !== undefined && typeof prefersBorder !== "boolean") return `${path}.prefersBorder: Expected a boolean`;
  if (domain !== undefined && !isDomain(domain)) {
    return `${path}.domain: Expected a string of 1 to ${APP_LIMITS.domainLength} characters without blanks`;
  }
  return (csp === undefined ? undefined : cspFault(csp, `${path}.csp`)) ??
    (permissions === undefined ? undefined : permissionsFault(permissions, `${path}.permissions`));
}

/** Says why a text cannot be the document of a view, as the end of a sentence, or undefined. */
export function htmlFault(html: string): string | undefined {
  if (html.length > APP_LIMITS.html) return `the document has ${html.length} characters, at most ${APP_LIMITS.html}`;
  return html.trim() === "" ? "the document is empty" : undefined;
}

type Document = { readonly text: string; readonly fault?: undefined } | { readonly fault: string };

function documentOf(item: JsonObject): Document {
  const [text, blob] = [ownMember(item, "text"), ownMember(item, "blob")];
  if ((text === undefined) === (blob === undefined)) return { fault: "the document does not have either text or blob" };
  // A character has up to three bytes in UTF-8, which are four characters of Base64; anything longer is too long in any case.
  if (typeof blob === "string" && blob.length > APP_LIMITS.html * 4 + 4) {
    return { fault: `the document has more than ${APP_LIMITS.html} characters` };
  }
  const html = typeof text === "string" ? text : decoded(blob);
  if (html === undefined) return { fault: text === undefined ? "its blob is not Base64 of UTF-8" : "its text is not a string" };
  const fault = htmlFault(html);
  return fault === undefined ? { text: html } : { fault };
}

function decoded(blob: JsonValue | undefined): string | undefined {
  if (typeof blob !== "string") return undefined;
  const bytes = decodeBase64(blob);
  try {
    return bytes === undefined ? undefined : new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function isDomain(domain: unknown): boolean {
  return typeof domain === "string" && domain.length <= APP_LIMITS.domainLength && /^[\x21-\x7e]+$/.test(domain);
}
