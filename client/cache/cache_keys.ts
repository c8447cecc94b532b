/** The keys of cached answers: digests, so that neither a credential nor an address stands in them. */
import { encodeHex } from "../../protocol/hex.ts";
import { REMEMBERED_KEY_LENGTH } from "../../protocol/limits.ts";
import type { ClientCapabilities } from "../../protocol/types.ts";
import type { CachedCall } from "./cache_types.ts";

/** What the keys of one connection are made of. */
export interface CacheKeysOptions {
  /** The address; undefined when nothing may be shared beyond the connection: processes, servers in this process, carriers. */
  readonly endpoint: string | undefined;
  /** Headers that go with every request, without those that hold credentials. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** What the client declares with every request. */
  readonly capabilities: ClientCapabilities;
  /** How many keys are remembered, so that they are not computed again. */
  readonly remembered: number;
}

type Question = Pick<CachedCall, "version" | "method" | "params">;

/** Makes keys. */
export class CacheKeys {
  readonly #space: string;
  readonly #capacity: number;
  readonly #remembered = new Map<string, string>();
  #secret: Promise<CryptoKey> | undefined;
  #caller: { readonly credential: string; readonly digest: Promise<string> } | undefined;

  /** Keeps what all keys of the connection have in common. */
  constructor({ endpoint, headers, capabilities, remembered }: CacheKeysOptions) {
    const place = endpoint ?? { only: crypto.randomUUID() };
    this.#space = JSON.stringify([place, [...headers].sort(([a], [b]) => a < b ? -1 : Number(a > b)), capabilities]);
    this.#capacity = remembered;
  }

  /** The key of an answer that anyone may be given: the same in every connection to the endpoint. */
  ofPublic(question: Question): Promise<string> {
    return this.#remember(this.#textOf("public", question), (bytes) => crypto.subtle.digest("SHA-256", bytes));
  }

  /**
   * The key of an answer for one caller. It is made with a secret of this connection: no other one comes to the same key,
   * and whoever sees keys cannot try out credentials.
   */
  async ofPrivate(question: Question, credential: string): Promise<string> {
    if (this.#caller?.credential !== credential) {
      this.#caller = { credential, digest: this.#sign(encode(credential)).then(encodeHex) };
    }
    const caller = await this.#caller.digest;
    return await this.#remember(this.#textOf("private", question, caller), (bytes) => this.#sign(bytes));
  }

  /** The format's name comes first: another one would have other keys. */
  async #remember(text: string, digest: (bytes: Uint8Array<ArrayBuffer>) => Promise<ArrayBuffer>): Promise<string> {
    const known = this.#remembered.get(text);
    if (known !== undefined) return known;
    const key = `causeway/cache/1/${encodeHex(await digest(encode(text)))}`;
    if (text.length > REMEMBERED_KEY_LENGTH) return key;
    this.#remembered.set(text, key);
    for (const oldest of this.#remembered.keys()) {
      if (this.#remembered.size <= this.#capacity) break;
      this.#remembered.delete(oldest);
    }
    return key;
  }

  async #sign(bytes: Uint8Array<ArrayBuffer>): Promise<ArrayBuffer> {
    this.#secret ??= crypto.subtle.generateKey({ name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return await crypto.subtle.sign("HMAC", await this.#secret, bytes);
  }

  #textOf(scope: string, { version, method, params }: Question, caller?: string): string {
    return JSON.stringify([scope, this.#space, version, method, params, caller]);
  }
}

function encode(text: string): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(text);
}
