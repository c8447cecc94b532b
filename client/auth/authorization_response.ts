/** The redirect that ends an authorization: whose it is, what it says. */
import { validateAuthResponse } from "oauth4webapi";
import type { ServerMetadata } from "../../protocol/auth/metadata.ts";
import { AuthorizationError } from "../../protocol/errors.ts";
import { peerText } from "./peer_text.ts";

/** What was recorded before the person was sent away. */
export interface PendingAuthorization {
  /** The validated issuer, and whether its responses name it. */
  readonly server: Pick<ServerMetadata, "issuer" | "authorization_response_iss_parameter_supported">;
  /** The client. */
  readonly clientId: string;
  /** Ties the response to the request. */
  readonly state: string;
}

/**
 * Checks a response and returns its parameters as the library wants them for the exchange of the code.
 *
 * @throws {AuthorizationError} "denied" for a response that belongs to another request or says no, "issuer_mismatch" for one of
 * another issuer; of the latter nothing else is read or shown (MCP 2026-07-28, Authorization Response Validation).
 */
export function readAuthorizationResponse(pending: PendingAuthorization, parameters: URLSearchParams): URLSearchParams {
  const { server, clientId, state } = pending;
  const fail = (found: string): AuthorizationError =>
    new AuthorizationError("denied", `Reading the authorization response: ${found}`);
  if (["state", "iss", "error", "code"].some((name) => parameters.getAll(name).length > 1)) {
    throw fail("it names a parameter twice");
  }
  if (parameters.get("state") !== state) throw fail("it does not belong to this request (its state is another one)");
  checkIssuer(server, parameters.get("iss"));
  const error = parameters.get("error");
  if (error !== null) {
    const description = parameters.get("error_description");
    throw fail(`the server says ${peerText(error)}${description === null ? "" : ` (${peerText(description)})`}`);
  }
  if ((parameters.get("code") ?? "") === "") throw fail("it holds no code");
  try {
    return validateAuthResponse({ issuer: server.issuer }, { client_id: clientId }, parameters, state);
  } catch {
    throw fail("it is none of the authorization code flow");
  }
}

/**
 * RFC 9207 § 2.4 with the table of MCP 2026-07-28: one that is there has to be the recorded issuer, character by character, whether
 * or not the server announces it; the library takes an empty one for an absent one.
 */
function checkIssuer(
  { issuer, authorization_response_iss_parameter_supported }: PendingAuthorization["server"],
  iss: string | null,
): void {
  if (iss === null ? authorization_response_iss_parameter_supported !== true : iss === issuer) return;
  const found = iss === null ? "it does not name its issuer, though the server announces that" : "it comes from another issuer";
  throw new AuthorizationError("issuer_mismatch", `Reading the authorization response: ${found}`);
}
