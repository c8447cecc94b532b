/** Whose request it is: the credentials that it would have now, and those that others leave with meanwhile. */
import { askForCredentials } from "../authorized_fetch.ts";
import type { AuthProvider, Credentials } from "../authorized_fetch.ts";

/** Where credentials come from. */
export interface CacheCredentialsOptions {
  /** The address of the requests; undefined when they have no credentials of their own. */
  readonly endpoint: string | undefined;
  /** Headers of the program that hold credentials. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Gives further credentials. */
  readonly provider: AuthProvider | undefined;
}

/** Credentials as texts that are compared; they leave memory only as a keyed digest. */
export class CacheCredentials {
  readonly #options: CacheCredentialsOptions;
  readonly #listeners = new Set<(credential: string) => void>();

  /** Knows where credentials come from. */
  constructor(options: CacheCredentialsOptions) {
    this.#options = options;
  }

  /**
   * The credentials that a request would have now. Their provider is asked every time: who is calling may change from one
   * call to the next.
   *
   * @throws {AuthorizationError} When the provider fails.
   */
  async current(signal: AbortSignal): Promise<string> {
    const { endpoint, provider } = this.#options;
    if (provider === undefined || endpoint === undefined) return this.#text(undefined);
    return this.#text(await askForCredentials(provider, { url: endpoint, method: "POST", signal }));
  }

  /** A request leaves with these credentials. */
  sent(credentials: Credentials): void {
    if (this.#listeners.size === 0) return;
    const text = this.#text(credentials);
    for (const listener of this.#listeners) listener(text);
  }

  /**
   * Listens to the credentials with which requests leave.
   *
   * @returns Ends that.
   */
  listen(listener: (credential: string) => void): () => void {
    const own = (credential: string): void => listener(credential);
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  #text(credentials: Credentials): string {
    const all = new Map(this.#options.headers);
    const given = typeof credentials === "string" ? { authorization: `Bearer ${credentials}` } : credentials?.headers;
    for (const [name, value] of Object.entries(given ?? {})) all.set(name.toLowerCase(), value);
    for (const name of PROOFS) all.delete(name);
    return JSON.stringify([...all].sort(([a], [b]) => a < b ? -1 : Number(a > b)));
  }
}

/** Headers that are new with every request, for the same caller (RFC 9449 § 4). */
const PROOFS = ["dpop"] as const;
