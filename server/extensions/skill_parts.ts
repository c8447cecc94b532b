/** What a server needs of a skill beside its entry. */
import type { Context } from "../../protocol/context.ts";
import type { Skill } from "../../protocol/extensions/skills.ts";
import type { Awaitable } from "../../protocol/types.ts";
import type { ReadReturn } from "../components/resource.ts";

/** A skill that a server may publish: what `skill`, `dynamicSkill` and `skillsFrom` make. */
export interface ServedSkill {
  /** The entry, as `skills/list` and `skills/get` give it. */
  readonly entry: Skill;
}

/** One published file. */
export interface PublishedFile {
  /** Its URI, as the entry has it. */
  readonly uri: string;
  /** Its path within the directory of the skill. */
  readonly path: string;
  /** Its type. */
  readonly mimeType: string;
  /** How many bytes it has. */
  readonly size: number;
  /** The digest of its bytes. */
  readonly digest: string;
  /** Is it served as text? */
  readonly isText: boolean;
  /** Reads it. What it gives has been compared with the entry already, or is the bytes that were published. */
  readonly read: () => Awaitable<Uint8Array>;
}

/** Reads and lists what is made for each reader. */
export interface DynamicParts {
  /** Reads a file. */
  readonly read: (path: string, ctx: Context) => Awaitable<ReadReturn>;
  /** Lists a directory. */
  readonly list: ((directory: string, ctx: Context) => Awaitable<readonly string[] | undefined>) | undefined;
}

/** What a server needs of a skill. */
export interface SkillParts {
  /** Its files; none when it is dynamic. */
  readonly files: readonly PublishedFile[];
  /** Paths of its directories that hold nothing. */
  readonly emptyDirectories: readonly string[];
  /** What answers for a dynamic skill. */
  readonly dynamic: DynamicParts | undefined;
}

const PARTS: unique symbol = Symbol("parts of a skill");

/** The parts of a skill; undefined when the value is none. */
export function skillParts(value: unknown): SkillParts | undefined {
  return (value as { readonly [PARTS]?: SkillParts } | null | undefined)?.[PARTS];
}

/** Puts a skill together. */
export function servedSkill(entry: Skill, parts: SkillParts): ServedSkill {
  return Object.freeze(Object.defineProperty({ entry }, PARTS, { value: parts }));
}
