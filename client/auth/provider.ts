/** An `AuthProvider` of a flow: one keeper of tokens for each server that it is used with. */
import type { AuthProvider, AuthRequest } from "../authorized_fetch.ts";
import type { FlowOptions } from "./flow_options.ts";
import type { Grant } from "./grant.ts";
import { Keeper } from "./keeper.ts";
import { memoryTokenStore } from "./token_store.ts";

/**
 * Makes the provider.
 *
 * @throws {TypeError} For malformed options; the message begins with `path`.
 */
export function flowProvider(grant: Grant, options: FlowOptions, path: string): AuthProvider {
  const store = options.store ?? memoryTokenStore();
  for (const name of ["get", "set", "delete"] as const) {
    if (typeof store[name] !== "function") throw new TypeError(`${path}.store: Expected a store with get, set and delete`);
  }
  if (options.lookup !== undefined && typeof options.lookup !== "function") {
    throw new TypeError(`${path}.lookup: Expected a function`);
  }
  const keepers = new Map<string, Keeper>();
  const keeperOf = ({ url }: Pick<AuthRequest, "url">): Keeper => {
    const endpoint = new URL(url);
    endpoint.hash = endpoint.username = endpoint.password = "";
    const known = keepers.get(endpoint.href);
    if (known !== undefined) return known;
    const keeper = new Keeper(endpoint, grant, options, store);
    keepers.set(endpoint.href, keeper);
    return keeper;
  };
  return {
    credentials: (request) => keeperOf(request).credentials(request),
    challenged: (challenge, request) => keeperOf(request).challenged(challenge, request),
    answered: (response, request) => keeperOf(request).answered(response.status, response.headers, request),
    waitsFor: ({ url }) => keeperOf({ url }).waitsFor,
  };
}
