/** The methods of the bridge: who sends them, and what their params and results must be. */
import { isJsonObject, ownMember } from "../../json.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { isLogLevel } from "../../log_level.ts";
import type { BridgeSide, HostNotices, HostRequests, ViewNotices, ViewRequests } from "./bridge_types.ts";
import { contentFault } from "./content_fault.ts";
import { contextFault } from "./context_fault.ts";
import { isDisplayMode } from "./display_mode.ts";

/** What the proxy of a sandbox tells its host when it can take the HTML. */
export const SANDBOX_READY = "ui/notifications/sandbox-proxy-ready";

/** With what the host hands it the HTML. */
export const SANDBOX_RESOURCE = "ui/notifications/sandbox-resource-ready";

/** Methods that begin so never pass a proxy (MCP Apps § Sandbox proxy). */
export const SANDBOX_PREFIX = "ui/notifications/sandbox-";

/** Says what is wrong with an object, as the end of a sentence. */
export type ShapeCheck = (value: JsonObject) => string | undefined;

type Kind = "string" | "number" | "boolean" | "object" | "list" | "id" | "size";

const KINDS: { readonly [K in Kind]: readonly [is: (value: JsonValue) => boolean, name: string] } = {
  string: [(value) => typeof value === "string", "a string"],
  number: [(value) => typeof value === "number", "a number"],
  boolean: [(value) => typeof value === "boolean", "a boolean"],
  object: [isJsonObject, "an object"],
  list: [Array.isArray, "a list"],
  id: [(value) => typeof value === "string" || Number.isSafeInteger(value), "a string or an integer"],
  size: [(value) => typeof value === "number" && value >= 0, "a number of pixels"],
};

/** The members that must be there, and those that may; a question mark ends the name of the latter. */
function shape(members: { readonly [name: string]: Kind }, then?: ShapeCheck): ShapeCheck {
  const wanted = Object.entries(members).map(([key, kind]) => ({
    name: key.replace("?", ""),
    optional: key.endsWith("?"),
    kind,
  }));
  return (value) => {
    for (const { name, optional, kind } of wanted) {
      const member = ownMember(value, name);
      if (member === undefined && optional) continue;
      const [is, what] = KINDS[kind];
      if (member === undefined) return `${name} is missing`;
      if (!is(member)) return `${name} is not ${what}`;
    }
    return then?.(value);
  };
}

const ANYTHING: ShapeCheck = () => undefined;
const LIST_PARAMS = shape({ "cursor?": "string" });
const CALL_PARAMS = shape({ name: "string", "arguments?": "object", "_meta?": "object" });
const REASON = shape({ "reason?": "string" });
const ARGUMENTS = shape({ "arguments?": "object" });
const CANCELLED = shape({ requestId: "id", "reason?": "string" });
const PROGRESS = shape({ progressToken: "id", progress: "number", "total?": "number", "message?": "string" });
/** Results are handed on as the server gave them. */
const TOOL_RESULT = shape({ content: "list", "isError?": "boolean" });

const INITIALIZE = shape({ appInfo: "object", appCapabilities: "object", protocolVersion: "string" }, (params) => {
  const capabilities = params.appCapabilities as JsonObject;
  return infoFault(params, "appInfo") ??
    within("appCapabilities", shape({ "experimental?": "object", "tools?": "object", "availableDisplayModes?": "list" }))(
      capabilities,
    ) ??
    modesFault(ownMember(capabilities, "availableDisplayModes"));
});

const INITIALIZE_RESULT = shape(
  { protocolVersion: "string", hostInfo: "object", hostCapabilities: "object", hostContext: "object" },
  (result) => infoFault(result, "hostInfo") ?? contextFault(result.hostContext, "hostContext"),
);

type Checks<Methods> = { readonly [M in keyof Methods]: ShapeCheck };

