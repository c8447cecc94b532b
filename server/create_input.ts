/** Where the answers to a handler's questions come from, by revision. */
import type { CallInput } from "./call_input.ts";
import type { Exchange } from "./core.ts";
import { requestAsker } from "./request_asker.ts";
import { RequestedInput } from "./requested_input.ts";
import { RoundAsker } from "./round_asker.ts";

/** Rounds of the same request where the revision has no handshake, requests to the client where it has one. */
export function createInput(exchange: Exchange): CallInput {
  return exchange.dialect.handshake === undefined ? new RoundAsker(exchange) : new RequestedInput(requestAsker(exchange));
}
