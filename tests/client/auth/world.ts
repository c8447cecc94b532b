/** A protected MCP server and its authorization servers, in one process or on sockets. */
import type { AuthProvider, Challenge, OAuthOptions } from "../../../client/auth/mod.ts";
import { site } from "../site.ts";
import type { Posted, Site } from "../site.ts";
import { authorizationSite } from "./authorization_server.ts";
import type { AuthorizationSite, Lies } from "./authorization_server.ts";

/** Hands requests to whichever server has the address; documents of the resource are given by address. */
export function network(
  sites: readonly AuthorizationSite[],
  documents: Readonly<Record<string, unknown>> = {},
): { readonly fetch: typeof globalThis.fetch; readonly urls: string[] } {
  const urls: string[] = [];
  return {
    urls,
    fetch: async (input, init) => {
      const request = new Request(input, init);
      urls.push(request.url);
      if (Object.hasOwn(documents, request.url)) {
        const document = documents[request.url];
        return document instanceof Response ? document.clone() : Response.json(document);
      }
      const { origin } = new URL(request.url);
      const found = sites.find(({ issuer }) => new URL(issuer).origin === origin);
      return await found?.fetch(request) ?? new Response(null, { status: 404 });
    },
  };
}

/** A person who always agrees: follows the authorization page to its redirect. */
export function person(fetch: typeof globalThis.fetch = globalThis.fetch): NonNullable<OAuthOptions["open"]> {
  return async (url) => {
    const response = await fetch(url, { redirect: "manual" });
    await response.body?.cancel();
    return response.headers.get("location") ?? undefined;
  };
}

/** A refusal with a challenge. */
export function refusal(given: Partial<Challenge> = {}): Challenge {
  return {
    status: 401,
    scheme: "bearer",
    resourceMetadata: undefined,
    scope: undefined,
    error: undefined,
    headers: new Headers(),
    ...given,
  };
}

/** Uses a provider as `connect` would for one request that is refused, and gives what it sends then. */
export async function refuse(provider: AuthProvider, url: string, challenge: Challenge = refusal()): Promise<unknown> {
  const request = { url, method: "POST", signal: new AbortController().signal };
  await provider.credentials(request);
  return await provider.challenged(challenge, request) ? await provider.credentials(request) : undefined;
}

/** A protected MCP server on a socket with its authorization server on another. */
export interface World {
  readonly site: Site;
  readonly server: AuthorizationSite;
  /** Scopes that a request needs beyond a valid token. */
  needs: (posted: Posted) => string | undefined;
  /** Which issuer the resource names; its own server's by default. */
  issuer: string;
  close(): Promise<void>;
}

/** Starts both. */
export function world(lies: Lies = {}): World {
  let handle: (request: Request) => Promise<Response> = () => Promise.resolve(new Response(null, { status: 503 }));
  const listener = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, (request) => handle(request));
  const issuer = `http://127.0.0.1:${listener.addr.port}`;
  const server = authorizationSite(issuer, lies);
  const metadata = `${issuer}/resource`;
  handle = async (request) => {
    if (request.url === metadata) {
      return Response.json({ resource: new URL(there.url).origin, authorization_servers: [result.issuer] });
    }
    return await server.fetch(request);
  };
  const there = site((posted) => {
    const [scheme, token = ""] = (posted.headers.get("authorization") ?? "").split(" ");
    const scope = scheme === "Bearer" ? server.valid.get(token) : undefined;
    const challenge = (more: string): Response => {
      const status = scope === undefined ? 401 : 403;
      return new Response(null, { status, headers: { "www-authenticate": `Bearer ${more}resource_metadata="${metadata}"` } });
    };
    if (scope === undefined) return challenge("");
    const needed = result.needs(posted);
    if (needed === undefined || scope.split(" ").includes(needed)) return undefined;
    return challenge(`error="insufficient_scope", scope="${needed}", `);
  });
  const result: World = {
    site: there,
    server,
    issuer,
    needs: () => undefined,
    close: async () => {
      await there.close();
      await listener.shutdown();
    },
  };
  return result;
}
