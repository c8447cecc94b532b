/** Tells headers with credentials by their names. */

/** Does a header hold a credential, as far as its name (in lower case) tells? */
export function isCredentialHeader(name: string): boolean {
  return /(?:^|[-_])(?:api|access|subscription|functions)[-_]key(?:$|[-_])/.test(name) ||
    name.split(/[-_]/).some((word) => CREDENTIAL_WORDS.has(word));
}

const CREDENTIAL_WORDS: ReadonlySet<string> = new Set([
  "apikey",
  "assertion",
  "auth",
  "authentication",
  "authorization",
  "cookie",
  "credential",
  "credentials",
  "dpop",
  "jwt",
  "password",
  "secret",
  "session",
  "signature",
  "token",
  "tokens",
]);
