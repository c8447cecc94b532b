/** Local errors for HTTP answers that are no MCP messages. */
import { parseChallenges } from "../protocol/auth/challenge.ts";
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
 * @param method What was sent.
 */
export function httpError(
  where: string,
  response: Response,
  text: string,
  method = "POST",
): TransportError | AuthorizationError {
  const { status } = response;
  if (status === 401 || status === 403) {
    const challenge = readChallenge(response.headers.get("www-authenticate") ?? "");
    const reason = status === 401 ? "unauthorized" : "insufficient_scope";
    return new AuthorizationError(reason, `${method} ${where}: the server answered ${status}`, { status, challenge });
  }
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) return redirectError(where, response, method);
  const contentType = response.headers.get("content-type");
  const found = contentType === null ? "no media type" : contentType;
  const data = { status, contentType, excerpt: excerpt(text) };
  return new TransportError("not_mcp", `${method} ${where}: the answer is no MCP message (status ${status}, ${found})`, { data });
}

/** An address without credentials, query and fragment, which may be secret. */
export function publicPart(url: URL): string {
  return url.origin + url.pathname;
}

function redirectError(where: string, response: Response, method: string): TransportError {
  const location = response.headers.get("location");
  const target = location !== null && URL.canParse(location, where) ? publicPart(new URL(location, where)) : null;
  const status = response.status === 0 ? null : response.status;
  const found = `the server redirects${target === null ? "" : ` to ${target}`}${status === null ? "" : ` (status ${status})`}`;
  return new TransportError("not_mcp", `${method} ${where}: ${found}, and redirects are not followed`, {
    data: { status, location: target },
  });
}

/** What the first challenge for a bearer token says (RFC 6750 § 3; RFC 9728 § 5.1). */
function readChallenge(header: string): NonNullable<AuthorizationFacts["challenge"]> {
  const bearer = parseChallenges(header).find(({ scheme }) => scheme === "bearer")?.params;
  return { scope: bearer?.get("scope"), error: bearer?.get("error"), resourceMetadata: bearer?.get("resource_metadata") };
}
