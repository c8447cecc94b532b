/** The headers that a user sends along, without those of the protocol. */
import type { HeadersLike } from "../protocol/types.ts";

/**
 * Reads headers in any of their forms.
 *
 * @param given What the user gave.
 * @returns The headers, without names whose values the protocol decides.
 * @throws {TypeError} For a name or a value that HTTP cannot carry; the value is not in the message.
 */
export function userHeaders(given: HeadersLike | undefined): Headers {
  const result = new Headers();
  if (given === undefined) return result;
  const listed = given instanceof Headers || Array.isArray(given);
  const pairs = listed ? given as Iterable<readonly [string, string]> : Object.entries(given);
  for (const [name, value] of pairs) {
    const lower = name.toLowerCase();
    if (PROTOCOL_HEADERS.has(lower) || lower.startsWith("mcp-param-")) continue;
    try {
      // Pairs may repeat a name on purpose; in an object two spellings of a name are one header (RFC 9110 § 5.1).
      if (listed && lower !== "authorization") result.append(name, value);
      else result.set(name, value);
    } catch {
      // The platform's own message may hold the value, which may be secret.
      throw new TypeError(`headers.${name}: Expected a name and a value that HTTP can carry`);
    }
  }
  return result;
}

/** Names whose values the protocol alone decides. */
const PROTOCOL_HEADERS: ReadonlySet<string> = new Set([
  "accept",
  "content-type",
  "content-length",
  "mcp-protocol-version",
  "mcp-method",
  "mcp-name",
  "mcp-session-id",
  "last-event-id",
]);
