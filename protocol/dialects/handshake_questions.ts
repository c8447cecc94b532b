/** Questions of a server as requests of their own, and the client's answers, as far as the revisions share them. */
import type { Outcome, QuestionOut } from "../dialect.ts";
import { ERROR_CODES } from "../errors.ts";
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { shown } from "../shown.ts";
import type { InputRequest, JsonRpcRequest } from "../types.ts";
import { pick } from "./members.ts";
import { invalid } from "./outcomes.ts";

/** Members of the params of `sampling/createMessage` that both revisions have. */
export const SAMPLING_MEMBERS: readonly string[] = [
  "messages",
  "maxTokens",
  "systemPrompt",
  "temperature",
  "stopSequences",
  "modelPreferences",
  "includeContext",
  "metadata",
];

/** Members of the schema of a form that both revisions have. */
export const FORM_MEMBERS: readonly string[] = ["type", "properties", "required"];

/** The request that asks a question. */
export function questionMessage({ id, question, progressToken }: QuestionOut, params: JsonObject | undefined): JsonRpcRequest {
  const { method } = question;
  const full = progressToken === undefined ? params : { ...params, _meta: { progressToken } };
  return full === undefined ? { jsonrpc: "2.0", id, method } : { jsonrpc: "2.0", id, method, params: full };
}

/** Reads the result of a question as a bare answer. */
export function readQuestionAnswer(question: InputRequest, result: JsonObject): Outcome<JsonObject> {
  switch (question.method) {
    case "elicitation/create": {
      const { action, content } = pick(result, ["action", "content"]);
      if (action === "decline" || action === "cancel") return { ok: true, value: { action } };
      if (action !== "accept") return unfit(question, "action must be accept, decline or cancel");
      if (question.params.mode === "url") return { ok: true, value: { action } };
      if (content !== undefined && !isJsonObject(content)) return unfit(question, "content must be an object");
      return { ok: true, value: { action, content: content ?? {} } };
    }
    case "sampling/createMessage": {
      const answer = pick(result, ["role", "content", "model", "stopReason", "_meta"]);
      if (typeof answer.model !== "string") return unfit(question, "model must be a string");
      if (answer.role !== "user" && answer.role !== "assistant") return unfit(question, "role must be user or assistant");
      return isContent(answer.content) ? { ok: true, value: answer } : unfit(question, "content must be content blocks");
    }
    case "roots/list": {
      const roots = ownMember(result, "roots");
      const listed = Array.isArray(roots) && roots.every((root) => isJsonObject(root) && typeof root.uri === "string");
      return listed ? { ok: true, value: { roots } } : unfit(question, "roots must be a list of roots");
    }
  }
}

/** Writes an answer as the result of its question. */
export function writeQuestionAnswer(question: InputRequest, answer: JsonObject): JsonObject {
  switch (question.method) {
    case "elicitation/create":
      return pick(answer, answer.action === "accept" && question.params.mode !== "url" ? ["action", "content"] : ["action"]);
    case "sampling/createMessage":
      return pick(answer, ["role", "content", "model", "stopReason", "_meta"]);
    case "roots/list":
      return pick(answer, ["roots"]);
  }
}

/** Which kinds of questions a revision reads, each from its params. */
export interface QuestionReaders {
  /** Reads the params of `elicitation/create`. */
  elicitation(params: JsonObject): Outcome<InputRequest>;
  /** Reads the params of `sampling/createMessage`, whose messages are well-formed. */
  sampling(params: JsonObject): Outcome<InputRequest>;
}

/** Reads a request of a server as a question. */
export function readQuestionMessage({ method, params = {} }: JsonRpcRequest, readers: QuestionReaders): Outcome<InputRequest> {
  switch (method) {
    case "elicitation/create":
      if (typeof ownMember(params, "message") !== "string") return invalid("Invalid params: message must be a string");
      return readers.elicitation(params);
    case "sampling/createMessage": {
      const messages = ownMember(params, "messages");
      if (!Array.isArray(messages) || !messages.every(isSamplingMessage)) {
        return invalid("Invalid params: messages must be a list of messages, each with a role and content");
      }
      if (!Number.isSafeInteger(ownMember(params, "maxTokens"))) return invalid("Invalid params: maxTokens must be an integer");
      return readers.sampling(params);
    }
    case "roots/list":
      return { ok: true, value: { method } };
    default:
      return { ok: false, error: { code: ERROR_CODES.method_not_found, message: `Method not found: ${shown(method)}` } };
  }
}

/** Says why a value is not a schema of a form, or undefined. */
export function formFault(schema: JsonValue | undefined): string | undefined {
  const isForm = isJsonObject(schema) && schema.type === "object" && isJsonObject(schema.properties) &&
    Object.values(schema.properties).every(isJsonObject);
  return isForm ? undefined : "Invalid params: requestedSchema must be the schema of an object with its properties";
}

function isSamplingMessage(message: JsonValue): boolean {
  return isJsonObject(message) && (message.role === "user" || message.role === "assistant") && isContent(message.content);
}

function isContent(content: JsonValue | undefined): boolean {
  const blocks = Array.isArray(content) ? content : [content];
  return blocks.every((block) => isJsonObject(block) && typeof block.type === "string");
}

function unfit(question: InputRequest, fault: string): Outcome<never> {
  return { ok: false, error: { code: ERROR_CODES.invalid_request, message: `Invalid result of ${question.method}: ${fault}` } };
}
