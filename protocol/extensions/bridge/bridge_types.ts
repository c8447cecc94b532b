/** What a host and the view of an app say to each other (MCP Apps, SEP-1865 of 2026-01-26), as types. */
import type { JsonObject, JsonValue } from "../../json.ts";
import type { CallToolResult, ContentBlock, EmbeddedResource, Implementation, LogLevel, RequestId, Tool } from "../../types.ts";
import type { ResourceLink } from "../../types.ts";
import type { StyleVariable } from "./style_variables.ts";

/** The two ends of a bridge. */
export type BridgeSide = "view" | "host";

/** How a view is shown (Apps § Display Modes). */
export type DisplayMode = "inline" | "fullscreen" | "pip";

/** What a view can do (Apps § App Capabilities). */
export interface AppCapabilities {
  /** What is being tried out, by identifier. */
  readonly experimental?: JsonObject | undefined;
  /** The view has tools that its host may list and call. */
  readonly tools?: { readonly listChanged?: boolean | undefined } | undefined;
  /** The modes that it can be shown in. */
  readonly availableDisplayModes?: readonly DisplayMode[] | undefined;
}

/** The kinds of content that a host takes. */
export interface ContentModalities {
  /** Text. */
  readonly text?: JsonObject | undefined;
  /** Images. */
  readonly image?: JsonObject | undefined;
  /** Sounds. */
  readonly audio?: JsonObject | undefined;
  /** Embedded resources. */
  readonly resource?: JsonObject | undefined;
  /** Links to resources. */
  readonly resourceLink?: JsonObject | undefined;
  /** Structured content. */
  readonly structuredContent?: JsonObject | undefined;
}

/** What a host can do (Apps § Host Capabilities). */
export interface HostCapabilities {
  /** What is being tried out, by identifier. */
  readonly experimental?: JsonObject | undefined;
  /** It opens links. */
  readonly openLinks?: JsonObject | undefined;
  /** It saves files. */
  readonly downloadFile?: JsonObject | undefined;
  /** It passes tool calls on to the server. */
  readonly serverTools?: { readonly listChanged?: boolean | undefined } | undefined;
  /** It passes reads on to the server. */
  readonly serverResources?: { readonly listChanged?: boolean | undefined } | undefined;
  /** It takes log lines. */
  readonly logging?: JsonObject | undefined;
  /** What the sandbox of the view really grants. */
  readonly sandbox?: { readonly permissions?: JsonObject | undefined; readonly csp?: JsonObject | undefined } | undefined;
  /** It takes context for the model. */
  readonly updateModelContext?: ContentModalities | undefined;
  /** It takes messages for the conversation. */
  readonly message?: ContentModalities | undefined;
  /** It has a model that a view may ask. */
  readonly sampling?: { readonly tools?: JsonObject | undefined } | undefined;
}

/** Where and how a view is shown (Apps § Host Context). Other members may be there and are kept. */
export interface HostContext {
  /** The call that the view belongs to. */
  readonly toolInfo?: { readonly id?: RequestId | undefined; readonly tool: Tool } | undefined;
  /** The colours of the host. */
  readonly theme?: "light" | "dark" | undefined;
  /** Values for the agreed CSS variables, and CSS that loads fonts. */
  readonly styles?:
    | {
      readonly variables?: { readonly [Name in StyleVariable]?: string | undefined } | undefined;
      readonly css?: { readonly fonts?: string | undefined } | undefined;
    }
    | undefined;
  /** The mode in force. */
  readonly displayMode?: DisplayMode | undefined;
  /** The modes that the host has. */
  readonly availableDisplayModes?: readonly DisplayMode[] | undefined;
  /** Pixels that the view has; what is named without "max" is fixed. */
  readonly containerDimensions?:
    | {
      readonly height?: number | undefined;
      readonly maxHeight?: number | undefined;
      readonly width?: number | undefined;
      readonly maxWidth?: number | undefined;
    }
    | undefined;
  /** The language of the user, as BCP 47 has it. */
  readonly locale?: string | undefined;
  /** The time zone of the user, by its IANA name. */
  readonly timeZone?: string | undefined;
  /** The host. */
  readonly userAgent?: string | undefined;
  /** What kind of program the host is. */
  readonly platform?: "web" | "desktop" | "mobile" | undefined;
  /** How the user points at things. */
  readonly deviceCapabilities?: { readonly touch?: boolean | undefined; readonly hover?: boolean | undefined } | undefined;
  /** Pixels at the edges that something covers. */
  readonly safeAreaInsets?:
    | { readonly top: number; readonly right: number; readonly bottom: number; readonly left: number }
    | undefined;
  /** Anything else. */
  readonly [other: string]: unknown;
}

/** How a view introduces itself. */
export interface BridgeInitialize {
  /** Its name and version, in its own words. */
  readonly appInfo: Implementation;
  /** What it can do. */
  readonly appCapabilities: AppCapabilities;
  /** The version of the bridge that it speaks; no revision of MCP. */
  readonly protocolVersion: string;
}

/** How a host answers. */
export interface BridgeInitializeResult {
  /** The version of the bridge that holds. */
  readonly protocolVersion: string;
  /** The host, in its own words. */
  readonly hostInfo: Implementation;
  /** What it can do. */
  readonly hostCapabilities: HostCapabilities;
  /** Where and how the view is shown. */
  readonly hostContext: HostContext;
}

