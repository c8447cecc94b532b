/** Tells those who run a server why it refuses callers. */
import { rarely } from "../../protocol/rarely.ts";
import type { Rarely } from "../../protocol/rarely.ts";

/** Takes a warning. */
export type Warn = (warning: Error) => void;

/** What was refused. */
export type RefusedPart = "header" | "token" | "proof" | "scopes";

/** Warns of one refusal; `why` is half a sentence without anything secret. */
export type WarnOfRefusal = (warn: Warn | undefined, part: RefusedPart, why: string) => void;

const REFUSED: { readonly [part in RefusedPart]: string } = {
  header: "the Authorization header cannot be read",
  token: "the access token is refused",
  proof: "the DPoP proof is refused",
  scopes: "the scopes are too few",
};

/**
 * Makes the warnings of one server. Whoever sends many requests that are refused fills no log with them: of each part the first
 * ones are told, and then each time that their number has doubled.
 */
export function refusalWarnings(): WarnOfRefusal {
  const parts = new Map<RefusedPart, Rarely>();
  return (warn, part, why) => {
    if (warn === undefined) return;
    const tell = parts.get(part) ?? rarely((told) => (told as () => void)());
    parts.set(part, tell);
    tell((soFar) => () => warn(new Error(`Letting a caller in: ${REFUSED[part]}, ${why}${soFar}`)));
  };
}
