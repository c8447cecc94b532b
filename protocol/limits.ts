/** Every bound of the package, in one place: those that can be set, with their two presets, and those that cannot. */

import { DEEPEST_JSON } from "./fixed_limits.ts";
import { isJsonObject } from "./json.ts";

export * from "./authorization_limits.ts";
export * from "./extension_limits.ts";
export * from "./fixed_limits.ts";

/** Every bound of the package, in bytes, milliseconds or counts. Absent ones keep the preset's value. */
export interface Limits {
  /** Client: milliseconds without an answer or progress. 30,000. */
  readonly requestTimeout?: number | undefined;
  /** Client: milliseconds in all, over progress and input rounds. 600,000. */
  readonly requestTotalTimeout?: number | undefined;
  /** Client: milliseconds for `server/discover` at connect. 10,000. */
  readonly probeTimeout?: number | undefined;
  /** Server: milliseconds per handler; a tool may set its own. 30,000. */
  readonly handlerDeadline?: number | undefined;
  /** Server: handlers at once. 32. */
  readonly handlers?: number | undefined;
  /** Server: calls that wait for a handler's slot. 256. */
  readonly handlerQueue?: number | undefined;
  /** Client: requests of the server answered at once. 16. */
  readonly serverRequests?: number | undefined;
  /** Bytes of an HTTP request body, both ends. 4 MiB. */
  readonly requestBody?: number | undefined;
  /** Milliseconds to receive a request body. 30,000. */
  readonly requestBodyTimeout?: number | undefined;
  /** Server: milliseconds that `auth` has to say who calls. 30,000. */
  readonly verifyTimeout?: number | undefined;
  /** Bytes of an HTTP response body, both ends. 8 MiB. */
  readonly responseBody?: number | undefined;
  /** Bytes of one server-sent event. 8 MiB. */
  readonly sseEvent?: number | undefined;
  /** Bytes of one line of stdio, in and out. 8 MiB. */
  readonly frame?: number | undefined;
  /** Nesting of JSON, 1,000 at most; a client leaves items of a list that pass it out one by one. 64. */
  readonly jsonDepth?: number | undefined;
  /** Values and members in one JSON message. 200,000. */
  readonly jsonElements?: number | undefined;
  /** Pages that a list call walks. 1,000. */
  readonly pages?: number | undefined;
  /** Client: characters of the items that such a call collects from several pages, as JSON. 64 Mi. */
  readonly listLength?: number | undefined;
  /** Items on one page of a list that a server answers. 100. */
  readonly pageSize?: number | undefined;
  /** Rounds of input for one call. 10. */
  readonly inputRounds?: number | undefined;
  /** Bytes of a sealed `requestState`. 64 KiB. */
  readonly requestState?: number | undefined;
  /** Events that wait for a reader. 100. */
  readonly subscriptionBuffer?: number | undefined;
  /** Open change streams in all. 1,024. */
  readonly subscriptions?: number | undefined;
  /** Open change streams of one principal. 64. */
  readonly subscriptionsPerPrincipal?: number | undefined;
  /** Entries of the response cache. 256. */
  readonly cacheEntries?: number | undefined;
  /** Bytes of the response cache. 16 MiB. */
  readonly cacheBytes?: number | undefined;
  /** Milliseconds that an answer is kept at most. 24 h. */
  readonly cacheTtl?: number | undefined;
  /** Client: milliseconds for which an earlier verdict about a server is believed. 24 h. */
  readonly verdictAge?: number | undefined;
  /** Handshake sessions in all; where they are taken, one of an unknown caller that was unused for a minute makes room. 1,024. */
  readonly sessions?: number | undefined;
  /** Handshake sessions of one principal. 64. */
  readonly sessionsPerPrincipal?: number | undefined;
  /** Milliseconds after which an idle session ends. 30 min. */
  readonly sessionIdle?: number | undefined;
  /** Milliseconds after which a session ends in any case. 24 h. */
  readonly sessionAge?: number | undefined;
  /** Server: notifications that one session keeps, so that a client may take up a stream again; as many others too. 256. */
  readonly sessionEvents?: number | undefined;
  /** Server: bytes of those notifications. The other messages of all sessions have `handlers` times `responseBody`. 1 MiB. */
  readonly sessionEventBytes?: number | undefined;
  /** Server: milliseconds after which a stream is closed where the client may come back for the rest; 0 means never. 60,000. */
  readonly streamAge?: number | undefined;
  /** Server: milliseconds to wait for an answer of a client that a handler asked. 600,000. */
  readonly answerTimeout?: number | undefined;
  /** Client: milliseconds for the end of a session at close. 2,000. */
  readonly sessionEndTimeout?: number | undefined;
  /** Client: attempts to open a lost stream again without a message in between. 10. */
  readonly streamRetries?: number | undefined;
  /** Client: milliseconds between such attempts at most, whatever the server says. 30,000. */
  readonly streamRetryDelay?: number | undefined;
  /** Resources that one change stream or session may name. 1,000. */
  readonly subscriptionUris?: number | undefined;
  /** Milliseconds between comment lines on an idle stream. 15,000. */
  readonly keepAlive?: number | undefined;
  /** Milliseconds after which a reader of a stream that takes nothing is dropped. 60,000. */
  readonly stalledReader?: number | undefined;
  /** Milliseconds between "stdin closed", TERM and KILL of a child process. 2,000. */
  readonly stopGrace?: number | undefined;
  /** Bytes of a child's stderr that are kept for diagnosis. 64 KiB. */
  readonly stderrTail?: number | undefined;
  /** Progress notifications per request and second; the last one always goes. 20. */
  readonly progressPerSecond?: number | undefined;
}

