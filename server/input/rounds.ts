/** The rounds of a request that asks for input: reads what came back, writes what is asked. */
import type { InputRequired, Question } from "../../protocol/context.ts";
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { interpretingValidator } from "../../protocol/validators/interpreting.ts";
import type { InputRequest, InputRequests, JsonObject } from "../../protocol/types.ts";
import { HandlerContext } from "../context.ts";
import { DEFERRED } from "../requests/deferred.ts";
import type { CalledTool, Deferred, RunAgain, RunWork } from "../requests/deferred.ts";
import { jsonFault } from "../json/json_fault.ts";
import type { Exchange } from "../core.ts";
import { GIVE_KEYS, warning } from "../warning.ts";
import { stateOf } from "./ask.ts";
import { createInput } from "./create_input.ts";
import { checkCapabilities } from "./missing_capability.ts";
import { questionFault } from "./question_fault.ts";
import type { StateBinding, StateSealer } from "./request_state.ts";
import { RequestedInput } from "./requested_input.ts";
import { RoundAsker } from "./round_asker.ts";
import { readMemory, writeMemory } from "./round_memory.ts";
import type { RoundMemory } from "./round_memory.ts";
import { sealerOf } from "./sealer_of.ts";

/**
 * Makes the context of a later round: opens the state, and gets ready to check answers.
 *
 * @throws {ProtocolError} -32602 for answers that are not an object, and for a state that does not open (altered, expired,
 * or of another caller or request) or that `consumeState` refuses.
 */
export async function laterRound(exchange: Exchange): Promise<HandlerContext> {
  const { params } = exchange.request;
  const responses = ownMember(params, "inputResponses");
  if (responses !== undefined && !isJsonObject(responses)) {
    throw ProtocolError.invalidParams("Invalid params: inputResponses must be an object of answers by key");
  }
  const sealed = ownMember(params, "requestState");
  if (sealed !== undefined && typeof sealed !== "string") {
    throw ProtocolError.invalidParams("Invalid params: requestState must be a string");
  }
  const memory = readMemory(sealed === undefined ? undefined : await openState(exchange, sealed));
  const validator = await interpretingValidator();
  // Who has gone while the state was opened and consumed wants nothing done.
  if (exchange.done) exchange.signal.throwIfAborted();
  const compile = (schema: JsonObject) => validator.compile(schema);
  return new HandlerContext(exchange, new RoundAsker(exchange, { memory, responses, compile }));
}

/**
 * Writes the round that answers a suspended handler, whatever the handler made of the suspension.
 *
 * @param thrown What the handler threw; undefined when it returned.
 * @throws What was thrown, when it refused a question: the client cannot answer it.
 */
export async function suspended(exchange: Exchange, context: HandlerContext, thrown: unknown): Promise<JsonObject> {
  const asker = context.inputBy({ createInput }) as RoundAsker;
  if (asker.isRefusal(thrown)) throw thrown;
  if (!asker.carriesSuspension(thrown)) {
    const { method, params } = exchange.request;
    const sentence = `${method} ${
      String(params.name ?? params.uri)
    }: The handler went on although a question waits; the client is asked`;
    exchange.core.report(new Error(sentence, thrown === undefined ? undefined : { cause: thrown }), exchange.request);
  }
  const { questions, memory } = await asker.suspend();
  return await writeRound(exchange, Object.fromEntries(questions) as unknown as InputRequests, memory);
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
  asked: InputRequired | Deferred,
  again: RunAgain<T>,
  tool?: T,
): Promise<JsonObject> {
  const { method } = exchange.request;
  if (DEFERRED in asked) {
    if (tool === undefined) throw new TypeError(`${method}: Only a tool can go on as a task`);
    // Who has gone while this was loaded waits for nothing.
    exchange.signal.throwIfAborted();
    const run: RunWork = (inner, own, handler) => again(own, inner, { ...tool, parts: { ...tool.parts, handler } });
    return await asked[DEFERRED](exchange, context, run, tool.parts);
  }
  if ("resume" in asked) throw new TypeError(`${method}: ${PENDING}`);
  const requests = asked.inputRequests;
  const given = stateOf(asked);
  const state = given === undefined ? asked.requestState : given;
  checkAsked(requests, state);
  const input = context.inputBy({ createInput });
  if (input instanceof RequestedInput) {
    return await askNow(exchange, input, requests, state, (context) => again(context, exchange, tool as T));
  }
  if (!exchange.dialect.mayAskForInput(method)) throw new TypeError(`${method}: Asking for input is not possible here`);
  checkCapabilities(Object.values(requests ?? {}) as InputRequest[], exchange.request.clientCapabilities);
  return await writeRound(exchange, requests, await (input as RoundAsker).remember(state));
}

