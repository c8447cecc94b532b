/** The answers of revision 2026-07-28: stateless, every request carries what it needs in `_meta`. */
import { isLogLevel } from "../log_level.ts";
import type { Dialect, Outcome, RequestIn, RequestOut, ResultFrame, ResultIn, Side, WrittenRequest } from "../dialect.ts";
import { ERROR_CODES } from "../errors.ts";
import type { ErrorReason } from "../errors.ts";
import { encodeHeaderValue, headerEquals, paramHeaders } from "../headers.ts";
import type { StandardHeaders } from "../headers.ts";
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { META } from "../meta.ts";
import { shown } from "../shown.ts";
import { readInputRequired } from "./input_required.ts";
import { writeLog, writeProgress } from "./notices.ts";
import { invalid, unreadable } from "./outcomes.ts";
import type { CacheHint, ClientCapabilities, Implementation, InputRequests, JsonRpcRequest, LogLevel } from "../types.ts";

const VERSION = "2026-07-28";

const CLIENT_REQUESTS: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "tools/call",
  "prompts/list",
  "prompts/get",
  "resources/list",
  "resources/templates/list",
  "resources/read",
  "completion/complete",
  "subscriptions/listen",
]);

const CLIENT_NOTIFICATIONS: ReadonlySet<string> = new Set(["notifications/cancelled"]);

const SERVER_NOTIFICATIONS: ReadonlySet<string> = new Set([
  "notifications/cancelled",
  "notifications/progress",
  "notifications/message",
  "notifications/tools/list_changed",
  "notifications/prompts/list_changed",
  "notifications/resources/list_changed",
  "notifications/resources/updated",
  "notifications/subscriptions/acknowledged",
]);

/** Methods whose answer may be an InputRequiredResult (MCP 2026-07-28, Multi Round-Trip Requests). */
const ASKING: ReadonlySet<string> = new Set(["tools/call", "prompts/get", "resources/read"]);

/** Methods whose complete result carries `ttlMs` and `cacheScope` (MCP 2026-07-28, Caching). */
const CACHEABLE: ReadonlySet<string> = new Set([
  "server/discover",
  "tools/list",
  "prompts/list",
  "resources/list",
  "resources/templates/list",
  "resources/read",
]);

/** Which member of params the `Mcp-Name` header repeats. */
const NAMED: ReadonlyMap<string, string> = new Map([["tools/call", "name"], ["prompts/get", "name"], ["resources/read", "uri"]]);

/** The dialect of revision 2026-07-28. */
export const dialect20260728: Dialect = {
  version: VERSION,
  era: "modern",
  cancelBy: "closing-the-stream",
  handshake: undefined,
  argumentFaults: "tool_result",
  hasRequest: (method: string, from: Side) => from === "client" && CLIENT_REQUESTS.has(method),
  hasNotification: (method: string, from: Side) => (from === "client" ? CLIENT_NOTIFICATIONS : SERVER_NOTIFICATIONS).has(method),
  answersWithStream: (method) => method === "subscriptions/listen",
  mayAskForInput: (method) => ASKING.has(method),
  missingHeader,
  headerMismatch,
  readRequest,
  writeRequest,
  notificationHeaders: (method) => [["MCP-Protocol-Version", VERSION], ["Mcp-Method", method]],
  sessionHeaders: [],
  readResult,
  writeResult,
  writeInputRequired,
  writeStructured: (value) => ({ value, meta: undefined }),
  readStructured: (result) => ownMember(result, "structuredContent"),
  writeDefinition: (_kind, definition) => definition,
  frame: (serverInfo) => ({ meta: Object.freeze({ [META.serverInfo]: serverInfo as unknown as JsonObject }) }),
  writeDiscover: (facts, frame, cache) =>
    writeResult(
      "server/discover",
      {
        supportedVersions: facts.supportedVersions,
        capabilities: facts.capabilities,
        ...(facts.instructions === undefined ? {} : { instructions: facts.instructions }),
      },
      frame,
      cache,
    ),
  writeProgress,
  writeLog,
  writeChange: (method, params, subscription) => ({
    jsonrpc: "2.0",
    method,
    params: { ...params, _meta: { ...(isJsonObject(params._meta) ? params._meta : {}), [META.subscriptionId]: subscription } },
  }),
  writeStreamEnd: (subscription, frame) =>
    writeResult("subscriptions/listen", { _meta: { [META.subscriptionId]: subscription } }, frame),
  // MCP 2026-07-28, Cancellation: a server that tears down a change stream names its id.
  writeStreamCancelled: (subscription) => ({
    jsonrpc: "2.0",
    method: "notifications/cancelled",
    params: { requestId: subscription, _meta: { [META.subscriptionId]: subscription } },
  }),
  allowsErrorCode,
  errorCode: (reason: ErrorReason) => reason === "resource_not_found" ? ERROR_CODES.invalid_params : ERROR_CODES[reason],
  errorReason: () => undefined,
  httpStatus,
};

