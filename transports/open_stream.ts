/** Asks for an event stream by GET, and says what a refusal means. */
import { TransportError } from "../protocol/errors.ts";
import { HEADERS } from "../protocol/headers.ts";
import { isTransientStatus } from "../protocol/is_transient_status.ts";
import { mediaTypeOf } from "./http_answer.ts";
import type { HttpEndpoint } from "./http_endpoint.ts";
import { EVENT_TYPE, readUnexpected } from "./http_reply.ts";
import type { HeaderPairs } from "./transport.ts";

/** Options of {@linkcode openStream}. */
export interface OpenStreamOptions {
  /** The headers of the session. */
  readonly headers: HeaderPairs;
  /** Where to go on; a new stream when absent. */
  readonly lastEventId: string | undefined;
  /** Ends the request and the reading of its answer. */
  readonly signal: AbortSignal;
}

/** What became of it. */
export type Opening =
  | { readonly type: "stream"; readonly body: ReadableStream<Uint8Array> }
  /** It may succeed later. */
  | { readonly type: "fault"; readonly error: unknown }
  /** The server says no. `status` is 0 when no HTTP answer said it. */
  | { readonly type: "refusal"; readonly status: number; readonly error: unknown };

/**
 * Opens an event stream (MCP 2025-11-25, Streamable HTTP § Listening for Messages from the Server). Never rejects.
 *
 * @param endpoint Where.
 * @param options What goes with the request.
 */
export async function openStream(endpoint: HttpEndpoint, options: OpenStreamOptions): Promise<Opening> {
  const { lastEventId, signal } = options;
  const headers: [string, string][] = [...options.headers.map(([name, value]): [string, string] => [name, value])];
  headers.push(["accept", EVENT_TYPE]);
  if (lastEventId !== undefined) headers.push([HEADERS.lastEventId, lastEventId]);
  let response: Response;
  try {
    response = await endpoint.send({ method: "GET", headers, signal });
  } catch (error) {
    const lasting = error instanceof Error && "kind" in error && error.kind !== "transport";
    return lasting ? { type: "refusal", status: 0, error } : { type: "fault", error };
  }
  const { status } = response;
  if (response.ok && mediaTypeOf(response) === EVENT_TYPE && response.body !== null) {
    return { type: "stream", body: response.body };
  }
  const unexpected = await readUnexpected(endpoint.where, response, "GET", signal);
  if (isTransientStatus(status)) return { type: "fault", error: unexpected };
  if (status !== 405) return { type: "refusal", status, error: unexpected };
  const remedy = "it tells of changes only where it has sessions (option sessions of a server); elsewhere ask it again";
  const error = new TransportError("not_mcp", `GET ${endpoint.where}: the server offers no stream (status 405): ${remedy}`, {
    data: { status },
    cause: unexpected,
  });
  return { type: "refusal", status, error };
}
