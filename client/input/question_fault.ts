/** What a question of a server lacks, so that no handler is called with half of one. */
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import type { InputRequest, JsonObject } from "../../protocol/types.ts";

/**
 * Says which member that every question of its kind has is absent or of another type (MCP 2026-07-28, Elicitation § Requests,
 * Sampling § Creating Messages), or undefined.
 */
export function questionFault(request: InputRequest): string | undefined {
  if (request.method === "roots/list") return undefined;
  const params = request.params as unknown as JsonObject;
  if (request.method === "sampling/createMessage") {
    return Array.isArray(ownMember(params, "messages")) ? undefined : "messages is not a list";
  }
  if (typeof ownMember(params, "message") !== "string") return "message is not a string";
  if (params.mode === "url") return typeof ownMember(params, "url") === "string" ? undefined : "url is not a string";
  return isJsonObject(ownMember(params, "requestedSchema")) ? undefined : "requestedSchema is not an object";
}
