/** Which requests may be sent once more after a refusal that may come from the revision they were written in. */
import { ERROR_CODES, ProtocolError, TransportError } from "../protocol/errors.ts";
import { isJsonObject } from "../protocol/json.ts";
import { httpStatusOf } from "../protocol/json_rpc.ts";

/** Requests that change nothing, or whose repetition changes nothing more, whatever became of the first one. */
const HARMLESS: ReadonlySet<string> = new Set([
  "completion/complete",
  "logging/setLevel",
  "ping",
  "prompts/get",
  "prompts/list",
  "resources/list",
  "resources/read",
  "resources/subscribe",
  "resources/templates/list",
  "resources/unsubscribe",
  "server/discover",
  "tools/list",
]);

/** Codes that say that nothing ran (JSON-RPC 2.0 § 5.1; MCP 2026-07-28, Basic § Error codes). */
const UNREAD: ReadonlySet<number> = new Set([
  ERROR_CODES.unsupported_version,
  ERROR_CODES.header_mismatch,
  ERROR_CODES.parse_error,
  ERROR_CODES.invalid_request,
  ERROR_CODES.method_not_found,
]);

/** Statuses with which the carrier turns a message away before anyone reads it; an answer to one that ran has 200. */
const TURNED_AWAY: ReadonlySet<number> = new Set([400, 404, 405, 406, 415]);

/** Codes that a handler may have chosen, with whatever status they come. */
const OF_HANDLERS: ReadonlySet<number> = new Set([ERROR_CODES.invalid_params, ERROR_CODES.internal_error]);

/**
 * May a request be repeated after this refusal? One that may change something, a tool call above all, only when the refusal
 * can mean nothing but that it did not run.
 *
 * @param error The refusal.
 * @param method What was asked.
 */
export function isRepeatable(error: unknown, method: string): boolean {
  if (HARMLESS.has(method)) return true;
  if (error instanceof ProtocolError) {
    if (UNREAD.has(error.code)) return true;
    return !OF_HANDLERS.has(error.code) && TURNED_AWAY.has(httpStatusOf(error));
  }
  if (!(error instanceof TransportError) || !isJsonObject(error.data)) return false;
  const { status } = error.data;
  return error.reason === "not_mcp" && typeof status === "number" && TURNED_AWAY.has(status);
}
