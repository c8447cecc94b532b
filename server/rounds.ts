/** The rounds of a request that asks for input: reads what came back, writes what is asked. */
import type { InputRequired } from "../protocol/context.ts";
import { ERROR_CODES, ProtocolError } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { loadInterpreter } from "../protocol/validators/interpreter.ts";
import type { ClientCapabilities, InputRequests, JsonObject } from "../protocol/types.ts";
import { stateOf } from "./ask.ts";
import { HandlerContext } from "./context.ts";
import { jsonFault } from "./json_safe.ts";
import { questionFault } from "./question_fault.ts";
import type { StateBinding } from "./request_state.ts";
import type { Exchange } from "./core.ts";

/** Does a request carry answers or a state? */
export function isLaterRound(params: JsonObject): boolean {
  return Object.hasOwn(params, "inputResponses") || Object.hasOwn(params, "requestState");
}

/**
 * Makes the context of a later round: opens the state, and gets ready to check answers.
 *
 * @throws {ProtocolError} -32602 for answers that are no object, and for a state that does not open (altered, expired,
 * or of another caller or request).
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
  const opened = sealed === undefined ? { state: undefined } : await exchange.core.sealer.open(sealed, bindingOf(exchange));
  if (opened === undefined) {
    throw ProtocolError.invalidParams(
      "Invalid params: requestState was altered, has expired, or belongs to another request or caller",
    );
  }
  const validator = await loadInterpreter();
  return new HandlerContext(exchange, opened.state, (schema) => validator.compile(schema));
}

/**
 * Writes a result that asks for input.
 *
 * @throws {ProtocolError} -32021 when the client did not declare a capability that a question needs, and -32603 when the
 * method may not ask in this revision.
 */
export async function askForInput(exchange: Exchange, asked: InputRequired): Promise<JsonObject> {
  const { dialect, request, core } = exchange;
  if (!dialect.mayAskForInput(request.method)) throw new TypeError(`${request.method}: Asking for input is not possible here`);
  const requests = asked.inputRequests;
  const given = stateOf(asked);
  const state = given === undefined ? asked.requestState : given;
  checkAsked(requests, state);
  const missing = missingCapabilities(requests, request.clientCapabilities);
  if (missing !== undefined) {
    throw new ProtocolError(ERROR_CODES.missing_capability, `Missing client capability: ${Object.keys(missing).join(", ")}`, {
      data: { requiredCapabilities: missing },
      reason: "missing_capability",
    });
  }
  const sealed = state === undefined ? undefined : await core.sealer.seal(state, bindingOf(exchange));
  return dialect.writeInputRequired(requests, sealed, exchange.frame);
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

function missingCapabilities(requests: InputRequests | undefined, declared: ClientCapabilities): JsonObject | undefined {
  const missing: Record<string, JsonObject> = {};
  for (const request of Object.values(requests ?? {})) {
    if (request.method === "sampling/createMessage") {
      const { tools, toolChoice } = request.params;
      const usesTools = tools !== undefined || toolChoice !== undefined;
      if (usesTools && declared.sampling?.tools === undefined) missing.sampling = { tools: {} };
      else if (declared.sampling === undefined) missing.sampling = {};
    }
    if (request.method === "roots/list" && declared.roots === undefined) missing.roots = {};
    if (request.method === "elicitation/create") {
      const { elicitation } = declared;
      const mode = request.params.mode === "url" ? "url" : "form";
      // An empty object stands for forms alone (MCP 2026-07-28, Elicitation § Capabilities).
      const has = elicitation !== undefined &&
        (elicitation[mode] !== undefined || (mode === "form" && elicitation.url === undefined));
      if (!has) missing.elicitation = { ...missing.elicitation, [mode]: {} };
    }
  }
  return Object.keys(missing).length === 0 ? undefined : missing;
}
