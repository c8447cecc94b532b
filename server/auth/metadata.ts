/** Serves protected-resource metadata at its well-known address. */
import { resourceMetadataUrls } from "../../protocol/auth/metadata.ts";

/** What a server says about its protection (RFC 9728 § 2). */
export interface ResourceDocument {
  /** Its identifier. */
  readonly resource: string;
  /** The issuers of its tokens. */
  readonly authorization_servers: readonly string[];
  /** Scopes that requests to it may need. */
  readonly scopes_supported?: readonly string[] | undefined;
  /** For people. */
  readonly resource_name?: string | undefined;
  /** A page for developers. */
  readonly resource_documentation?: string | undefined;
  /** How DPoP proofs may be signed (RFC 9449 § 5.1). */
  readonly dpop_signing_alg_values_supported?: readonly string[] | undefined;
  /** Are only tokens taken that are bound to a key? */
  readonly dpop_bound_access_tokens_required?: boolean | undefined;
}

/** The published metadata of one resource. */
export interface PublishedMetadata {
  /** Where it is, as challenges name it. */
  readonly url: string;
  /** Answers a request for it; undefined for every other request. */
  answer(request: Request): Response | undefined;
}

const WELL_KNOWN = "/.well-known/oauth-protected-resource";
const METHODS = "GET, HEAD, OPTIONS";

/** Pages of every network may read what is public (Private Network Access § CORS preflight). */
const PREFLIGHT = {
  "access-control-allow-methods": METHODS,
  "access-control-allow-headers": "*",
  "access-control-allow-private-network": "true",
};

/**
 * Publishes metadata (RFC 9728 § 3): the well-known path stands between host and path of the resource. Anybody may read it, from
 * any web page.
 *
 * @param document What is published; `resource` goes out character by character as it is.
 */
export function publishMetadata(document: ResourceDocument): PublishedMetadata {
  const url = resourceMetadataUrls(document.resource)[0] as string;
  const { pathname } = new URL(url);
  const text = JSON.stringify({ ...document, bearer_methods_supported: ["header"] });
  const answer = ({ method }: Request): Response => {
    switch (method) {
      case "GET":
      case "HEAD":
        return respond(200, method === "GET" ? text : null, { "content-type": "application/json" });
      case "OPTIONS":
        return respond(204, null, PREFLIGHT);
      default:
        return respond(405, null, { allow: METHODS });
    }
  };
  return {
    url,
    answer: (request) => {
      // Nearly every request is for something else; under a Host header that is not a host the URL is none.
      if (!request.url.includes(WELL_KNOWN) || !URL.canParse(request.url)) return undefined;
      const asked = new URL(request.url).pathname;
      return asked === pathname || asked === `${pathname}/` ? answer(request) : undefined;
    },
  };
}

function respond(status: number, body: string | null, headers: Record<string, string>): Response {
  return new Response(body, { status, headers: { ...headers, "access-control-allow-origin": "*" } });
}
