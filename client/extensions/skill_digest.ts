/** SHA-256 as skills write it. */

/** The digest of bytes: `sha256:` and 64 lowercase hexadecimal digits (SEP-2640, Integrity and Verification). */
export async function skillDigest(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return `sha256:${[...digest].map((byte) => byte.toString(16).padStart(2, "0")).join("")}`;
}
