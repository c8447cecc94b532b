/** MCP's HTTP headers: their names, how values travel in them, and the parameters that `x-mcp-header` mirrors. */
import { decodeBase64, encodeBase64 } from "./base64.ts";
import { isJsonObject, ownMember } from "./json.ts";
import type { JsonObject, JsonValue } from "./json.ts";

/** Header names in lower case (MCP 2026-07-28, Streamable HTTP § Request metadata). */
export const HEADERS = {
  protocolVersion: "mcp-protocol-version",
  method: "mcp-method",
  name: "mcp-name",
  paramPrefix: "mcp-param-",
  sessionId: "mcp-session-id",
  lastEventId: "last-event-id",
} as const;

/** Reads one header by its lower-case name; `null` when it is absent. `Headers` is one. */
export interface HeaderReader {
  /** The value, several ones joined by ", ". */
  get(name: string): string | null;
}

/** The standard headers of a request, each read once; `null` when absent. */
export interface StandardHeaders {
  /** `MCP-Protocol-Version`. */
  readonly version: string | null;
  /** `Mcp-Method`. */
  readonly method: string | null;
  /** `Mcp-Name`. */
  readonly name: string | null;
}

/** Reads the standard headers of a request. */
export function standardHeaders(headers: HeaderReader): StandardHeaders {
  return { version: headers.get(HEADERS.protocolVersion), method: headers.get(HEADERS.method), name: headers.get(HEADERS.name) };
}

/** One argument of a tool that travels in a header too. */
export interface MirroredParam {
  /** Lower-case header name, `mcp-param-…`. */
  readonly header: string;
  /** The header's name as the definition spells it. */
  readonly spelled: string;
  /** Where the argument is, from the root of `arguments`. */
  readonly path: readonly string[];
}

/** The mirrored parameters of a schema, or what is wrong with its annotations. */
export type MirroredParams =
  | { readonly ok: true; readonly params: readonly MirroredParam[] }
  | { readonly ok: false; readonly path: string; readonly fault: string };

const SENTINEL_START = "=?base64?";
const SENTINEL_END = "?=";

/**
 * Encodes a value for a header: plain when it is safe ASCII, else Base64 of its UTF-8 bytes between the sentinels
 * (MCP 2026-07-28, Streamable HTTP § Value encoding).
 */
export function encodeHeaderValue(value: string): string {
  const plain = /^[\x20-\x7e]*$/.test(value) && value.trim() === value && !isSentinel(value);
  return plain ? value : SENTINEL_START + encodeBase64(new TextEncoder().encode(value)) + SENTINEL_END;
}

/** Decodes a header value; undefined when its Base64 or its UTF-8 is broken, or a character is not allowed. */
export function decodeHeaderValue(value: string): string | undefined {
  if (!isSentinel(value)) return isPlain(value) ? value : undefined;
  const bytes = decodeBase64(value.slice(SENTINEL_START.length, -SENTINEL_END.length));
  if (bytes === undefined) return undefined;
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** Is it of visible ASCII, spaces and tabs alone? */
function isPlain(value: string): boolean {
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code > 0x7e || (code < 0x20 && code !== 0x09)) return false;
  }
  return true;
}

/** Says whether a header value stands for the value of the body, byte for byte after decoding. */
export function headerEquals(header: string, value: string): boolean {
  const decoded = decodeHeaderValue(header);
  return decoded === value || (decoded !== undefined && decoded === asUtf8(value));
}

/** The value as UTF-8 carries it: a lone surrogate has no bytes of its own. */
function asUtf8(value: string): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(new TextEncoder().encode(value));
}

/**
 * Finds the parameters that a tool's `inputSchema` mirrors into headers, and checks the rules for `x-mcp-header`:
 * an HTTP token, unique without regard to case, on a string, integer or boolean that is reached through
 * `properties` alone (MCP 2026-07-28, Streamable HTTP § Custom headers from tool parameters).
 */
export function mirroredParams(inputSchema: JsonObject): MirroredParams {
  const collected: Collected = { params: [], names: new Set() };
  const fault = collect(inputSchema, { path: [], reachable: true, at: "" }, collected);
  return fault ?? { ok: true, params: collected.params };
}

/** The `Mcp-Param-*` pairs for a call; absent and null arguments have none. */
export function paramHeaders(params: readonly MirroredParam[], args: JsonObject | undefined): [string, string][] {
  const pairs: [string, string][] = [];
  for (const param of params) {
    const value = valueAt(args, param.path);
    const text = headerText(value);
    if (text !== undefined) pairs.push([`Mcp-Param-${param.spelled}`, encodeHeaderValue(text)]);
  }
  return pairs;
}

/**
 * Compares the `Mcp-Param-*` headers of a call with its arguments.
 *
 * @returns What is wrong, naming the header and never a value, or undefined.
 */
