/** From a challenge to the server's metadata, and from there to that of its authorization server. */
import {
  issuerFault,
  readResourceMetadata,
  readServerMetadata,
  resourceMetadataUrls,
  serverMetadataUrls,
} from "../../protocol/auth/metadata.ts";
import type { ReadMetadata, ResourceMetadata, ServerMetadata } from "../../protocol/auth/metadata.ts";
import { canonicalResource, isResourceOf } from "../../protocol/auth/resource.ts";
import { AUTHORIZATION_LIMITS } from "../../protocol/limits.ts";
import type { Awaitable } from "../../protocol/types.ts";
import { shownAddress } from "../../protocol/shown.ts";
import type { AuthHttp } from "./auth_http.ts";
import { beginTrace } from "./trace.ts";
import type { Trace } from "./trace.ts";

/** What discovery goes by. */
export interface DiscoveryOptions {
  /** Sends the requests. */
  readonly http: AuthHttp;
  /** `resource_metadata` of the challenge. */
  readonly resourceMetadata: string | undefined;
  /** Whether one slash at the end of an issuer may differ. */
  readonly allowIssuerTrailingSlash: boolean;
  /** Chooses among the issuers that the server names. */
  readonly choose: (issuers: readonly string[], trace: Trace) => Awaitable<string>;
  /** Ends it. */
  readonly signal: AbortSignal;
}

/** What was found. */
export interface Discovered {
  /** The resource's identifier, letter by letter as it was published. */
  readonly resource: string;
  /** Scopes that the resource publishes. */
  readonly scopes: readonly string[] | undefined;
  /** The authorization server; its `issuer` is the validated one. */
  readonly server: ServerMetadata;
  /** Whether there was no metadata at all and the endpoints are those that 2025-03-26 assumes. */
  readonly assumed: boolean;
  /** What was tried. */
  readonly trace: Trace;
}

/**
 * Finds the resource's identifier and its authorization server.
 *
 * @throws {AuthorizationError} "discovery_failed", "resource_mismatch" or "issuer_mismatch", with every step in its `trace`.
 */
export async function discover(options: DiscoveryOptions): Promise<Discovered> {
  const trace = beginTrace();
  const resource = await discoverResource(options, trace);
  if (resource === undefined) return await discoverOldServer(options, trace);
  const issuers = (resource.authorization_servers ?? []).slice(0, AUTHORIZATION_LIMITS.listLength);
  if (issuers.length === 0) {
    throw trace.error("discovery_failed", "Reading the server's metadata: it names no authorization server");
  }
  const issuer = await options.choose(issuers, trace);
  const server = await discoverServer(issuer, options, trace);
  return { resource: resource.resource, scopes: resource.scopes_supported, server, assumed: false, trace };
}

/**
 * Reads an authorization server's metadata at the well-known addresses of its issuer, in order.
 *
 * @throws {AuthorizationError} "issuer_mismatch" when the only documents that can be read are another issuer's.
 */
export async function discoverServer(
  issuer: string,
  { http, allowIssuerTrailingSlash, signal }: Pick<DiscoveryOptions, "http" | "allowIssuerTrailingSlash" | "signal">,
  trace: Trace,
): Promise<ServerMetadata> {
  const fault = issuerFault(issuer);
  if (fault !== undefined) throw trace.error("discovery_failed", `Reading the issuer ${shownAddress(issuer)}: ${fault}`);
  let other: string | undefined;
  for (const url of serverMetadataUrls(issuer)) {
    const read = await readDocument({ http, url, read: readServerMetadata, trace, signal });
    if (read === undefined) continue;
    // MCP 2026-07-28, Authorization Server Metadata Discovery: identical texts; comparing URLs would forgive slash, case and port.
    if (read.issuer === issuer || (allowIssuerTrailingSlash && withoutSlash(read.issuer) === withoutSlash(issuer))) {
      trace.add(url, 200, "read");
      return read;
    }
    trace.add(url, 200, `its issuer is ${shownAddress(read.issuer)}`);
    other ??= read.issuer;
  }
  if (other === undefined) {
    throw trace.error("discovery_failed", `Looking for the metadata of ${shownAddress(issuer)}: there is none`);
  }
  const hint = withoutSlash(other) === withoutSlash(issuer) ? " (allowIssuerTrailingSlash accepts that)" : "";
  throw trace.error(
    "issuer_mismatch",
    `Reading the metadata of ${shownAddress(issuer)}: its issuer is ${shownAddress(other)}, which is not the same text${hint}`,
  );
}

