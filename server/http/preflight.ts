/** Answers web pages that ask whether they may send a request; loaded by the first one that asks. */
import type { HeaderReader } from "../../protocol/headers.ts";

/** What a page may send, when it does not say; `Mcp-Param-*` cannot be listed by a pattern, so what it asks for is granted. */
const HEADERS =
  "accept, authorization, content-type, mcp-method, mcp-name, mcp-protocol-version, traceparent, tracestate, baggage";

const MAX_AGE_SECONDS = "7200";

/**
 * Answers a preflight request of a page whose origin is allowed (Fetch Standard § CORS-preflight fetch). A page that comes from a
 * more public network than the server's is let in like any other that is allowed (Private Network Access § CORS preflight).
 *
 * @param origin The origin.
 * @param headers The headers of the request.
 * @param methods The methods of an endpoint with sessions, whose headers are then allowed; POST alone without.
 */
export function answerPreflight(origin: string, headers: HeaderReader, methods: string | undefined): Response {
  const sent = methods === undefined ? HEADERS : `${HEADERS}, mcp-session-id, last-event-id`;
  const isPrivate = headers.get("access-control-request-private-network") === "true";
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": methods ?? "POST",
      "access-control-allow-headers": headers.get("access-control-request-headers") ?? sent,
      "access-control-max-age": MAX_AGE_SECONDS,
      "vary": "Origin, Access-Control-Request-Headers, Access-Control-Request-Private-Network",
      ...(isPrivate ? { "access-control-allow-private-network": "true" } : {}),
    },
  });
}
