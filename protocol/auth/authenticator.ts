/** What decides over HTTP who calls: the contract between a server and its authorization. */
import type { AuthInfo } from "./auth_info.ts";

/** Who may call, see `@causeway/mcp/server/auth`. */
export interface Authenticator<Claims = unknown> {
  /**
   * The caller, or the 401 / 403 to send. Asked for every request before its body is read. When it rejects, nobody is let in:
   * the client gets 503, and the error goes to `onError`. What is given to `warn` goes there, too: why a caller is refused, for those
   * who run the server, and never with a token.
   */
  authenticate(request: Request, warn?: (warning: Error) => void): Promise<AuthInfo<Claims> | Response>;
  /** The caller of a handler, typed; throws a `TypeError` when there is none. */
  of(ctx: { readonly auth: AuthInfo | undefined }): AuthInfo<Claims>;
  /** Answers a request for what anybody may read, such as metadata at its well-known path; undefined for all other requests. */
  metadata?(request: Request): Response | undefined;
  /** Does what a caller was granted cover what a component needs? Without it every scope must be there by its name. */
  covers?(granted: readonly string[], needed: readonly string[]): boolean;
  /** The `WWW-Authenticate` value that tells which scopes a component needs; a plain one without it (RFC 6750 § 3). */
  stepUp?(needed: readonly string[]): string;
}
