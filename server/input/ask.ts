/** Questions to the client: how they are written, and how a handler asks them by hand. */
import type { FormAnswer, FormFields, InputRequired, Question } from "../../protocol/context.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { StandardSchema } from "../../protocol/schema.ts";
import { fieldsToSchema, readSchema } from "../../protocol/standard_schema.ts";
import type { CompiledSchema } from "../../protocol/standard_schema.ts";
import { checkObject, checkOptions } from "../../protocol/unknown_option.ts";
import type { ElicitUrlResult, InputRequests, JsonObject, Root, SamplingParams, SamplingResult } from "../../protocol/types.ts";
import { jsonCopy } from "../json/json_copy.ts";
import { elicitationFault, fieldFault } from "./elicitation_fault.ts";

/** The builders of questions. */
export interface Ask {
  /** A form: fields in shorthand, or a Standard Schema of a flat object. */
  form<const F extends FormFields | StandardSchema>(message: string, fields: F): Question<FormAnswer<F>>;
  /** A page to be visited. */
  url(message: string, url: string | URL): Question<ElicitUrlResult>;
  /** A completion by the client's model. */
  sampling(params: SamplingParams): Question<SamplingResult>;
  /** The client's roots. */
  roots(): Question<readonly Root[]>;
}

/**
 * Builds questions for `ctx.ask`, `ctx.answers` and {@linkcode inputRequired}. The names are the keys of the client's `inputs`.
 * `form` throws a `TypeError` for a field that is not a flat property (MCP 2026-07-28, Elicitation § Requested schema).
 */
export const ask: Ask = {
  form: (message, fields) => {
    const schema = formSchema(fields);
    const question = elicitation<FormAnswer<typeof fields>>({ mode: "form", message, requestedSchema: schema.json });
    return Object.defineProperty(question, FORM, { value: schema });
  },
  url: (message, url) => elicitation({ mode: "url", message, url: String(url) }),
  sampling: (params) => ({ method: "sampling/createMessage", params }),
  roots: () => ({ method: "roots/list" }),
};

const FORM: unique symbol = Symbol("schema of a form");

/** The schema that decides about the answers to a form; undefined for a question that was written by hand. */
export function formOf(question: Question<unknown>): CompiledSchema | undefined {
  return (Object(question) as { readonly [FORM]?: CompiledSchema })[FORM];
}

const STATE: unique symbol = Symbol("state of an InputRequired result");

/**
 * Asks by hand: a handler returns it and is called again with the answers, which `ctx.answers` reads
 * (MCP 2026-07-28, Multi Round-Trip Requests).
 *
 * @param questions Questions by keys of one's own.
 * @param options `state` is any JSON value; it is sealed on its way through the client and comes back as `ctx.state`.
 * @returns A result for tools, prompts and resources.
 * @throws {TypeError} When there is neither a question nor a state, for what is not an object, and for an option that nobody reads.
 */
export function inputRequired(
  questions: { readonly [key: string]: Question<unknown> },
  options: { readonly state?: unknown } = {},
): InputRequired {
  checkObject(questions, "inputRequired.questions");
  checkOptions(options, "inputRequired", "state");
  const keys = Object.keys(questions);
  if (keys.length === 0 && options.state === undefined) throw new TypeError("inputRequired: Expected a question or a state");
  const result: InputRequired = keys.length === 0
    ? { resultType: "input_required" }
    : { resultType: "input_required", inputRequests: questions as unknown as InputRequests };
  return Object.defineProperty(result, STATE, { value: options.state });
}

/** The state given to {@linkcode inputRequired}. */
export function stateOf(result: InputRequired): unknown {
  return (result as { readonly [STATE]?: unknown })[STATE];
}

function elicitation<Answer>(params: JsonObject): Question<Answer> {
  const fault = elicitationFault(params, "ask");
  if (fault !== undefined) throw new TypeError(fault);
  return { method: "elicitation/create", params };
}

/** The schema of a form: a flat object of primitives, and of lists of choices. */
function formSchema(fields: FormFields | StandardSchema): CompiledSchema {
  const read: CompiledSchema = "~standard" in Object(fields)
    ? readSchema(fields, "input", "form")
    : { json: fieldsToSchema(fields as FormFields, "form") };
  const { $schema: _dialect, ...json } = read.json;
  for (const [name, field] of Object.entries(isJsonObject(json.properties) ? json.properties : {})) {
    const fault = fieldFault(field);
    if (fault !== undefined) throw new TypeError(`form.${name}: ${fault}`);
  }
  return { ...read, json: jsonCopy(json) };
}
