/** How revision 2025-11-25 reads and writes, as its changes to revision 2025-06-18. */
import type { DialectFacts, HandshakeWords, Outcome, QuestionOut } from "../dialect.ts";
import { isJsonObject } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { ClientCapabilities, InputRequest, JsonRpcRequest, RequestedSchema } from "../types.ts";
import { handshakeGreetings } from "./handshake_messages.ts";
import {
  FORM_MEMBERS,
  formFault,
  questionMessage,
  readQuestionMessage,
  SAMPLING_MEMBERS,
  writeQuestionAnswer,
} from "./handshake_questions.ts";
import { writeObjectContent, writeToolSchemas } from "./handshake_schemas.ts";
import { omit, pick } from "./members.ts";
import { invalid } from "./outcomes.ts";
import { words20250618, writePlainResult } from "./words_2025-06-18.ts";

/** How revision 2025-11-25 reads and writes. */
export function words20251125(facts: DialectFacts): HandshakeWords {
  const earlier = words20250618(facts);
  return {
    ...earlier,
    handshake: {
      ...earlier.handshake,
      // Implementations have a description, icons and a website; elicitation has modes, sampling has tools and contexts.
      ...handshakeGreetings({
        version: facts.version,
        implementation: ["name", "version", "title", "description", "icons", "websiteUrl"],
        clientCapabilities,
      }),
      // Elicitation at a URL (SEP-1036), all choices and defaults (SEP-1330, SEP-1034), sampling with tools (SEP-1577).
      missingCapability: (question, declared) =>
        missingCapability(question, declared, () => earlier.handshake.missingCapability(question, declared)),
      writeQuestion,
      readQuestion,
      writeAnswer: writeQuestionAnswer,
    },
    // Tools, prompts, resources and templates have icons (SEP-973), and links to resources too.
    writeResult: (method, result) => writePlainResult(facts.hasRequest, method, result),
    // Schemas of tools may name their dialect (SEP-1613). Without tasks no tool has an `execution`.
    writeDefinition,
  };
}

function writeDefinition(kind: "tool" | "resource" | "template" | "prompt", definition: JsonObject): JsonObject {
  return kind === "tool" ? writeToolSchemas(omit(definition, ["execution"]), { namesItsDialect: true }) : definition;
}

function clientCapabilities(declared: ClientCapabilities): JsonObject {
  const { elicitation, sampling, roots } = declared;
  return {
    ...(roots === undefined ? {} : { roots: pick(roots, ["listChanged"]) }),
    ...(sampling === undefined ? {} : { sampling: pick(sampling, ["tools", "context"]) }),
    ...(elicitation === undefined ? {} : { elicitation: pick(elicitation, ["form", "url"]) }),
    ...pick(declared, ["experimental"]),
  };
}

function missingCapability(
  question: InputRequest,
  declared: ClientCapabilities,
  otherwise: () => JsonObject | undefined,
): JsonObject | undefined {
  if (question.method === "elicitation/create") {
    const { elicitation } = declared;
    const mode = question.params.mode === "url" ? "url" : "form";
    // An empty object stands for forms alone (MCP 2025-11-25, Elicitation § Capabilities).
    const has = elicitation !== undefined &&
      (elicitation[mode] !== undefined || (mode === "form" && elicitation.url === undefined));
    return has ? undefined : { elicitation: { [mode]: {} } };
  }
  if (question.method === "sampling/createMessage") {
    const usesTools = question.params.tools !== undefined || question.params.toolChoice !== undefined;
    if (usesTools && declared.sampling?.tools === undefined) return { sampling: { tools: {} } };
  }
  return otherwise();
}

function writeQuestion(asked: QuestionOut): Outcome<JsonRpcRequest> {
  const { question } = asked;
  switch (question.method) {
    case "elicitation/create":
      return { ok: true, value: questionMessage(asked, elicitation(question, asked.elicitationId)) };
    case "sampling/createMessage":
      return { ok: true, value: questionMessage(asked, writeSampling(question.params as unknown as JsonObject)) };
    case "roots/list":
      return { ok: true, value: questionMessage(asked, undefined) };
  }
}

function elicitation({ params }: InputRequest & { readonly method: "elicitation/create" }, elicitationId: string): JsonObject {
  if (params.mode === "url") return { mode: "url", message: params.message, url: params.url, elicitationId };
  return { mode: "form", message: params.message, requestedSchema: pick(params.requestedSchema, ["$schema", ...FORM_MEMBERS]) };
}

function writeSampling(params: JsonObject): JsonObject {
  const { tools, messages, ...rest } = pick(params, [...SAMPLING_MEMBERS, "tools", "toolChoice"]);
  return {
    ...rest,
    messages: (messages as readonly JsonObject[]).map((message) => ({ ...message, content: blocks(message.content) })),
    ...(Array.isArray(tools) ? { tools: tools.map((tool) => writeDefinition("tool", tool as JsonObject)) } : {}),
  };
}

/** The outcome of a tool holds an object here too. */
function blocks(content: JsonValue | undefined): JsonValue | undefined {
  if (Array.isArray(content)) return content.map((block) => blocks(block) as JsonValue);
  if (!isJsonObject(content) || content.structuredContent === undefined) return content;
  return { ...content, structuredContent: writeObjectContent(content.structuredContent, undefined).value };
}

function readQuestion(message: JsonRpcRequest): Outcome<InputRequest> {
  return readQuestionMessage(message, { elicitation: readElicitation, sampling: readSampling });
}

function readElicitation(params: JsonObject): Outcome<InputRequest> {
  const message = params.message as string;
  if (params.mode === "url") {
    if (typeof params.url !== "string") return invalid("Invalid params: url must be a string");
    if (typeof params.elicitationId !== "string") return invalid("Invalid params: elicitationId must be a string");
    return { ok: true, value: { method: "elicitation/create", params: { mode: "url", message, url: params.url } } };
  }
  if (params.mode !== undefined && params.mode !== "form") return invalid("Invalid params: mode must be form or url");
  const fault = formFault(params.requestedSchema);
  if (fault !== undefined) return invalid(fault);
  const requestedSchema = params.requestedSchema as RequestedSchema;
  return { ok: true, value: { method: "elicitation/create", params: { mode: "form", message, requestedSchema } } };
}

function readSampling(params: JsonObject): Outcome<InputRequest> {
  const fault = toolResultsFault(params.messages as readonly JsonObject[]);
  if (fault !== undefined) return invalid(`Invalid params: ${fault}`);
  const known = pick(params, [...SAMPLING_MEMBERS, "tools", "toolChoice"]);
  return { ok: true, value: { method: "sampling/createMessage", params: known } as unknown as InputRequest };
}

/** MCP 2025-11-25, Sampling § Message Content Constraints. */
function toolResultsFault(messages: readonly JsonObject[]): string | undefined {
  let asked: ReadonlySet<unknown> = new Set();
  for (const { content } of messages) {
    const blocks = (Array.isArray(content) ? content : [content]) as readonly JsonObject[];
    const results = blocks.filter((block) => block.type === "tool_result");
    if (results.length > 0 && results.length !== blocks.length) return "a message mixes tool results with other content";
    const answered: ReadonlySet<unknown> = new Set(results.map((block) => block.toolUseId));
    if (answered.size !== asked.size || [...asked].some((id) => !answered.has(id))) {
      return "the tool results of a message are not those of the tool uses before it";
    }
    asked = new Set(blocks.filter((block) => block.type === "tool_use").map((block) => block.id));
  }
  return asked.size === 0 ? undefined : "the results of the last tool uses are missing";
}
