/** Which addresses may be trusted with tokens: https, and http on loopback hosts. */
import { isLoopbackHost } from "../../protocol/auth/loopback_host.ts";
import { issuerFault } from "../../protocol/auth/metadata.ts";

/** What speaks against an address (OAuth 2.1 § 1.5); undefined when nothing does. */
export function addressFault(address: string): string | undefined {
  if (!/^[\x21-\x7e]+$/.test(address) || address.includes("\\") || !URL.canParse(address)) return "Expected an absolute URL";
  const { protocol, hostname, username, password } = new URL(address);
  if (protocol !== "https:" && !(protocol === "http:" && isLoopbackHost(hostname))) {
    return "Expected an https URL, or http on a loopback host";
  }
  if (username !== "" || password !== "") return "Expected a URL without a user name";
  return address.includes("#") ? "Expected a URL without a fragment" : undefined;
}

/**
 * Checks an address among options.
 *
 * @throws {TypeError} Naming the option and the rule; never the address, which may hold what is secret.
 */
export function checkAddress(address: unknown, path: string): void {
  const fault = typeof address === "string" ? addressFault(address) : "Expected a string";
  if (fault !== undefined) throw new TypeError(`${path}: ${fault}`);
}

/**
 * Checks an issuer among options (RFC 8414 § 2).
 *
 * @throws {TypeError} Naming the option and the rule.
 */
export function checkIssuer(issuer: unknown, path: string): void {
  checkAddress(issuer, path);
  const fault = issuerFault(issuer as string);
  if (fault !== undefined) throw new TypeError(`${path}: Expected the identifier of an issuer, but ${fault}`);
}
