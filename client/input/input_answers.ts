/** Answers one question of a server through the handler for its kind, and checks what the handler gave. */
import { TransportError } from "../../protocol/errors.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { CheckValue } from "../../protocol/json_schema.ts";
import type {
  ClientCapabilities,
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
  ElicitUrlResult,
  InputRequest,
  InputResponses,
  JsonObject,
  JsonValue,
  SamplingResult,
} from "../../protocol/types.ts";
import { peerValidator } from "../peer_validator.ts";
import type { InputContext, InputHandlers } from "../options.ts";
import { checkRoots } from "./check_roots.ts";
import { questionFault } from "./question_fault.ts";

/** One answer, as it goes over the wire: bare, without an envelope. */
export type InputAnswer = InputResponses[string];

/** Makes the error for a question that is not as every one of its kind is, from what is wrong with it. */
export type BrokenQuestion = (fault: string) => Error;

/**
 * Gives the answer to one question. Rejects with what `broken` makes for one that lacks what every one of its kind has; without
 * `broken` that is a `TransportError` "not_mcp".
 */
export type AnswerInput = (ctx: InputContext, broken?: BrokenQuestion) => Promise<InputAnswer>;

/**
 * Finds who answers a question.
 *
 * @returns The function that answers it, or undefined when there is no handler for its kind.
 */
export function answerInput(
  request: InputRequest,
  inputs: InputHandlers,
  capabilities: ClientCapabilities,
): AnswerInput | undefined {
  if (request.method === "roots/list") {
    const { roots } = inputs;
    if (roots === undefined) return undefined;
    return async (ctx) => ({ roots: checkRoots(typeof roots === "function" ? await roots(ctx) : roots, "inputs.roots") });
  }
  if (request.method === "sampling/createMessage") {
    const { sampling } = inputs;
    if (sampling === undefined) return undefined;
    const { params } = request;
    return async (ctx, broken = brokenBy(request)) => {
      mustBeWhole(request, broken);
      const usesTools = params.tools !== undefined || params.toolChoice !== undefined;
      // MCP 2025-11-25, Sampling § Tools; MCP 2026-07-28 says the same.
      if (usesTools && capabilities.sampling?.tools === undefined) {
        throw broken("it has tools, but the capability sampling.tools is not declared");
      }
      return checkSampling(await sampling(params, ctx));
    };
  }
  const { params } = request;
  if (params.mode === "url") {
    const { url } = inputs;
    if (url === undefined) return undefined;
    return async (ctx, broken = brokenBy(request)) => {
      mustBeWhole(request, broken);
      return checkUrl(await url(params as ElicitUrlParams, ctx));
    };
  }
  const { form } = inputs;
  if (form === undefined || (params.mode !== undefined && params.mode !== "form")) return undefined;
  return async (ctx, broken = brokenBy(request)) => {
    mustBeWhole(request, broken);
    const { requestedSchema } = params as ElicitFormParams;
    const validator = await peerValidator();
    let check: CheckValue;
    try {
      check = validator.compile(requestedSchema);
    } catch (error) {
      throw broken((error as Error).message);
    }
    return checkForm(await form(params as ElicitFormParams, ctx), requestedSchema, check);
  };
}

function mustBeWhole(request: InputRequest, broken: BrokenQuestion): void {
  const fault = questionFault(request);
  if (fault !== undefined) throw broken(fault);
}

function brokenBy({ method }: InputRequest): BrokenQuestion {
  return (fault) => new TransportError("not_mcp", `Reading a question of the server (${method}): ${fault}`);
}

/** MCP 2026-07-28, Elicitation § Response Actions: content comes with an accepted form, and with nothing else. */
function checkForm(answer: ElicitResult, schema: ElicitFormParams["requestedSchema"], check: CheckValue): ElicitResult {
  const action = checkAction(answer, "inputs.form");
  if (action !== "accept") return { action };
  if (!isJsonObject(answer.content)) throw new TypeError("inputs.form: Expected content with the action accept");
  const content = withDefaults(answer.content, schema);
  const [issue] = check(content);
  if (issue !== undefined) throw new TypeError(`inputs.form: The content does not fit the form: ${issue.path}: ${issue.message}`);
  return { action, content };
}

function checkUrl(answer: ElicitUrlResult): ElicitUrlResult {
  return { action: checkAction(answer, "inputs.url") };
}

function checkAction(answer: { readonly action: ElicitUrlResult["action"] }, path: string): ElicitUrlResult["action"] {
  const action: unknown = answer?.action;
  if (action === "accept" || action === "decline" || action === "cancel") return action;
  throw new TypeError(`${path}: Expected the action accept, decline or cancel`);
}

function checkSampling(answer: SamplingResult): SamplingResult {
  if (!isJsonObject(answer)) throw new TypeError("inputs.sampling: Expected a result object");
  const { resultType: _, ...bare } = answer as SamplingResult & { readonly resultType?: unknown };
  if (bare.role !== "user" && bare.role !== "assistant") throw new TypeError("inputs.sampling: Expected a role");
  if (typeof bare.content !== "object" || bare.content === null) throw new TypeError("inputs.sampling: Expected content");
  if (typeof bare.model !== "string") throw new TypeError("inputs.sampling: Expected the name of a model");
  return bare;
}

/** What the form leaves open and its schema has a default for. */
function withDefaults(content: JsonObject, schema: JsonObject): JsonObject {
  const properties = ownMember(schema, "properties");
  if (!isJsonObject(properties)) return content;
  const missing: [string, JsonValue][] = [];
  for (const [name, property] of Object.entries(properties)) {
    if (ownMember(content, name) !== undefined || !isJsonObject(property)) continue;
    const value = ownMember(property, "default");
    if (value !== undefined) missing.push([name, value]);
  }
  return missing.length === 0 ? content : Object.fromEntries([...Object.entries(content), ...missing]);
}
