/** What `appHost` is given, checked. */
import { checkFunction, checkObject, checkOptionNames } from "../../protocol/unknown_option.ts";
import type { AppHostOptions } from "./app_host_types.ts";

const KNOWN: ReadonlySet<string> = new Set(
  [
    "client",
    "tool",
    "app",
    "post",
    "info",
    "context",
    "capabilities",
    "handlers",
    "openLinkSchemes",
    "limits",
    "report",
  ] satisfies readonly (keyof AppHostOptions)[],
);

/**
 * Checks the options of a host.
 *
 * @throws {TypeError} For an option that nobody reads, and for one that is missing or of another kind.
 */
export function checkAppHost(options: AppHostOptions): void {
  checkObject(options, "appHost");
  checkOptionNames(options, KNOWN, "appHost.");
  checkObject(options.client, "appHost.client");
  checkObject(options.tool, "appHost.tool");
  checkObject(options.info, "appHost.info");
  checkFunction(options.post, "appHost.post");
  for (const name of ["app", "context", "capabilities", "handlers", "limits"] as const) {
    if (options[name] !== undefined) checkObject(options[name], `appHost.${name}`);
  }
  if (options.openLinkSchemes !== undefined && !Array.isArray(options.openLinkSchemes)) {
    throw new TypeError("appHost.openLinkSchemes: Expected a list");
  }
  if (options.report !== undefined) checkFunction(options.report, "appHost.report");
}
