/** What a server says about itself, in one shape for every revision. */
import type { Dialect, Welcome } from "../protocol/dialect.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { META, metaOf } from "../protocol/meta.ts";
import type { Implementation, JsonObject, ServerCapabilities } from "../protocol/types.ts";
import type { ServerFacts } from "./client_types.ts";

/**
 * Reads the result of `server/discover`. Members of the wrong type count as absent; unknown capabilities stay.
 *
 * @param dialect The dialect in use.
 * @param result The result; an empty object when the server was not asked.
 */
export function discoveredFacts(dialect: Dialect, result: JsonObject): ServerFacts {
  const info = metaOf(result)[META.serverInfo];
  const named = isJsonObject(info) && typeof info.name === "string" && typeof info.version === "string";
  const capabilities = ownMember(result, "capabilities");
  const instructions = ownMember(result, "instructions");
  return {
    protocolVersion: dialect.version,
    era: dialect.era,
    info: named ? (info as unknown as Implementation) : undefined,
    capabilities: (isJsonObject(capabilities) ? capabilities : {}) as ServerCapabilities,
    instructions: typeof instructions === "string" ? instructions : undefined,
    sessionId: undefined,
  };
}

/**
 * What a handshake told.
 *
 * @param dialect The dialect in use.
 * @param welcome The answer to `initialize`.
 * @param sessionId The id of the session, where the carrier has such ids.
 */
export function welcomeFacts(dialect: Dialect, welcome: Welcome, sessionId: string | undefined): ServerFacts {
  return {
    protocolVersion: dialect.version,
    era: dialect.era,
    info: welcome.serverInfo,
    capabilities: welcome.capabilities as ServerCapabilities,
    instructions: welcome.instructions,
    sessionId,
  };
}
