/** The answers that came with a request: which fit their questions, and are given to the handler. */
import type { Answers, Question } from "../../protocol/context.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { CheckValue } from "../../protocol/json_schema.ts";
import { issuesOf } from "../../protocol/standard_schema.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { formOf } from "./ask.ts";

/** Compiles the schema of a form; the schema is the server's own. */
export type CompileForm = (schema: JsonObject) => CheckValue;

/**
 * Reads the answers to questions. An answer that is absent or does not fit its question is left out, so that the
 * handler asks again (MCP 2026-07-28, Multi Round-Trip Requests § Server requirements). A form made from a Standard Schema
 * gives what its library makes of the answer.
 *
 * @param responses `params.inputResponses` as it came.
 * @param questions The questions, by key.
 * @param compile Compiles the schema of a form.
 * @returns The answers that fit, by key.
 * @throws {TypeError} When the library of a form checks asynchronously.
 */
export function readAnswers<const Q extends { readonly [key: string]: Question<unknown> }>(
  responses: JsonValue | undefined,
  questions: Q,
  compile: CompileForm,
): Partial<Answers<Q>> {
  const answers: [string, unknown][] = [];
  if (!isJsonObject(responses)) return {};
  for (const [key, question] of Object.entries(questions)) {
    const answer = ownMember(responses, key);
    const fitting = isJsonObject(answer) ? fitAnswer(question, answer, compile) : undefined;
    if (fitting !== undefined) answers.push([key, fitting]);
  }
  return Object.fromEntries(answers) as Partial<Answers<Q>>;
}

/**
 * Reads one answer.
 *
 * @returns The answer as its question is typed; undefined when it does not fit.
 * @throws {TypeError} When the library of a form checks asynchronously.
 */
export function fitAnswer(question: Question<unknown>, answer: JsonObject, compile: CompileForm): unknown {
  switch (question.method) {
    case "elicitation/create":
      return fitElicitation(question, answer, compile);
    case "sampling/createMessage":
      return typeof answer.model === "string" && (answer.role === "assistant" || answer.role === "user") &&
          isContent(answer.content)
        ? answer
        : undefined;
    case "roots/list":
      return Array.isArray(answer.roots) && answer.roots.every((root) => isJsonObject(root) && typeof root.uri === "string")
        ? answer.roots
        : undefined;
    default:
      return undefined;
  }
}

function fitElicitation(question: Question<unknown>, answer: JsonObject, compile: CompileForm): unknown {
  const params = (question.params ?? {}) as JsonObject;
  if (answer.action === "decline" || answer.action === "cancel") return { action: answer.action };
  if (answer.action !== "accept") return undefined;
  if (params.mode === "url") return { action: "accept" };
  const content = answer.content ?? {};
  if (!isJsonObject(content)) return undefined;
  const form = formOf(question);
  if (form?.validate === undefined) {
    const faults = compile(params.requestedSchema as JsonObject)(content);
    return faults.length === 0 ? { action: "accept", content } : undefined;
  }
  // As with arguments, a library that can decide does so alone, and gives the value.
  const result = form.validate(content);
  return issuesOf(result, form.vendor) === undefined
    ? { action: "accept", content: (result as { readonly value: unknown }).value }
    : undefined;
}

function isContent(content: JsonValue | undefined): boolean {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.every((block) => isJsonObject(block) && typeof block.type === "string");
}
