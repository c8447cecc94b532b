/** An inbound request with its headers: which dialect it is spoken in, or why it is refused, with code and HTTP status. */
import type { Dialect, KnownClient, RequestIn } from "./dialect.ts";
import { ERROR_CODES } from "./errors.ts";
import { HEADERS, standardHeaders } from "./headers.ts";
import type { HeaderReader } from "./headers.ts";
import { isJsonObject, ownMember } from "./json.ts";
import type { JsonObject } from "./json.ts";
import type { JsonRpcErrorObject } from "./json_rpc.ts";
import type { HandshakeState } from "./lifecycle.ts";
import { META } from "./meta.ts";
import { shown } from "./shown.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "./types.ts";

/** What became of a request: its dialect and content, or the refusal, or the dialect that has to be loaded before it can be read. */
export type Classified =
  | { readonly ok: true; readonly dialect: Dialect; readonly request: RequestIn }
  | Refused
  | Unloaded;

/** The dialect of a request is not loaded: it is to be classified again when it is. */
export interface Unloaded {
  /** It was not taken. */
  readonly ok: false;
  /** What is missing. */
  readonly unloaded: Dialect;
}

/** The refusal of a message. */
export interface Refused {
  /** It was not taken. */
  readonly ok: false;
  /** The JSON-RPC error. */
  readonly error: JsonRpcErrorObject;
  /** The HTTP status that goes with it. */
  readonly status: number;
}

/** What is known about the connection that a request came over. */
export interface KnownConnection {
  /** What the handshake has agreed on; undefined before it, and where nothing is kept. */
  readonly state: HandshakeState | undefined;
  /** Does the connection outlast the exchange? Then it has to begin with `initialize`. */
  readonly lasting: boolean;
}

/** Is a method served in a dialect, be it core or an extension's? */
export type KnowsMethod = (dialect: Dialect, method: string) => boolean;

const UNKNOWN_CONNECTION: KnownConnection = { state: undefined, lasting: false };

/**
 * Decides in which dialect a request is spoken, and refuses it when its `_meta`, its headers or the connection do not allow
 * to answer. A stateless request carries a reserved key of `_meta`, or the headers of its kind; all others belong to a
 * handshake. The order of checks of stateless requests: version served (where header and body name the same), headers
 * present, `_meta` complete, headers equal to the body, method known (MCP 2026-07-28, Streamable HTTP § Server validation).
 *
 * @param message The request.
 * @param headers Reads the HTTP headers; undefined on other carriers.
 * @param served The dialects that are served, newest first, never empty.
 * @param knows Is the method served in the dialect?
 * @param known The connection; a single exchange when absent.
 */
export function classify(
  message: JsonRpcRequest,
  headers: HeaderReader | undefined,
  served: readonly Dialect[],
  knows: KnowsMethod,
  known: KnownConnection = UNKNOWN_CONNECTION,
): Classified {
  const meta = message.params?._meta;
  const named = isJsonObject(meta) ? meta[META.protocolVersion] : undefined;
  return named !== undefined && isStateless(served[0]) || isModern(message, headers, served)
    ? classifyModern(message, named, headers, served, knows)
    : classifyHandshake(message, headers, served, knows, known);
}

/**
 * Says whether a message belongs to a stateless revision: by a reserved key of `_meta`, or by `Mcp-Method` or a version
 * header, unless that names a handshake revision that is served. A progress token or trace keys alone say nothing.
 * Where one kind of revision is served alone, all messages belong to it.
 *
 * @param message Any message; responses have no `_meta` of their own.
 * @param headers Reads the HTTP headers; undefined on other carriers.
 * @param served The dialects that are served, newest first, never empty.
 */
export function isModern(message: JsonRpcMessage, headers: HeaderReader | undefined, served: readonly Dialect[]): boolean {
  // Stateless revisions are newer than all that begin with a handshake.
  if (!isStateless(served[0])) return false;
  if (isStateless(served[served.length - 1])) return true;
  const method = "method" in message ? message.method : undefined;
  const meta = method === undefined ? undefined : metaOf(message);
  if (meta !== undefined && (meta[META.protocolVersion] !== undefined || meta[META.clientCapabilities] !== undefined)) {
    return true;
  }
  if (headers === undefined) return false;
  const version = headers.get(HEADERS.protocolVersion);
  const dialect = version === null ? undefined : find(served, version);
  // A revision with a handshake does not know `Mcp-Method`, and so takes no notice of it.
  if (dialect !== undefined) return isStateless(dialect);
  // `initialize` negotiates in its body: a header with a revision that is not served takes nothing from that.
  return headers.get(HEADERS.method) !== null || (version !== null && method !== "initialize");
}

