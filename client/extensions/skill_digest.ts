/** SHA-256 as skills write it. */
import { encodeHex } from "../../protocol/hex.ts";

/** The digest of bytes: `sha256:` and 64 lowercase hexadecimal digits (SEP-2640, Integrity and Verification). */
export async function skillDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return `sha256:${encodeHex(await crypto.subtle.digest("SHA-256", bytes))}`;
}
