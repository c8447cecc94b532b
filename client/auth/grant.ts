/** The contract of a flow: how it gets tokens once discovery has found where. */
import type { Awaitable } from "../../protocol/types.ts";
import type { AuthHttp } from "./auth_http.ts";
import type { Discovered } from "./discovery.ts";
import type { Proofs } from "./dpop.ts";
import type { TokenSet } from "./token_set.ts";
import type { TokenStore } from "./token_store.ts";

/** One attempt to get tokens. */
export interface GrantSession {
  /** Sends requests. */
  readonly http: AuthHttp;
  /** Keeps registrations. */
  readonly store: TokenStore;
  /** Where tokens come from, and what for. */
  readonly discovered: Pick<Discovered, "resource" | "server" | "assumed" | "trace">;
  /** Binds the tokens to a key. */
  readonly proofs: Proofs | undefined;
  /** Ends the attempt. */
  readonly signal: AbortSignal;
}

/** One flow. */
export interface Grant {
  /** Tells its tokens from those of other clients in the same store; nothing secret. */
  readonly identity: string;
  /** Whether a person takes part, so that it happens only when a request was refused. */
  readonly interactive: boolean;
  /** Scopes that the program wants in any case. */
  readonly scopes: readonly string[];
  /** Whether wider tokens are asked for when a request was refused for its scope. */
  readonly stepsUp: boolean;
  /** Where the client is registered; undefined when it may be anywhere. */
  issuer(store: TokenStore): Awaitable<string | undefined>;
  /** Gets tokens anew. */
  obtain(session: GrantSession, scopes: readonly string[]): Promise<TokenSet>;
  /** Gets tokens by a refresh token; undefined when the server does not take it any more. */
  refresh?(session: GrantSession, tokens: TokenSet): Promise<TokenSet | undefined>;
}