function missingHeader(request: JsonRpcRequest, headers: StandardHeaders): string | undefined {
  if (headers.version === null) return "Header MCP-Protocol-Version is missing";
  if (headers.method === null) return "Header Mcp-Method is missing";
  if (headers.name === null && NAMED.has(request.method)) return "Header Mcp-Name is missing";
  return undefined;
}

function headerMismatch(request: JsonRpcRequest, headers: StandardHeaders): string | undefined {
  if (headers.method !== request.method) return "Header Mcp-Method differs from the method of the body";
  const params = request.params as JsonObject;
  const meta = params._meta as JsonObject;
  if (headers.version !== meta[META.protocolVersion]) {
    return "Header MCP-Protocol-Version differs from the version in _meta of the body";
  }
  const member = NAMED.get(request.method);
  if (member === undefined) return undefined;
  const value = params[member];
  const same = typeof value === "string" && headerEquals(headers.name ?? "", value);
  return same ? undefined : `Header Mcp-Name differs from params.${member} of the body`;
}

function readRequest(message: JsonRpcRequest): Outcome<RequestIn> {
  const params = message.params;
  const meta = params?._meta;
  if (!isJsonObject(meta)) return invalid(`Invalid params: params._meta with ${META.protocolVersion} is required`);
  const capabilities = meta[META.clientCapabilities];
  if (typeof meta[META.protocolVersion] !== "string") {
    return invalid(`Invalid params: _meta lacks the string ${META.protocolVersion}`);
  }
  if (!isJsonObject(capabilities)) return invalid(`Invalid params: _meta lacks the object ${META.clientCapabilities}`);
  const clientInfo = meta[META.clientInfo];
  if (clientInfo !== undefined && !isImplementation(clientInfo)) {
    return invalid(`Invalid params: ${META.clientInfo} must hold a name and a version`);
  }
  const progressToken = meta.progressToken;
  if (progressToken !== undefined && typeof progressToken !== "string" && !Number.isSafeInteger(progressToken)) {
    return invalid("Invalid params: _meta.progressToken must be a string or an integer");
  }
  const logLevel = meta[META.logLevel];
  if (logLevel !== undefined && !isLogLevel(logLevel)) return invalid(`Invalid params: ${META.logLevel} is not a log level`);
  return {
    ok: true,
    value: {
      id: message.id,
      method: message.method,
      params: params as JsonObject,
      meta,
      clientInfo: clientInfo as Implementation | undefined,
      clientCapabilities: capabilities as ClientCapabilities,
      progressToken: progressToken as string | number | undefined,
      logLevel: logLevel as LogLevel | undefined,
    },
  };
}

