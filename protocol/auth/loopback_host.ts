/** Which hosts are this machine. */

/** A loopback host (RFC 8252 § 7.3; RFC 6761 § 6.3), as `URL` writes it. */
export function isLoopbackHost(hostname: string): boolean {
  if (/^(?:.+\.)?localhost\.?$/.test(hostname) || hostname === "[::1]") return true;
  // 127.0.0.0/8, also as an IPv6 address (RFC 4291 § 2.5.5.2).
  return /^127(?:\.\d+){3}$/.test(hostname) || /^\[::ffff:7f[0-9a-f]{2}:[0-9a-f]{1,4}\]$/i.test(hostname);
}
