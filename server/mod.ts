/**
 * Server door: define tools, resources and prompts once; serve them as a fetch handler, over stdio and in process.
 *
 * @example A server, for `deno serve`
 * ```ts
 * import { defineServer, tool } from "@causeway/mcp/server";
 *
 * const greet = tool({
 *   name: "greet",
 *   args: { name: { type: "string", required: true } },
 *   handler: ({ name }) => `Hello, ${name}!`,
 * });
 *
 * export default defineServer({ name: "greeter", version: "1.0.0", tools: [greet] });
 * ```
 *
 * @module
 */
export { defineServer } from "./server.ts";
export type { Server } from "./server_types.ts";
export type { ServerOptions } from "./options/server_options.ts";
export type {
  AnyPrompt,
  AnyTool,
  Catalogue,
  ComponentChange,
  Components,
  Merged,
  Prefixed,
  PromptMap,
  ToolMap,
} from "./components/component_types.ts";
export { around } from "./middleware/around.ts";
export { logging } from "./middleware/logging.ts";
export { rateLimit } from "./middleware/rate_limit.ts";
export type { RateLimitOptions } from "./middleware/rate_limit.ts";
export { timing } from "./middleware/timing.ts";
export type { Call, CallFacts, Middleware, ResultOf, ServerMethods } from "./middleware/middleware_types.ts";
export { tool } from "./components/tool.ts";
export type {
  CallerArgs,
  DefineTool,
  Filled,
  FilledOf,
  FilledSchema,
  Frozen,
  HandlerArgs,
  Later,
  PromisedResult,
  PromisedReturn,
  Promising,
  RawToolResult,
  SchemaParts,
  ServerTool,
  Structured,
  StructuredOf,
  StructuredOfReturn,
  ToolOptions,
  ToolReturn,
  Undefaulted,
} from "./components/tool_types.ts";
export { resource } from "./components/resource.ts";
export type { Complete, ReadReturn, ResourceContext, ResourceOptions, ServerResource } from "./components/resource.ts";
export type { PlainObject } from "./components/plain_object.ts";
export { prompt } from "./components/prompt.ts";
export type { PromptArgs, PromptArgument, PromptOptions, RenderReturn, ServerPrompt } from "./components/prompt.ts";
export type { ComponentOptions } from "./components/component.ts";
export { assistant, audio, embed, image, link, text, user } from "./components/content.ts";
export type { BlockOptions } from "./components/content.ts";
export { toJson } from "./json/to_json.ts";
export { ask, inputRequired } from "./input/ask.ts";
export type { Ask } from "./input/ask.ts";
export type { EventBus } from "./stores/event_bus.ts";
export type {
  Answers,
  AskOptions,
  CallInfo,
  Context,
  FormAnswer,
  FormField,
  FormFields,
  InputRequired,
  Notify,
  Question,
} from "../protocol/context.ts";
export { fields, withJsonSchema } from "../protocol/schema.ts";
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
} from "../protocol/schema.ts";
export { extension } from "../protocol/extensions/extension.ts";
export type {
  Extension,
  ExtensionClient,
  ExtensionHandlers,
  ExtensionMethod,
  ExtensionMethods,
  ExtensionOptions,
  ListenHandler,
  ListenHandlers,
  ListenStream,
  Requester,
  ServedMethod,
  ServerExtension,
} from "../protocol/extensions/extension.ts";
export { textOf } from "../protocol/text_of.ts";
export { isSafePathValue, uriTemplate } from "../protocol/uri_template.ts";
export type {
  ExpressionNames,
  OptionalTemplateNames,
  RequiredTemplateNames,
  TemplateNames,
  TemplateVariables,
  UriTemplate,
} from "../protocol/uri_template.ts";
export type { CheckValue, SchemaIssue, Validator } from "../protocol/json_schema.ts";
export { isMcpError, ProtocolError, ToolError } from "../protocol/errors.ts";
export type {
  AuthorizationError,
  AuthorizationFacts,
  AuthorizationReason,
  ErrorOptionsWithData,
  ErrorReason,
  InputRequiredError,
  InputRequiredReason,
  McpError,
  TransportError,
  TransportReason,
} from "../protocol/errors.ts";
export type * from "../protocol/types.ts";
export { lines } from "../transports/byte_stream.ts";
export type { LinesOptions } from "../transports/byte_stream.ts";
export { serveChannel } from "../transports/serve_channel.ts";
export type { ServeChannelOptions } from "../transports/serve_channel.ts";
export type {
  AuthInfo,
  ByteChannel,
  Channel,
  Connection,
  HandshakeState,
  HeaderReader,
  MessageHandler,
  MessageInfo,
  Principal,
  Served,
  ServerTypes,
  Session,
} from "../transports/transport.ts";
export type { Authenticator } from "../protocol/auth/authenticator.ts";
export type { Store, StoreEntry } from "./stores/store.ts";