function writeRequest(request: RequestOut): WrittenRequest {
  const meta: Record<string, JsonValue | undefined> = {
    ...request.meta,
    [META.protocolVersion]: VERSION,
    [META.clientInfo]: request.clientInfo as unknown as JsonObject,
    [META.clientCapabilities]: request.clientCapabilities as JsonObject,
  };
  if (request.progressToken !== undefined) meta.progressToken = request.progressToken;
  if (request.logLevel !== undefined) meta[META.logLevel] = request.logLevel;
  const params: Record<string, JsonValue | undefined> = { ...request.params, _meta: meta };
  if (request.inputResponses !== undefined) params.inputResponses = request.inputResponses as unknown as JsonObject;
  if (request.requestState !== undefined) params.requestState = request.requestState;
  const headers: (readonly [string, string])[] = [["MCP-Protocol-Version", VERSION], ["Mcp-Method", request.method]];
  const member = NAMED.get(request.method) ?? request.header;
  const name = member === undefined ? undefined : ownMember(request.params, member);
  if (typeof name === "string") headers.push(["Mcp-Name", encodeHeaderValue(name)]);
  if (request.mirrored.length > 0) {
    const args = ownMember(request.params, "arguments");
    headers.push(...paramHeaders(request.mirrored, isJsonObject(args) ? args : undefined));
  }
  return { message: { jsonrpc: "2.0", id: request.id, method: request.method, params }, headers };
}

function readResult(method: string, result: JsonObject, extensionTypes: ReadonlySet<string>): Outcome<ResultIn> {
  const type = ownMember(result, "resultType");
  if (type === undefined || type === "complete") return { ok: true, value: { type: "complete", result } };
  if (type === "input_required" && ASKING.has(method)) return readInputRequired(result);
  if (typeof type === "string" && extensionTypes.has(type)) {
    return { ok: true, value: { type: "extension", resultType: type, result } };
  }
  const seen = typeof type === "string" ? `"${shown(type)}"` : typeof type;
  return unreadable(`Invalid result of ${method}: unknown resultType ${seen}`);
}

function writeResult(method: string, result: JsonObject, frame: ResultFrame, cache?: CacheHint): JsonObject {
  const _meta = isJsonObject(result._meta) ? { ...frame.meta, ...result._meta } : frame.meta;
  // Whoever copies a whole object first is done in one step.
  if (!CACHEABLE.has(method)) return { ...result, resultType: result.resultType ?? "complete", _meta };
  return {
    resultType: "complete",
    ttlMs: cache?.ttlMs ?? 0,
    cacheScope: cache?.cacheScope ?? "private",
    ...result,
    _meta,
  };
}

function writeInputRequired(
  requests: InputRequests | undefined,
  requestState: string | undefined,
  frame: ResultFrame,
): JsonObject {
  return {
    resultType: "input_required",
    ...(requests === undefined ? {} : { inputRequests: requests as unknown as JsonObject }),
    ...(requestState === undefined ? {} : { requestState }),
    _meta: frame.meta,
  };
}

/** MCP 2026-07-28, Streamable HTTP § Protocol version header and § Server validation; Basic § Error codes. */
function httpStatus(code: number): number {
  switch (code) {
    case ERROR_CODES.method_not_found:
      return 404;
    case ERROR_CODES.parse_error:
    case ERROR_CODES.invalid_request:
    case ERROR_CODES.header_mismatch:
    case ERROR_CODES.missing_capability:
    case ERROR_CODES.unsupported_version:
      return 400;
    default:
      return 200;
  }
}

/** MCP 2026-07-28, Basic § Error codes: -32000 to -32019 are avoided, -32020 to -32099 are the specification's. */
function allowsErrorCode(code: number): boolean {
  if (!Number.isSafeInteger(code)) return false;
  const reserved = code <= -32000 && code >= -32099;
  return !reserved || (code <= ERROR_CODES.header_mismatch && code >= ERROR_CODES.unsupported_version);
}

function isImplementation(value: JsonValue): boolean {
  return isJsonObject(value) && typeof value.name === "string" && typeof value.version === "string";
}