/** A preset, or a preset with changes. */
export type LimitOptions = "default" | "gateway" | (Limits & { readonly preset?: "default" | "gateway" | undefined });

/** All bounds, none absent. */
export type ResolvedLimits = { readonly [K in keyof Limits]-?: number };

const KIB = 1024;
const MIB = 1024 * KIB;
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;

const DEFAULT: ResolvedLimits = {
  requestTimeout: 30 * SECOND,
  requestTotalTimeout: 10 * MINUTE,
  probeTimeout: 10 * SECOND,
  handlerDeadline: 30 * SECOND,
  handlers: 32,
  handlerQueue: 256,
  serverRequests: 16,
  requestBody: 4 * MIB,
  requestBodyTimeout: 30 * SECOND,
  verifyTimeout: 30 * SECOND,
  responseBody: 8 * MIB,
  sseEvent: 8 * MIB,
  frame: 8 * MIB,
  jsonDepth: 64,
  jsonElements: 200_000,
  pages: 1000,
  listLength: 64 * MIB,
  pageSize: 100,
  inputRounds: 10,
  requestState: 64 * KIB,
  subscriptionBuffer: 100,
  subscriptions: 1024,
  subscriptionsPerPrincipal: 64,
  subscriptionUris: 1000,
  cacheEntries: 256,
  cacheBytes: 16 * MIB,
  cacheTtl: 24 * HOUR,
  verdictAge: 24 * HOUR,
  sessions: 1024,
  sessionsPerPrincipal: 64,
  sessionIdle: 30 * MINUTE,
  sessionAge: 24 * HOUR,
  sessionEvents: 256,
  sessionEventBytes: MIB,
  streamAge: MINUTE,
  answerTimeout: 10 * MINUTE,
  sessionEndTimeout: 2 * SECOND,
  streamRetries: 10,
  streamRetryDelay: 30 * SECOND,
  keepAlive: 15 * SECOND,
  stalledReader: MINUTE,
  stopGrace: 2 * SECOND,
  stderrTail: 64 * KIB,
  progressPerSecond: 20,
};

const GATEWAY: ResolvedLimits = {
  ...DEFAULT,
  requestTotalTimeout: 2 * MINUTE,
  probeTimeout: 5 * SECOND,
  handlerQueue: 0,
  serverRequests: 8,
  requestBody: MIB,
  requestBodyTimeout: 10 * SECOND,
  verifyTimeout: 10 * SECOND,
  responseBody: MIB,
  sseEvent: MIB,
  frame: MIB,
  jsonDepth: 32,
  jsonElements: 20_000,
  pages: 100,
  listLength: 8 * MIB,
  inputRounds: 5,
  requestState: 16 * KIB,
  stalledReader: 15 * SECOND,
};

/** Bounds that may be zero; with any other one at zero, nothing could pass. */
const MAY_BE_ZERO = new Set<string>([
  "handlerQueue",
  "subscriptions",
  "subscriptionsPerPrincipal",
  "sessions",
  "sessionsPerPrincipal",
  "sessionEvents",
  "sessionEventBytes",
  "streamAge",
  "streamRetries",
  "cacheEntries",
  "cacheBytes",
  "stderrTail",
  "stopGrace",
]);

/**
 * Fills a preset with the bounds that are given.
 *
 * @param options A preset's name, or bounds with an optional `preset`.
 * @returns Every bound.
 * @throws {TypeError} For an unknown preset, an unknown bound, and a value that is not a safe non-negative integer.
 */
export function resolveLimits(options: LimitOptions | undefined): ResolvedLimits {
  if (options === undefined) return DEFAULT;
  if (typeof options === "string") return preset(options);
  if (!isJsonObject(options as unknown)) throw new TypeError("limits: Expected a preset or an object of limits");
  const resolved: Record<string, number> = { ...preset(options.preset ?? "default") };
  for (const [name, value] of Object.entries(options)) {
    if (name === "preset" || value === undefined) continue;
    if (!Object.hasOwn(DEFAULT, name)) throw new TypeError(`limits.${name}: Unknown limit`);
    const minimum = MAY_BE_ZERO.has(name) ? 0 : 1;
    if (!Number.isSafeInteger(value) || (value as number) < minimum) {
      throw new TypeError(`limits.${name}: Expected an integer of at least ${minimum}, received ${String(value)}`);
    }
    if (name === "jsonDepth" && (value as number) > DEEPEST_JSON) {
      throw new TypeError(`limits.jsonDepth: Expected at most ${DEEPEST_JSON}, received ${value}`);
    }
    resolved[name] = value as number;
  }
  return resolved as ResolvedLimits;
}

function preset(name: string): ResolvedLimits {
  if (name === "default") return DEFAULT;
  if (name === "gateway") return GATEWAY;
  throw new TypeError(`limits.preset: Expected "default" or "gateway", received "${name}"`);
}
