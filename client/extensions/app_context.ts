/** The context of a host: checked, changed, and compared with what the view was told. */
import type { HostContext } from "../../protocol/extensions/bridge/bridge_types.ts";
import { contextFault } from "../../protocol/extensions/bridge/context_fault.ts";
import { mergedContext } from "../../protocol/extensions/bridge/merged_context.ts";
import { plainCopy } from "../../protocol/extensions/bridge/plain_copy.ts";
import { styleVariables } from "../../protocol/extensions/bridge/style_variables.ts";
import { BRIDGE_LIMITS } from "../../protocol/limits.ts";
import type { AppHostOptions } from "./app_host_types.ts";

/**
 * The context that a view begins with: as the options have it, and the tool.
 *
 * @throws {TypeError} For a member of the wrong shape.
 */
export function initialContext({ tool, context = {} }: AppHostOptions): HostContext {
  return nextContext({ toolInfo: { tool } }, context);
}

/**
 * A context with a change.
 *
 * @throws {TypeError} For a member of the wrong shape, and a style variable that is none of the agreed ones: views may refuse it.
 */
export function nextContext(context: HostContext, change: HostContext): HostContext {
  const copy = plainCopy(change, BRIDGE_LIMITS);
  const fault = copy.ok ? contextFault(copy.value, "context") ?? variableFault(change) : `context: ${copy.fault}`;
  if (fault !== undefined || !copy.ok) throw new TypeError(`appHost.${fault}`);
  return Object.freeze(mergedContext(context, copy.value as HostContext));
}

/** The members that differ from what was told; undefined when there are none. */
export function changedContext(told: HostContext, now: HostContext): HostContext | undefined {
  const changed = Object.entries(now).filter(([name, value]) => {
    return value !== told[name] && JSON.stringify(value) !== JSON.stringify(told[name]);
  });
  return changed.length === 0 ? undefined : Object.fromEntries(changed);
}

function variableFault({ styles }: HostContext): string | undefined {
  const names = Object.keys(styles?.variables ?? {});
  if (names.length === 0) return undefined;
  const agreed = styleVariables();
  const unknown = names.find((name) => !agreed.has(name));
  return unknown === undefined ? undefined : `context.styles.variables: ${JSON.stringify(unknown)} is none of the agreed names`;
}
