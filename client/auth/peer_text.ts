/** Texts of authorization servers, made fit for an error. */
import { SECRET_LENGTH } from "../../protocol/limits.ts";
import { shownLine } from "../../protocol/shown.ts";
import { plainText } from "../secrets/plain_text.ts";
import { secretCleaner } from "../secrets/secret_cleaner.ts";
import { secretForms } from "../secrets/secret_forms.ts";

/**
 * A server's text on one short line, without what was secret in the request that it answers.
 *
 * @param text What the server said.
 * @param secrets What it must not repeat.
 */
export function peerText(text: string, secrets: readonly string[] = []): string {
  let clean = text;
  for (const secret of secrets.flatMap(asSent)) if (secret !== "") clean = clean.replaceAll(secret, "…");
  // Those that are long enough are found however they are written: escaped in JSON or HTML, in base64, in other letters.
  const forms = secrets.map((secret) =>
    [plainText(secret), ...secretForms(secret)].filter(({ length }) => length >= SECRET_LENGTH)
  );
  return shownLine(secretCleaner(forms).clean(clean));
}

/** A secret as it is, and as requests encode it. */
function asSent(secret: string): readonly string[] {
  return [secret, encodeURIComponent(secret), new URLSearchParams([["", secret]]).toString().slice(1)];
}
