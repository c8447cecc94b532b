/** Cross-origin requests of web pages whose origin is allowed. */

const METHODS = "POST";

/** What a page may send; `Mcp-Param-*` can not be listed by a pattern, so that what it asks for is granted. */
const HEADERS =
  "accept, authorization, content-type, mcp-method, mcp-name, mcp-protocol-version, traceparent, tracestate, baggage";

const MAX_AGE_SECONDS = "7200";

/** Answers a preflight request (Fetch Standard § CORS protocol). */
export function preflight(origin: string, asked?: string | null): Response {
  return new Response(null, {
    status: 204,
    headers: {
      "access-control-allow-origin": origin,
      "access-control-allow-methods": METHODS,
      "access-control-allow-headers": asked ?? HEADERS,
      "access-control-max-age": MAX_AGE_SECONDS,
      "vary": "Origin, Access-Control-Request-Headers",
    },
  });
}

/** Lets a page of the origin read the answer. */
export function corsHeaders(response: Response, origin: string): Response {
  response.headers.set("access-control-allow-origin", origin);
  response.headers.append("vary", "Origin");
  response.headers.set("access-control-expose-headers", "www-authenticate");
  return response;
}
