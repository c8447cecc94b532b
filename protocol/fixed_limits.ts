/** The bounds that nobody has to set: named once, imported through `limits.ts`. */

const KIB = 1024;
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

/** Milliseconds of one check by a stranger's schema. */
export const CHECK_TIME = 2_000;

/** Milliseconds that a server waits for the store of its sessions, and a client for that of its cache before it asks the server. */
export const STORE_WAIT = { sessions: 10_000, cache: 2_000 } as const;

/** Characters of the schemas of one server whose compiled checks a client keeps, in all. */
export const COMPILED_LENGTH = 1_048_576;

/** Characters of a tool's name at most (MCP 2026-07-28, Tools § Tool Names). */
export const TOOL_NAME_LENGTH = 128;

/** Characters of a name from the peer that a message repeats. */
export const SHOWN_LENGTH = 128;

/** Items left out of a list that one error names, and values under `enum`; further ones are counted. */
export const SHOWN_ITEMS = { list: 5, enum: 20 } as const;

/** Characters of what led to an error that its message repeats. */
export const CAUSE_LENGTH = 256;

/** Questions of one round that a client takes from a server; with more the call ends before a handler runs. */
export const INPUT_QUESTIONS = 100;

/** Characters that a word of a credential has at least; a shorter one is no secret, and may be part of any text. */
export const SECRET_LENGTH = 8;

/** Credentials that a connection remembers, to hide them in errors; and comparisons for each character of a text that is cleaned. */
export const SENT_SECRETS = { remembered: 64, comparisons: 16 } as const;

/** Milliseconds that one timer waits at most (HTML, Timers: a signed 32-bit number); a longer time would be over at once. */
export const LONGEST_TIMER = 2_147_483_647;

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

/** The most that `jsonDepth` can be set to: what is deeper would need more stack than every runtime has. */
export const DEEPEST_JSON = 1000;

/** Entries of a store in the memory of a process, unless its user sets another number. */
export const MEMORY_STORE_ENTRIES = 100_000;

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

/** Milliseconds of work on what a pipe brings after which timers get a turn. */
export const READING_TURN = 250;

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

/**
 * Milliseconds for which a session of a caller that nobody knows has to be unused before it makes room where all places are taken;
 * for a verified caller it makes room after `SESSION_REFRESH`.
 */
export const SESSION_SPARE: number = MINUTE;

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
 * Bounds of authorization: bytes of one document or answer, milliseconds for one request, milliseconds for the look-up of a
 * host's name, milliseconds that a person has, milliseconds before a token's end at which it is renewed, authorizations in a row that the server does not accept, entries of
 * one list and of one set of scopes that count, and milliseconds after which a lock that its holder left behind is broken.
 */
export const AUTHORIZATION_LIMITS = {
  documentBytes: 262_144,
  requestTimeout: 30_000,
  lookupTimeout: 5000,
  personTimeout: 300_000,
  renewBefore: 30_000,
  authorizations: 3,
  listLength: 64,
  scopes: 256,
  staleLock: 10_000,
} as const;

/**
 * Bounds of access tokens on a server: characters of an `Authorization` or `DPoP` header, seconds that clocks may differ, keys of
 * one set that count and that one token is tried with, milliseconds for which keys are kept, for which they are kept when newer
 * ones cannot be had, between two requests for keys that are not known, and between two attempts that failed; milliseconds for
 * one request to an authorization server; milliseconds for which an answer about a token is kept, for which a refusal is, answers
 * that are kept, and questions at once; seconds that a DPoP proof may be old or early, and proofs that are remembered.
 */
export const TOKEN_LIMITS = {
  headerLength: 8192,
  clockSkew: 30,
  keys: 64,
  candidates: 4,
  keyAge: 600_000,
  staleKeyAge: 3_600_000,
  keyCooldown: 30_000,
  keyRetry: 5000,
  requestTimeout: 5000,
  answerAge: 30_000,
  refusalAge: 5000,
  answers: 10_000,
  questions: 64,
  proofAge: 300,
  proofs: 10_000,
} as const;

/**
 * Bounds of tasks on a server: milliseconds that one lives when nothing else is said, and at most; milliseconds between two
 * looks that a client is told; tasks that run at once, and of one principal; open questions of one task, and asks of one
 * question; characters of a result as JSON; records in the memory of a process, and their characters; ids in one filter; milliseconds between two signs of life of a process, after which
 * it counts as dead, between two looks for what other instances did, for a handler to end after it was cancelled, and for one call
 * of a store; how often an
 * ending that the store did not take is written again, each time after twice as long.
 */
