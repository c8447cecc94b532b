/** URIs of skills and views in messages. */
import { shownAddress, shownLine } from "../../protocol/shown.ts";

/**
 * A URI on one short line, without what may be secret: credentials, query and fragment (RFC 3986 § 7.5).
 *
 * @param uri From the server, or from a program that was given it: whatever it is.
 */
export function shownUri(uri: unknown): string {
  return shownLine(shownAddress(String(uri)));
}
