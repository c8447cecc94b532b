/** Absolute URIs, as far as definitions and contents need them. */

const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/;

/** Does a text begin with a scheme and a colon (RFC 3986 § 3.1)? */
export function hasScheme(uri: string): boolean {
  return SCHEME.test(uri);
}
