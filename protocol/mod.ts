/**
 * Protocol door: what authors of transports, proxies and tools need. Pure: values in, values out.
 *
 * @example Read a message, and answer it
 * ```ts
 * import { ERROR_CODES, errorResponse, isRequest, parseMessage } from "@causeway/mcp/protocol";
 *
 * const read = parseMessage('{"jsonrpc":"2.0","id":1,"method":"tools/list"}', { jsonDepth: 64, jsonElements: 200_000 });
 * if (!read.ok || !isRequest(read.message)) throw new Error("That is not a request");
 * const answer = errorResponse(read.message.id, ERROR_CODES.method_not_found, "Method not found");
 * console.log(JSON.stringify(answer));
 * ```
 *
 * @module
 */
export { isJsonObject, ownMember } from "./json.ts";
export {
  boundsFault,
  errorResponse,
  httpStatusOf,
  isNotification,
  isRequest,
  isResponse,
  messageText,
  parseMessage,
  prepareResult,
  readMessage,
  resultResponse,
  withHttpStatus,
} from "./json_rpc.ts";
export type { JsonBounds, JsonRpcErrorObject, ReadMessage } from "./json_rpc.ts";
export { ERROR_CODES, isMcpError, ProtocolError, ToolError, TransportError } from "./errors.ts";
export { AuthorizationError, InputRequiredError } from "./errors.ts";
export type {
  AuthorizationFacts,
  AuthorizationReason,
  ErrorOptionsWithData,
  ErrorReason,
  InputRequiredFacts,
  InputRequiredReason,
  McpError,
  TransportReason,
} from "./errors.ts";
export { META, metaKeyFault, metaOf, traceparentFault } from "./meta.ts";
export {
  decodeHeaderValue,
  encodeHeaderValue,
  headerEquals,
  HEADERS,
  mirroredParams,
  paramHeaderFault,
  paramHeaders,
  standardHeaders,
} from "./headers.ts";
export type { HeaderReader, MirroredParam, MirroredParams, StandardHeaders } from "./headers.ts";
export type {
  Dialect,
  DialectFacts,
  DiscoverFacts,
  Handshake,
  HandshakeFacts,
  Hello,
  KnownClient,
  Outcome,
  QuestionOut,
  RequestIn,
  RequestOut,
  ResultFrame,
  ResultIn,
  Side,
  StructuredOut,
  Welcome,
  WelcomeFacts,
  WrittenRequest,
} from "./dialect.ts";
export { chooseDialects, DIALECTS, SUPPORTED_VERSIONS } from "./dialects/mod.ts";
export { classify, isModern, versionHeaderFault } from "./classification.ts";
export type { Classified, KnownConnection, KnowsMethod, Refused, Unloaded } from "./classification.ts";
export type { HandshakeState } from "./lifecycle.ts";
export { resolveLimits } from "./limits.ts";
export type { ResolvedLimits } from "./limits.ts";
export { isSafePathValue, overlaps, uriTemplate } from "./uri_template.ts";
export type {
  ExpressionNames,
  OptionalTemplateNames,
  RequiredTemplateNames,
  TemplateNames,
  TemplateVariables,
  UriTemplate,
} from "./uri_template.ts";
export { toolNameFault } from "./tool_name.ts";
export { checkSchemaBounds } from "./json_schema.ts";
export type { CheckValue, SchemaIssue, Validator } from "./json_schema.ts";
export { fields, withJsonSchema } from "./schema.ts";
export type {
  BareStandardSchema,
  Field,
  Fields,
  FieldsOptions,
  FieldsSchema,
  FromFields,
  FromItems,
  FromJsonSchema,
  FromProperties,
  FromType,
  JsonSchema,
  JsonTypeName,
  Mutable,
  Schema,
  SchemaInput,
  SchemaOutput,
  Simplify,
  StandardSchema,
} from "./schema.ts";
export type * from "./types.ts";
