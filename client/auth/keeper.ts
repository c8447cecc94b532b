/** The tokens of one server: handed out, renewed ahead of their end, and answered for when the server refuses them. */
import { coversScopes, readScopes, uniteScopes } from "../../protocol/auth/scopes.ts";
import { AuthorizationError } from "../../protocol/errors.ts";
import { AUTHORIZATION_LIMITS } from "../../protocol/limits.ts";
import { transportFault } from "../../protocol/auth/transport_fault.ts";
import type { AuthRequest, Challenge, Credentials } from "../authorized_fetch.ts";
import { untilAborted } from "../waits/until_aborted.ts";
import { authHttp } from "./auth_http.ts";
import type { AuthHttp } from "./auth_http.ts";
import { discover, discoverServer } from "./discovery.ts";
import type { Discovered } from "./discovery.ts";
import { openProofs } from "./dpop.ts";
import type { Proofs } from "./dpop.ts";
import type { FlowOptions } from "./flow_options.ts";
import type { Grant, GrantSession } from "./grant.ts";
import { startFlight } from "./shared_flight.ts";
import type { SharedFlight } from "./shared_flight.ts";
import { storeKey } from "./store_keys.ts";
import type { TokenSet } from "./token_set.ts";
import type { TokenStore } from "./token_store.ts";
import { TokenVault } from "./token_vault.ts";
import { beginTrace } from "./trace.ts";

/** Why tokens are renewed. */
interface Need {
  /** The access token that is not accepted any more. */
  readonly refused: string | undefined;
  /** What the server said; undefined when it was not asked. */
  readonly challenge: Challenge | undefined;
  /** Nobody is to be asked for others. */
  readonly quiet?: boolean | undefined;
}

/** Keeps the tokens for one server. */
export class Keeper {
  readonly #grant: Grant;
  readonly #options: FlowOptions;
  readonly #http: AuthHttp;
  readonly #store: TokenStore;
  readonly #vault: TokenVault;
  readonly #sent = new WeakMap<AuthRequest, string>();
  readonly #proven = new WeakSet<AuthRequest>();
  readonly #widened = new Set<string>();
  #discovered: Discovered | undefined;
  #proofs: Proofs | undefined;
  #resourceMetadata: string | undefined;
  #flight: SharedFlight<boolean> | undefined;
  #unaccepted = 0;
  #outliving: string | undefined;

  /** Keeps tokens for the server at `endpoint`. */
  constructor(endpoint: URL, grant: Grant, options: FlowOptions, store: TokenStore) {
    this.#grant = grant;
    this.#options = options;
    this.#http = authHttp(endpoint, options);
    this.#store = store;
    this.#vault = new TokenVault(store, endpoint, grant.identity);
  }

  /** The request of authorization that is waited for, or was given up last. */
  get waitsFor(): string | undefined {
    return this.#http.waits.for;
  }

  /** What a request carries. */
  async credentials(request: AuthRequest): Promise<Credentials> {
    const tokens = await this.#ready(request);
    if (tokens === undefined) return undefined;
    this.#checkTransport();
    this.#sent.set(request, tokens.accessToken);
    if (tokens.tokenType === "bearer") return tokens.accessToken;
    const proofs = await this.#openProofs(tokens);
    return { headers: await proofs.headers(request.url, request.method, tokens.accessToken) };
  }

  /** Answers a refusal. */
  async challenged(challenge: Challenge, request: AuthRequest): Promise<boolean> {
    const refused = this.#sent.get(request);
    const nonce = challenge.headers.get("dpop-nonce");
    if (nonce !== null) this.#proofs?.nonce(request.url, nonce);
    if (challenge.error === "use_dpop_nonce") {
      const again = nonce !== null && refused !== undefined && !this.#proven.has(request);
      this.#proven.add(request);
      return again;
    }
    // A person must not be asked for a token that cannot be sent.
    this.#checkTransport();
    // A later challenge without the address does not take back what an earlier one gave.
    this.#resourceMetadata = challenge.resourceMetadata ?? this.#resourceMetadata;
    const { status, scope } = challenge;
    // The end of a session is no reason to ask a person for anything: whoever closes a client has done with its server.
    const quiet = this.#grant.interactive && request.method === "DELETE";
    if (quiet && status === 403) return false;
    const key = status === 403 ? `wider ${readScopes(scope).join(" ")}` : quiet ? "renew quietly" : "renew";
    const current = this.#vault.tokens;
    if (refused !== undefined && current !== undefined && current.accessToken !== refused) {
      // Another request has renewed them meanwhile.
      if (status === 401 || coversScopes(current.granted, readScopes(scope))) return true;
    }
    return await this.#together(key, request.signal, (signal) => this.#renew({ refused, challenge, quiet }, signal));
  }

