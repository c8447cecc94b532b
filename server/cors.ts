/** Cross-origin requests of web pages whose origin is allowed. */

/** Answers for web pages. */
export interface Cors {
  /** Answers a preflight request (Fetch Standard § CORS protocol); `asked` are the headers that the page wants to send. */
  preflight(origin: string, asked?: string | null): Response;
  /** Lets a page of the origin read the answer. */
  allow(response: Response, origin: string): Response;
}

/** What a page may send; `Mcp-Param-*` can not be listed by a pattern, so that what it asks for is granted. */
const HEADERS =
  "accept, authorization, content-type, mcp-method, mcp-name, mcp-protocol-version, traceparent, tracestate, baggage";

const MAX_AGE_SECONDS = "7200";

/**
 * Makes the answers for web pages.
 *
 * @param methods The methods of an endpoint with sessions, whose headers are then allowed and shown; POST alone without.
 */
export function createCors(methods: string | undefined): Cors {
  const sent = methods === undefined ? HEADERS : `${HEADERS}, mcp-session-id, last-event-id`;
  const shown = methods === undefined ? "www-authenticate" : "www-authenticate, mcp-session-id";
  return {
    preflight: (origin, asked) =>
      new Response(null, {
        status: 204,
        headers: {
          "access-control-allow-origin": origin,
          "access-control-allow-methods": methods ?? "POST",
          "access-control-allow-headers": asked ?? sent,
          "access-control-max-age": MAX_AGE_SECONDS,
          "vary": "Origin, Access-Control-Request-Headers",
        },
      }),
    allow: (response, origin) => {
      response.headers.set("access-control-allow-origin", origin);
      response.headers.append("vary", "Origin");
      response.headers.set("access-control-expose-headers", shown);
      return response;
    },
  };
}
