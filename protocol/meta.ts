/** The reserved keys of `_meta`: their names, and the rules for keys of one's own. */
import { isJsonObject, ownMember } from "./json.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/** Reserved keys (MCP 2026-07-28, Basic § General fields). */
export const META = {
  protocolVersion: "io.modelcontextprotocol/protocolVersion",
  clientInfo: "io.modelcontextprotocol/clientInfo",
  clientCapabilities: "io.modelcontextprotocol/clientCapabilities",
  logLevel: "io.modelcontextprotocol/logLevel",
  serverInfo: "io.modelcontextprotocol/serverInfo",
  subscriptionId: "io.modelcontextprotocol/subscriptionId",
  progressToken: "progressToken",
  traceparent: "traceparent",
  tracestate: "tracestate",
  baggage: "baggage",
} as const;

/** Keys of this package: what another client or server passes over. */
export const OWN_META = {
  /** In a result: its structured content was not an object, or stands for another than an object, and travels in `result`. */
  wrapped: "causeway/wrapped",
} as const;

const NO_META: JsonObject = Object.freeze({});

/** The `_meta` of params or of a result; an empty object when there is none. */
export function metaOf(params: JsonObject | undefined): JsonObject {
  const meta = params === undefined ? undefined : ownMember(params, "_meta");
  return isJsonObject(meta) ? meta : NO_META;
}

/**
 * Says why a key may not be used in `_meta` by an application, or undefined
 * (MCP 2026-07-28, Basic § General fields: prefix of dot-separated labels, then a name).
 */
export function metaKeyFault(key: string): string | undefined {
  const slash = key.lastIndexOf("/");
  const prefix = slash < 0 ? undefined : key.slice(0, slash);
  const name = key.slice(slash + 1);
  if (prefix !== undefined) {
    const labels = prefix.split(".");
    if (labels.some((label) => !isLabel(label))) return "has a prefix whose labels are not letters, digits and inner hyphens";
    if (labels[1] === "modelcontextprotocol" || labels[1] === "mcp") return "has a prefix that is reserved for the protocol";
  }
  return isName(name, prefix !== undefined) ? undefined : "has a name that does not begin and end with a letter or digit";
}

/**
 * Says why a text may not name an extension, or undefined: a key of `_meta` with a prefix, which may be the specification's own
 * (MCP 2026-07-28, Versioning § Extension Negotiation).
 */
export function extensionIdFault(id: unknown): string | undefined {
  if (typeof id !== "string" || !id.includes("/")) return "has no prefix";
  return metaKeyFault(id.startsWith("io.modelcontextprotocol/") ? id.slice(id.indexOf("/") + 1) : id);
}

const TRACEPARENT = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** Later versions may add to what version 00 has. */
const LATER_TRACEPARENT = /^(?!00|ff)[0-9a-f]{2}-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}(?:-.*)?$/;

/** Says why a value is no W3C `traceparent`, or undefined (W3C Trace Context § 3.2). */
export function traceparentFault(value: JsonValue): string | undefined {
  const wellFormed = typeof value === "string" && (TRACEPARENT.test(value) || LATER_TRACEPARENT.test(value));
  return wellFormed ? undefined : "is not a W3C traceparent";
}

function isLabel(label: string): boolean {
  return /^[A-Za-z](?:[A-Za-z0-9-]*[A-Za-z0-9])?$/.test(label);
}

function isName(name: string, mayBeEmpty: boolean): boolean {
  if (name === "") return mayBeEmpty;
  return /^[A-Za-z0-9](?:[A-Za-z0-9_.-]*[A-Za-z0-9])?$/.test(name);
}
