/**
 * Everything but the doors that need a platform: define a server, connect a client.
 *
 * @example A server and a client in one process
 * ```ts
 * import { connect, defineServer, textOf, tool } from "@causeway/mcp";
 *
 * const server = defineServer({
 *   name: "greeter",
 *   version: "1.0.0",
 *   tools: [tool({ name: "greet", args: { name: { type: "string", required: true } }, handler: ({ name }) => `Hello, ${name}!` })],
 * });
 * const client = await connect(server);
 * console.log(textOf(await client.callTool("greet", { name: "Ada" })));
 * await client.close();
 * ```
 *
 * @module
 */
export {
  ask,
  assistant,
  audio,
  defineServer,
  embed,
  fields,
  image,
  inputRequired,
  link,
  prompt,
  resource,
  serveChannel,
  text,
  toJson,
  tool,
  user,
  withJsonSchema,
} from "./server/mod.ts";
export type { Context, Server, ServerOptions, ServerPrompt, ServerResource, ServerTool } from "./server/mod.ts";
export { connect, lines, textOf } from "./client/mod.ts";
export type { AuthProvider, Client, ConnectOptions, HttpConnectOptions, Subscription, Transport, Watch } from "./client/mod.ts";
export {
  AuthorizationError,
  InputRequiredError,
  isMcpError,
  ProtocolError,
  ToolError,
  TransportError,
  uriTemplate,
} from "./protocol/mod.ts";
export type { McpError } from "./protocol/mod.ts";
export type {
  Annotations,
  AudioContent,
  Awaitable,
  BlobResourceContents,
  CacheHint,
  CallToolResult,
  ClientCapabilities,
  CompleteResult,
  ContentBlock,
  DiscoverResult,
  ElicitFormParams,
  ElicitResult,
  ElicitUrlParams,
  ElicitUrlResult,
  EmbeddedResource,
  Era,
  GetPromptResult,
  HeadersLike,
  Icon,
  ImageContent,
  Implementation,
  InputRequest,
  InputRequests,
  InputResponses,
  JsonObject,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcRequest,
  JsonRpcResponse,
  JsonValue,
  LimitOptions,
  Limits,
  LogLevel,
  Progress,
  Prompt,
  PromptMessage,
  ProtocolVersion,
  ReadResourceResult,
  RequestId,
  Resource,
  ResourceContents,
  ResourceLink,
  ResourceTemplate,
  Role,
  Root,
  SamplingContent,
  SamplingMessage,
  SamplingParams,
  SamplingResult,
  ServerCapabilities,
  SubscriptionFilter,
  TextContent,
  TextResourceContents,
  Tool,
  ToolAnnotations,
  ToolResultContent,
  ToolUseContent,
} from "./protocol/mod.ts";
