/** What a prompt's `render` returned → the result of `prompts/get`. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { jsonFault } from "../json/json_fault.ts";
import { blockFault } from "./block_fault.ts";

/**
 * Writes the members of a prompt result: a string is one user message.
 *
 * @param value What `render` returned; never an `InputRequired`.
 * @param description The prompt's description, given along unless the value has its own.
 * @throws {TypeError} When a message is none; the message names the path.
 */
export function writeRenderResult(value: unknown, description: string | undefined): JsonObject {
  const written: JsonObject = isJsonObject(value) && Array.isArray(value.messages)
    ? value
    : { messages: Array.isArray(value) ? value : [value] };
  const messages = (written.messages as readonly unknown[]).map((message, index) =>
    writeMessage(message, `render.messages[${index}]`)
  );
  const told = typeof written.description === "string" ? written.description : description;
  const fault = jsonFault(messages, "render.messages") ?? jsonFault(written._meta, "render._meta");
  if (fault !== undefined) throw new TypeError(fault);
  return {
    ...(told === undefined ? {} : { description: told }),
    messages,
    ...(written._meta === undefined ? {} : { _meta: written._meta }),
  };
}

function writeMessage(message: unknown, path: string): JsonValue {
  if (typeof message === "string") return { role: "user", content: { type: "text", text: message } };
  if (!isJsonObject(message) || (message.role !== "user" && message.role !== "assistant")) {
    throw new TypeError(`${path}: Expected a string or a message with role "user" or "assistant"`);
  }
  const fault = blockFault(message.content, `${path}.content`);
  if (fault !== undefined) throw new TypeError(fault);
  return { role: message.role, content: message.content as JsonValue };
}
