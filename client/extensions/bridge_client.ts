/** A client in the form in which `AppBridge` of `@modelcontextprotocol/ext-apps` uses one. */
import { ERROR_CODES, isMcpError, ProtocolError } from "../../protocol/errors.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { shown } from "../../protocol/shown.ts";
import type { CallToolResult, JsonObject, ServerCapabilities, SubscriptionFilter } from "../../protocol/types.ts";
import { checkFunction } from "../../protocol/unknown_option.ts";
import type { Client } from "../client_types.ts";
import type { RequestOptions } from "../options.ts";
import type { ChangeEvent, Watch } from "../changes/subscription_types.ts";
import { bridgeErrorOf } from "./app_relay.ts";

/** What `AppBridge` uses of a client; it takes it as its first argument, by a cast, because it names a class there. */
export interface BridgeClient {
  /** What the server can do. */
  getServerCapabilities(): ServerCapabilities;
  /**
   * Sends what a view asks the server: tools that views may call, resources, and lists. `_meta` of a view is not sent.
   *
   * @throws {ProtocolError} -32602 for a tool that is not for views, -32601 for any other method, -32000 when the connection
   * fails; what the server answers.
   */
  request(
    request: { readonly method: string; readonly params?: object | undefined },
    options?: { readonly signal?: AbortSignal | undefined },
  ): Promise<JsonObject>;
  /**
   * Calls a function for each `notifications/tools/list_changed`, `notifications/resources/list_changed` or
   * `notifications/prompts/list_changed`, until `close`; after that it does nothing. Other notifications never come.
   *
   * @throws {TypeError} When the handler is not a function.
   */
  setNotificationHandler(method: string, handler: (notification: BridgeNotification) => unknown): void;
  /** Ends the notifications. The client stays open. */
  close(): Promise<void>;
}

/** A notification. */
export interface BridgeNotification {
  /** Its method. */
  readonly method: string;
  /** Its params. */
  readonly params: JsonObject;
}

/** Calls a tool for a view. */
export type CallFromApp = (name: string, args: object | undefined, options: RequestOptions) => Promise<CallToolResult>;

/** What views read, beside tools. */
const READS: ReadonlySet<string> = new Set([
  "resources/read",
  "resources/list",
  "resources/templates/list",
  "prompts/list",
]);

const CHANGES: ReadonlyMap<string, readonly [event: ChangeEvent["type"], filter: SubscriptionFilter]> = new Map([
  ["notifications/tools/list_changed", ["toolsListChanged", { toolsListChanged: true }]],
  ["notifications/resources/list_changed", ["resourcesListChanged", { resourcesListChanged: true }]],
  ["notifications/prompts/list_changed", ["promptsListChanged", { promptsListChanged: true }]],
]);

/**
 * Wraps a client.
 *
 * @param call Calls a tool, when views may.
 * @param onToolsChanged Told when the tools have changed.
 */
export function wrapClient(client: Client, call: CallFromApp, onToolsChanged: () => void): BridgeClient {
  const watches = new Map<string, Watch>();
  let closed = false;
  return {
    getServerCapabilities: () => client.server.capabilities,
    request: async (request, { signal } = {}) => {
      try {
        return await send(client, call, request, signal);
      } catch (error) {
        // A connection's error may name what is nothing to a view.
        const told = isMcpError(error) && error.kind !== "protocol" ? bridgeErrorOf(error) : undefined;
        throw told === undefined ? error : new ProtocolError(told.code, told.message, { data: told.data, cause: error });
      }
    },
    setNotificationHandler: (method, handler) => {
      checkFunction(handler, "bridgeClient.setNotificationHandler.handler");
      const change = CHANGES.get(method);
      // What listens then would never end.
      if (change === undefined || closed) return;
      void watches.get(method)?.close();
      const watch = client.watch(change[1], { relisten: true });
      watches.set(method, watch);
      void tell(watch, change[0], () => {
        if (change[0] === "toolsListChanged") onToolsChanged();
        return handler({ method, params: {} });
      });
    },
    close: async () => {
      closed = true;
      const open = [...watches.values()];
      watches.clear();
      await Promise.all(open.map((watch) => watch.close()));
    },
  };
}

async function send(
  client: Client,
  call: CallFromApp,
  { method, params = {} }: { readonly method: string; readonly params?: object | undefined },
  signal: AbortSignal | undefined,
): Promise<JsonObject> {
  if (!isJsonObject(params)) throw ProtocolError.invalidParams("Sending a request of a view: Expected params as one object");
  const { _meta, ...rest } = params;
  if (method === "tools/call") {
    const { name, arguments: args } = rest;
    if (typeof name !== "string") throw ProtocolError.invalidParams("Calling a tool for a view: Expected a name");
    if (args !== undefined && !isJsonObject(args)) {
      throw ProtocolError.invalidParams("Calling a tool for a view: Expected arguments as one object");
    }
    return await call(name, args, { signal }) as unknown as JsonObject;
  }
  if (!READS.has(method)) {
    const text = `Sending a request of a view: ${JSON.stringify(shown(method))} is none that views may send`;
    throw new ProtocolError(ERROR_CODES.method_not_found, text);
  }
  return await client.request(method, rest, { signal });
}

/** What a handler throws has nowhere to go; a stream that ends is told by the client's own means. */
async function tell(watch: Watch, type: ChangeEvent["type"], handler: () => unknown): Promise<void> {
  try {
    for await (const event of watch) {
      if (event.type !== type && event.type !== "gap") continue;
      await Promise.resolve().then(handler).catch(() => undefined);
    }
  } catch {
    // Opening it failed: the server tells of no changes.
  }
}
