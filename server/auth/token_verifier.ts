/** The contract of what checks one access token. */
import type { AuthInfo } from "../../protocol/auth/auth_info.ts";

/** A caller with what its token is bound to. */
export interface VerifiedToken<Claims = unknown> extends AuthInfo<Claims> {
  /** For whom the token was issued (RFC 7519 § 4.1.3). When it is there, the server's `resource` has to be in it, exactly. */
  readonly audience?: string | readonly string[] | undefined;
  /** The thumbprint of the key whose holder alone may use the token (RFC 9449 § 6.1, `cnf.jkt`). */
  readonly keyThumbprint?: string | undefined;
}

/**
 * Checks one token: the caller, or undefined for "not valid", which becomes a 401. A rejection means that nothing can be said
 * about the token now, and becomes a 503. A verifier that gives no `audience` has to see to it itself that the token was
 * issued for this server (MCP 2026-07-28, Authorization § Token Handling). Before it gives undefined it may tell `explain` why: half
 * a sentence such as "it is over" for `onError` of the server, never for the caller, and without anything of the token. What does not
 * answer within the limit `verifyTimeout` counts as a rejection. With `warn` it tells `onError` what is amiss with itself although it
 * can still answer.
 */
export type TokenVerifier<Claims = unknown> = (
  token: string,
  request: Request,
  explain?: (why: string) => void,
  warn?: (warning: Error) => void,
) => VerifiedToken<Claims> | undefined | Promise<VerifiedToken<Claims> | undefined>;
