/** The bounds that nobody has to set: named once, imported through `limits.ts`. */

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Bounds of URI templates and of the URIs matched against them. */
export const TEMPLATE_LIMITS = { templateLength: 1024, uriLength: 8192, variables: 32 } as const;

/**
 * Bounds of JSON Schemas: nesting, number of subschemas, characters of one pattern, issues that one check reports at most, and
 * distinct schemas that a compiler keeps before it begins anew.
 */
export const SCHEMA_LIMITS = { depth: 64, subschemas: 10_000, patternLength: 1024, issues: 20, compiled: 1000 } as const;

/** Characters of a tool's name at most (MCP 2026-07-28, Tools § Tool Names). */
export const TOOL_NAME_LENGTH = 128;

/** Characters of a name from the peer that a message repeats. */
export const SHOWN_LENGTH = 128;

/** Characters of the text of an error from the peer that this side shows. */
export const ERROR_TEXT_LENGTH = 4096;

/** Values that one completion answer carries at most (MCP 2026-07-28, Completion). */
export const COMPLETION_VALUES = 100;

/** Milliseconds for which a sealed request state can be opened: an hour. */
export const REQUEST_STATE_LIFETIME: number = HOUR;

/** Messages of one answer that wait for its reader before the handler that emits them has to wait too. */
export const ANSWER_BACKLOG = 64;

/** Tokens that `ctx.sample` asks for at most when it is not told how many. */
export const SAMPLE_TOKENS = 1024;

/** Questions without an answer that one run of a handler may ask. */
export const ROUND_QUESTIONS = 1000;

/** Callers that a rate limit tells apart at once; further ones share one allowance. */
export const RATE_CALLERS = 10_000;

/** Lines that may wait for their peer to read before nothing more is read from it. */
export const WAITING_LINES = 1024;

/** Messages without an answer that a client has under way at once over HTTP; further ones wait. */
export const MESSAGES_UNDER_WAY = 64;

/** Milliseconds between looks at requests that still run: their peer's presence and their deadline. */
export const WATCH_INTERVAL = 50;

/** Milliseconds between two looks of a stdio server for the process that started it. */
export const PARENT_LOOK = 500;

/** Characters of a session id at most, on either side. What the handshake has agreed on travels in the id only where it fits. */
export const SESSION_ID_LENGTH = 4096;

/** Characters of what a session keeps, as JSON, of what its client said about itself: names and capabilities. */
export const HELLO_LENGTH: number = 4 * KIB;

/** Characters of each text in which a client names itself that a session keeps. */
export const HELLO_TEXT_LENGTH = 256;

/** Characters of all URIs together that one session or change stream may name. */
export const SUBSCRIBED_LENGTH: number = 128 * KIB;

/** Milliseconds between two notes that a session is still used, and between two looks for what its other instances have ended. */
export const SESSION_REFRESH: number = 5 * SECOND;

/** Milliseconds that the end of a server waits until the answers of its last calls are written to their sessions. */
export const LAST_WRITES = 500;

/** Milliseconds between two looks for events that another instance adds to a stream. */
export const STREAM_LOOK = 250;

/** Milliseconds after which a client may come back for the rest of a stream. */
export const STREAM_RETRY = SECOND;

/** Characters of an event id that a client takes and sends back. */
export const EVENT_ID_LENGTH = 1024;

/** Ids of events that a client keeps of one stream, so that none is delivered twice. */
export const REMEMBERED_EVENTS = 256;

/** Characters of a request and what goes with it whose cache key a client remembers; longer ones have it computed each time. */
export const REMEMBERED_KEY_LENGTH = 2048;

/** Milliseconds before a client takes up a stream again at least, unless `streamRetryDelay` is less. */
export const STREAM_RETRY_FLOOR = 100;

/** Milliseconds after which a stream that ends counts as one that held: opening it again is none of the `streamRetries`. */
export const STREAM_HELD: number = 30 * SECOND;

/**
 * Bounds of authorization: bytes of one document or answer, milliseconds for one request, milliseconds that a person has,
 * milliseconds before a token's end at which it is renewed, authorizations in a row that the server does not accept, entries of
 * one list and of one set of scopes that count, and milliseconds after which a lock that its holder left behind is broken.
 */
export const AUTHORIZATION_LIMITS = {
  documentBytes: 256 * KIB,
  requestTimeout: 30 * SECOND,
  personTimeout: 5 * MINUTE,
  renewBefore: 30 * SECOND,
  authorizations: 3,
  listLength: 64,
  scopes: 256,
  staleLock: 10 * SECOND,
} as const;

/**
 * Bounds of access tokens on a server: characters of an `Authorization` or `DPoP` header, seconds that clocks may differ, keys of
 * one set that count and that one token is tried with, milliseconds for which keys are kept, for which they are kept when newer
 * ones can not be had, between two requests for keys that are not known, and between two attempts that failed; milliseconds for
 * one request to an authorization server; milliseconds for which an answer about a token is kept, for which a refusal is, answers
 * that are kept, and questions at once; seconds that a DPoP proof may be old or early, and proofs that are remembered.
 */
export const TOKEN_LIMITS = {
  headerLength: 8 * KIB,
  clockSkew: 30,
  keys: 64,
  candidates: 4,
  keyAge: 10 * MINUTE,
  staleKeyAge: HOUR,
  keyCooldown: 30 * SECOND,
  keyRetry: 5 * SECOND,
  requestTimeout: 5 * SECOND,
  answerAge: 30 * SECOND,
  refusalAge: 5 * SECOND,
  answers: 10_000,
  questions: 64,
  proofAge: 300,
  proofs: 10_000,
} as const;

/**
 * Bounds of tasks on a server: milliseconds that one lives when nothing else is said, and at most; milliseconds between two
 * looks that a client is told; tasks that run at once, and of one principal; open questions of one task, and asks of one
 * question; characters of a result as JSON; records in the memory of a process, and their characters; ids in one filter; milliseconds between two signs of life of a process, after which
 * it counts as dead, between two looks for what other instances did, and for a handler to end after it was cancelled.
 */
export const TASK_LIMITS = {
  ttl: HOUR,
  longestTtl: 30 * 24 * HOUR,
  pollInterval: SECOND,
  running: 1024,
  runningPerPrincipal: 64,
  questions: 100,
  asks: 5,
  resultLength: 4 * MIB,
  records: 100_000,
  kept: 64 * MIB,
  listened: 100,
  beat: 3 * SECOND,
  lease: 10 * SECOND,
  look: SECOND,
  cancelGrace: SECOND,
} as const;

/**
 * Bounds of a client that waits for tasks: milliseconds between two looks at least, without a hint, at most, and where notifications come; lost
 * looks in a row.
 */
export const TASK_WAIT_LIMITS = { shortest: 50, usual: SECOND, longest: 30 * SECOND, listening: 15 * SECOND, lost: 5 } as const;

/**
 * Bounds of the search for patterns that take exponential time: repetitions of one character that are counted one by one; places
 * of a pattern, and steps between pairs of them, that are looked at before it counts as exponential.
 */
export const PATTERN_LIMITS = { copies: 32, places: 256, steps: 200_000 } as const;

/** Bounds of the sweep after a child: processes looked at before other work has its turn, descendants followed, trees within trees. */
export const PROCESS_TREE_LIMITS = { slice: 64, descendants: 10_000, depth: 16 } as const;
