/** The bytes of a skill's file: their digest, their text, and the type that they are served as. */
import { encodeHex } from "../../protocol/hex.ts";

const DECODER_OPTIONS = { fatal: true, ignoreBOM: true } as const;

/** SHA-256 of bytes, as an entry has it (SEP-2640, Integrity and Verification). */
export async function digestOfBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return `sha256:${encodeHex(await globalThis.crypto.subtle.digest("SHA-256", bytes))}`;
}

/** Text whose UTF-8 is exactly these bytes, a byte order mark and line ends included; undefined when there is none. */
export function exactText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder("utf-8", DECODER_OPTIONS).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}

/**
 * The type of a file by the end of its name; of others it is plain text or bytes.
 *
 * @param path The path, or the name.
 * @param isText Is it served as text?
 */
export function typeOfFile(path: string, isText: boolean): string {
  const end = /\.([A-Za-z0-9]+)$/.exec(path)?.[1]?.toLowerCase();
  return TYPES.get(end ?? "") ?? (isText ? "text/plain" : "application/octet-stream");
}

const TYPES: ReadonlyMap<string, string> = new Map([
  ["md", "text/markdown"],
  ["markdown", "text/markdown"],
  ["txt", "text/plain"],
  ["html", "text/html"],
  ["htm", "text/html"],
  ["css", "text/css"],
  ["csv", "text/csv"],
  ["xml", "application/xml"],
  ["json", "application/json"],
  ["yaml", "application/yaml"],
  ["yml", "application/yaml"],
  ["toml", "application/toml"],
  ["js", "text/javascript"],
  ["mjs", "text/javascript"],
  ["py", "text/x-python"],
  ["sh", "application/x-sh"],
  ["svg", "image/svg+xml"],
  ["png", "image/png"],
  ["jpg", "image/jpeg"],
  ["jpeg", "image/jpeg"],
  ["gif", "image/gif"],
  ["webp", "image/webp"],
  ["pdf", "application/pdf"],
  ["zip", "application/zip"],
  ["wasm", "application/wasm"],
]);
