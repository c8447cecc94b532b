/** Local errors for HTTP answers that are not MCP messages. */
import { parseChallenges } from "../protocol/auth/challenge.ts";
import { AuthorizationError, TransportError } from "../protocol/errors.ts";
import type { AuthorizationFacts } from "../protocol/errors.ts";
import { shownLine } from "../protocol/shown.ts";
import { publicPart } from "./public_part.ts";
import { excerpt } from "./read_fault.ts";

/**
 * Says what an answer's status means: 401 and 403 are an `AuthorizationError`, any other is a `TransportError` "not_mcp"
 * with `{ status, contentType, excerpt }`.
 *
 * @param where The endpoint, without what may be secret.
 * @param response The answer; its body is not read.
 * @param text The beginning of its body.
 * @param method What was sent.
 * @param why What else is known about it, as the end of a sentence.
 */
export function answerError(
  where: string,
  response: Response,
  text: string,
  method = "POST",
  why = hint(response.status, response.headers.get("content-type")),
): TransportError | AuthorizationError {
  const { status } = response;
  if (status === 401 || status === 403) {
    const challenge = readChallenge(response.headers.get("www-authenticate") ?? "");
    const reason = status === 401 ? "unauthorized" : "insufficient_scope";
    return new AuthorizationError(reason, `${method} ${where}: ${refusal(status, challenge)}`, { status, challenge });
  }
  if (response.type === "opaqueredirect" || (status >= 300 && status < 400)) return redirectError(where, response, method);
  const contentType = response.headers.get("content-type");
  const found = contentType === null ? "no media type" : shownLine(contentType);
  const data = { status, contentType, excerpt: excerpt(text) };
  return new TransportError(
    "not_mcp",
    `${method} ${where}: the answer is not an MCP message (status ${status}, ${found})${why}`,
    {
      data,
    },
  );
}

/** The usual reason for such an answer. */
function hint(status: number, contentType: string | null): string {
  if (status === 404 || status === 405) return "; is this the path of an MCP server?";
  return status === 200 && contentType?.startsWith("text/html") === true ? "; this is the address of a web page" : "";
}

function redirectError(where: string, response: Response, method: string): TransportError {
  const location = response.headers.get("location");
  const target = location !== null && URL.canParse(location, where) ? publicPart(new URL(location, where)) : null;
  const status = response.status === 0 ? null : response.status;
  const found = `the server redirects${target === null ? "" : ` to ${target}`}${status === null ? "" : ` (status ${status})`}`;
  return new TransportError(
    "not_mcp",
    `${method} ${where}: ${found}, and redirects are not followed; connect to where the server is`,
    {
      data: { status, location: target },
    },
  );
}

type Challenge = NonNullable<AuthorizationFacts["challenge"]>;

/** What the first challenge for a token says, that for a bearer token first (RFC 6750 § 3; RFC 9449 § 7.1; RFC 9728 § 5.1). */
function readChallenge(header: string): Challenge {
  const all = parseChallenges(header);
  const params = ["bearer", "dpop"].map((known) => all.find(({ scheme }) => scheme === known)?.params).find((one) => one);
  const description = params?.get("error_description");
  return {
    scope: params?.get("scope"),
    error: params?.get("error"),
    ...(description === undefined ? {} : { errorDescription: shownLine(description) }),
    resourceMetadata: params?.get("resource_metadata"),
  };
}

/** What the server said, what it wants, and what a program can do about it. */
function refusal(status: 401 | 403, { error, errorDescription, scope }: Challenge): string {
  const told = [error === undefined ? undefined : shownLine(error), errorDescription].filter((one) => one !== undefined);
  const why = told.length === 0 ? "" : ` (${told.join(": ")})`;
  const wants = scope === undefined || scope === "" ? "" : `, it wants the scopes ${shownLine(scope)}`;
  return `the server answered ${status}${why}${wants}; ${advice(status, error, wants !== "")}`;
}

function advice(status: 401 | 403, error: string | undefined, wantsScopes: boolean): string {
  if (status === 401) {
    return error === undefined
      ? "the option auth has to give a token for this server"
      : "the option auth has to give another token, issued for this server";
  }
  if (error === "insufficient_scope") {
    return `the option auth has to give a token with ${wantsScopes ? "these scopes" : "more scopes"}`;
  }
  return "the server does not allow this to the caller, whichever token is sent";
}
