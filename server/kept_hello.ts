/** What a session keeps of what its client said about itself. */
import type { Hello } from "../protocol/dialect.ts";
import { ProtocolError } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import type { JsonValue } from "../protocol/json.ts";
import type { HandshakeState } from "../protocol/lifecycle.ts";
import { HELLO_LENGTH, HELLO_TEXT_LENGTH } from "../protocol/limits.ts";
import type { JsonObject } from "../protocol/types.ts";

/** The part of a session's state that the greeting decides. */
export type KeptHello = Pick<HandshakeState, "clientInfo" | "clientCapabilities">;

/** What each capability may say; anything else that stands in it means nothing here. */
const MEMBERS = { elicitation: ["form", "url"], sampling: ["tools", "context"], roots: ["listChanged"] } as const;

/**
 * Keeps the names of a client, shortened, and the capabilities that a server may look at: a session lasts, there are many of
 * them, and one greeting may be as large as a request.
 *
 * @param hello What the client said.
 * @throws {ProtocolError} -32602 when the settings of its extensions make the rest too large.
 */
export function keptHello({ clientInfo, clientCapabilities }: Pick<Hello, "clientInfo" | "clientCapabilities">): KeptHello {
  const text = JSON.stringify({
    clientInfo: keptInfo(clientInfo as unknown as JsonObject),
    clientCapabilities: keptCapabilities(clientCapabilities as JsonObject),
  });
  if (text.length > HELLO_LENGTH) {
    const message = `Invalid params: what the session keeps of clientInfo and capabilities has ${text.length} characters, ` +
      `at most ${HELLO_LENGTH}`;
    throw ProtocolError.invalidParams(message, { data: { limit: HELLO_LENGTH, seen: text.length } });
  }
  // A copy: a part of a text, or of a message, may hold the whole in memory.
  return JSON.parse(text) as KeptHello;
}

function keptInfo(info: JsonObject): JsonObject {
  const kept: { [name: string]: JsonValue } = {};
  for (const name of ["name", "version", "title", "description"]) {
    const value = ownMember(info, name);
    if (typeof value === "string") kept[name] = value.slice(0, HELLO_TEXT_LENGTH);
  }
  const websiteUrl = ownMember(info, "websiteUrl");
  // A part of an address leads nowhere.
  if (typeof websiteUrl === "string" && websiteUrl.length <= HELLO_TEXT_LENGTH) kept.websiteUrl = websiteUrl;
  return kept;
}

function keptCapabilities(declared: JsonObject): JsonObject {
  const kept: { [name: string]: JsonValue } = {};
  for (const [name, members] of Object.entries(MEMBERS)) {
    const value = ownMember(declared, name);
    if (value !== undefined) kept[name] = isJsonObject(value) ? flags(value, members) : flag(value);
  }
  for (const name of ["extensions", "experimental"]) {
    const value = ownMember(declared, name);
    if (value !== undefined) kept[name] = value;
  }
  return kept;
}

function flags(value: JsonObject, members: readonly string[]): JsonObject {
  const kept: { [name: string]: JsonValue } = {};
  for (const name of members) {
    const member = ownMember(value, name);
    if (member !== undefined) kept[name] = isJsonObject(member) ? {} : flag(member);
  }
  return kept;
}

/** What is not an object, though one was due, stays what it is as far as that takes no room. */
function flag(value: JsonValue): JsonValue {
  return typeof value === "boolean" ? value : null;
}
