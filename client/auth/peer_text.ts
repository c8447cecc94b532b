/** Texts of authorization servers, made fit for an error. */
import { shown } from "../../protocol/shown.ts";

/**
 * A server's text on one short line, without what was secret in the request that it answers.
 *
 * @param text What the server said.
 * @param secrets What it must not repeat.
 */
export function peerText(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets.flatMap(forms)) if (secret !== "") clean = clean.replaceAll(secret, "…");
  // deno-lint-ignore no-control-regex -- control characters are what is taken out
  return shown(clean.replace(/[\x00-\x1f\x7f-\x9f\u2028\u2029]+/g, " ").trim());
}

/** A secret as it is, and as requests encode it. */
function forms(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), new URLSearchParams([["", secret]]).toString().slice(1)];
}
