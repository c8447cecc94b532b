/** The content security policy of a view, and the `allow` attribute of its frame, from what its resource declares. */
import { isJsonObject } from "../json.ts";
import { APP_LIMITS } from "../limits.ts";
import { checkObject } from "../unknown_option.ts";
import type { AppCsp, AppPermissions } from "./apps.ts";

/** The lists of {@linkcode AppCsp}. */
export const CSP_LISTS: readonly (keyof AppCsp)[] = ["connectDomains", "resourceDomains", "frameDomains", "baseUriDomains"];

/** What a view can ask for, and the feature of the browser that it stands for. */
const APP_FEATURES: { readonly [K in keyof AppPermissions]-?: string } = {
  camera: "camera",
  microphone: "microphone",
  geolocation: "geolocation",
  clipboardWrite: "clipboard-write",
};

/**
 * The policy that a host has to set for a view. Nothing is allowed that was not declared: no network, no frames, no plugins, and
 * no forms that leave the page (Apps 2026-01-26, UI Resource Format § Host Behavior and Sandbox proxy). Only origins get into it,
 * so that no list can add a directive.
 *
 * @example The default, and one origin more
 * ```ts
 * import { contentSecurityPolicy } from "@causeway/mcp/client/apps";
 *
 * console.log(contentSecurityPolicy());
 * console.log(contentSecurityPolicy({ connectDomains: ["https://api.example.com"] }));
 * ```
 *
 * @param csp What the resource declares.
 * @returns The value of the header `Content-Security-Policy`, or of a `meta` element.
 * @throws {TypeError} When a list holds something that is not an origin; the text names the place.
 */
export function contentSecurityPolicy(csp?: AppCsp): string {
  const fault = csp === undefined ? undefined : cspFault(csp, "csp");
  if (fault !== undefined) throw new TypeError(fault);
  const { connectDomains = [], resourceDomains = [], frameDomains = [], baseUriDomains = [] } = csp ?? {};
  return [
    ["default-src", "'none'"],
    ["script-src", "'self'", "'unsafe-inline'", ...resourceDomains],
    ["style-src", "'self'", "'unsafe-inline'", ...resourceDomains],
    ["img-src", "'self'", "data:", ...resourceDomains],
    ["font-src", ...orNone(resourceDomains)],
    ["media-src", "'self'", "data:", ...resourceDomains],
    ["connect-src", ...orNone(connectDomains)],
    ["frame-src", ...orNone(frameDomains)],
    ["object-src", "'none'"],
    ["base-uri", ...(baseUriDomains.length === 0 ? ["'self'"] : baseUriDomains)],
    ["form-action", "'none'"],
  ].map((directive) => directive.join(" ")).join("; ");
}

/**
 * The `allow` attribute of a view's frame.
 *
 * @param permissions What the host grants of what the resource asks for.
 * @returns Features, with semicolons between them; empty when nothing is granted.
 * @throws {TypeError} For what is not an object.
 */
export function allowAttribute(permissions?: AppPermissions): string {
  if (permissions !== undefined) checkObject(permissions, "allowAttribute");
  const granted = Object.entries(APP_FEATURES).filter(([name]) =>
    permissions !== undefined && Object.hasOwn(permissions, name) && isJsonObject(permissions[name as keyof AppPermissions])
  );
  return granted.map(([, feature]) => feature).join("; ");
}

/** Says what is wrong with the lists of a policy, as one sentence that begins with `path`, or undefined. Unknown lists are passed over. */
export function cspFault(csp: unknown, path: string): string | undefined {
  if (!isJsonObject(csp)) return `${path}: Expected an object`;
  for (const name of CSP_LISTS) {
    const list: unknown = Object.hasOwn(csp, name) ? csp[name] : undefined;
    if (list === undefined) continue;
    if (!Array.isArray(list)) return `${path}.${name}: Expected a list of origins`;
    if (list.length > APP_LIMITS.sources) return `${path}.${name}: ${list.length} origins, at most ${APP_LIMITS.sources}`;
    const at = list.findIndex((source) => !isSource(source));
    if (at >= 0) {
      return `${path}.${name}[${at}]: Expected an origin such as https://example.com or https://*.example.com, without a path`;
    }
  }
  return undefined;
}

/** Says what is wrong with what a view asks for, as one sentence that begins with `path`, or undefined. */
export function permissionsFault(permissions: unknown, path: string): string | undefined {
  if (!isJsonObject(permissions)) return `${path}: Expected an object`;
  const wrong = Object.keys(APP_FEATURES).find((name) =>
    Object.hasOwn(permissions, name) && permissions[name] !== undefined && !isJsonObject(permissions[name])
  );
  return wrong === undefined ? undefined : `${path}.${wrong}: Expected an empty object, which asks for it`;
}

function orNone(sources: readonly string[]): readonly string[] {
  return sources.length === 0 ? ["'none'"] : sources;
}

/** One of four schemes, a host with or without a wildcard in front, perhaps a port (CSP Level 3 § 2.3.1, host-source). */
const SOURCE =
  /^(?:https?|wss?):\/\/(?:\*\.)?[a-z0-9](?:[a-z0-9-]*[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)*(?::(\d{1,5}))?$/i;

function isSource(source: unknown): source is string {
  if (typeof source !== "string" || source.length > APP_LIMITS.sourceLength) return false;
  const port = SOURCE.exec(source)?.[1];
  return SOURCE.test(source) && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}
