/** Merges a change into a host context. */
import { checkObject } from "../../unknown_option.ts";
import type { HostContext } from "./bridge_types.ts";

/**
 * Puts the members of a change over those of a context, member by member and not deeper (MCP Apps § Notifications,
 * `host-context-changed`). Members that the change does not have, known or not, stay; undefined counts as not there.
 *
 * @returns A new context.
 * @throws {TypeError} For what is not a context.
 */
export function mergedContext(context: HostContext, change: HostContext): HostContext {
  checkObject(context, "mergedContext.context");
  checkObject(change, "mergedContext.change");
  const members = [...Object.entries(context), ...Object.entries(change)].filter(([, value]) => value !== undefined);
  return Object.fromEntries(members);
}
