/** The bounds that nobody has to set, those of authorization and of extensions aside: imported through `limits.ts`. */

const KIB = 1024;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

/** Bounds of URI templates and of the URIs matched against them. */
export const TEMPLATE_LIMITS = { templateLength: 1024, uriLength: 8192, variables: 32 } as const;

/** Bounds of JSON Schemas: nesting, subschemas, characters of a pattern, issues of one check, schemas that a compiler keeps. */
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

/** Bytes of an unexpected HTTP answer that are read to describe it, and characters of what is no message that an error shows. */
export const EXCERPT = { bytes: 1024, characters: 120 } as const;

/** Characters of a reference in a schema that a fault repeats. */
export const REFERENCE_LENGTH = 200;

/** How often a change in a shared store is tried while other instances are faster. */
export const STORE_TRIES = 16;

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

/** Milliseconds after which a change stream that is lost counts as one that held: the pauses before the next ones begin anew. */
export const RELISTEN_HELD: number = SECOND;

/**
 * Bounds of the search for patterns that take exponential time: repetitions of one character that are counted one by one; places
 * of a pattern, and steps between pairs of them, that are looked at before it counts as exponential; and in how many ways the bounded
 * parts of a stranger's pattern can be taken.
 */
export const PATTERN_LIMITS = { copies: 32, places: 256, steps: 200_000, ways: 10_000 } as const;

/** Bounds of the sweep after a child: processes looked at before other work has its turn, descendants followed, trees within trees. */
export const PROCESS_TREE_LIMITS = { slice: 64, descendants: 10_000, depth: 16 } as const;
