/** What seals the request state of a server; made when the first state is sealed or opened. */
import { REQUEST_STATE_LIFETIME } from "../../protocol/limits.ts";
import type { Core } from "../core.ts";
import { createSealer } from "./request_state.ts";
import type { StateSealer } from "./request_state.ts";

/**
 * Gives the sealer of a server.
 *
 * @param onProcessKey Called once when a state is sealed with a key that no other process has.
 */
export function sealerOf(core: Core, onProcessKey: () => void): StateSealer {
  return core.sealer ??= createSealer({
    keys: core.options.stateKeys,
    server: core.info.name,
    lifetime: REQUEST_STATE_LIFETIME,
    maxBytes: core.limits.requestState,
    onProcessKey,
  });
}
