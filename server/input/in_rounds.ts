/** Runs handlers that may ask for input; what writes and reads rounds is loaded when the first one does. */
import type { InputRequired } from "../../protocol/context.ts";
import { onDemand } from "../../protocol/on_demand.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { HandlerContext } from "../context.ts";
import type { Exchange } from "../core.ts";
import type { CalledTool, RunAgain } from "../requests/deferred.ts";
import { isInputRequired } from "./is_input_required.ts";

const ROUNDS = onDemand(() => import("./rounds.ts"));

/** Does a request carry answers or a state? Where the client is asked by requests, these members mean nothing. */
export function isLaterRound({ dialect, request }: Exchange): boolean {
  const { inputResponses, requestState } = request.params;
  return (inputResponses !== undefined || requestState !== undefined) && dialect.handshake === undefined;
}

/**
 * Makes the context of a later round: opens the state, and gets ready to check answers.
 *
 * @throws {ProtocolError} -32602 for answers that are not an object, and for a state that does not open (altered, expired,
 * or of another caller or request) or that `consumeState` refuses.
 */
export async function laterRound(exchange: Exchange): Promise<HandlerContext> {
  return await (await ROUNDS.load()).laterRound(exchange);
}

/**
 * Runs a handler to a complete result, or to the next round.
 *
 * @param handler Runs the handler.
 * @param write Writes what it returned, when that asks for nothing.
 */
export async function runInRounds(
  exchange: Exchange,
  context: HandlerContext,
  handler: (context: HandlerContext) => unknown,
  write: (value: unknown) => JsonObject,
): Promise<JsonObject> {
  let value: unknown;
  try {
    value = await handler(context);
  } catch (error) {
    if (context.loading !== undefined) await context.loading;
    if (context.suspended) return await suspended(exchange, context, error);
    throw error;
  }
  if (context.loading !== undefined) await context.loading;
  if (context.suspended) return await suspended(exchange, context, undefined);
  if (!isInputRequired(value)) return write(value);
  return await askForInput(exchange, context, value, (again) => runInRounds(exchange, again, handler, write));
}

/**
 * Writes the round that answers a suspended handler, whatever the handler made of the suspension.
 *
 * @param thrown What the handler threw; undefined when it returned.
 * @throws What was thrown, when it refused a question: the client cannot answer it.
 */
export async function suspended(exchange: Exchange, context: HandlerContext, thrown: unknown): Promise<JsonObject> {
  return await (await ROUNDS.load()).suspended(exchange, context, thrown);
}

/**
 * Answers a handler that asks by hand: with a result that asks for input, or, where the client is asked by requests, with
 * what the handler gives when it is run again with the answers. What an extension made decides itself how the call goes on.
 *
 * @param tool What is called, when that is a tool.
 * @throws {ProtocolError} -32021 when the client did not declare a capability that a question needs, and -32603 when the
 * method may not ask in this revision, or a handler asks in more rounds than the limit `inputRounds`.
 */
export async function askForInput<T extends CalledTool>(
  exchange: Exchange,
  context: HandlerContext,
  asked: InputRequired,
  again: RunAgain<T>,
  tool?: T,
): Promise<JsonObject> {
  return await (await ROUNDS.load()).askForInput(exchange, context, asked, again, tool);
}
