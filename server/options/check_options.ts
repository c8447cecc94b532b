/** Checks the options of a server. */
import { SERVING } from "../../protocol/extensions/extension_serving.ts";
import type { Served } from "../../protocol/extensions/extension_serving.ts";
import type { ServerExtension } from "../../protocol/extensions/extension_types.ts";
import { checkFunction, checkList, checkOptionNames } from "../../protocol/unknown_option.ts";
import { checkCacheHint } from "../components/cache_hint.ts";
import { checkIcons } from "../components/component.ts";
import type { CheckedOptions } from "../core.ts";
import { checkMiddleware } from "../middleware/middleware.ts";
import { checkSessions } from "./check_sessions.ts";
import type { ServerOptions } from "./server_options.ts";
import { checkStateKeys } from "./check_state_keys.ts";

const KNOWN: ReadonlySet<string> = new Set([
  "name",
  "version",
  "title",
  "description",
  "icons",
  "websiteUrl",
  "instructions",
  "versions",
  "sessions",
  "bus",
  "path",
  "hosts",
  "origins",
  "auth",
  "limits",
  "pageSize",
  "cache",
  "stateKeys",
  "consumeState",
  "validator",
  "use",
  "extensions",
  "onError",
]);

const HINT_KEYS: ReadonlySet<string> = new Set(["ttlMs", "cacheScope"]);

const HINTS: ReadonlySet<string> = new Set(["discover", "tools", "prompts", "resources", "templates", "read"]);

/**
 * Checks the options of a server.
 *
 * @throws {TypeError} For an option that nobody reads, and for one that is wrong; the message begins with its name.
 */
export function checkServerOptions(options: ServerOptions): CheckedOptions {
  checkOptionNames(options, KNOWN, "");
  for (const key of ["name", "version"] as const) {
    if (typeof options[key] !== "string" || options[key] === "") throw new TypeError(`${key}: Expected a non-empty string`);
  }
  for (const key of ["title", "description", "websiteUrl", "instructions", "path"] as const) {
    if (options[key] !== undefined && typeof options[key] !== "string") throw new TypeError(`${key}: Expected a string`);
  }
  if (options.path !== undefined && !/^\/[^?#]*$/.test(options.path)) {
    throw new TypeError("path: Expected a path that begins with a slash, without a query");
  }
  checkIcons(options.icons, "server");
  checkFunctions(options);
  checkMiddleware(options.use);
  const { extensions } = options;
  checkList(extensions, "extensions");
  // The first of them serves them all.
  const serve = (extensions?.[0] as Partial<Served> | null | undefined)?.[SERVING];
  if (serve === undefined && extensions?.length) {
    throw new TypeError("extensions[0]: Expected what serve() of an extension returns");
  }
  checkSessions(options.sessions);
  checkStateKeys(options.stateKeys);
  const { cache = {} } = options;
  checkOptionNames(cache, HINTS, "cache.");
  for (const [key, hint] of Object.entries(cache)) {
    checkOptionNames(hint, HINT_KEYS, `cache.${key}.`);
    checkCacheHint(hint, `cache.${key}`);
  }
  if (options.pageSize !== undefined && !(Number.isSafeInteger(options.pageSize) && options.pageSize > 0)) {
    throw new TypeError("pageSize: Expected a positive integer");
  }
  return { ...options, extensions: serve?.(extensions as readonly ServerExtension[]) };
}

/** Parts of the application that are called: a fault is found now, not at the first call. */
function checkFunctions({ onError, consumeState, bus, validator, auth }: ServerOptions): void {
  if (auth !== undefined && (typeof auth?.authenticate !== "function" || typeof auth.of !== "function")) {
    throw new TypeError("auth: Expected an object with authenticate and of, such as bearer() gives");
  }
  if (onError !== undefined) checkFunction(onError, "onError");
  if (consumeState !== undefined) checkFunction(consumeState, "consumeState");
  if (bus !== undefined && (typeof bus?.publish !== "function" || typeof bus.subscribe !== "function")) {
    throw new TypeError("bus: Expected an object with publish and subscribe");
  }
  if (validator !== undefined && typeof validator?.compile !== "function") {
    throw new TypeError("validator: Expected an object with compile");
  }
}
