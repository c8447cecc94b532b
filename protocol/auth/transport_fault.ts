/** Over which transport secrets may go. */
import { isLoopbackHost } from "./loopback_host.ts";

/**
 * What speaks against sending secrets to an address (OAuth 2.1 § 1.5); undefined when nothing does.
 *
 * @param url The address.
 * @param allowLoopback Whether http to loopback hosts is allowed.
 */
export function transportFault(url: URL, allowLoopback: boolean): string | undefined {
  if (url.protocol === "https:") return undefined;
  if (url.protocol !== "http:") return "the address is neither https nor http";
  if (!isLoopbackHost(url.hostname)) return "the address is not https";
  return allowLoopback ? undefined : "the address is not https (allowInsecureLoopback allows http on loopback hosts)";
}