/**
 * Says why the version header of a message does not go with the handshake revision that is spoken, or undefined
 * (MCP 2025-11-25, Streamable HTTP § Protocol Version Header).
 *
 * @param headers Reads the HTTP headers; undefined on other carriers.
 * @param served The dialects that are served.
 * @param agreed The revision of the session; undefined without one.
 */
export function versionHeaderFault(
  headers: HeaderReader | undefined,
  served: readonly Dialect[],
  agreed: string | undefined,
): Refused | undefined {
  const version = headers?.get(HEADERS.protocolVersion) ?? null;
  if (version === null || version === agreed) return undefined;
  const named = find(served, version);
  if (named !== undefined && isStateless(named)) {
    return refuse(
      ERROR_CODES.invalid_params,
      `Header MCP-Protocol-Version names ${named.version}, in which clients send requests and notifications by POST alone`,
    );
  }
  if (named === undefined) {
    return refuse(
      ERROR_CODES.invalid_params,
      `Unsupported protocol version in header MCP-Protocol-Version: this server speaks ${list(served)}`,
      { supported: served.map((dialect) => dialect.version), requested: shown(version) },
    );
  }
  if (agreed === undefined) return undefined;
  return refuse(
    ERROR_CODES.invalid_request,
    `Header MCP-Protocol-Version differs from the revision of the session, which is ${agreed}`,
  );
}

function classifyModern(
  message: JsonRpcRequest,
  named: unknown,
  headers: HeaderReader | undefined,
  served: readonly Dialect[],
  knows: KnowsMethod,
): Classified {
  const newest = served[0] as Dialect;
  const standard = headers === undefined ? undefined : standardHeaders(headers);
  const claimed = standard?.version ?? named;
  if (typeof claimed === "string" && (named === undefined || named === claimed)) {
    const dialect = find(served, claimed);
    if (dialect !== undefined && !isStateless(dialect) && named === undefined) {
      const sentence =
        `Header MCP-Protocol-Version names ${dialect.version}, which begins with initialize, but _meta is of a stateless revision`;
      return refuse(ERROR_CODES.header_mismatch, sentence);
    }
    if (dialect === undefined || !isStateless(dialect)) return unsupported(claimed, served);
  }
  if (standard !== undefined) {
    const missing = newest.missingHeader(message, standard);
    if (missing !== undefined) return refuse(ERROR_CODES.header_mismatch, missing, servedVersions(message, served));
  }
  const read = newest.readRequest(message);
  if (!read.ok) return { ok: false, error: withVersions(read.error, message, served), status: 400 };
  if (standard !== undefined) {
    const mismatch = newest.headerMismatch(message, standard);
    if (mismatch !== undefined) return refuse(ERROR_CODES.header_mismatch, mismatch);
  }
  const version = read.value.meta[META.protocolVersion] as string;
  const dialect = find(served, version);
  if (dialect === undefined || !isStateless(dialect)) return unsupported(version, served);
  if (!knows(dialect, message.method)) return unknownMethod(message.method, dialect);
  return { ok: true, dialect, request: read.value };
}

function classifyHandshake(
  message: JsonRpcRequest,
  headers: HeaderReader | undefined,
  served: readonly Dialect[],
  knows: KnowsMethod,
  known: KnownConnection,
): Classified {
  const { state } = known;
  if (message.method === "initialize") {
    if (state !== undefined) return refuse(ERROR_CODES.invalid_request, "Invalid request: the session was initialized before");
    return read(message, counterOffer(message, served), knows, undefined);
  }
  // Without headers only `_meta` could say it, and a handshake revision does not have the method at all.
  const newest = served[0] as Dialect;
  if (headers === undefined && isStateless(newest) && newest.hasRequest(message.method, "client")) {
    const oldest = served[served.length - 1] as Dialect;
    if (!oldest.hasRequest(message.method, "client")) return classifyModern(message, undefined, headers, served, knows);
  }
  const fault = versionHeaderFault(headers, served, state?.version);
  if (fault !== undefined) return fault;
  if (state !== undefined) {
    const dialect = find(served, state.version);
    if (dialect?.handshake === undefined) return lostSession(state.version, served);
    return read(message, dialect, knows, state);
  }
  if (known.lasting && message.method !== "ping") return uninitialized(served);
  const version = headers?.get(HEADERS.protocolVersion) ?? null;
  const dialect = version === null ? undefined : find(served, version);
  // Without the header the oldest is meant (MCP 2025-11-25, Streamable HTTP § Protocol Version Header).
  return read(message, dialect ?? served[served.length - 1] as Dialect, knows, undefined);
}

