/** The Skills extension (`io.modelcontextprotocol/skills`, SEP-2640): its shapes and its methods. */
import type { JsonObject } from "../json.ts";
import { extension } from "./extension.ts";
import type { Extension } from "./extension_types.ts";

/** The identifier. */
export const SKILLS_ID = "io.modelcontextprotocol/skills";

/** The `mimeType` of a directory (SEP-2640, Directory Resources). */
export const DIRECTORY_TYPE = "inode/directory";

/** One file of a skill (SEP-2640, Skill Entries). */
export interface SkillFile {
  /** Its URI. */
  readonly uri: string;
  /** `sha256:` and 64 lower-case hexadecimal digits, over its bytes. */
  readonly digest: string;
  /** How many bytes it has. */
  readonly size: number;
}

/** What a server says of one skill (SEP-2640, Skill Entries). */
export interface Skill {
  /** The URI of its `SKILL.md`. With the server it names the skill; its name alone does not. */
  readonly uri: string;
  /** The frontmatter of its `SKILL.md`, every field; `name` and `description` are always there. */
  readonly frontmatter: JsonObject;
  /** All its files, `SKILL.md` among them, or "dynamic" when they are made for each reader and nothing can be verified. */
  readonly resources: readonly SkillFile[] | "dynamic";
  /** More about the entry. */
  readonly _meta?: JsonObject | undefined;
}

/** A method of the extension. What its result holds is read closely by whoever uses it: `skillFault` says what is wrong. */
export interface SkillMethod<
  Params extends string,
  Required extends Params,
  Item extends string,
  Type extends "array" | "object",
> {
  /** The params. */
  readonly params: {
    readonly type: "object";
    readonly properties: { readonly [K in Params]: { readonly type: "string" } };
    readonly required: readonly Required[];
  };
  /** The result. */
  readonly result: {
    readonly type: "object";
    readonly properties: { readonly [K in Item]: { readonly type: Type } };
    readonly required: readonly Item[];
    readonly additionalProperties: true;
  };
  /** Results say how long they may be kept, where the revision has that. */
  readonly cacheable: true;
  /** The member of the result that is a list. */
  readonly list?: Item;
}

/** The methods of the extension, by name. */
export type SkillMethods = {
  /** Lists skills, by pages. */
  readonly "skills/list": SkillMethod<"cursor", never, "skills", "array">;
  /** Describes one skill, listed or not. */
  readonly "skills/get": SkillMethod<"uri", "uri", "skill", "object">;
  /** Lists what a directory holds; only where the server declares `directoryRead`. */
  readonly "resources/directory/read": SkillMethod<"uri" | "cursor", "uri", "resources", "array">;
};

/** What {@linkcode describeSkills} takes. */
export interface SkillsDescription {
  /** Does the server read directories? */
  readonly directoryRead: boolean;
}

const LIST: SkillMethods["skills/list"] = {
  params: { type: "object", properties: { cursor: { type: "string" } }, required: [] },
  result: { type: "object", properties: { skills: { type: "array" } }, required: ["skills"], additionalProperties: true },
  cacheable: true,
  list: "skills",
};

const GET: SkillMethods["skills/get"] = {
  params: { type: "object", properties: { uri: { type: "string" } }, required: ["uri"] },
  result: { type: "object", properties: { skill: { type: "object" } }, required: ["skill"], additionalProperties: true },
  cacheable: true,
};

const READ_DIRECTORY: SkillMethods["resources/directory/read"] = {
  params: { type: "object", properties: { uri: { type: "string" }, cursor: { type: "string" } }, required: ["uri"] },
  result: { type: "object", properties: { resources: { type: "array" } }, required: ["resources"], additionalProperties: true },
  cacheable: true,
  list: "resources",
};

/**
 * Describes the extension. Clients declare nothing (SEP-2640, Capability Negotiation), and the revisions with a handshake have it
 * too. Without `directoryRead` it has two methods alone.
 */
export function describeSkills({ directoryRead }: SkillsDescription): Extension<SkillMethods> {
  const methods = { "skills/list": LIST, "skills/get": GET };
  return extension<SkillMethods>({
    id: SKILLS_ID,
    settings: directoryRead ? { directoryRead: true } : {},
    methods: directoryRead ? { ...methods, "resources/directory/read": READ_DIRECTORY } : methods as SkillMethods,
    handshake: true,
    undeclared: true,
  });
}