/** Its state is another server's: answers to its questions would come back to this one. */
const PENDING = 'The handler returned the questions that a client got from another server (input: "manual", with resume); ' +
  "put them to the caller with ctx.ask or inputRequired, and go on with the answers as inputResponses, beside their requestState";

/** MCP 2025-11-25 knows no rounds: the client is asked, and the handler run again. */
async function askNow(
  exchange: Exchange,
  input: RequestedInput,
  requests: InputRequests | undefined,
  state: unknown,
  again: (context: HandlerContext) => JsonObject | Promise<JsonObject>,
): Promise<JsonObject> {
  const { inputRounds } = exchange.core.limits;
  if (input.runs > inputRounds) {
    const message = `Internal error: the handler asked in more than ${inputRounds} rounds (limit inputRounds)`;
    throw new ProtocolError(ERROR_CODES.internal_error, message, { data: { reason: "rounds", limit: inputRounds } });
  }
  const questions = new Map(Object.entries(requests ?? {}) as unknown as [string, Question<unknown>][]);
  return await again(new HandlerContext(exchange, await input.again(questions, structuredClone(state))));
}

async function writeRound(exchange: Exchange, requests: InputRequests | undefined, memory: RoundMemory): Promise<JsonObject> {
  const { dialect, frame } = exchange;
  const state = writeMemory(memory);
  const sealed = state === undefined ? undefined : await seal(exchange, state);
  return dialect.writeInputRequired(requests, sealed, frame);
}

async function openState(exchange: Exchange, sealed: string): Promise<unknown> {
  const { options } = exchange.core;
  const opened = await sealerIn(exchange).open(sealed, bindingOf(exchange));
  if (opened === undefined) {
    throw ProtocolError.invalidParams(
      "Invalid params: requestState was altered, has expired, or belongs to another request or caller",
    );
  }
  if (options.consumeState !== undefined && await options.consumeState(opened.id, opened.until) !== true) {
    throw ProtocolError.invalidParams("Invalid params: requestState was used before");
  }
  return opened.state;
}

function checkAsked(requests: InputRequests | undefined, state: unknown): void {
  if (requests !== undefined && !isJsonObject(requests)) throw new TypeError("inputRequests: Expected questions by key");
  if (Object.keys(requests ?? {}).length === 0 && state === undefined) {
    throw new TypeError("inputRequests: Expected a question or a state");
  }
  let fault = jsonFault(requests, "inputRequests") ?? jsonFault(state, "state");
  for (const [key, question] of Object.entries(requests ?? {})) {
    fault ??= questionFault(question as unknown as JsonObject, `inputRequests.${key}`);
  }
  if (fault !== undefined) throw new TypeError(fault);
}

/** Answers of the client may have made the state too large: it learns which limit that is. */
async function seal(exchange: Exchange, state: unknown): Promise<string> {
  const { core, request } = exchange;
  try {
    return await sealerIn(exchange).seal(state, bindingOf(exchange));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    core.report(error, request);
    const limit = core.limits.requestState;
    const message = `Internal error: the state of the call would have more than ${limit} bytes (limit requestState)`;
    throw new ProtocolError(ERROR_CODES.internal_error, message, { data: { reason: "request_state", limit } });
  }
}

function sealerIn({ core, request }: Exchange): StateSealer {
  const text = `stateKeys: No key is set, so that only this process can open the request state that it seals; ${GIVE_KEYS}`;
  return sealerOf(core, () => core.report(warning(text), request));
}

/** A state opens only for the same caller, method, name and arguments. */
function bindingOf(exchange: Exchange): StateBinding {
  const { method, params } = exchange.request;
  return {
    principal: exchange.info.principal?.principal ?? "",
    method,
    // Both, because params may hold a member that the method does not read.
    request: JSON.stringify([params.name ?? null, params.uri ?? null, params.arguments ?? {}]),
  };
}
