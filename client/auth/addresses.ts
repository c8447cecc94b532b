/** Which addresses authorization may reach: what is secure, what is loopback, what is private. */

/** A loopback host (RFC 8252 § 7.3; RFC 6761 § 6.3), as `URL` writes it. */
export function isLoopbackHost(hostname: string): boolean {
  if (/^(?:.+\.)?localhost\.?$/.test(hostname)) return true;
  const mapped = embeddedAddress(MAPPED, hostname);
  return /^127\./.test(mapped ?? (isDotted(hostname) ? hostname : "")) || hostname === "[::1]";
}

/**
 * A loopback, private, link-local or unspecified address, written as a literal or as a loopback name. Where other names lead is
 * not known here: `fetch` resolves them itself, so a name that is pointed at a private address is not refused.
 */
export function isPrivateHost(hostname: string): boolean {
  if (isLoopbackHost(hostname)) return true;
  const address = embeddedAddress(EMBEDDED, hostname) ?? (isDotted(hostname) ? hostname : undefined);
  if (address !== undefined) return isPrivateAddress(address);
  return /^\[(?:f[cd]|fe[89a-f]|::\])/i.test(hostname);
}

/** A URL without credentials, query and fragment, which may be secret. */
export function publicUrl(url: string | URL): string {
  if (!URL.canParse(url)) return "an address that is no URL";
  const { origin, pathname, protocol } = new URL(url);
  return origin === "null" ? `a URL that begins with ${protocol}` : origin + pathname;
}

/** What a request of authorization may reach. */
export interface AddressRules {
  /** The MCP server. */
  readonly endpoint: URL;
  /** Whether http to loopback hosts is allowed. */
  readonly allowInsecureLoopback: boolean;
}

/** What speaks against a request to an address; undefined when nothing does (OAuth 2.1 § 1.5). */
export function addressFault(url: URL, { endpoint, allowInsecureLoopback }: AddressRules): string | undefined {
  const fault = transportFault(url, allowInsecureLoopback);
  if (fault !== undefined) return fault;
  if (url.username !== "" || url.password !== "") return "the address holds a user name";
  if (isPrivateHost(url.hostname) && !isPrivateHost(endpoint.hostname)) {
    return "a public server names an address in a private network";
  }
  return undefined;
}

/** What speaks against sending secrets to an address; undefined when nothing does. */
export function transportFault(url: URL, allowInsecureLoopback: boolean): string | undefined {
  if (url.protocol === "https:") return undefined;
  if (url.protocol !== "http:") return "the address is neither https nor http";
  if (!isLoopbackHost(url.hostname)) return "the address is not https";
  return allowInsecureLoopback ? undefined : "the address is not https (allowInsecureLoopback allows http on loopback hosts)";
}

function isDotted(hostname: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

/** An IPv4 address as an IPv6 one (RFC 4291 § 2.5.5.2). */
const MAPPED = /^\[::ffff:([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/i;
/** Also those of before (RFC 4291 § 2.5.5.1), and those that a translator leads to IPv4 (RFC 6052 § 2.1). */
const EMBEDDED = /^\[(?:::ffff:|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]$/i;

/** The IPv4 address inside an IPv6 one, which `URL` writes as two hexadecimal groups. */
function embeddedAddress(form: RegExp, hostname: string): string | undefined {
  const groups = form.exec(hostname);
  if (groups === null) return undefined;
  const [high, low] = [parseInt(groups[1] as string, 16), parseInt(groups[2] as string, 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** RFC 1918, RFC 3927, RFC 6598 and "this host" (RFC 1122 § 3.2.1.3). */
function isPrivateAddress(address: string): boolean {
  return /^(?:0|10|127)\.|^192\.168\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(
    address,
  );
}
