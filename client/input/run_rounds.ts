/** Runs a call that may ask for input; what asks, and what follows extensions, is loaded with the first such answer. */
import type { OnDemand } from "../../protocol/on_demand.ts";
import { onDemand } from "../../protocol/on_demand.ts";
import type { Sending } from "../connection_settings.ts";
import type { CallOptions, PendingInput } from "../options.ts";
import { callTimes } from "../request_settings.ts";
import type { AskingCall, InputSettings } from "./asking_call.ts";
import { untilOver } from "./until_over.ts";

/** What asks for input, and what speaks extensions. */
export const LATER_PARTS: OnDemand<typeof import("../later_parts.ts")> = onDemand(() => import("../later_parts.ts"));

/**
 * Runs a call to its result (MCP 2026-07-28, Multi Round-Trip Requests § Client Requirements): every round repeats the
 * request in full under a fresh id, with the answers to that round's questions and its state, byte for byte.
 *
 * @throws {InputRequiredError} When nobody answers a question, a handler fails, the time is over meanwhile, or there are
 * more rounds than `limits.inputRounds`.
 * @throws {TransportError} "timeout" when the time is over while a part of the program is loaded.
 * @throws {TransportError} "limit" when there are more than 100 questions in one round; no handler is asked then.
 */
export async function runRounds<R>(
  connection: Sending,
  settings: InputSettings,
  call: AskingCall<R>,
  options: CallOptions,
): Promise<R | PendingInput<R>> {
  const times = callTimes(options, connection.settings.limits, connection.watch);
  const { inputResponses, requestState } = options;
  const answer = await call.send({ options, times, inputResponses, requestState });
  const timed = { connection, call, options, times };
  if (answer.type === "complete") return untilOver(call.read(answer.result), timed);
  const { goOn } = LATER_PARTS.loaded ?? await untilOver(LATER_PARTS.load(), timed);
  return goOn({ ...timed, settings: { ...settings, run: runRounds } }, answer);
}
