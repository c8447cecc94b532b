/** What is known about a verified caller. */

/** A verified caller. */
export interface AuthInfo<Claims = Readonly<Record<string, unknown>>> {
  /** Stable and unique for the person or client behind the token; state, sessions and tasks are bound to it. */
  readonly principal: string;
  /** The OAuth client. */
  readonly clientId?: string | undefined;
  /** What the token allows. */
  readonly scopes: readonly string[];
  /** Seconds since the epoch. */
  readonly expiresAt?: number | undefined;
  /** What else the token says. Where `claims` of the authenticator types it otherwise, `auth.of(ctx)` knows that type. */
  readonly claims: Claims;
}
