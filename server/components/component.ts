/** What tools, resources and prompts have in common, and how it is checked when they are defined. */
import { uniteScopes } from "../../protocol/auth/scopes.ts";
import { checkFunction, checkList, checkObject, checkOptionNames } from "../../protocol/unknown_option.ts";
import { metaKeyFault } from "../../protocol/meta.ts";
import type { CallInfo } from "../../protocol/context.ts";
import type { Icon, JsonObject } from "../../protocol/types.ts";
import { jsonFault } from "../json/json_fault.ts";

/** What tools, resources and prompts have in common. */
export interface ComponentOptions {
  /** For people; `name` is for programs. */
  readonly title?: string | undefined;
  /** For the model. */
  readonly description?: string | undefined;
  /** Icons that a host may draw. */
  readonly icons?: readonly Icon[] | undefined;
  /** Becomes `_meta` of the listed definition. */
  readonly meta?: JsonObject | undefined;
  /**
   * Scopes the caller's token must have; a step-up challenge otherwise. A task that comes of a call asks for the same. Over HTTP a
   * caller that nobody has verified has none; in process and over stdio nobody is asked, unless the program names a caller.
   */
  readonly scopes?: readonly string[] | undefined;
  /** Hides the component per request and makes the list private. */
  readonly visible?: ((info: CallInfo) => boolean) | undefined;
}

/**
 * Refuses what is not an object with a name, before anything else is said about it.
 *
 * @param options What the definition was given.
 * @param kind What is defined, for example `tool`.
 * @throws {TypeError} Naming the kind, or the URI of a resource.
 */
export function checkNamed(options: unknown, kind: "tool" | "resource" | "prompt"): void {
  checkObject(options, kind);
  const { name, uri } = options as { readonly name?: unknown; readonly uri?: unknown };
  if (typeof name === "string") return;
  throw new TypeError(`${kind === "resource" && typeof uri === "string" ? `resources.${uri}` : kind}.name: Expected a string`);
}

const ICON_KEYS: ReadonlySet<string> = new Set(["src", "mimeType", "sizes", "theme"]);

/**
 * Refuses options that nobody reads, and checks title, description, icons and `_meta`.
 *
 * @param options What the definition was given.
 * @param known The names of options that exist.
 * @param path Where the definition stands, for example `tools.search`.
 * @throws {TypeError} Naming the path and the rule.
 */
export function checkComponent(options: ComponentOptions, known: ReadonlySet<string>, path: string): void {
  checkOptionNames(options, known, `${path}.`);
  for (const key of ["title", "description"] as const) {
    const value = options[key];
    if (value !== undefined && typeof value !== "string") throw new TypeError(`${path}.${key}: Expected a string`);
  }
  if (options.visible !== undefined) checkFunction(options.visible, `${path}.visible`);
  checkScopes(options.scopes, path);
  checkIcons(options.icons, path);
  checkMeta(options.meta, path);
}

/** What a token must allow (RFC 6749 § 3.3). */
function checkScopes(scopes: readonly string[] | undefined, path: string): void {
  if (scopes === undefined) return;
  if (!Array.isArray(scopes) || scopes.some((one) => typeof one !== "string") || uniteScopes(scopes).length !== scopes.length) {
    throw new TypeError(`${path}.scopes: Expected a list of scopes, each once, without blanks, quotes and backslashes`);
  }
  // Whether a client stays signed in is no business of a server's (MCP 2026-07-28, Authorization § Refresh Tokens).
  if (scopes.includes("offline_access")) throw new TypeError(`${path}.scopes: offline_access is not a scope of a server`);
}

/** Options of every component. */
export const COMPONENT_KEYS: readonly string[] = ["title", "description", "icons", "meta", "scopes", "visible"];

/** Checks icons (MCP 2026-07-28, Basic § Icons): absolute https or data URIs, known members only. */
export function checkIcons(icons: readonly Icon[] | undefined, path: string): void {
  checkList(icons, `${path}.icons`);
  icons?.forEach((icon: Icon, index) => {
    const at = `${path}.icons[${index}]`;
    checkOptionNames(icon, ICON_KEYS, `${at}.`);
    if (typeof icon.src !== "string" || !/^(https:\/\/[^\s/]|data:)/i.test(icon.src)) {
      throw new TypeError(`${at}.src: Expected an absolute https or data URI`);
    }
    if (icon.theme !== undefined && icon.theme !== "light" && icon.theme !== "dark") {
      throw new TypeError(`${at}.theme: Expected "light" or "dark"`);
    }
    if (icon.sizes !== undefined && !(Array.isArray(icon.sizes) && icon.sizes.every((size) => /^(any|\d+x\d+)$/.test(size)))) {
      throw new TypeError(`${at}.sizes: Expected a list of sizes such as "48x48" or "any"`);
    }
  });
}

/** Checks the keys and values of a definition's `_meta`. */
export function checkMeta(meta: JsonObject | undefined, path: string): void {
  if (meta === undefined) return;
  checkObject(meta, `${path}.meta`);
  for (const key of Object.keys(meta)) {
    const fault = metaKeyFault(key);
    if (fault !== undefined) throw new TypeError(`${path}.meta: The key "${key}" ${fault}`);
  }
  const fault = jsonFault(meta, `${path}.meta`);
  if (fault !== undefined) throw new TypeError(fault);
}

/** The members of a listed definition that every component may have. */
export function commonMembers(options: ComponentOptions): JsonObject {
  return {
    ...(options.title === undefined ? {} : { title: options.title }),
    ...(options.description === undefined ? {} : { description: options.description }),
    ...(options.icons === undefined ? {} : { icons: options.icons as unknown as JsonObject[] }),
  };
}
