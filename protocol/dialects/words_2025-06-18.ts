/** How revision 2025-06-18 reads and writes: a connection begins with a handshake, and both sides may ask. */
import type { DialectFacts, HandshakeWords, Outcome, QuestionOut } from "../dialect.ts";
import { isJsonObject } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import type { ClientCapabilities, InputRequest, JsonRpcNotification, JsonRpcRequest, RequestedSchema } from "../types.ts";
import { handshakeGreetings, handshakeRequests, readHandshakeRequest, resultMeta } from "./handshake_messages.ts";
import {
  formFault,
  questionMessage,
  readQuestionAnswer,
  readQuestionMessage,
  SAMPLING_MEMBERS,
  writeQuestionAnswer,
} from "./handshake_questions.ts";
import { readObjectContent, writeObjectContent, writeToolSchemas } from "./handshake_schemas.ts";
import { omit, pick } from "./members.ts";
import { writeLog, writeProgress } from "./notices.ts";
import { impossible, invalid } from "./outcomes.ts";
import { readSingleForm, writeSingleAnswer, writeSingleBlocks, writeSingleForm } from "./single_block_questions.ts";

const NOTHING: JsonObject = Object.freeze({});

/** How revision 2025-06-18 reads and writes; `facts` are its own, or of a later revision that does it alike. */
export function words20250618({ version, hasRequest }: DialectFacts): HandshakeWords {
  return {
    ...handshakeRequests(version),
    handshake: {
      ...handshakeGreetings({
        version,
        implementation: ["name", "version", "title"],
        clientCapabilities,
      }),
      missingCapability,
      writeQuestion,
      readAnswer: readQuestionAnswer,
      readQuestion,
      writeAnswer,
      writeChange,
    },
    readRequest: readHandshakeRequest,
    readResult: (_method, result) => ({ ok: true, value: { type: "complete", result } }),
    writeResult: (method, result) => withoutLinkIcons(method, writePlainResult(hasRequest, method, result)),
    // Here a server asks by requests of its own, so that no result asks.
    writeInputRequired: () => NOTHING,
    writeStructured: writeObjectContent,
    readStructured: readObjectContent,
    writeDefinition: (kind, definition) => {
      const known = omit(definition, ["icons", "execution"]);
      return kind === "tool" ? writeToolSchemas(known, { namesItsDialect: false }) : known;
    },
    // The answer to initialize says what a server is.
    writeDiscover: () => NOTHING,
    writeProgress,
    writeLog,
    writeChange,
    // There are no change streams.
    writeStreamEnd: () => NOTHING,
    writeStreamCancelled: () => undefined,
  };
}

/** Later members of a result, which a strict peer would not take (MCP 2025-06-18, schema § Result). */
const LATER_MEMBERS: readonly string[] = ["resultType", "ttlMs", "cacheScope"];

/** Writes a result without what later revisions add to all results; members of extensions' results stay. */
export function writePlainResult(hasRequest: DialectFacts["hasRequest"], method: string, result: JsonObject): JsonObject {
  const plain = omit(result, hasRequest(method, "client") ? LATER_MEMBERS : ["resultType"]);
  if (!Object.hasOwn(plain, "_meta")) return plain;
  const meta = resultMeta(plain._meta);
  return meta === undefined ? omit(plain, ["_meta"]) : { ...plain, _meta: meta };
}

/** Links to resources have the members of resources, which have no icons here. */
function withoutLinkIcons(method: string, result: JsonObject): JsonObject {
  const block = (value: JsonValue): JsonValue =>
    isJsonObject(value) && value.type === "resource_link" ? omit(value, ["icons"]) : value;
  if (method === "tools/call" && Array.isArray(result.content)) return { ...result, content: result.content.map(block) };
  if (method !== "prompts/get" || !Array.isArray(result.messages)) return result;
  const message = (value: JsonValue): JsonValue =>
    isJsonObject(value) && value.content !== undefined ? { ...value, content: block(value.content) } : value;
  return { ...result, messages: result.messages.map(message) };
}

function writeChange(method: string, params: JsonObject): JsonRpcNotification {
  const meta = resultMeta(params._meta);
  const own = meta === undefined ? omit(params, ["_meta"]) : { ...params, _meta: meta };
  return Object.keys(own).length === 0 ? { jsonrpc: "2.0", method } : { jsonrpc: "2.0", method, params: own };
}

/** Elicitation and sampling are declared or not; who can only visit URLs cannot elicit here. */
function clientCapabilities(declared: ClientCapabilities): JsonObject {
  const { elicitation, sampling, roots } = declared;
  const forms = elicitation !== undefined && (elicitation.form !== undefined || elicitation.url === undefined);
  return {
    ...(roots === undefined ? {} : { roots: pick(roots, ["listChanged"]) }),
    ...(sampling === undefined ? {} : { sampling: {} }),
    ...(forms ? { elicitation: {} } : {}),
    ...pick(declared, ["experimental"]),
  };
}

function missingCapability(question: InputRequest, declared: ClientCapabilities): JsonObject | undefined {
  const name = CAPABILITY[question.method];
  return declared[name] === undefined ? { [name]: {} } : undefined;
}

const CAPABILITY = { "elicitation/create": "elicitation", "sampling/createMessage": "sampling", "roots/list": "roots" } as const;

function writeQuestion(asked: QuestionOut): Outcome<JsonRpcRequest> {
  const { question } = asked;
  switch (question.method) {
    case "elicitation/create": {
      if (question.params.mode === "url") {
        return impossible("The question is a visit to a URL, which revision 2025-06-18 does not have");
      }
      const { message, requestedSchema } = question.params;
      const form = writeSingleForm(requestedSchema);
      return form.ok ? { ok: true, value: questionMessage(asked, { message, requestedSchema: form.value }) } : form;
    }
    case "sampling/createMessage": {
      const params = writeSingleBlocks(question.params as unknown as JsonObject);
      return params.ok ? { ok: true, value: questionMessage(asked, params.value) } : params;
    }
    case "roots/list":
      return { ok: true, value: questionMessage(asked, undefined) };
  }
}

function readQuestion(message: JsonRpcRequest): Outcome<InputRequest> {
  return readQuestionMessage(message, {
    elicitation(params) {
      const fault = formFault(params.requestedSchema);
      if (fault !== undefined) return invalid(fault);
      const requestedSchema = readSingleForm(params.requestedSchema as JsonObject) as RequestedSchema;
      return {
        ok: true,
        value: { method: "elicitation/create", params: { message: params.message as string, requestedSchema } },
      };
    },
    sampling: (params) => ({ ok: true, value: sampling(pick(params, SAMPLING_MEMBERS)) }),
  });
}

function sampling(params: JsonObject): InputRequest {
  return { method: "sampling/createMessage", params } as unknown as InputRequest;
}

function writeAnswer(question: InputRequest, answer: JsonObject): JsonObject {
  const result = writeQuestionAnswer(question, answer);
  return question.method === "sampling/createMessage" ? { ...result, content: writeSingleAnswer(result.content) } : result;
}
