/** Revision 2025-06-18: what is known of it at once, and its dialect, which is loaded when it is spoken. */
import type { Dialect, DialectFacts, Handshake, Side } from "../dialect.ts";
import { ERROR_CODES } from "../errors.ts";
import type { ErrorReason } from "../errors.ts";
import type { JsonObject } from "../json.ts";
import { dialectOnDemand } from "./dialect_on_demand.ts";

const CLIENT_REQUESTS: ReadonlySet<string> = new Set([
  "initialize",
  "ping",
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "resources/subscribe",
  "resources/unsubscribe",
  "completion/complete",
  "logging/setLevel",
]);

const SERVER_REQUESTS: ReadonlySet<string> = new Set(["ping", "sampling/createMessage", "roots/list", "elicitation/create"]);

const CLIENT_NOTIFICATIONS: ReadonlySet<string> = new Set([
  "notifications/initialized",
  "notifications/cancelled",
  "notifications/progress",
  "notifications/roots/list_changed",
]);

const SERVER_NOTIFICATIONS: ReadonlySet<string> = new Set([
  "notifications/cancelled",
  "notifications/progress",
  "notifications/message",
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
]);

const NOTHING: JsonObject = Object.freeze({});

/** Methods during which a server may ask: those that run code of the application. */
const ASKING: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** What is known of revision 2025-06-18 before a word is spoken in it. */
export const facts20250618: DialectFacts = {
  version: "2025-06-18",
  era: "legacy",
  cancelBy: "notification",
  argumentFaults: "protocol_error",
  hasRequest: (method: string, from: Side) => (from === "client" ? CLIENT_REQUESTS : SERVER_REQUESTS).has(method),
  hasNotification: (method: string, from: Side) => (from === "client" ? CLIENT_NOTIFICATIONS : SERVER_NOTIFICATIONS).has(method),
  answersWithStream: () => false,
  mayAskForInput: (method) => ASKING.has(method),
  missingHeader: () => undefined,
  headerMismatch: () => undefined,
  frame: () => ({ meta: NOTHING }),
  allowsErrorCode,
  errorCode,
  // Other methods fail with this code for reasons of their own.
  errorReason: (code, method) =>
    code === RESOURCE_NOT_FOUND && method.startsWith("resources/") ? "resource_not_found" : undefined,
  httpStatus,
};

/** The dialect of revision 2025-06-18. */
export const dialect20250618: Dialect & { readonly handshake: Handshake } = dialectOnDemand(
  facts20250618,
  { polls: false },
  async () => (await import("./words_2025-06-18.ts")).words20250618(facts20250618),
);

/** Codes of the implementation are free, but for those that later mean something else (MCP 2026-07-28, Basic § Error codes). */
function allowsErrorCode(code: number): boolean {
  return Number.isSafeInteger(code) && !(code <= ERROR_CODES.header_mismatch && code >= ERROR_CODES.unsupported_version);
}

/** MCP 2025-06-18, Resources § Error Handling. */
const RESOURCE_NOT_FOUND = -32002;

function errorCode(reason: ErrorReason): number {
  switch (reason) {
    case "resource_not_found":
      return RESOURCE_NOT_FOUND;
    case "missing_capability":
      // No code says it: a server asks only what was declared, and the fault stays its own.
      return ERROR_CODES.internal_error;
    case "unsupported_version":
      // MCP 2025-06-18, Lifecycle § Error Handling.
      return ERROR_CODES.invalid_params;
    case "header_mismatch":
      return ERROR_CODES.invalid_request;
    default:
      return ERROR_CODES[reason];
  }
}

/** The status tells whether the message was taken, not what became of it (MCP 2025-06-18, Streamable HTTP § Sending Messages). */
function httpStatus(code: number): number {
  return code === ERROR_CODES.parse_error || code === ERROR_CODES.invalid_request ? 400 : 200;
}
