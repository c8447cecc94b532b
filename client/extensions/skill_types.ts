/** What a program sees of skills: their entries with their origin, what is read of them, and what a skill is held by. */
import type { Skill } from "../../protocol/extensions/skills.ts";
import type { Awaitable, JsonObject, Resource, ServerCapabilities } from "../../protocol/types.ts";
import type { RequestOptions } from "../options.ts";

/** What skills need of a client. */
export interface SkillsConnection {
  /** What is known about the server. */
  readonly server: { readonly capabilities: ServerCapabilities };
  /** Sends a request. */
  request(method: string, params?: object, options?: RequestOptions): Promise<JsonObject>;
}

/** Options of `skills.on`. */
export interface SkillsOptions {
  /**
   * The label that this program has given the server, one for each: a skill is known by this label and its URI together, never
   * by what the server calls itself (SEP-2640, Skill URIs).
   */
  readonly server: string;
  /**
   * Asked before each load, for example `(skill) => approved.has(skill) || askThePerson(skill)`. Without it the program sees to
   * consent itself: loading is reading, and nothing of a skill is carried out here.
   */
  readonly approve?: ((skill: RemoteSkill) => Awaitable<boolean>) | undefined;
  /** Bytes of verified files that are kept in memory, so that they are not asked for again; 16 MiB by default, 0 keeps none. */
  readonly cacheBytes?: number | undefined;
}

/** The entry of a skill, with the server that it comes from. */
export interface RemoteSkill extends Skill {
  /** The label of that server. */
  readonly server: string;
}

/** An entry that was left out of a list, because it may not be loaded. */
export interface RefusedSkill {
  /** Its URI, where it has one. */
  readonly uri: string | undefined;
  /** Why, as one sentence. */
  readonly fault: string;
}

/** One page of skills. */
export interface SkillPage {
  /** The skills. Their names need not be unique. */
  readonly skills: readonly RemoteSkill[];
  /** What was left out. */
  readonly refused: readonly RefusedSkill[];
  /** Milliseconds for which the server takes the list for current; 0 where it does not say. */
  readonly ttlMs: number;
  /** Asks for the next page; undefined on the last one. The empty string is a cursor. */
  readonly nextCursor: string | undefined;
}

/** All skills that a server lists: perhaps not all that it has (SEP-2640, Listing Skills). */
export type SkillListing = Omit<SkillPage, "nextCursor">;

/** A file of a skill. What a model gets of it must say that it comes from this server: it is a stranger's text. */
export interface SkillContent {
  /** The label of the server. */
  readonly server: string;
  /** The URI of the skill. */
  readonly skill: string;
  /** The URI of the file. */
  readonly uri: string;
  /** What the server calls its type. */
  readonly mimeType: string | undefined;
  /** The bytes, in a copy of their own. */
  readonly bytes: Uint8Array;
  /** The bytes as text, a byte order mark and line ends included; undefined when they are not UTF-8. */
  readonly text: string | undefined;
  /**
   * Do size and digest fit the entry? False for dynamic skills. It says that the server agrees with itself, not that either
   * may be trusted (SEP-2640, Digests Are Not a Trust Anchor).
   */
  readonly verified: boolean;
}

/** A skill that was loaded: its files are read by the entry that it was loaded with, for as long as a model acts on it. */
export interface HeldSkill {
  /** The label of the server. */
  readonly server: string;
  /** The entry that it is held by, in a copy of its own. */
  readonly skill: RemoteSkill;
  /** What an approval is bound to: every URI and digest; undefined for a dynamic skill. */
  readonly fingerprint: string | undefined;
  /** The `SKILL.md`. Its frontmatter is that of the entry; no field of it grants anything, `allowed-tools` neither. */
  readonly manifest: SkillContent & { readonly text: string };
  /**
   * Reads a file. Another skill inside this one is read as plain text: nothing of its frontmatter counts.
   *
   * @param reference A URI, or a path from the directory of this skill's `SKILL.md`, as links in it are. A fragment is ignored.
   * @throws {SkillError} "unlisted", before anything is asked; "size" or "digest"; "frontmatter" for its own `SKILL.md`;
   * "limit" when more than 16 MiB of a dynamic skill are read.
   */
  read(reference: string, options?: RequestOptions): Promise<SkillContent>;
  /**
   * The direct children of a directory of this skill, without those that the entry does not list.
   *
   * @param reference A URI or a path; the skill's own directory when absent.
   * @throws {SkillError} "unsupported"; "unlisted" for a directory outside the skill, before anything is asked.
   * @throws {ProtocolError} -32602 when the server has no such directory.
   */
  directory(reference?: string, options?: RequestOptions): Promise<readonly Resource[]>;
  /** Asks for the entry as it is now. Where its fingerprint is another one, what was approved is void. */
  refresh(options?: RequestOptions): Promise<RemoteSkill>;
}

/** The skills of one server. Nothing is asked for before it is needed. */
export interface SkillsClient {
  /** The label of the server. */
  readonly server: string;
  /**
   * Does the server declare skills? False too while nothing is known about it, after a `verdict` or with one pinned stateless
   * revision: there the methods ask it once.
   */
  readonly supported: boolean;
  /** Does it declare that its directories can be read? */
  readonly directoryRead: boolean;
  /**
   * Walks every page of `skills/list`. Entries that may not be loaded are left out and told in `refused`.
   *
   * @throws {SkillError} "unsupported"; "repeated" when a skill is there twice; "limit" when there is too much for one list.
   * @throws {TransportError} "not_mcp" for what is not a list, and for a cursor that comes again; "limit" for too many pages.
   */
  list(options?: RequestOptions): Promise<SkillListing>;
  /** One page of `skills/list`. It throws what {@linkcode SkillsClient.list} throws. */
  listPage(cursor?: string, options?: RequestOptions): Promise<SkillPage>;
  /**
   * The entry of one skill, listed or not.
   *
   * @param uri The URI of its `SKILL.md`.
   * @throws {SkillError} "unsupported"; "entry" when the URI is none of a skill, and when the entry may not be loaded or is
   * another skill's.
   * @throws {ProtocolError} -32602 when the server has no such skill.
   */
  get(uri: string, options?: RequestOptions): Promise<RemoteSkill>;
  /**
   * Loads a skill: asks `approve`, reads its `SKILL.md` and verifies that, nothing else.
   *
   * @param skill An entry of this server, or the URI of one, which is then asked for.
   * @throws {SkillError} "unsupported", "entry", "origin", "unapproved", and what {@linkcode HeldSkill.read} throws.
   */
  load(skill: RemoteSkill | string, options?: RequestOptions): Promise<HeldSkill>;
  /**
   * Reads a directory of the server, of a skill or not. It adds nothing to what a held skill may read.
   *
   * @throws {SkillError} "unsupported", where the server does not declare `directoryRead`; "limit".
   * @throws {ProtocolError} -32602 when there is no such directory.
   */
  directory(uri: string, options?: RequestOptions): Promise<readonly Resource[]>;
}
