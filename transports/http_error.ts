/** Local errors for HTTP answers that are no MCP messages. */
import { AuthorizationError, TransportError } from "../protocol/errors.ts";
import type { AuthorizationFacts } from "../protocol/errors.ts";
import { excerpt } from "./read_fault.ts";

/**
 * Says what an answer's status means: 401 and 403 are an `AuthorizationError`, any other is a `TransportError` "not_mcp"
 * with `{ status, contentType, excerpt }`.
 *
 * @param where The endpoint, without what may be secret.
 * @param response The answer; its body is not read.
 * @param text The beginning of its body.
 */
export function httpError(where: string, response: Response, text: string): TransportError | AuthorizationError {
  const { status } = response;
  if (status === 401 || status === 403) {
    const challenge = readChallenge(response.headers.get("www-authenticate") ?? "");
    const reason = status === 401 ? "unauthorized" : "insufficient_scope";
    return new AuthorizationError(reason, `POST ${where}: the server answered ${status}`, { status, challenge });
  }
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) return redirectError(where, response);
  const contentType = response.headers.get("content-type");
  const found = contentType === null ? "no media type" : contentType;
  const data = { status, contentType, excerpt: excerpt(text) };
  return new TransportError("not_mcp", `POST ${where}: the answer is no MCP message (status ${status}, ${found})`, { data });
}

/** An address without credentials, query and fragment, which may be secret. */
export function publicPart(url: URL): string {
  return url.origin + url.pathname;
}

function redirectError(where: string, response: Response): TransportError {
  const location = response.headers.get("location");
  const target = location !== null && URL.canParse(location, where) ? publicPart(new URL(location, where)) : null;
  const status = response.status === 0 ? null : response.status;
  const found = `the server redirects${target === null ? "" : ` to ${target}`}${status === null ? "" : ` (status ${status})`}`;
  return new TransportError("not_mcp", `POST ${where}: ${found}, and redirects are not followed`, {
    data: { status, location: target },
  });
}

/** A parameter with a token or a quoted string, or a bare token, which names a scheme (RFC 9110 § 11.6.1). */
const CHALLENGE_PART = /[\s,]*(?:([\w!#$%&'*+.^`|~-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s,"]*))|([\w!#$%&'*+.^`|~-]+))/gy;

function readChallenge(header: string): NonNullable<AuthorizationFacts["challenge"]> {
  const found = new Map<string, string>();
  let bearer = false;
  for (const [, name, quoted, token, scheme] of header.matchAll(CHALLENGE_PART)) {
    if (scheme !== undefined) bearer = scheme.toLowerCase() === "bearer";
    if (!bearer || name === undefined || found.has(name.toLowerCase())) continue;
    found.set(name.toLowerCase(), quoted === undefined ? token ?? "" : quoted.replaceAll(/\\(.)/g, "$1"));
  }
  return { scope: found.get("scope"), error: found.get("error"), resourceMetadata: found.get("resource_metadata") };
}
