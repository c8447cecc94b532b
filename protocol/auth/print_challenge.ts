/** `WWW-Authenticate`: writes one challenge. */

/** Parameters in their order; undefined ones are left out. */
export type ChallengeParams = { readonly [name: string]: string | undefined };

/**
 * Writes a challenge whose values are quoted strings (RFC 9110 § 11.6.1; RFC 6750 § 3). What a header cannot hold is left out of
 * values, so that no line of a response can be forged.
 *
 * @param scheme The scheme, such as `Bearer`.
 * @param params Its parameters.
 */
export function printChallenge(scheme: string, params: ChallengeParams): string {
  const written = Object.entries(params).flatMap(([name, value]) => value === undefined ? [] : [`${name}="${escaped(value)}"`]);
  return written.length === 0 ? scheme : `${scheme} ${written.join(", ")}`;
}

function escaped(value: string): string {
  return value.replace(/[^\x20-\x7e]/g, "").replace(/["\\]/g, "\\$&");
}
