/** Which tokens one server has now, in memory and in the store. */
import { storeKey } from "./store_keys.ts";
import { readStored, readTokenSet, writeTokenSet } from "./token_set.ts";
import type { TokenSet } from "./token_set.ts";
import type { TokenStore } from "./token_store.ts";

/** The tokens of one server and one client. They are kept by issuer and resource; which pair is in use is kept beside them. */
export class TokenVault {
  readonly #store: TokenStore;
  readonly #endpoint: URL;
  readonly #identity: string;
  #loaded: Promise<unknown> | undefined;
  #tokens: TokenSet | undefined;

  /** Looks into a store. */
  constructor(store: TokenStore, endpoint: URL, identity: string) {
    this.#store = store;
    this.#endpoint = endpoint;
    this.#identity = identity;
  }

  /** The tokens in use, as far as they were loaded. */
  get tokens(): TokenSet | undefined {
    return this.#tokens;
  }

  /** The tokens in use; the store is read once. */
  async load(): Promise<TokenSet | undefined> {
    this.#loaded ??= this.reload();
    try {
      await this.#loaded;
    } catch (error) {
      this.#loaded = undefined;
      throw error;
    }
    return this.#tokens;
  }

  /** Reads the store again. */
  async reload(): Promise<TokenSet | undefined> {
    const where = readStored(await this.#store.get(await this.#serverKey()));
    const known = where !== undefined && typeof where.issuer === "string" && typeof where.resource === "string";
    this.#tokens = known ? await this.of(where.issuer as string, where.resource as string) : undefined;
    return this.#tokens;
  }

  /** The tokens that an issuer gave for a resource. */
  async of(issuer: string, resource: string): Promise<TokenSet | undefined> {
    const tokens = readTokenSet(await this.#store.get(await this.#tokensKey(issuer, resource)));
    return tokens?.issuer === issuer && tokens.resource === resource ? tokens : undefined;
  }

  /** Keeps tokens and uses them from now on. */
  async keep(tokens: TokenSet): Promise<true> {
    const { issuer, resource } = tokens;
    await this.#store.set(await this.#tokensKey(issuer, resource), writeTokenSet(tokens));
    await this.#store.set(await this.#serverKey(), JSON.stringify({ issuer, resource }));
    this.#tokens = tokens;
    return true;
  }

  #serverKey(): Promise<string> {
    return storeKey("server", this.#endpoint.href, this.#identity);
  }

  #tokensKey(issuer: string, resource: string): Promise<string> {
    return storeKey("tokens", issuer, resource, this.#identity);
  }
}
