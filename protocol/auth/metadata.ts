/** Metadata of protected resources (RFC 9728) and authorization servers (RFC 8414): shapes, well-known addresses, checks. */
import { isJsonObject } from "../json.ts";

/** What a protected resource says about itself (RFC 9728 § 2). */
export interface ResourceMetadata {
  /** Its identifier, as published. */
  readonly resource: string;
  /** The issuers of its tokens, as published. */
  readonly authorization_servers?: readonly string[] | undefined;
  /** Scopes that requests to it may need. */
  readonly scopes_supported?: readonly string[] | undefined;
}

/** What an authorization server says about itself (RFC 8414 § 2), as far as a client of MCP asks. */
export interface ServerMetadata {
  /** Its identifier, as published. */
  readonly issuer: string;
  /** Where people authorize. */
  readonly authorization_endpoint?: string | undefined;
  /** Where tokens are given. */
  readonly token_endpoint?: string | undefined;
  /** Where clients register (RFC 7591). */
  readonly registration_endpoint?: string | undefined;
  /** Scopes that it knows. */
  readonly scopes_supported?: readonly string[] | undefined;
  /** How clients prove who they are at the token endpoint; `client_secret_basic` when absent. */
  readonly token_endpoint_auth_methods_supported?: readonly string[] | undefined;
  /** How codes are tied to their request (RFC 7636). */
  readonly code_challenge_methods_supported?: readonly string[] | undefined;
  /** Grants that it gives tokens for. */
  readonly grant_types_supported?: readonly string[] | undefined;
  /** Profiles of grants, such as that of identity assertions. */
  readonly authorization_grant_profiles_supported?: readonly string[] | undefined;
  /** Whether authorization responses name their issuer (RFC 9207 § 3). */
  readonly authorization_response_iss_parameter_supported?: boolean | undefined;
  /** Whether a client's identifier may be the address of its metadata. */
  readonly client_id_metadata_document_supported?: boolean | undefined;
}

/** A document that could be read, or what is wrong with it. */
export type ReadMetadata<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: string };

const RESOURCE_PATH = "/.well-known/oauth-protected-resource";
const SERVER_PATH = "/.well-known/oauth-authorization-server";
const OPENID_PATH = "/.well-known/openid-configuration";

/**
 * Where a server's metadata may be when no challenge says so: below its path, then at the root (MCP 2026-07-28,
 * Authorization Server Discovery § Protected Resource Metadata Discovery Requirements). A query is kept (RFC 9728 § 3.1).
 */
export function resourceMetadataUrls(endpoint: string): readonly string[] {
  const { origin, pathname, search } = new URL(endpoint);
  const path = pathname.replace(/\/$/, "");
  const root = `${origin}${RESOURCE_PATH}`;
  const own = `${root}${path}${search}`;
  return own === root ? [root] : [own, root];
}

/**
 * Where an authorization server's metadata may be, in the order in which it is looked for (MCP 2026-07-28, Authorization
 * Server Discovery § Authorization Server Metadata Discovery). Root documents are never those of an issuer with a path.
 *
 * @param issuer An identifier that {@linkcode issuerFault} finds nothing wrong with.
 */
export function serverMetadataUrls(issuer: string): readonly string[] {
  const { origin, pathname } = new URL(issuer);
  const path = pathname.replace(/\/+$/, "");
  if (path === "") return [`${origin}${SERVER_PATH}`, `${origin}${OPENID_PATH}`];
  return [`${origin}${SERVER_PATH}${path}`, `${origin}${OPENID_PATH}${path}`, `${origin}${path}${OPENID_PATH}`];
}

/** What keeps a text from being an issuer's identifier (RFC 8414 § 2: no query, no fragment); undefined when nothing does. */
export function issuerFault(issuer: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(issuer) || issuer.includes("\\") || !URL.canParse(issuer)) return "it is not an absolute URL";
  const { protocol, username, password } = new URL(issuer);
  if (protocol !== "https:" && protocol !== "http:") return "it is neither an https nor an http URL";
  if (username !== "" || password !== "") return "it holds a user name";
  return /[?#]/.test(issuer) ? "it has a query or a fragment" : undefined;
}

/** Reads the metadata of a protected resource (RFC 9728 § 3.2). Members of another type than theirs count as absent. */
export function readResourceMetadata(document: unknown): ReadMetadata<ResourceMetadata> {
  if (!isJsonObject(document)) return { ok: false, fault: "it is not a JSON object" };
  const resource = text(document, "resource");
  if (resource === undefined) return { ok: false, fault: "it has no resource" };
  return {
    ok: true,
    value: {
      resource,
      authorization_servers: texts(document, "authorization_servers"),
      scopes_supported: texts(document, "scopes_supported"),
    },
  };
}

/** Reads the metadata of an authorization server (RFC 8414 § 3.2). Members of another type than theirs count as absent. */
export function readServerMetadata(document: unknown): ReadMetadata<ServerMetadata> {
  if (!isJsonObject(document)) return { ok: false, fault: "it is not a JSON object" };
  const issuer = text(document, "issuer");
  if (issuer === undefined) return { ok: false, fault: "it has no issuer" };
  return {
    ok: true,
    value: {
      issuer,
      authorization_endpoint: text(document, "authorization_endpoint"),
      token_endpoint: text(document, "token_endpoint"),
      registration_endpoint: text(document, "registration_endpoint"),
      scopes_supported: texts(document, "scopes_supported"),
      token_endpoint_auth_methods_supported: texts(document, "token_endpoint_auth_methods_supported"),
      code_challenge_methods_supported: texts(document, "code_challenge_methods_supported"),
      grant_types_supported: texts(document, "grant_types_supported"),
      authorization_grant_profiles_supported: texts(document, "authorization_grant_profiles_supported"),
      authorization_response_iss_parameter_supported: own(document, "authorization_response_iss_parameter_supported") === true,
      client_id_metadata_document_supported: own(document, "client_id_metadata_document_supported") === true,
    },
  };
}

function own(document: object, name: string): unknown {
  return Object.hasOwn(document, name) ? (document as Record<string, unknown>)[name] : undefined;
}

function text(document: object, name: string): string | undefined {
  const value = own(document, name);
  return typeof value === "string" && value !== "" ? value : undefined;
}

function texts(document: object, name: string): readonly string[] | undefined {
  const value = own(document, name);
  return Array.isArray(value) ? value.filter((one): one is string => typeof one === "string") : undefined;
}
