/** What the business of sessions is at an HTTP endpoint. */
import { isModern } from "../../protocol/classification.ts";
import type { Dialect } from "../../protocol/dialect.ts";
import type { HeaderReader } from "../../protocol/headers.ts";
import { isResponse } from "../../protocol/json_rpc.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";

/** The methods that an endpoint with sessions takes. */
export const SESSION_METHODS = "GET, POST, DELETE";

/** Is a message that came by POST the business of sessions? Those of stateless revisions are not. */
export function belongsToSession(message: JsonRpcMessage, headers: HeaderReader, dialects: readonly Dialect[]): boolean {
  return isResponse(message) || !isModern(message, headers, dialects);
}
