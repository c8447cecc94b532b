/** Lets web pages whose origin is allowed read what they are answered. */

/** Lets a page of an origin read an answer. */
export type Cors = (response: Response, origin: string) => Response;

/**
 * Makes what lets web pages read answers (Fetch Standard § CORS protocol).
 *
 * @param sessions Does the endpoint have sessions? Their ids are then shown.
 */
export function createCors(sessions: boolean): Cors {
  const shown = sessions ? "www-authenticate, mcp-session-id" : "www-authenticate";
  return (response, origin) => {
    response.headers.set("access-control-allow-origin", origin);
    response.headers.append("vary", "Origin");
    response.headers.set("access-control-expose-headers", shown);
    return response;
  };
}