/** Context for the model, which replaces what the view gave before. */
export interface ModelContext {
  /** What the model shall read. */
  readonly content?: readonly ContentBlock[] | undefined;
  /** The same as data. */
  readonly structuredContent?: JsonObject | undefined;
}

/** The requests of a view, with their params. */
export interface ViewRequests {
  /** Introduces the view; its first message. */
  readonly "ui/initialize": BridgeInitialize;
  /** Asks for a link to be opened. */
  readonly "ui/open-link": { readonly url: string };
  /** Says something in the conversation. */
  readonly "ui/message": { readonly role: "user"; readonly content: readonly ContentBlock[] };
  /** Asks for another display mode. */
  readonly "ui/request-display-mode": { readonly mode: DisplayMode };
  /** Gives the model context for its next turn. */
  readonly "ui/update-model-context": ModelContext;
  /** Asks for files to be saved. */
  readonly "ui/download-file": { readonly contents: readonly (EmbeddedResource | ResourceLink)[] };
  /** Calls a tool of the server. */
  readonly "tools/call": { readonly name: string; readonly arguments?: JsonObject; readonly _meta?: JsonObject };
  /** Reads a resource of the server. */
  readonly "resources/read": { readonly uri: string; readonly _meta?: JsonObject };
  /** Asks for one page of resources. */
  readonly "resources/list": { readonly cursor?: string };
  /** Asks for one page of templates. */
  readonly "resources/templates/list": { readonly cursor?: string };
  /** Asks for one page of prompts. */
  readonly "prompts/list": { readonly cursor?: string };
  /** Asks the model of the host. */
  readonly "sampling/createMessage": JsonObject;
  /** Asks for a sign of life. */
  readonly "ping": JsonObject;
}

/** The notifications of a view, with their params. */
export interface ViewNotices {
  /** The view is ready. */
  readonly "ui/notifications/initialized": JsonObject;
  /** What it shows has another size, in pixels. */
  readonly "ui/notifications/size-changed": { readonly width?: number; readonly height?: number };
  /** It asks to be ended. */
  readonly "ui/notifications/request-teardown": JsonObject;
  /** A log line. */
  readonly "notifications/message": { readonly level: LogLevel; readonly logger?: string; readonly data: JsonValue };
  /** It wants no answer any more. */
  readonly "notifications/cancelled": { readonly requestId: RequestId; readonly reason?: string };
  /** How far a request of the host is. */
  readonly "notifications/progress": BridgeProgress;
  /** Its own tools have changed. */
  readonly "notifications/tools/list_changed": JsonObject;
}

/** How far a request is. */
export interface BridgeProgress {
  /** The token of the request. */
  readonly progressToken: RequestId;
  /** So much is done. */
  readonly progress: number;
  /** Of so much. */
  readonly total?: number;
  /** In words. */
  readonly message?: string;
}

/** The requests of a host, with their params. */
export interface HostRequests {
  /** Asks the view to end; it saves what it has to. */
  readonly "ui/resource-teardown": { readonly reason?: string };
  /** Asks for the view's own tools. */
  readonly "tools/list": { readonly cursor?: string };
  /** Calls one of them. */
  readonly "tools/call": { readonly name: string; readonly arguments?: JsonObject; readonly _meta?: JsonObject };
  /** Asks for a sign of life. */
  readonly "ping": JsonObject;
}

/** The notifications of a host, with their params. */
export interface HostNotices {
  /** Arguments as far as the model has written them. */
  readonly "ui/notifications/tool-input-partial": { readonly arguments?: JsonObject };
  /** The arguments of the call, once. */
  readonly "ui/notifications/tool-input": { readonly arguments?: JsonObject };
  /** The result of the call. */
  readonly "ui/notifications/tool-result": CallToolResult;
  /** There will be no result. */
  readonly "ui/notifications/tool-cancelled": { readonly reason?: string };
  /** Members of the context that have changed. */
  readonly "ui/notifications/host-context-changed": HostContext;
  /** The host wants no answer any more. */
  readonly "notifications/cancelled": { readonly requestId: RequestId; readonly reason?: string };
  /** How far a request of the view is. */
  readonly "notifications/progress": BridgeProgress;
  /** The server's tools have changed. */
  readonly "notifications/tools/list_changed": JsonObject;
  /** Its resources have changed. */
  readonly "notifications/resources/list_changed": JsonObject;
  /** Its prompts have changed. */
  readonly "notifications/prompts/list_changed": JsonObject;
}

/** A message that was read and found sound, as one side sends it. */
export type BridgeMessage<Requests, Notices> =
  | {
    readonly [M in keyof Requests]: {
      readonly kind: "request";
      readonly id: RequestId;
      readonly method: M;
      readonly params: Requests[M];
    };
  }[
    keyof Requests
  ]
  | { readonly [M in keyof Notices]: { readonly kind: "notification"; readonly method: M; readonly params: Notices[M] } }[
    keyof Notices
  ]
  | { readonly kind: "response"; readonly id: RequestId; readonly method: string; readonly result: JsonObject }
  | { readonly kind: "response"; readonly id: RequestId; readonly method: string; readonly error: BridgeError };

/** Why a request failed. */
export interface BridgeError {
  /** The JSON-RPC code. */
  readonly code: number;
  /** One sentence. */
  readonly message: string;
  /** Further facts. */
  readonly data?: JsonValue;
}

/** What a view sends. */
export type ViewMessage = BridgeMessage<ViewRequests, ViewNotices>;

/** What a host sends. */
export type HostMessage = BridgeMessage<HostRequests, HostNotices>;
