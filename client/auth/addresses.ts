/** Which addresses authorization may reach: what is secure, and what is private. */
import { isLoopbackHost } from "../../protocol/auth/loopback_host.ts";
import { transportFault } from "../../protocol/auth/transport_fault.ts";

/**
 * A loopback, private, link-local or unspecified address, written as a literal or as a loopback name. Where another name leads is
 * known to the resolver alone: {@linkcode isPrivateAddress} judges what it says.
 */
function isPrivateHost(hostname: string): boolean {
  if (isLoopbackHost(hostname)) return true;
  const address = embeddedAddress(hostname) ?? (isDotted(hostname) ? hostname : undefined);
  if (address !== undefined) return isPrivateIpv4(address);
  return /^\[(?:f[cd]|fe[89a-f]|::\]|64:ff9b:1:)/i.test(hostname);
}

/** The same for an address as resolvers write it, without brackets and perhaps with a zone. */
export function isPrivateAddress(address: string): boolean {
  const [bare = ""] = address.split("%");
  const url = `http://${bare.includes(":") ? `[${bare}]` : bare}`;
  return URL.canParse(url) && isPrivateHost(new URL(url).hostname);
}

/** Is a host named, rather than written as an address? */
export function isNamedHost(hostname: string): boolean {
  return !hostname.startsWith("[") && !isDotted(hostname);
}

/** A URL without credentials, query and fragment, which may be secret. */
export function publicUrl(url: string | URL): string {
  if (!URL.canParse(url)) return "an address that is not a URL";
  const { origin, pathname, protocol } = new URL(url);
  return origin === "null" ? `a URL that begins with ${protocol}` : origin + pathname;
}

/** What a request of authorization may reach. */
export interface AddressRules {
  /** The MCP server. */
  readonly endpoint: URL;
  /** Whether http to loopback hosts is allowed. */
  readonly allowInsecureLoopback: boolean;
  /** Whether a public server may name addresses in a private network. */
  readonly allowPrivateNetwork: boolean;
}

/** What speaks against a request to an address; undefined when nothing does (OAuth 2.1 § 1.5). */
export function addressFault(url: URL, rules: AddressRules): string | undefined {
  const fault = transportFault(url, rules.allowInsecureLoopback);
  if (fault !== undefined) return fault;
  if (url.username !== "" || url.password !== "") return "the address holds a user name";
  return isGuarded(rules) && isPrivateHost(url.hostname) ? PRIVATE : undefined;
}

/** May this server lead to no private address? Not one that stands in a private network itself, which is no news there. */
export function isGuarded({ endpoint, allowPrivateNetwork }: AddressRules): boolean {
  return !allowPrivateNetwork && !isPrivateHost(endpoint.hostname);
}

/** What is wrong with a private address. */
export const PRIVATE = "a public server names an address in a private network (allowPrivateNetwork accepts that)";

function isDotted(hostname: string): boolean {
  return /^\d+\.\d+\.\d+\.\d+$/.test(hostname);
}

/**
 * IPv6 addresses that hold an IPv4 one: mapped and compatible (RFC 4291 § 2.5.5), of a translator (RFC 6052 § 2.1), and 6to4
 * (RFC 3056 § 2), where a second group of zeros may be left out.
 */
const EMBEDDED = /^\[(?:(?:::ffff:|::|64:ff9b::)([0-9a-f]{1,4}):([0-9a-f]{1,4})\]|2002:([0-9a-f]{1,4})(?::([0-9a-f]{1,4}))?:)/i;

/** The IPv4 address inside an IPv6 one, which `URL` writes as two hexadecimal groups. */
function embeddedAddress(hostname: string): string | undefined {
  const groups = EMBEDDED.exec(hostname);
  if (groups === null) return undefined;
  const [high, low] = [parseInt(groups[1] ?? groups[3] ?? "0", 16), parseInt(groups[2] ?? groups[4] ?? "0", 16)];
  return [high >> 8, high & 255, low >> 8, low & 255].join(".");
}

/** RFC 1918, RFC 3927, RFC 6598, RFC 2544, "this host" (RFC 1122 § 3.2.1.3) and IETF protocol assignments (RFC 6890). */
function isPrivateIpv4(address: string): boolean {
  return /^(?:0|10|127)\.|^192\.168\.|^192\.0\.0\.|^198\.1[89]\.|^169\.254\.|^172\.(?:1[6-9]|2\d|3[01])\.|^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./
    .test(address);
}