function withoutSlash(issuer: string): string {
  return issuer.endsWith("/") ? issuer.slice(0, -1) : issuer;
}

/** The server's own metadata; undefined when it has none anywhere. */
async function discoverResource(
  { http, resourceMetadata, signal }: DiscoveryOptions,
  trace: Trace,
): Promise<ResourceMetadata | undefined> {
  const endpoint = http.endpoint.href;
  if (resourceMetadata !== undefined && !URL.canParse(resourceMetadata)) {
    throw trace.error("discovery_failed", "Reading the challenge: its resource_metadata is not an absolute URL");
  }
  const urls = resourceMetadata === undefined ? resourceMetadataUrls(endpoint) : [resourceMetadata];
  for (const url of urls) {
    const read = await readDocument({ http, url, read: readResourceMetadata, trace, signal });
    if (read === undefined) continue;
    if (!isResourceOf(read.resource, endpoint)) {
      trace.add(url, 200, "it describes another resource");
      const { origin, pathname } = http.endpoint;
      const found = `it describes ${shownAddress(read.resource)}`;
      throw trace.error("resource_mismatch", `Reading the metadata of ${origin}${pathname}: ${found}`);
    }
    trace.add(url, 200, "read");
    return read;
  }
  // The address was named, so no other document may speak for the server (RFC 9728 § 5.1).
  if (resourceMetadata !== undefined) {
    throw trace.error("discovery_failed", "Reading the metadata that the challenge names: there is none");
  }
  return undefined;
}

/** Servers of 2025-03-26 are their own authorization servers (MCP 2025-03-26, Authorization § Server Metadata Discovery). */
async function discoverOldServer({ http, signal }: DiscoveryOptions, trace: Trace): Promise<Discovered> {
  const { origin, href } = http.endpoint;
  const found = { resource: canonicalResource(href), scopes: undefined, trace };
  const url = serverMetadataUrls(origin)[0] as string;
  const server = await readDocument({ http, url, read: readServerMetadata, trace, signal });
  if (server !== undefined) {
    if (server.issuer !== origin) {
      trace.add(url, 200, `its issuer is ${shownAddress(server.issuer)}`);
      throw trace.error("issuer_mismatch", `Reading the metadata of ${origin}: its issuer is ${shownAddress(server.issuer)}`);
    }
    trace.add(url, 200, "read");
    return { ...found, server, assumed: false };
  }
  // MCP 2025-03-26, Authorization § Fallbacks for Servers without Metadata Discovery.
  trace.add(origin, undefined, "no metadata anywhere, so /authorize, /token and /register are assumed");
  const assumed: ServerMetadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    registration_endpoint: `${origin}/register`,
    token_endpoint_auth_methods_supported: ["none", "client_secret_basic", "client_secret_post"],
  };
  return { ...found, server: assumed, assumed: true };
}

interface DocumentOptions<T> {
  readonly http: AuthHttp;
  readonly url: string;
  readonly read: (document: unknown) => ReadMetadata<T>;
  readonly trace: Trace;
  readonly signal: AbortSignal;
}

/** A document; undefined when there is none of that kind, so that the next place may be asked. A server that fails is no answer. */
async function readDocument<T>({ http, url, read, trace, signal }: DocumentOptions<T>): Promise<T | undefined> {
  let response: Response;
  try {
    const send = http.fetch("discovery_failed");
    response = await send(url, { headers: { accept: "application/json" }, signal });
  } catch (cause) {
    signal.throwIfAborted();
    const why = cause instanceof Error ? cause.message : "the request failed";
    trace.add(url, undefined, why);
    throw trace.error("discovery_failed", why);
  }
  const { status } = response;
  if (status >= 500) {
    trace.add(url, status, "the server fails");
    throw trace.error("discovery_failed", `Reading metadata: the server answered ${status}`);
  }
  // RFC 8414 § 3.2 and RFC 9728 § 3.2: success is 200 with a JSON object.
  if (status !== 200) {
    trace.add(url, status, "not there");
    return undefined;
  }
  const document = await response.json().catch(() => undefined);
  const result = read(document);
  if (result.ok) return result.value;
  trace.add(url, status, result.fault);
  return undefined;
}
