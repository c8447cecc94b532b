/**
 * Client door: one client for every revision and every carrier.
 *
 * @example List and call the tools of a server
 * ```ts ignore
 * import { connect, textOf } from "@causeway/mcp/client";
 *
 * const client = await connect("https://example.com/mcp");
 * for (const { name } of await client.listTools()) console.log(name);
 * console.log(textOf(await client.callTool("greet", { name: "Ada" })));
 * await client.close();
 * ```
 *
 * @module
 */
export type * from "../protocol/types.ts";
export type {
  AuthInfo,
  ByteChannel,
  Channel,
  Connection,
  ExchangeOptions,
  HandshakeState,
  HeaderPairs,
  HeaderReader,
  ListenOptions,
  MessageHandler,
  MessageInfo,
  Principal,
  SendOptions,
  Served,
  ServerTypes,
  Session,
  Transport,
} from "../transports/transport.ts";
export {
  AuthorizationError,
  InputRequiredError,
  isMcpError,
  ProtocolError,
  ToolError,
  TransportError,
} from "../protocol/errors.ts";
export type {
  AuthorizationFacts,
  AuthorizationReason,
  ErrorOptionsWithData,
  ErrorReason,
  InputRequiredFacts,
  InputRequiredReason,
  McpError,
  TransportReason,
} from "../protocol/errors.ts";
export type {
  BareStandardSchema,
  Field,
  Fields,
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
export { uriTemplate } from "../protocol/uri_template.ts";
export type {
  ExpressionNames,
  OptionalTemplateNames,
  RequiredTemplateNames,
  TemplateNames,
  TemplateVariables,
  UriTemplate,
} from "../protocol/uri_template.ts";
export type { AuthProvider, AuthRequest, Challenge } from "./authorized_fetch.ts";
export type {
  Client,
  ClientMethods,
  ClientOf,
  CompleteOptions,
  CompletionRef,
  ListKinds,
  Page,
  PromptsOf,
  PromptTypes,
  Rest,
  ServerFacts,
  ToolFunction,
  ToolsOf,
  ToolTypes,
  ToolValue,
  TypesOf,
} from "./client_types.ts";
export { connect, lines } from "./connect.ts";
export type { Command, InProcessConnectOptions, LinesOptions, OptionsFor, Target } from "./connect.ts";
export type {
  CacheStore,
  CallOptions,
  ClientExtension,
  ClientMiddleware,
  ConnectOptions,
  ExtensionCall,
  ExtensionHost,
  ExtensionRound,
  ExtensionStep,
  HttpConnectOptions,
  InputContext,
  InputHandlers,
  LogMessage,
  MaybePending,
  PendingInput,
  ReadOptions,
  RequestOptions,
  Verdict,
} from "./options.ts";
export type {
  ChangeEvent,
  CloseReason,
  Subscription,
  SubscriptionOptions,
  Watch,
  WatchOptions,
} from "./changes/subscription_types.ts";
export { textOf } from "../protocol/text_of.ts";
