/** The bounds of one bridge, with every default filled in. */
import { BRIDGE_LIMITS } from "../../protocol/limits.ts";
import type { AppHostLimits } from "./app_host_types.ts";

/** Fills in the bounds that were not given. */
export function appLimits(given: AppHostLimits = {}): { readonly [K in keyof AppHostLimits]-?: number } {
  return {
    messageBytes: given.messageBytes ?? BRIDGE_LIMITS.messageBytes,
    openRequests: given.openRequests ?? BRIDGE_LIMITS.openRequests,
    perSecond: given.perSecond ?? BRIDGE_LIMITS.perSecond,
    initialize: given.initialize ?? BRIDGE_LIMITS.initialize,
  };
}
