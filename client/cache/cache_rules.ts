/** What may be cached, for how long, for whom, and what a change makes stale (MCP 2026-07-28, Caching). */
import { changeOfMethod } from "../../protocol/changes.ts";
import type { ListChange } from "../../protocol/changes.ts";
import { ownMember } from "../../protocol/json.ts";
import type { JsonObject, JsonRpcNotification } from "../../protocol/types.ts";
import { isWithin } from "../changes/is_within.ts";

/** What an answer is about. */
export interface CacheSubject {
  /** The method. */
  readonly method: string;
  /** The resource; undefined for other methods. */
  readonly uri: string | undefined;
  /** Which page of a list it is; undefined for other methods. */
  readonly page: "first" | "later" | undefined;
}

/** How an answer may be kept. */
export interface CacheTerms {
  /** Milliseconds after its arrival. */
  readonly ttlMs: number;
  /** May it be given to other callers? */
  readonly isPublic: boolean;
}

/** A change: of whole lists, or of a resource. */
export type CacheChange =
  | { readonly methods: readonly string[]; readonly uri: undefined }
  | { readonly methods: undefined; readonly uri: string };

/** Methods whose answers may be cached → the member of the answer that must be a list. */
const MEMBERS: ReadonlyMap<string, string> = new Map([
  ["server/discover", "supportedVersions"],
  ["tools/list", "tools"],
  ["prompts/list", "prompts"],
  ["resources/list", "resources"],
  ["resources/templates/list", "resourceTemplates"],
  ["resources/read", "contents"],
]);

/** Which lists a change of a list concerns. */
const LISTS: { readonly [K in ListChange]: readonly string[] } = {
  toolsListChanged: ["tools/list"],
  promptsListChanged: ["prompts/list"],
  resourcesListChanged: ["resources/list", "resources/templates/list"],
};

/** What the answer to a request is about; undefined when it is never cached. */
export function cacheSubject(method: string, params: JsonObject): CacheSubject | undefined {
  if (!MEMBERS.has(method)) return undefined;
  const uri = method === "resources/read" ? ownMember(params, "uri") : undefined;
  const page = ownMember(params, "cursor") === undefined ? "first" : "later";
  return { method, uri: typeof uri === "string" ? uri : undefined, page: method.endsWith("/list") ? page : undefined };
}

/** Has an answer what every answer to its method has? What is malformed would be so again for as long as it is kept. */
export function isSound(method: string, result: JsonObject): boolean {
  const cursor = ownMember(result, "nextCursor") ?? undefined;
  return Array.isArray(ownMember(result, MEMBERS.get(method) ?? "")) && (cursor === undefined || typeof cursor === "string");
}

/**
 * How a complete answer may be kept. A `ttlMs` that is absent, negative or malformed counts as 0, and any scope but "public"
 * as private (MCP 2026-07-28, Caching § Time-to-Live Field, § Cache Scope Field).
 *
 * @param longest Milliseconds at most.
 * @returns The terms, or undefined when it may not be kept.
 */
export function cacheTerms(method: string, result: JsonObject, longest: number): CacheTerms | undefined {
  const ttlMs = ownMember(result, "ttlMs");
  if (typeof ttlMs !== "number" || !Number.isSafeInteger(ttlMs) || ttlMs <= 0 || !isSound(method, result)) return undefined;
  return { ttlMs: Math.min(ttlMs, longest), isPublic: ownMember(result, "cacheScope") === "public" };
}

/** The change that a notification tells of; undefined when it tells of none. */
export function readCacheChange({ method, params = {} }: JsonRpcNotification): CacheChange | undefined {
  const type = changeOfMethod(method);
  if (type === undefined) return undefined;
  if (type !== "resourceUpdated") return { methods: LISTS[type], uri: undefined };
  const uri = ownMember(params, "uri");
  return typeof uri === "string" ? { methods: undefined, uri } : undefined;
}

/** Does a change make answers about a subject stale? */
export function isStaleBy({ methods, uri }: CacheChange, subject: CacheSubject): boolean {
  if (methods !== undefined) return methods.includes(subject.method);
  return subject.uri !== undefined && areRelated(uri, subject.uri);
}

/** Is one URI the other one, or a part of it? */
export function areRelated(one: string, other: string): boolean {
  return one.length <= other.length ? isWithin(other, one) : isWithin(one, other);
}
