/** The bounds of authorization, on either side: imported through `limits.ts`. */

/** Bounds of a client's authorization. */
export const AUTHORIZATION_LIMITS = {
  /** Bytes of one document or answer. */
  documentBytes: 262_144,
  /** Milliseconds for one request. */
  requestTimeout: 30_000,
  /** Milliseconds for the look-up of a host's name. */
  lookupTimeout: 5000,
  /** Milliseconds that a person has. */
  personTimeout: 300_000,
  /** Milliseconds before a token's end at which it is renewed. */
  renewBefore: 30_000,
  /** Authorizations in a row that the server does not accept. */
  authorizations: 3,
  /** Entries of one list that count. */
  listLength: 64,
  /** Entries of one set of scopes that count. */
  scopes: 256,
  /** Milliseconds after which a lock that its holder left behind is broken. */
  staleLock: 10_000,
  /** Milliseconds between two looks at a lock that somebody else holds. */
  lockLook: 25,
} as const;

/** Bounds of access tokens on a server. */
export const TOKEN_LIMITS = {
  /** Characters of an `Authorization` or `DPoP` header. */
  headerLength: 8192,
  /** Seconds that clocks may differ. */
  clockSkew: 30,
  /** Keys of one set that count. */
  keys: 64,
  /** Keys that one token is tried with. */
  candidates: 4,
  /** Milliseconds for which keys are kept. */
  keyAge: 600_000,
  /** Milliseconds for which keys are kept when newer ones cannot be had. */
  staleKeyAge: 3_600_000,
  /** Milliseconds between two requests for keys that are not known. */
  keyCooldown: 30_000,
  /** Milliseconds between two attempts that failed. */
  keyRetry: 5000,
  /** Milliseconds for one request to an authorization server. */
  requestTimeout: 5000,
  /** Milliseconds for which an answer about a token is kept. */
  answerAge: 30_000,
  /** Milliseconds for which a refusal is kept. */
  refusalAge: 5000,
  /** Answers that are kept. */
  answers: 10_000,
  /** Questions at once. */
  questions: 64,
  /** Seconds that a DPoP proof may be old or early. */
  proofAge: 300,
  /** DPoP proofs that are remembered. */
  proofs: 10_000,
} as const;
