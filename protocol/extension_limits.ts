/** The bounds of Tasks, Skills and Apps: imported through `limits.ts`. In plain numbers, so that a bundle without them carries none. */

/** Bounds of tasks on a server. */
export const TASK_LIMITS = {
  /** Milliseconds that a task lives when nothing else is said. */
  ttl: 3_600_000,
  /** Milliseconds that a task lives at most. */
  longestTtl: 2_592_000_000,
  /** Milliseconds between two looks that a client is told. */
  pollInterval: 1000,
  /** Tasks that run at once. */
  running: 1024,
  /** Tasks of one principal that run at once. */
  runningPerPrincipal: 64,
  /** Open questions of one task. */
  questions: 100,
  /** Times that one question is asked. */
  asks: 5,
  /** Characters of a result as JSON. */
  resultLength: 4_194_304,
  /** Records in the memory of a process. */
  records: 100_000,
  /** Characters of those records, all together. */
  kept: 67_108_864,
  /** Ids in one filter of a change stream. */
  listened: 100,
  /** Milliseconds between two signs of life of a process. */
  beat: 3000,
  /** Milliseconds without a sign of life after which a process counts as dead. */
  lease: 10_000,
  /** Milliseconds between two looks for what other instances did. */
  look: 1000,
  /** Milliseconds for a handler to end after it was cancelled. */
  cancelGrace: 1000,
  /** Milliseconds for one call of a store. */
  storeTimeout: 10_000,
  /** How often an ending that the store did not take is written again, each time after twice as long. */
  rewrites: 6,
} as const;

/** Bounds of a client that waits for tasks. */
export const TASK_WAIT_LIMITS = {
  /** Milliseconds between two looks at least. */
  shortest: 50,
  /** Milliseconds between two looks without a hint of the server. */
  usual: 1000,
  /** Milliseconds between two looks at most. */
  longest: 30_000,
  /** Milliseconds between two looks where notifications come. */
  listening: 15_000,
  /** Looks in a row, and streams, that may be lost. */
  lost: 5,
  /** Tasks of one stream. */
  shared: 50,
  /** Milliseconds between two openings of a stream at least, twice as many after each loss. */
  reopen: 1000,
  /** Milliseconds that a stream stays when nobody waits any more. */
  linger: 1000,
} as const;

/** Bounds of a client that reads skills. */
export const SKILL_CLIENT_LIMITS = {
  /** Pages of one list. */
  pages: 1000,
  /** Skills in one list. */
  skills: 10_000,
  /** Children of one directory. */
  children: 10_000,
  /** Characters of one list, or of one directory, as JSON. */
  listed: 67_108_864,
  /** Milliseconds for all pages together, where nothing else is said. */
  walk: 600_000,
  /** Verified bytes of one server that are kept. */
  kept: 16_777_216,
  /** Characters of a reference to a file. */
  reference: 8192,
  /** Characters of the label of a server. */
  label: 256,
} as const;

/** Bounds of a skill, and of the pages on which a server lists skills. */
export const SKILL_LIMITS = {
  /** Files (SEP-2640, Skill Entries § Limits). */
  files: 512,
  /** Bytes of all files together (SEP-2640, Skill Entries § Limits). */
  bytes: 16_777_216,
  /** Characters of the frontmatter. */
  frontmatter: 16_384,
  /** Nesting in the frontmatter. */
  depth: 32,
  /** Characters of the name (Agent Skills). */
  name: 64,
  /** Characters of the description (Agent Skills). */
  description: 1024,
  /** Characters of the compatibility (Agent Skills). */
  compatibility: 500,
  /** Directories within each other. */
  directories: 32,
  /** Skills, or children of a directory, on one page. */
  pageSize: 100,
  /** Characters of a page of skills. */
  pageLength: 1_048_576,
} as const;

/** Bounds of Apps. */
export const APP_LIMITS = {
  /** Characters of the HTML of one view. */
  html: 4_194_304,
  /** Sources in one list of its content security policy. */
  sources: 64,
  /** Characters of one such source. */
  sourceLength: 256,
  /** Characters of its `domain`. */
  domainLength: 256,
  /** Characters of a `ui://` URI. */
  uriLength: 2048,
  /** Characters of a link that a view asks to open. */
  linkLength: 8192,
  /** Milliseconds for which a client trusts the list of tools that a server gave. */
  toolsAge: 30_000,
  /** Milliseconds for which a client trusts that a name is not on that list. */
  unknownToolsAge: 1000,
} as const;

/** Bounds of the bridge between a host and the view of an app. */
export const BRIDGE_LIMITS = {
  /** Bytes of one message as JSON. */
  messageBytes: 4_194_304,
  /** Nesting of one message. */
  jsonDepth: 64,
  /** Values and members of one message. */
  jsonElements: 200_000,
  /** Characters of an id. */
  idLength: 256,
  /** Requests of a view that are open at once. */
  openRequests: 32,
  /** Size changes, log lines, context updates and wishes to end of a view per second, each counted by itself. */
  perSecond: 20,
  /** Milliseconds until a view must have introduced itself. */
  initialize: 30_000,
  /** Milliseconds for the answer of a view. */
  request: 30_000,
  /** Milliseconds that the end of a view waits for its answer. */
  teardown: 2000,
} as const;