const VIEW_REQUESTS: Checks<ViewRequests> = {
  "ui/initialize": INITIALIZE,
  "ui/open-link": shape({ url: "string" }),
  "ui/message": shape({ role: "string", content: "list" }, ({ role, content }) => {
    return role === "user" ? contentFault(content, "content") : 'role is not "user"';
  }),
  "ui/request-display-mode": shape({ mode: "string" }, modeFault),
  "ui/update-model-context": shape({ "content?": "list", "structuredContent?": "object" }, (params) => {
    const content = ownMember(params, "content");
    return content === undefined ? undefined : contentFault(content, "content");
  }),
  "ui/download-file": shape({ contents: "list" }, ({ contents }) => {
    return contentFault(contents, "contents", ["resource", "resource_link"]);
  }),
  "tools/call": CALL_PARAMS,
  "resources/read": shape({ uri: "string", "_meta?": "object" }),
  "resources/list": LIST_PARAMS,
  "resources/templates/list": LIST_PARAMS,
  "prompts/list": LIST_PARAMS,
  "sampling/createMessage": shape({ messages: "list", maxTokens: "number" }),
  "ping": ANYTHING,
};

const VIEW_NOTICES: Checks<ViewNotices> = {
  "ui/notifications/initialized": ANYTHING,
  "ui/notifications/size-changed": shape({ "width?": "size", "height?": "size" }),
  "ui/notifications/request-teardown": ANYTHING,
  "notifications/message": shape({ level: "string", "logger?": "string" }, (params) => {
    if (!isLogLevel(params.level)) return "level is none of RFC 5424";
    return ownMember(params, "data") === undefined ? "data is missing" : undefined;
  }),
  "notifications/cancelled": CANCELLED,
  "notifications/progress": PROGRESS,
  "notifications/tools/list_changed": ANYTHING,
};

const HOST_REQUESTS: Checks<HostRequests> = {
  "ui/resource-teardown": REASON,
  "tools/list": LIST_PARAMS,
  "tools/call": CALL_PARAMS,
  "ping": ANYTHING,
};

const HOST_NOTICES: Checks<HostNotices> = {
  "ui/notifications/tool-input-partial": ARGUMENTS,
  "ui/notifications/tool-input": ARGUMENTS,
  "ui/notifications/tool-result": TOOL_RESULT,
  "ui/notifications/tool-cancelled": REASON,
  "ui/notifications/host-context-changed": (params) => contextFault(params, "params"),
  "notifications/cancelled": CANCELLED,
  "notifications/progress": PROGRESS,
  "notifications/tools/list_changed": ANYTHING,
  "notifications/resources/list_changed": ANYTHING,
  "notifications/prompts/list_changed": ANYTHING,
};

const RESULTS: { readonly [method: string]: ShapeCheck } = {
  "ui/initialize": INITIALIZE_RESULT,
  "ui/request-display-mode": shape({ mode: "string" }, modeFault),
  "tools/call": TOOL_RESULT,
  "tools/list": shape({ tools: "list" }),
  "resources/read": shape({ contents: "list" }),
};

const TABLE = {
  view: { request: VIEW_REQUESTS, notification: VIEW_NOTICES },
  host: { request: HOST_REQUESTS, notification: HOST_NOTICES },
} as const;

/** The check of a message's params; undefined when that side does not send such a message. */
export function paramsCheck(from: BridgeSide, kind: "request" | "notification", method: string): ShapeCheck | undefined {
  const checks: { readonly [method: string]: ShapeCheck } = TABLE[from][kind];
  return Object.hasOwn(checks, method) ? checks[method] : undefined;
}

/** The methods of one kind that a side sends. */
export function bridgeMethods(from: BridgeSide, kind: "request" | "notification"): readonly string[] {
  return Object.keys(TABLE[from][kind]);
}

/** The check of the result of a method. */
export function resultCheck(method: string): ShapeCheck {
  return Object.hasOwn(RESULTS, method) ? RESULTS[method] as ShapeCheck : ANYTHING;
}

function infoFault(holder: JsonObject, member: string): string | undefined {
  return within(member, shape({ name: "string", version: "string" }))(holder[member] as JsonObject);
}

function within(path: string, check: ShapeCheck): ShapeCheck {
  return (value) => {
    const fault = check(value);
    return fault === undefined ? undefined : `${path}.${fault}`;
  };
}

/** Modes that are not known here are no fault: they are never switched to. */
function modesFault(modes: JsonValue | undefined): string | undefined {
  const sound = modes === undefined || (modes as readonly JsonValue[]).every((mode) => typeof mode === "string");
  return sound ? undefined : "appCapabilities.availableDisplayModes holds what is not a string";
}

function modeFault({ mode }: JsonObject): string | undefined {
  return isDisplayMode(mode) ? undefined : "mode is not a display mode";
}
