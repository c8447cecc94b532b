/** What goes wrong with skills, told apart by reason. */
import type { RemoteSkill } from "./skill_types.ts";

/**
 * Why a skill, or a file of it, is not used. "unsupported": the server does not declare what is needed. "entry": the entry may
 * not be loaded. "repeated": a list names a skill twice. "origin": the skill is another server's. "unapproved": `approve` said
 * no. "dynamic": nothing about the skill can be kept. "unlisted": the entry does not list the file. "size", "digest" and
 * "frontmatter": the file is not what the entry says. "limit": more than may be read.
 */
export type SkillErrorReason =
  | "unsupported"
  | "entry"
  | "repeated"
  | "origin"
  | "unapproved"
  | "dynamic"
  | "unlisted"
  | "size"
  | "digest"
  | "frontmatter"
  | "limit";

/** Facts of a {@linkcode SkillError}. */
export interface SkillErrorFacts {
  /** The host's label of the server. */
  readonly server: string;
  /** The skill or the file that it is about. */
  readonly uri?: string | undefined;
  /** The entry as the server has it now. */
  readonly current?: RemoteSkill | undefined;
  /** What led to the error. */
  readonly cause?: unknown;
}

/** A skill, or a file of it, is not used. It never crosses the wire (SEP-2640, Error Handling). */
export class SkillError extends Error {
  /** Why. */
  readonly reason: SkillErrorReason;
  /** Private, so that no console prints a URI in full. */
  readonly #facts: SkillErrorFacts;

  /** Makes an error of the given reason. */
  constructor(reason: SkillErrorReason, message: string, { server, uri, current, cause }: SkillErrorFacts) {
    super(message, cause === undefined ? undefined : { cause });
    this.name = "SkillError";
    this.reason = reason;
    this.#facts = { server, uri, current };
  }

  /** The host's label of the server that the skill comes from. */
  get server(): string {
    return this.#facts.server;
  }

  /**
   * The skill or the file that it is about, where there is one, in full: the query of a URI may be secret, so that the message is
   * without it.
   */
  get uri(): string | undefined {
    return this.#facts.uri;
  }

  /**
   * After "size", "digest" or "frontmatter": the entry that the server has now, where it is another one than the held one. The
   * skill has then changed, and what was approved of it is void.
   */
  get current(): RemoteSkill | undefined {
    return this.#facts.current;
  }
}
