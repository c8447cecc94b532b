/** Resource identifiers: which one a server has, and whether a published one is the server's (RFC 8707; RFC 9728). */

/**
 * The identifier of a server that publishes none: its address without fragment, and without the slash that URL parsers put
 * after a host (MCP 2026-07-28, Authorization § Canonical Server URI).
 *
 * @param endpoint The absolute address of the server.
 */
export function canonicalResource(endpoint: string): string {
  const url = new URL(endpoint);
  url.hash = "";
  url.username = url.password = "";
  return url.pathname === "/" && url.search === "" ? url.origin : url.href;
}

/**
 * Says whether a published identifier is that of the server at an address: the same origin, and a path that is the address's own
 * or leads to it segment by segment (RFC 9728 § 3.3 and § 7.3). For this question alone scheme and host are compared without
 * regard to case; what is sent is always the published text.
 *
 * @param resource `resource` of the protected-resource metadata.
 * @param endpoint The absolute address of the server.
 */
export function isResourceOf(resource: string, endpoint: string): boolean {
  // White space around an address is dropped by URL parsers, and backslashes become slashes: neither belongs into an identifier.
  if (!/^[\x21-\x7e]+$/.test(resource) || /[\\#]/.test(resource) || !URL.canParse(resource)) return false;
  const published = new URL(resource);
  const used = new URL(endpoint);
  if (published.protocol !== used.protocol || published.host !== used.host) return false;
  if (published.username !== "" || published.password !== "") return false;
  if (published.search !== "" && published.search !== used.search) return false;
  const path = published.pathname;
  if (path === used.pathname) return true;
  return used.pathname.startsWith(path.endsWith("/") ? path : `${path}/`);
}
