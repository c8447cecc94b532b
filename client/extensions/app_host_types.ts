/** The host's side of an app's view, as programs see it. */
import type { AppUi } from "../../protocol/extensions/apps.ts";
import type { BridgeState } from "../../protocol/extensions/bridge/bridge_lifecycle.ts";
import type {
  BridgeInitialize,
  DisplayMode,
  HostCapabilities,
  HostContext,
  HostRequests,
  ModelContext,
  ViewNotices,
  ViewRequests,
} from "../../protocol/extensions/bridge/bridge_types.ts";
import type { Awaitable, CallToolResult, Implementation, JsonObject, Tool } from "../../protocol/types.ts";
import type { Client } from "../client_types.ts";

/** What a host needs of the connected client. */
export type AppHostClient = Pick<Client, "callTool" | "listTools" | "readResource" | "request">;

/** What a handler gets beside its params. */
export interface AppRequestContext {
  /** Aborts when the view wants no answer any more, and when it ends. */
  readonly signal: AbortSignal;
}

/** The answer of a handler: false declines, anything else agrees. */
export type Agreed = Awaitable<boolean | undefined | void>;

/**
 * What the host does for a view. A view is told of what is there; what is not there is refused. Everything in here should ask the
 * person, or be harmless: the view is a program of the server.
 */
export interface AppHandlers {
  /** Opens a link. It passed the policy; whether the person wants it opened is asked here. */
  readonly openLink?: ((url: string, ctx: AppRequestContext) => Agreed) | undefined;
  /** Says something in the conversation, in the name of the user. */
  readonly message?: ((params: ViewRequests["ui/message"], ctx: AppRequestContext) => Agreed) | undefined;
  /** Keeps context for the next turn of the model, in place of what the view gave before. */
  readonly updateModelContext?: ((context: ModelContext, ctx: AppRequestContext) => Agreed) | undefined;
  /** Shows the view in another mode, which both sides have. */
  readonly displayMode?: ((mode: DisplayMode, ctx: AppRequestContext) => Agreed) | undefined;
  /** Saves files. */
  readonly downloadFile?: ((params: ViewRequests["ui/download-file"], ctx: AppRequestContext) => Agreed) | undefined;
  /** Asks the model: the params and the result of `sampling/createMessage`. */
  readonly sample?: ((params: JsonObject, ctx: AppRequestContext) => Awaitable<JsonObject>) | undefined;
  /** The size of what the view shows has changed, in pixels. */
  readonly sizeChanged?: ((size: ViewNotices["ui/notifications/size-changed"]) => unknown) | undefined;
  /** A log line of the view. */
  readonly log?: ((line: ViewNotices["notifications/message"]) => unknown) | undefined;
  /** The view asks to be ended; `teardown` would do that. */
  readonly requestTeardown?: (() => unknown) | undefined;
}

/** Bounds of one bridge; absent ones keep the default. */
export interface AppHostLimits {
  /** Bytes of one message as JSON, both ways. 4 MiB. */
  readonly messageBytes?: number | undefined;
  /** Requests of the view that are worked on at once; those that it gave up count until their handlers have ended. 32. */
  readonly openRequests?: number | undefined;
  /** Size changes, log lines, context updates and wishes to end per second, each counted by itself. 20. */
  readonly perSecond?: number | undefined;
  /** Milliseconds from the start until the view said that it is initialized. 30,000. */
  readonly initialize?: number | undefined;
}

/** Options of {@linkcode appHost}. */
export interface AppHostOptions {
  /** The connection that the tool came from. The view reaches this server and no other one. */
  readonly client: AppHostClient;
  /** The tool whose call the view shows. */
  readonly tool: Tool;
  /** The view, as it was read: the host says what it really granted of `ui`. */
  readonly app?: { readonly ui?: AppUi | undefined } | undefined;
  /** Sends a message to the view: `(message) => frame.contentWindow.postMessage(message, origin)`. */
  readonly post: (message: JsonObject) => void;
  /** The host, in its own words. */
  readonly info: Implementation;
  /** Where and how the view is shown. `toolInfo` is filled in. */
  readonly context?: HostContext | undefined;
  /** Capabilities in place of those that follow from the handlers, or beside them. */
  readonly capabilities?: HostCapabilities | undefined;
  /** What the host does for the view. */
  readonly handlers?: AppHandlers | undefined;
  /** Schemes of links beside `https`, such as "mailto"; without the colon. */
  readonly openLinkSchemes?: readonly string[] | undefined;
  /** Bounds. */
  readonly limits?: AppHostLimits | undefined;
  /** Told of messages that were dropped and of handlers that failed. */
  readonly report?: ((fault: unknown) => void) | undefined;
}

/** Options of a request to the view. */
export interface AppRequestOptions {
  /** Milliseconds without an answer; 30,000 by default. */
  readonly timeout?: number | undefined;
}

/** How a view ended: it answered, it did not in time, or it never began. */
export type TeardownOutcome = "answered" | "timeout" | "closed";

/** The host's side of one view. */
export interface AppHost {
  /** How far the bridge is. */
  readonly state: BridgeState;
  /** How the view introduced itself; undefined before. Not verified. */
  readonly view: BridgeInitialize | undefined;
  /** Where and how the view is shown now. */
  readonly context: HostContext;
  /**
   * Resolves when the view is initialized.
   *
   * @throws {TransportError} "timeout" when it is not in time, "closed" when it was ended before.
   */
  readonly ready: Promise<void>;
  /** Takes what the view posted. The caller has to make sure that it came from the view. Never throws. */
  receive(message: unknown): void;
  /**
   * Sends arguments as far as the model has written them.
   *
   * @throws {TypeError} Before `ready`, and after `toolInput`.
   */
  toolInputPartial(args: JsonObject): void;
  /**
   * Sends the arguments of the call.
   *
   * @throws {TypeError} Before `ready`, and the second time.
   */
  toolInput(args: JsonObject): void;
  /**
   * Sends the result of the call, whole: `structuredContent` and `_meta` too.
   *
   * @throws {TypeError} Before `toolInput`, after a result, and for what is not a result (questions, a task).
   */
  toolResult(result: CallToolResult): void;
  /**
   * Says that there will be no result.
   *
   * @throws {TypeError} Before `ready`, and after a result.
   */
  toolCancelled(reason?: string): void;
  /**
   * Changes the context, member by member, and tells the view of those that really changed.
   *
   * @throws {TypeError} For a member of the wrong shape, and a display mode that the view did not announce.
   */
  setContext(change: HostContext): void;
  /**
   * Tells the view that a list of the server has changed. That of tools is asked for again before the next call. A host that does
   * this says so: `capabilities: { serverTools: { listChanged: true } }`.
   *
   * @throws {TypeError} Before `ready`, and after the end.
   */
  listChanged(kind: "tools" | "resources" | "prompts"): void;
  /**
   * Asks the view: for its own tools, for the call of one, or for a sign of life.
   *
   * @throws {TypeError} Before `ready`, and when the view has no tools.
   * @throws {ProtocolError} What the view answers.
   * @throws {TransportError} "timeout" without an answer in time; "closed" when the view ended.
   */
  request<M extends "tools/list" | "tools/call" | "ping">(
    method: M,
    params?: HostRequests[M],
    options?: AppRequestOptions,
  ): Promise<JsonObject>;
  /**
   * Ends the view: asks it to save what it has and waits for the answer, at most `timeout` milliseconds (2,000). Then everything
   * that is open is given up, and the frame can go. May be called more than once.
   */
  teardown(options?: { readonly timeout?: number | undefined; readonly reason?: string | undefined }): Promise<TeardownOutcome>;
}