  /** Hears of an answer. */
  answered(status: number, headers: Headers, request: AuthRequest): void {
    const nonce = headers.get("dpop-nonce");
    if (nonce !== null) this.#proofs?.nonce(request.url, nonce);
    if (status !== 401 && status !== 403 && this.#sent.get(request) === this.#vault.tokens?.accessToken) this.#unaccepted = 0;
  }

  /** Beyond what holds for all providers: on loopback hosts, too, http has to be allowed by name. */
  #checkTransport(): void {
    const { endpoint, allowInsecureLoopback } = this.#http;
    const fault = transportFault(endpoint, allowInsecureLoopback);
    if (fault === undefined) return;
    throw new AuthorizationError("token_request_failed", `Sending a token to ${endpoint.origin}: ${fault}`);
  }

  /** Tokens that can be sent now. */
  async #ready({ signal }: AuthRequest): Promise<TokenSet | undefined> {
    const tokens = await this.#vault.load();
    if (tokens === undefined || !isPast(tokens.renewAt ?? tokens.expiresAt)) return tokens;
    // Renewing was tried in vain: that would hold up every request until the end.
    if (this.#outliving === tokens.accessToken && !isPast(tokens.expiresAt)) return tokens;
    this.#outliving = tokens.accessToken;
    if (tokens.refreshToken !== undefined || !this.#grant.interactive) {
      try {
        const need = { refused: tokens.accessToken, challenge: undefined };
        await this.#together("renew", signal, (signal) => this.#renew(need, signal));
      } catch (error) {
        signal.throwIfAborted();
        // A token that still holds is better than none.
        if (isPast(tokens.expiresAt)) throw error;
      }
    }
    const now = this.#vault.tokens;
    return isPast(now?.expiresAt) ? undefined : now;
  }