export function paramHeaderFault(
  params: readonly MirroredParam[],
  args: JsonObject | undefined,
  headers: HeaderReader,
): string | undefined {
  for (const param of params) {
    const sent = headers.get(param.header);
    const value = valueAt(args, param.path);
    const text = headerText(value);
    const name = `Mcp-Param-${param.spelled}`;
    if (sent === null) {
      if (text !== undefined) return `Header ${name} is missing although the argument is given`;
      continue;
    }
    const decoded = decodeHeaderValue(sent);
    if (decoded === undefined) return `Header ${name} holds an invalid value`;
    if (text === undefined) return `Header ${name} is given although the argument is absent`;
    const equal = typeof value === "number"
      ? DECIMAL.test(decoded) && Number(decoded) === value
      : decoded === text || decoded === asUtf8(text);
    if (!equal) return `Header ${name} differs from the argument`;
  }
  return undefined;
}

/** A decimal number. */
const DECIMAL = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

function isSentinel(value: string): boolean {
  return value.length >= SENTINEL_START.length + SENTINEL_END.length && value.startsWith(SENTINEL_START) &&
    value.endsWith(SENTINEL_END);
}

function valueAt(args: JsonObject | undefined, path: readonly string[]): JsonValue | undefined {
  let value: JsonValue | undefined = args;
  for (const key of path) {
    if (!isJsonObject(value)) return undefined;
    value = ownMember(value, key);
  }
  return value;
}

function headerText(value: JsonValue | undefined): string | undefined {
  if (typeof value === "string") return value;
  if (typeof value === "boolean") return String(value);
  return typeof value === "number" ? String(value) : undefined;
}

/** What was found in a schema so far. */
interface Collected {
  readonly params: MirroredParam[];
  /** Names in lower case. */
  readonly names: Set<string>;
}

/** Where in a schema a subschema stands. */
interface Place {
  /** The argument that it is for. */
  readonly path: readonly string[];
  /** Is it reached through `properties` alone? */
  readonly reachable: boolean;
  /** The place, as faults name it. */
  readonly at: string;
}

function collect(schema: JsonValue | undefined, place: Place, collected: Collected): MirroredParams | undefined {
  const { path, reachable, at } = place;
  if (Array.isArray(schema)) {
    for (let i = 0; i < schema.length; i++) {
      const fault = collect(schema[i], { path, reachable: false, at: `${at}[${i}]` }, collected);
      if (fault !== undefined) return fault;
    }
    return undefined;
  }
  if (!isJsonObject(schema)) return undefined;
  if (Object.hasOwn(schema, "x-mcp-header")) {
    const fault = annotationFault(schema, reachable && path.length > 0, collected.names);
    if (fault !== undefined) return { ok: false, path: at, fault };
    const spelled = schema["x-mcp-header"] as string;
    collected.params.push({ header: HEADERS.paramPrefix + spelled.toLowerCase(), spelled, path });
  }
  for (const [key, member] of Object.entries(schema)) {
    if (NOT_SCHEMAS.has(key)) continue;
    const fault = key === "properties" && isJsonObject(member)
      ? collectEach(member, { path, reachable, at: `${at}.${key}` }, collected)
      : SCHEMA_MAPS.has(key) && isJsonObject(member)
      ? collectEach(member, { path, reachable: false, at: `${at}.${key}` }, collected)
      : collect(member, { path, reachable: false, at: `${at}.${key}` }, collected);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

/** Keywords whose value is data, not a schema. */
const NOT_SCHEMAS: ReadonlySet<string> = new Set(["const", "default", "enum", "examples", "required", "x-mcp-header"]);

/** Keywords whose value maps names to schemas. */
const SCHEMA_MAPS: ReadonlySet<string> = new Set(["$defs", "definitions", "patternProperties", "dependentSchemas"]);

function collectEach(schemas: JsonObject, { path, reachable, at }: Place, collected: Collected): MirroredParams | undefined {
  for (const [name, schema] of Object.entries(schemas)) {
    const fault = collect(schema, { path: [...path, name], reachable, at: `${at}.${name}` }, collected);
    if (fault !== undefined) return fault;
  }
  return undefined;
}

function annotationFault(schema: JsonObject, reachable: boolean, seen: Set<string>): string | undefined {
  const name = schema["x-mcp-header"];
  if (typeof name !== "string" || name === "") return "x-mcp-header must be a non-empty string";
  if (!/^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(name)) return "x-mcp-header must be an HTTP token (RFC 9110 § 5.6.2)";
  if (!reachable) return "x-mcp-header must stand on a property that is reached through properties alone";
  if (schema.type !== "string" && schema.type !== "integer" && schema.type !== "boolean") {
    return "x-mcp-header must stand on a property of type string, integer or boolean";
  }
  const lower = name.toLowerCase();
  if (seen.has(lower)) return "x-mcp-header must differ from the others of the tool without regard to case";
  seen.add(lower);
  return undefined;
}
