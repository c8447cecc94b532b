/** Bytes ⇄ Base64 (RFC 4648 § 4). */

const CHUNK = 0x8000;

/** Encodes bytes as Base64 with padding. */
export function encodeBase64(bytes: Uint8Array): string {
  const own = bytes as Uint8Array & { readonly toBase64?: () => string };
  if (typeof own.toBase64 === "function") return own.toBase64();
  let binary = "";
  for (let i = 0; i < bytes.length; i += CHUNK) binary += String.fromCharCode(...bytes.subarray(i, i + CHUNK));
  return btoa(binary);
}

/** Is it a text of Base64 with padding? */
export function isBase64(text: unknown): text is string {
  return typeof text === "string" && text.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(text);
}

/** Decodes Base64; undefined when the text is none. */
export function decodeBase64(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (!isBase64(text)) return undefined;
  try {
    const binary = atob(text);
    const bytes = new Uint8Array(binary.length);
    for (let i = 0; i < binary.length; i++) bytes[i] = binary.charCodeAt(i);
    return bytes;
  } catch {
    return undefined;
  }
}
