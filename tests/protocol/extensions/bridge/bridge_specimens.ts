/** One sound message of every kind that crosses the bridge. */
import type { JsonObject } from "../../../../protocol/types.ts";
import type { BridgeSide } from "../../../../protocol/extensions/bridge/bridge_types.ts";

const TEXT = { type: "text", text: "12 °C" };
const TOOL_RESULT = { content: [TEXT], structuredContent: { degrees: 12 }, _meta: { source: "mast" } };
const INFO = { name: "mast", version: "1.0.0" };

/** Params of the requests and notifications of each side, by method. */
export const SPECIMENS: Record<BridgeSide, Record<"request" | "notification", Record<string, JsonObject>>> = {
  view: {
    request: {
      "ui/initialize": {
        appInfo: INFO,
        appCapabilities: { availableDisplayModes: ["inline", "fullscreen"], tools: { listChanged: true }, experimental: {} },
        protocolVersion: "2026-01-26",
      },
      "ui/open-link": { url: "https://example.com/" },
      "ui/message": { role: "user", content: [TEXT, { type: "image", data: "AA==", mimeType: "image/png" }] },
      "ui/request-display-mode": { mode: "fullscreen" },
      "ui/update-model-context": { content: [TEXT], structuredContent: { degrees: 12 } },
      "ui/download-file": {
        contents: [
          { type: "resource", resource: { uri: "file:///a.txt", text: "a" } },
          { type: "resource_link", uri: "file:///b.txt", name: "b" },
        ],
      },
      "tools/call": { name: "weather", arguments: { city: "Oslo" }, _meta: { progressToken: 1 } },
      "resources/read": { uri: "ui://weather/card.html" },
      "resources/list": { cursor: "" },
      "resources/templates/list": {},
      "prompts/list": {},
      "sampling/createMessage": { messages: [{ role: "user", content: TEXT }], maxTokens: 10 },
      "ping": {},
    },
    notification: {
      "ui/notifications/initialized": {},
      "ui/notifications/size-changed": { width: 320, height: 200.5 },
      "ui/notifications/request-teardown": {},
      "notifications/message": { level: "info", logger: "card", data: { seen: true } },
      "notifications/cancelled": { requestId: "a", reason: "gone" },
      "notifications/progress": { progressToken: 1, progress: 1, total: 2, message: "half" },
      "notifications/tools/list_changed": {},
    },
  },
  host: {
    request: {
      "ui/resource-teardown": { reason: "the user closed it" },
      "tools/list": {},
      "tools/call": { name: "zoom", arguments: { to: 2 } },
      "ping": {},
    },
    notification: {
      "ui/notifications/tool-input-partial": { arguments: { city: "Os" } },
      "ui/notifications/tool-input": { arguments: { city: "Oslo" } },
      "ui/notifications/tool-result": TOOL_RESULT,
      "ui/notifications/tool-cancelled": { reason: "stopped" },
      "ui/notifications/host-context-changed": { theme: "dark", "x-own": { kept: [1] } },
      "notifications/cancelled": { requestId: 7 },
      "notifications/progress": { progressToken: "t", progress: 0.5 },
      "notifications/tools/list_changed": {},
      "notifications/resources/list_changed": {},
      "notifications/prompts/list_changed": {},
    },
  },
};

/** Results of requests, by who answers and by method. */
export const RESULTS: Record<BridgeSide, Record<string, JsonObject>> = {
  host: {
    "ui/initialize": {
      protocolVersion: "2026-01-26",
      hostInfo: INFO,
      hostCapabilities: { openLinks: {}, serverTools: { listChanged: true }, message: { text: {} } },
      hostContext: { theme: "light", displayMode: "inline", locale: "nb-NO", containerDimensions: { maxHeight: 600 } },
    },
    "ui/open-link": {},
    "ui/request-display-mode": { mode: "inline" },
    "tools/call": TOOL_RESULT,
    "resources/read": { contents: [{ uri: "a:b", text: "c" }] },
    "ping": {},
  },
  view: { "ui/resource-teardown": {}, "tools/list": { tools: [] }, "tools/call": TOOL_RESULT, "ping": {} },
};

/** Every request and notification as it crosses the bridge. */
export function everyMessage(): { from: BridgeSide; kind: "request" | "notification"; message: JsonObject }[] {
  return (["view", "host"] as const).flatMap((from) =>
    (["request", "notification"] as const).flatMap((kind) =>
      Object.entries(SPECIMENS[from][kind]).map(([method, params]) => ({
        from,
        kind,
        message: kind === "request" ? { jsonrpc: "2.0", id: 1, method, params } : { jsonrpc: "2.0", method, params },
      }))
    )
  );
}
