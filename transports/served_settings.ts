/** What a server was defined with that its carriers have to keep too. */
import { resolveLimits } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { Served } from "./transport.ts";

/** What a server was defined with that its carriers have to keep too. */
export interface ServedSettings {
  /** Every bound. */
  readonly limits: ResolvedLimits;
  /** Told of faults that belong to no request. */
  readonly onError: ((error: unknown) => void) | undefined;
}

const SETTINGS: unique symbol = Symbol("settings of a server");

/** Notes the settings of a server for its carriers. */
export function withSettings<S extends Served>(server: S, settings: ServedSettings): S {
  return Object.defineProperty(server, SETTINGS, { value: settings });
}

/**
 * Refuses what is not a server.
 *
 * @throws {TypeError} Naming the path.
 */
export function checkServed(server: Served, path: string): void {
  if (typeof server?.handle !== "function") throw new TypeError(`${path}: Expected a server`);
}

/** The settings of a server; the default bounds of one that was not made by `defineServer`. */
export function settingsOf(server: Served): ServedSettings {
  const settings = (server as { readonly [SETTINGS]?: ServedSettings })[SETTINGS];
  return settings ?? { limits: resolveLimits(undefined), onError: undefined };
}
