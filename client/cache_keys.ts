/** The keys of cached answers: digests, so that neither a credential nor an address stands in them. */
import type { ClientCapabilities } from "../protocol/types.ts";
import type { CachedCall } from "./cache_types.ts";

/** What the keys of one connection are made of. */
export interface CacheKeysOptions {
  /** The address; undefined when nothing may be shared beyond the connection: processes, servers in this process, carriers. */
  readonly endpoint: string | undefined;
  /** Headers that go with every request, without those that hold credentials. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** What the client declares with every request. */
  readonly capabilities: ClientCapabilities;
}

/** Makes keys. */
export class CacheKeys {
  readonly #space: readonly unknown[];
  #secret: Promise<CryptoKey> | undefined;

  /** Keeps what all keys of the connection have in common. */
  constructor({ endpoint, headers, capabilities }: CacheKeysOptions) {
    const place = endpoint ?? { only: crypto.randomUUID() };
    this.#space = [place, [...headers].sort(([a], [b]) => a < b ? -1 : Number(a > b)), capabilities];
  }

  /** The key of an answer that anyone may be given: the same in every connection to the endpoint. */
  async ofPublic(call: Pick<CachedCall, "version" | "method" | "params">): Promise<string> {
    return named("public", await crypto.subtle.digest("SHA-256", this.#bytes(call)));
  }

  /**
   * The key of an answer for one caller. It is made with a secret of this connection: no other one comes to the same key,
   * and whoever sees keys cannot try out credentials.
   */
  async ofPrivate(call: Pick<CachedCall, "version" | "method" | "params">, credential: string): Promise<string> {
    this.#secret ??= crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return named("private", await crypto.subtle.sign("HMAC", await this.#secret, this.#bytes(call, credential)));
  }

  #bytes(
    { version, method, params }: Pick<CachedCall, "version" | "method" | "params">,
    ...more: string[]
  ): Uint8Array<ArrayBuffer> {
    return new TextEncoder().encode(JSON.stringify([...this.#space, version, method, params, ...more]));
  }
}

/** The name of the format comes first: another one would have other keys. */
function named(scope: string, digest: ArrayBuffer): string {
  const hex = [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return `causeway/cache/1/${scope}/${hex}`;
}