export const TASK_LIMITS = {
  ttl: 3_600_000,
  longestTtl: 2_592_000_000,
  pollInterval: 1000,
  running: 1024,
  runningPerPrincipal: 64,
  questions: 100,
  asks: 5,
  resultLength: 4_194_304,
  records: 100_000,
  kept: 67_108_864,
  listened: 100,
  beat: 3000,
  lease: 10_000,
  look: 1000,
  cancelGrace: 1000,
  storeTimeout: 10_000,
  rewrites: 6,
} as const;

/**
 * Bounds of a client that waits for tasks: milliseconds between two looks at least, without a hint, at most, and where notifications
 * come; looks in a row, and streams, that are lost; tasks of one stream; milliseconds between two openings at least, twice as many
 * after each loss; milliseconds that a stream stays when nobody waits any more.
 */
export const TASK_WAIT_LIMITS = {
  shortest: 50,
  usual: 1000,
  longest: 30_000,
  listening: 15_000,
  lost: 5,
  shared: 50,
  reopen: 1000,
  linger: 1000,
} as const;

/**
 * Bounds of the search for patterns that take exponential time: repetitions of one character that are counted one by one; places
 * of a pattern, and steps between pairs of them, that are looked at before it counts as exponential; and in how many ways the bounded
 * parts of a stranger's pattern can be taken.
 */
export const PATTERN_LIMITS = { copies: 32, places: 256, steps: 200_000, ways: 10_000 } as const;

/** Bounds of the sweep after a child: processes looked at before other work has its turn, descendants followed, trees within trees. */
export const PROCESS_TREE_LIMITS = { slice: 64, descendants: 10_000, depth: 16 } as const;

/**
 * Bounds of a client that reads skills: pages of one list; skills in one list, children of one directory, and characters of
 * either as JSON; milliseconds for all pages together, where nothing else is said; verified bytes that are kept of one server;
 * characters of a reference to a file, and of the label of a server.
 */
export const SKILL_CLIENT_LIMITS = {
  pages: 1000,
  skills: 10_000,
  children: 10_000,
  listed: 67_108_864,
  walk: 600_000,
  kept: 16_777_216,
  reference: 8192,
  label: 256,
} as const;

/**
 * Bounds of Apps: characters of the HTML of one view; sources in one list of its content security policy, and characters of one;
 * characters of its `domain`, of a `ui://` URI, and of a link that a view asks to open; milliseconds for which a client takes the
 * tools that a server listed for those that it has, and for which it takes a name that is not among them for none.
 * In plain numbers, so that a bundle without Apps is without them.
 */
export const APP_LIMITS = {
  html: 4_194_304,
  sources: 64,
  sourceLength: 256,
  domainLength: 256,
  uriLength: 2048,
  linkLength: 8192,
  toolsAge: 30_000,
  unknownToolsAge: 1000,
} as const;

/**
 * Bounds of a skill: files, bytes of them all (SEP-2640, Skill Entries § Limits), characters of its frontmatter, nesting in it,
 * characters of a name, a description and a compatibility (Agent Skills), directories within each other; skills, and children of
 * a directory, on one page that a server answers, and characters of such a page of skills.
 */
export const SKILL_LIMITS = {
  files: 512,
  bytes: 16_777_216,
  frontmatter: 16_384,
  depth: 32,
  name: 64,
  description: 1024,
  compatibility: 500,
  directories: 32,
  pageSize: 100,
  pageLength: 1_048_576,
} as const;

/**
 * Bounds of the bridge between a host and the view of an app: bytes of one message as JSON, its nesting and its elements,
 * characters of an id, requests of a view that are open at once, and of the host, size changes, log lines, context updates and
 * wishes to end of a view per second, milliseconds until a view must have introduced itself, and milliseconds that its end waits for its answer.
 */
export const BRIDGE_LIMITS = {
  messageBytes: 4_194_304,
  jsonDepth: 64,
  jsonElements: 200_000,
  idLength: 256,
  openRequests: 32,
  perSecond: 20,
  initialize: 30_000,
  request: 30_000,
  teardown: 2000,
} as const;
