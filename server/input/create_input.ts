/** Where the answers to a handler's questions come from, by revision. */
import type { CallInput } from "./call_input.ts";
import type { Exchange } from "../core.ts";
import { requestAsker } from "./request_asker.ts";
import { RequestedInput } from "./requested_input.ts";
import { RoundAsker } from "./round_asker.ts";
import type { RunOnce } from "./run_once.ts";

/**
 * Rounds of the same request where the revision has no handshake, requests to the client where it has one.
 *
 * @param exchange The call.
 * @param once What ran once before the first question.
 */
export function createInput(exchange: Exchange, once?: RunOnce): CallInput {
  return exchange.dialect.handshake === undefined
    ? new RoundAsker(exchange, undefined, once)
    : new RequestedInput(requestAsker(exchange, once));
}