  /** Runs work once for all who need the same; what others need comes after it. */
  async #together(key: string, signal: AbortSignal, work: (signal: AbortSignal) => Promise<boolean>): Promise<boolean> {
    while (this.#flight !== undefined && (this.#flight.key !== key || this.#flight.left)) {
      await untilAborted(this.#flight.over, signal);
    }
    if (this.#flight === undefined) {
      const flight = startFlight(key, work);
      this.#flight = flight;
      void flight.over.then(() => this.#flight = this.#flight === flight ? undefined : this.#flight);
    }
    return await this.#flight.join(signal);
  }

  /** Gets other tokens than the refused ones; false when that cannot help. */
  async #renew(need: Need, signal: AbortSignal): Promise<boolean> {
    const work = (): Promise<boolean> => this.#renewLocked(need, signal);
    if (this.#store.lock === undefined) return await work();
    return await this.#store.lock(await storeKey("server", this.#http.endpoint.href, this.#grant.identity), work, signal);
  }

  async #renewLocked({ refused, challenge, quiet }: Need, signal: AbortSignal): Promise<boolean> {
    signal.throwIfAborted();
    const wanted = readScopes(challenge?.scope);
    const stored = await this.#vault.reload();
    // Another process that shares the store has renewed them.
    if (
      stored !== undefined && stored.accessToken !== refused && !isPast(stored.renewAt) && coversScopes(stored.granted, wanted)
    ) {
      return true;
    }
    if (challenge === undefined) return stored !== undefined && await this.#renewAhead(stored, signal);
    const wider = challenge.status === 403 ? this.#wider(stored, wanted) : undefined;
    if (challenge.status === 403 && wider === undefined) return false;
    const discovered = await this.#discover(signal);
    const tokens = await this.#vault.of(discovered.server.issuer, discovered.resource);
    const session = await this.#session(discovered, tokens, signal);
    if (tokens !== undefined && challenge.status === 401 && coversScopes(tokens.granted, wanted)) {
      const fresh = await this.#refresh(session, tokens);
      if (fresh !== undefined) return await this.#vault.keep(fresh);
      // Tokens of an earlier stay with this issuer.
      const unused = tokens.refreshToken === undefined && tokens.accessToken !== refused && !isPast(tokens.expiresAt);
      if (unused) return await this.#vault.keep(tokens);
    }
    if (quiet === true || (this.#grant.interactive && this.#unaccepted >= AUTHORIZATION_LIMITS.authorizations)) return false;
    this.#unaccepted++;
    const before = uniteScopes(tokens?.requested ?? [], tokens?.granted ?? []);
    try {
      return await this.#vault.keep(await this.#grant.obtain(session, this.#chooseScopes(wanted, before, discovered)));
    } finally {
      // The callers have left, which is nobody's answer.
      if (signal.aborted) this.#unaccepted--;
      else if (wider !== undefined) this.#widened.add(wider);
    }
  }

  /** Tokens that end soon: where they came from is known, so nothing is discovered but what refreshing needs. */
  async #renewAhead(tokens: TokenSet, signal: AbortSignal): Promise<boolean> {
    const { issuer, resource, requested } = tokens;
    if (this.#discovered?.server.issuer !== issuer) {
      const trace = beginTrace();
      const allowIssuerTrailingSlash = this.#options.allowIssuerTrailingSlash === true;
      try {
        const server = await discoverServer(issuer, { http: this.#http, allowIssuerTrailingSlash, signal }, trace);
        this.#discovered = { resource, scopes: undefined, server, assumed: false, trace };
      } catch {
        // Servers without metadata; the 401 that follows leads through the whole of discovery.
        signal.throwIfAborted();
        return false;
      }
    }
    const session = await this.#session({ ...this.#discovered, resource }, tokens, signal);
    if (!this.#grant.interactive) return await this.#vault.keep(await this.#grant.obtain(session, requested));
    const fresh = await this.#refresh(session, tokens);
    return fresh !== undefined && await this.#vault.keep(fresh);
  }

  async #refresh(session: GrantSession, tokens: TokenSet): Promise<TokenSet | undefined> {
    if (this.#grant.refresh === undefined || tokens.refreshToken === undefined) return undefined;
    const fresh = await this.#grant.refresh(session, tokens);
    if (fresh !== undefined) return fresh;
    // Where the store has no lock another process may have used the refresh token first, which serves once.
    const stored = await this.#vault.of(tokens.issuer, tokens.resource);
    if (stored !== undefined && stored.accessToken !== tokens.accessToken) return stored;
    // Its scopes are asked for again, and the access token goes on as long as it holds.
    await this.#vault.keep({ ...tokens, refreshToken: undefined });
    return undefined;
  }

  async #discover(signal: AbortSignal): Promise<Discovered> {
    this.#discovered = await discover({
      http: this.#http,
      resourceMetadata: this.#resourceMetadata,
      allowIssuerTrailingSlash: this.#options.allowIssuerTrailingSlash === true,
      signal,
      choose: async (issuers) => {
        const own = await this.#grant.issuer(this.#store) ?? this.#vault.tokens?.issuer;
        return issuers.find((issuer) => issuer === own) ?? issuers[0] as string;
      },
    });
    return this.#discovered;
  }

  async #session(
    discovered: GrantSession["discovered"],
    tokens: TokenSet | undefined,
    signal: AbortSignal,
  ): Promise<GrantSession> {
    const proofs = this.#options.dpop === true ? await this.#openProofs(tokens) : undefined;
    return { http: this.#http, store: this.#store, discovered, proofs, signal };
  }

  async #openProofs(tokens: TokenSet | undefined): Promise<Proofs> {
    const key = tokens?.proofKey;
    // Another process may have brought tokens that are bound to a key of its own.
    const fits = this.#proofs !== undefined && (key === undefined || JSON.stringify(key) === JSON.stringify(this.#proofs.key));
    return fits ? this.#proofs as Proofs : this.#proofs = await openProofs(key);
  }

  /** The wider set of scopes, where one may help: the server says what it wants, and each of so many sets is asked for once. */
  #wider(tokens: TokenSet | undefined, wanted: readonly string[]): string | undefined {
    if (!this.#grant.stepsUp || wanted.length === 0) return undefined;
    const key = uniteScopes(tokens?.requested ?? [], tokens?.granted ?? [], wanted).toSorted().join(" ");
    return this.#widened.has(key) || this.#widened.size >= AUTHORIZATION_LIMITS.scopes ? undefined : key;
  }

  /**
   * MCP 2026-07-28, Authorization § Scope Selection Strategy: the challenge's, otherwise all that the resource publishes, otherwise
   * none; together with those of before (§ Step-Up Authorization Flow) and those of the program.
   */
  #chooseScopes(wanted: readonly string[], before: readonly string[], { scopes }: Discovered): readonly string[] {
    const own = this.#grant.scopes;
    const published = wanted.length > 0 || own.length > 0 || before.length > 0 ? [] : scopes ?? [];
    return uniteScopes(before, wanted, own, published).slice(0, AUTHORIZATION_LIMITS.scopes);
  }
}

function isPast(time: number | undefined): boolean {
  return time !== undefined && time <= Date.now();
}
