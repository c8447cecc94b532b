/** An authorization server for tests, as a function from request to response: honest by default, with every lie by name. */
import { createHash } from "node:crypto";

/** What it does otherwise than an honest one. */
export interface Lies {
  /** Members of its metadata; undefined ones are left out. */
  readonly metadata?: Readonly<Record<string, unknown>>;
  /** Where its metadata is, in place of the first well-known address. */
  readonly metadataPath?: string;
  /** Answers that come instead of its own; undefined leaves them. */
  readonly answer?: (request: Request, seen: Seen) => Response | undefined | Promise<Response | undefined>;
  /** Parameters that the redirect to the client has instead; undefined ones are left out. */
  readonly redirect?: Readonly<Record<string, string | undefined>>;
  /** Members of its token answers instead; undefined ones are left out. */
  readonly token?: Readonly<Record<string, unknown>>;
  /** What it gives of the scopes that are asked for. */
  readonly grants?: (scope: string) => string;
}

/** One request that it got. */
export interface Seen {
  readonly method: string;
  readonly url: string;
  readonly path: string;
  readonly params: URLSearchParams;
  readonly headers: Headers;
  readonly body: string;
}

interface Code {
  readonly challenge: string;
  readonly scope: string;
}

/** The server. */
export interface AuthorizationSite {
  readonly issuer: string;
  readonly seen: Seen[];
  /** What it does otherwise; may be changed while it runs. */
  lies: Lies;
  /** The token that is accepted now, by its scopes. */
  readonly valid: Map<string, string>;
  /** All that was ever given out and must stay secret. */
  readonly secrets: Set<string>;
  fetch(request: Request): Promise<Response>;
  /** The requests to a path. */
  at(path: string): Seen[];
}

/** Starts one. `issuer` is its identifier, whose path its endpoints are below. */
export function authorizationSite(issuer: string, lies: Lies = {}): AuthorizationSite {
  const base = issuer.replace(/\/$/, "");
  const { origin, pathname } = new URL(base);
  const path = pathname === "/" ? "" : pathname;
  const codes = new Map<string, Code>();
  const refresh = new Map<string, string>();
  const spent = new Set<string>();
  let count = 0;
  const fresh = (kind: string): string => {
    const value = `secret-${kind}-${++count}-${crypto.randomUUID()}`;
    site.secrets.add(value);
    return value;
  };

  const metadata = (): Response =>
    Response.json({
      issuer,
      authorization_endpoint: `${base}/authorize`,
      token_endpoint: `${base}/token`,
      registration_endpoint: `${base}/register`,
      code_challenge_methods_supported: ["S256"],
      token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"],
      authorization_response_iss_parameter_supported: true,
      ...site.lies.metadata,
    });

  const authorize = ({ params }: Seen): Response => {
    const code = fresh("code");
    codes.set(code, { challenge: params.get("code_challenge") ?? "", scope: params.get("scope") ?? "" });
    const target = new URL(params.get("redirect_uri") ?? "");
    const answer = { code, state: params.get("state") ?? undefined, iss: issuer, ...site.lies.redirect };
    for (const [name, value] of Object.entries(answer)) if (value !== undefined) target.searchParams.set(name, value);
    return new Response(null, { status: 302, headers: { location: target.href } });
  };

  const register = ({ body }: Seen): Response => {
    const { token_endpoint_auth_method: method } = JSON.parse(body);
    const secret = method === "none" ? {} : { client_secret: fresh("client"), client_secret_expires_at: 0 };
    return Response.json({ client_id: `client-${++count}`, token_endpoint_auth_method: method, ...secret }, { status: 201 });
  };

  const give = (scope: string): Response => {
    const granted = site.lies.grants?.(scope) ?? scope;
    const access = fresh("access");
    const again = fresh("refresh");
    site.valid.clear();
    site.valid.set(access, granted);
    refresh.set(again, granted);
    const answer = { access_token: access, token_type: "Bearer", expires_in: 3600, refresh_token: again, scope: granted };
    return Response.json({ ...answer, ...site.lies.token });
  };

  const token = ({ params }: Seen): Response => {
    const no = (error: string, description = ""): Response =>
      Response.json({ error, error_description: description }, { status: 400 });
    switch (params.get("grant_type")) {
      case "authorization_code": {
        const code = codes.get(params.get("code") ?? "");
        codes.delete(params.get("code") ?? "");
        const verifier = createHash("sha256").update(params.get("code_verifier") ?? "").digest("base64url");
        return code === undefined || code.challenge !== verifier ? no("invalid_grant") : give(code.scope);
      }
      case "refresh_token": {
        const given = params.get("refresh_token") ?? "";
        // Reuse of a spent token ends the whole family.
        if (spent.has(given)) refresh.clear();
        const scope = refresh.get(given);
        if (scope === undefined) return no("invalid_grant", `Never seen ${given}`);
        refresh.delete(given);
        spent.add(given);
        return give(scope);
      }
      default:
        return give(params.get("scope") ?? "");
    }
  };

  const site: AuthorizationSite = {
    issuer,
    seen: [],
    lies,
    valid: new Map(),
    secrets: new Set(),
    at: (wanted) => site.seen.filter((one) => one.path === path + wanted),
    fetch: async (request) => {
      const url = new URL(request.url);
      const body = await request.text();
      const params = request.method === "POST" ? new URLSearchParams(body) : url.searchParams;
      const seen = { method: request.method, url: request.url, path: url.pathname, params, headers: request.headers, body };
      site.seen.push(seen);
      const given = await site.lies.answer?.(request, seen);
      if (given !== undefined) return given;
      const known = site.lies.metadataPath ?? `/.well-known/oauth-authorization-server${path}`;
      if (url.origin === origin && url.pathname === known) return metadata();
      switch (url.pathname) {
        case `${path}/authorize`:
          return authorize(seen);
        case `${path}/register`:
          return register(seen);
        case `${path}/token`:
          return token(seen);
        default:
          return new Response("not here", { status: 404 });
      }
    },
  };
  return site;
}
