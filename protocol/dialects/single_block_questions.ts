/** Questions of revision 2025-06-18: forms of single choices, and messages that hold one block each. */
import type { Outcome } from "../dialect.ts";
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { shown } from "../shown.ts";
import { FORM_MEMBERS, SAMPLING_MEMBERS } from "./handshake_questions.ts";
import { omit, pick } from "./members.ts";
import { impossible } from "./outcomes.ts";

/** Writes the schema of a form (MCP 2025-06-18, Elicitation § Requested Schema). */
export function writeSingleForm(schema: JsonObject): Outcome<JsonObject> {
  const properties: [string, JsonObject][] = [];
  for (const [name, field] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {})) {
    if (!isJsonObject(field)) return impossible(`The field "${shown(name)}" of the form has no schema`);
    if (field.type === "array") {
      return impossible(`The field "${shown(name)}" is a list of choices, which revision 2025-06-18 does not have`);
    }
    properties.push([name, writeField(field)]);
  }
  return { ok: true, value: { ...pick(schema, FORM_MEMBERS), properties: Object.fromEntries(properties) } };
}

/** Reads the schema of a form: choices with names get the form that later revisions have. */
export function readSingleForm(schema: JsonObject): JsonObject {
  const fields = Object.entries(schema.properties as JsonObject);
  return { ...schema, properties: Object.fromEntries(fields.map(([name, field]) => [name, readField(field as JsonObject)])) };
}

/** Writes the params of `sampling/createMessage` (MCP 2025-06-18, Sampling § Creating Messages). */
export function writeSingleBlocks(params: JsonObject): Outcome<JsonObject> {
  if (ownMember(params, "tools") !== undefined || ownMember(params, "toolChoice") !== undefined) {
    return impossible("The question offers tools to the model, which revision 2025-06-18 does not have");
  }
  const messages: JsonObject[] = [];
  for (const message of params.messages as readonly JsonObject[]) {
    for (const block of blocksOf(message.content)) {
      if (!SINGLE_BLOCKS.has(block.type)) {
        return impossible("A message holds the use of a tool or its outcome, which revision 2025-06-18 does not have");
      }
      messages.push({ role: message.role, content: block });
    }
  }
  return { ok: true, value: { ...pick(params, SAMPLING_MEMBERS), messages } };
}

/** Writes the one block that an answer of the model may hold: texts are joined, of other blocks the first counts. */
export function writeSingleAnswer(content: JsonValue | undefined): JsonValue | undefined {
  if (!Array.isArray(content)) return content;
  const blocks = blocksOf(content);
  const texts = blocks.filter((block) => block.type === "text");
  if (blocks.length > 1 && texts.length === blocks.length) {
    return { type: "text", text: texts.map((block) => String(block.text)).join("\n") };
  }
  return blocks.find((block) => SINGLE_BLOCKS.has(block.type)) ?? { type: "text", text: "" };
}

const SINGLE_BLOCKS: ReadonlySet<unknown> = new Set(["text", "image", "audio"]);

function blocksOf(content: JsonValue | undefined): readonly JsonObject[] {
  return (Array.isArray(content) ? content : [content]) as readonly JsonObject[];
}

function writeField(field: JsonObject): JsonObject {
  const plain = field.type === "boolean" ? field : omit(field, ["default"]);
  const choices = titledChoices(plain);
  if (choices === undefined) return plain;
  return {
    ...omit(plain, ["oneOf", "anyOf"]),
    enum: choices.map(([value]) => value),
    enumNames: choices.map(([, title]) => title),
  };
}

function titledChoices(field: JsonObject): readonly (readonly [value: string, title: string])[] | undefined {
  const listed = ownMember(field, "oneOf") ?? ownMember(field, "anyOf");
  if (field.type !== "string" || !Array.isArray(listed)) return undefined;
  return listed.filter((choice) => isJsonObject(choice) && typeof choice.const === "string").map((choice) => {
    const value = choice.const as string;
    return [value, typeof choice.title === "string" ? choice.title : value];
  });
}

function readField(field: JsonObject): JsonObject {
  const values = ownMember(field, "enum");
  const names = ownMember(field, "enumNames");
  if (!Array.isArray(values) || !Array.isArray(names)) return field;
  const oneOf = values.map((value: JsonValue, index) => {
    const title = names[index] as JsonValue | undefined;
    return { const: value, title: typeof title === "string" ? title : String(value) };
  });
  return { ...omit(field, ["enum", "enumNames"]), oneOf };
}