function read(
  message: JsonRpcRequest,
  dialect: Dialect,
  knows: KnowsMethod,
  state: HandshakeState | undefined,
): Classified {
  if (dialect.load !== undefined) return { ok: false, unloaded: dialect };
  const request = dialect.readRequest(message, state === undefined ? undefined : knownClient(state));
  if (!request.ok) return { ok: false, error: request.error, status: dialect.httpStatus(request.error.code) };
  if (!knows(dialect, message.method)) return unknownMethod(message.method, dialect);
  return { ok: true, dialect, request: request.value };
}

function knownClient({ clientInfo, clientCapabilities, logLevel }: HandshakeState): KnownClient {
  return { clientInfo, clientCapabilities, logLevel };
}

/** The revision that was proposed, else the newest that begins with a handshake (MCP 2025-11-25, Lifecycle § Version Negotiation). */
function counterOffer(message: JsonRpcRequest, served: readonly Dialect[]): Dialect {
  const proposed = message.params === undefined ? undefined : ownMember(message.params, "protocolVersion");
  const dialect = typeof proposed === "string" ? find(served, proposed) : undefined;
  if (dialect?.handshake !== undefined) return dialect;
  return served.find((candidate) => candidate.handshake !== undefined) as Dialect;
}

function uninitialized(served: readonly Dialect[]): Refused {
  const first = isStateless(served[0]) ? `_meta with ${META.protocolVersion}, or initialize before it` : "initialize before it";
  const sentence = `Invalid params: the request needs ${first}; this server speaks ${list(served)}`;
  return refuse(ERROR_CODES.invalid_params, sentence, { supported: served.map((dialect) => dialect.version) });
}

/** The client learns that it has to begin again (MCP 2025-11-25, Streamable HTTP § Session Management). */
function lostSession(version: string, served: readonly Dialect[]): Refused {
  const sentence = `The session was opened in revision ${shown(version)}; this server speaks ${list(served)}`;
  return { ok: false, error: { code: ERROR_CODES.invalid_request, message: sentence }, status: 404 };
}

function isStateless(dialect: Dialect | undefined): boolean {
  return dialect?.handshake === undefined;
}

function metaOf(message: JsonRpcMessage): JsonObject | undefined {
  const params = "params" in message ? message.params : undefined;
  const meta = params === undefined ? undefined : ownMember(params, "_meta");
  return isJsonObject(meta) ? meta : undefined;
}

function find(served: readonly Dialect[], version: string): Dialect | undefined {
  for (const dialect of served) if (dialect.version === version) return dialect;
  return undefined;
}

function list(served: readonly Dialect[]): string {
  return served.map((dialect) => dialect.version).join(", ");
}

function unsupported(requested: string, served: readonly Dialect[]): Refused {
  return refuse(ERROR_CODES.unsupported_version, `Unsupported protocol version: this server speaks ${list(served)}`, {
    supported: served.map((dialect) => dialect.version),
    requested,
  });
}

function unknownMethod(method: string, dialect: Dialect): Refused {
  const code = dialect.errorCode("method_not_found");
  return { ok: false, error: { code, message: `Method not found: ${shown(method)}` }, status: dialect.httpStatus(code) };
}

/** A client of an older revision learns from the refusal which versions are served. */
function servedVersions(message: JsonRpcRequest, served: readonly Dialect[]): JsonObject | undefined {
  return message.method === "initialize" ? { supported: served.map((dialect) => dialect.version) } : undefined;
}

function withVersions(error: JsonRpcErrorObject, message: JsonRpcRequest, served: readonly Dialect[]): JsonRpcErrorObject {
  const data = servedVersions(message, served);
  return data === undefined ? error : { ...error, data };
}

function refuse(code: number, message: string, data?: JsonObject): Refused {
  return { ok: false, error: data === undefined ? { code, message } : { code, message, data }, status: 400 };
}
