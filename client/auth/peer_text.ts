/** Texts of authorization servers, made fit for an error. */
import { shownLine } from "../../protocol/shown.ts";

/**
 * A server's text on one short line, without what was secret in the request that it answers.
 *
 * @param text What the server said.
 * @param secrets What it must not repeat.
 */
export function peerText(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets.flatMap(forms)) if (secret !== "") clean = clean.replaceAll(secret, "…");
  return shownLine(clean);
}

/** A secret as it is, and as requests encode it. */
function forms(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), new URLSearchParams([["", secret]]).toString().slice(1)];
}
