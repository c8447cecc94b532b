/** Bytes as hexadecimal digits (RFC 4648 § 8). */

/** Writes bytes as lowercase hexadecimal digits, two for each. */
export function encodeHex(bytes: ArrayBuffer | Uint8Array): string {
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}
