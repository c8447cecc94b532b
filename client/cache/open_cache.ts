/** Puts a cache together. */
import type { AuthProvider, Credentials } from "../authorized_fetch.ts";
import { isCredentialHeader } from "../secrets/is_credential_header.ts";
import type { CacheStore } from "../options.ts";
import { ResponseCache } from "./response_cache.ts";
import { CacheCredentials } from "./cache_credentials.ts";
import { CacheKeys } from "./cache_keys.ts";
import { CacheShelf } from "./cache_shelf.ts";
import type { AnswerCache, CacheHost } from "./cache_types.ts";

/** What a cache is opened for. */
export interface OpenCacheOptions {
  /** The program's own store; memory when absent. */
  readonly store: CacheStore | undefined;
  /** The address; undefined for what has none, where nothing is shared beyond the connection. */
  readonly endpoint: string | undefined;
  /** Headers that the program sends with every request. */
  readonly headers: Iterable<readonly [name: string, value: string]>;
  /** Gives credentials. */
  readonly provider: AuthProvider | undefined;
}

/** A cache before its connection is there. */
export interface OpenedCache {
  /** To be told of the credentials with which every HTTP request leaves. */
  readonly onCredentials: (credentials: Credentials) => void;
  /** Makes the cache of a connection. */
  readonly create: (host: CacheHost) => AnswerCache;
}

/**
 * Opens a cache for one connection.
 *
 * @throws {TypeError} Where there is no Web Crypto: browsers offer it to secure contexts only.
 */
export function openCache({ store, endpoint, headers, provider }: OpenCacheOptions): OpenedCache {
  const platform: Partial<Crypto> | undefined = globalThis.crypto;
  if (platform?.subtle === undefined) throw new TypeError("connect.cache: Expected a platform with Web Crypto");
  const all = [...headers];
  const secret = all.filter(([name]) => isCredentialHeader(name));
  const open = all.filter(([name]) => !isCredentialHeader(name));
  const credentials = new CacheCredentials({ endpoint, headers: secret, provider });
  return {
    onCredentials: (sent) => credentials.sent(sent),
    create: (host) => {
      const { limits, report, capabilities, watch } = host;
      const shelf = new CacheShelf({ store, limits, report, watch });
      return new ResponseCache({
        host,
        shelf,
        credentials,
        keys: new CacheKeys({ endpoint, headers: open, capabilities, remembered: limits.cacheEntries * 2 }),
      });
    },
  };
}
