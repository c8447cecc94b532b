/** An inbound request with its headers: which dialect it is spoken in, or why it is refused, with code and HTTP status. */
import type { Dialect, RequestIn } from "./dialect.ts";
import { ERROR_CODES } from "./errors.ts";
import { standardHeaders } from "./headers.ts";
import type { HeaderReader } from "./headers.ts";
import { isJsonObject, ownMember } from "./json.ts";
import type { JsonObject } from "./json.ts";
import type { JsonRpcErrorObject } from "./json_rpc.ts";
import { META } from "./meta.ts";
import { shown } from "./shown.ts";
import type { JsonRpcRequest } from "./types.ts";

/** What became of a request: its dialect and content, or the refusal. */
export type Classified =
  | { readonly ok: true; readonly dialect: Dialect; readonly request: RequestIn }
  | { readonly ok: false; readonly error: JsonRpcErrorObject; readonly status: number };

/**
 * Decides in which dialect a request is spoken, and refuses it when its `_meta` or its headers do not allow to
 * answer. The order of checks: version served (where header and body name the same), headers present, `_meta` complete,
 * headers equal to the body, method known (MCP 2026-07-28, Streamable HTTP § Server validation).
 *
 * @param message The request.
 * @param headers Reads the HTTP headers; undefined on other carriers.
 * @param served The dialects that are served, newest first, never empty.
 * @param knows Is the method served, be it core or an extension's?
 */
export function classify(
  message: JsonRpcRequest,
  headers: HeaderReader | undefined,
  served: readonly Dialect[],
  knows: (method: string) => boolean,
): Classified {
  const newest = served[0] as Dialect;
  const standard = headers === undefined ? undefined : standardHeaders(headers);
  const named = bodyVersion(message);
  const claimed = standard?.version ?? named;
  if (typeof claimed === "string" && (named === undefined || named === claimed) && !speaks(served, claimed)) {
    return unsupported(claimed, served);
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
  const dialect = served.find((candidate) => candidate.version === version);
  if (dialect === undefined) return unsupported(version, served);
  if (!knows(message.method)) return unknownMethod(message.method, dialect);
  return { ok: true, dialect, request: read.value };
}

function bodyVersion(message: JsonRpcRequest): unknown {
  const meta = message.params === undefined ? undefined : ownMember(message.params, "_meta");
  return isJsonObject(meta) ? ownMember(meta, META.protocolVersion) : undefined;
}

function speaks(served: readonly Dialect[], version: string): boolean {
  for (const dialect of served) if (dialect.version === version) return true;
  return false;
}

function unsupported(requested: string, served: readonly Dialect[]): Classified {
  const supported = served.map((dialect) => dialect.version);
  return refuse(ERROR_CODES.unsupported_version, `Unsupported protocol version: this server speaks ${supported.join(", ")}`, {
    supported,
    requested,
  });
}

function unknownMethod(method: string, dialect: Dialect): Classified {
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

function refuse(code: number, message: string, data?: JsonObject): Classified {
  return { ok: false, error: data === undefined ? { code, message } : { code, message, data }, status: 400 };
}
