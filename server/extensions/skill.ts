/** `skill` and `dynamicSkill`: what a server publishes as a skill. */
import type { Context } from "../../protocol/context.ts";
import { skillFault } from "../../protocol/extensions/skill_entry.ts";
import { readFrontmatter } from "../../protocol/extensions/skill_frontmatter.ts";
import { canonicalSkillUri, SKILL_FILE, skillRoot } from "../../protocol/extensions/skill_uri.ts";
import type { Skill } from "../../protocol/extensions/skills.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { SKILL_LIMITS } from "../../protocol/limits.ts";
import type { Awaitable, JsonObject } from "../../protocol/types.ts";
import { frozenCopy } from "../../protocol/frozen_copy.ts";
import { checkObject, checkOptionNames } from "../../protocol/unknown_option.ts";
import { jsonFault } from "../json/json_fault.ts";
import type { ReadReturn } from "../components/resource.ts";
import { digestOfBytes, exactText, typeOfFile } from "./skill_bytes.ts";
import { servedSkill } from "./skill_parts.ts";
import type { PublishedFile, ServedSkill } from "./skill_parts.ts";

/** What {@linkcode skill} takes. */
export interface SkillOptions {
  /**
   * The files by their paths within the directory of the skill, such as "references/forms.md". `SKILL.md` is one of them, and
   * begins with frontmatter. Text and bytes are served exactly as they are here.
   */
  readonly files: { readonly [path: string]: string | Uint8Array };
  /** The URI of `SKILL.md`, under any scheme; `skill://<name>/SKILL.md` when absent. */
  readonly uri?: string | undefined;
  /** Becomes `_meta` of the entry. */
  readonly meta?: JsonObject | undefined;
}

/** What {@linkcode dynamicSkill} takes. */
export interface DynamicSkillOptions {
  /** The frontmatter: `name` and `description`, and everything else that `SKILL.md` begins with. */
  readonly frontmatter: JsonObject;
  /** The URI of `SKILL.md`, under any scheme; `skill://<name>/SKILL.md` when absent. */
  readonly uri?: string | undefined;
  /**
   * Reads a file by its path within the directory of the skill; undefined means that there is none. `SKILL.md` has to begin with
   * the frontmatter that was given, or it is not served.
   */
  readonly read: (path: string, ctx: Context) => Awaitable<ReadReturn>;
  /**
   * Names what a directory of the skill holds, by its path, "" being the skill's own: a name that ends with a slash is a
   * directory. Undefined means that there is no such directory. Needed where the server reads directories.
   */
  readonly list?: ((directory: string, ctx: Context) => Awaitable<readonly string[] | undefined>) | undefined;
  /** Becomes `_meta` of the entry. */
  readonly meta?: JsonObject | undefined;
}

/** A file before its digest is known. */
export interface GivenFile {
  /** The path within the directory of the skill. */
  readonly path: string;
  /** The bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Reads them again; the bytes themselves when absent. */
  readonly read?: ((published: { readonly size: number; readonly digest: string }) => Awaitable<Uint8Array>) | undefined;
}

/**
 * Publishes files as a skill. They are copied, and their digests are computed once.
 *
 * ```ts
 * import { skill, skills } from "@causeway/mcp/server/skills";
 * import { defineServer } from "@causeway/mcp/server";
 *
 * const greeting = await skill({
 *   files: { "SKILL.md": "---\nname: greeting\ndescription: How we greet\n---\n\nSay hello, and mean it.\n" },
 * });
 * export const server = defineServer({ name: "manners", version: "1.0.0", extensions: [skills({ skills: [greeting] })] });
 * ```
 *
 * @throws {TypeError} For a skill that hosts would not load (SEP-2640, Skill Entries; Agent Skills), and for frontmatter beyond
 * what all hosts read alike; the message names the fault.
 */
export async function skill(options: SkillOptions): Promise<ServedSkill> {
  checkObject(options, "skill");
  checkOptionNames(options, KNOWN, "skill.");
  if (!isJsonObject(options.files)) throw new TypeError("skill.files: Expected an object of files by their paths");
  const files = Object.entries(options.files).map(([path, content]): GivenFile => {
    if (typeof content !== "string" && !(content instanceof Uint8Array)) {
      throw new TypeError(`skill.files[${JSON.stringify(path)}]: Expected text or bytes`);
    }
    if (typeof content === "string" && !content.isWellFormed()) {
      throw new TypeError(`skill.files[${JSON.stringify(path)}]: Expected text that is valid Unicode`);
    }
    return { path, bytes: typeof content === "string" ? new TextEncoder().encode(content) : Uint8Array.from(content) };
  });
  return await publish(files, { ...options, what: "skill" });
}

/**
 * Publishes a skill whose files are made for each reader. Hosts can verify nothing of it but its frontmatter, and may refuse it
 * (SEP-2640, Resources).
 *
 * ```ts
 * import { dynamicSkill } from "@causeway/mcp/server/skills";
 *
 * const frontmatter = { name: "daily", description: "Today's report" };
 * export const daily = dynamicSkill({
 *   frontmatter,
 *   read: (path) => path === "SKILL.md" ? `---\nname: daily\ndescription: Today's report\n---\n\nIt is ${new Date()}.\n` : undefined,
 * });
 * ```
 *
 * @throws {TypeError} For an entry that hosts would not load.
 */
export function dynamicSkill(options: DynamicSkillOptions): ServedSkill {
  const what = "dynamicSkill";
  checkObject(options, what);
  checkOptionNames(options, DYNAMIC_OPTIONS, `${what}.`);
  const { frontmatter, uri, read, list, meta } = options;
  if (typeof read !== "function") throw new TypeError(`${what}.read: Expected a function`);
  if (list !== undefined && typeof list !== "function") throw new TypeError(`${what}.list: Expected a function`);
  const fault = jsonFault(frontmatter, "frontmatter");
  if (fault !== undefined) throw new TypeError(`${what}.${fault}`);
  const entry = entryOf({ frontmatter, resources: "dynamic", uri, meta }, what);
  return servedSkill(entry, { files: [], emptyDirectories: [], dynamic: { read, list } });
}

const KNOWN: ReadonlySet<string> = new Set(["files", "uri", "meta"]);
const DYNAMIC_OPTIONS: ReadonlySet<string> = new Set(["frontmatter", "uri", "read", "list", "meta"]);

/** How files become a skill. */
export interface PublishOptions extends Pick<SkillOptions, "uri" | "meta"> {
  /** What a message begins with. */
  readonly what: string;
  /** Paths of directories that hold nothing. */
  readonly emptyDirectories?: readonly string[] | undefined;
}

/**
 * Makes a skill of files.
 *
 * @throws {TypeError} For what hosts would not load.
 */
export async function publish(
  given: readonly GivenFile[],
  { uri, meta, what, emptyDirectories = [] }: PublishOptions,
): Promise<ServedSkill> {
  const own = given.find(({ path }) => path === SKILL_FILE);
  if (own === undefined) throw new TypeError(`${what}: Expected ${SKILL_FILE} among the files`);
  const text = exactText(own.bytes);
  if (text === undefined) throw new TypeError(`${what}: Expected ${SKILL_FILE} to be UTF-8 text`);
  const frontmatter = named(what, () => readFrontmatter(text, { common: true }));
  // Nobody computes digests of what is too much anyway.
  if (given.length > SKILL_LIMITS.files) throw new TypeError(`${what}: Expected at most ${SKILL_LIMITS.files} files`);
  const root = rootUri(uri, frontmatter, what);
  const files: PublishedFile[] = [];
  for (const file of given) {
    const uri = fileUri(root, file.path);
    if (uri === undefined) {
      throw new TypeError(`${what}: ${JSON.stringify(file.path)}: Expected a relative path, with slashes, that climbs nowhere`);
    }
    files.push(await publishFile(file, uri));
  }
  const resources = files.map(({ uri, digest, size }) => ({ uri, digest, size }));
  const entry = entryOf({ frontmatter, resources, uri, meta }, what);
  return servedSkill(entry, { files, emptyDirectories, dynamic: undefined });
}

function fileUri(root: string, path: string): string | undefined {
  if (!path.isWellFormed()) return undefined;
  const uri = `${root}/${path.split("/").map(encodeURIComponent).join("/")}`;
  return canonicalSkillUri(uri) === undefined ? undefined : uri;
}

async function publishFile({ path, bytes, read }: GivenFile, uri: string): Promise<PublishedFile> {
  const published = { size: bytes.byteLength, digest: await digestOfBytes(bytes) };
  const isText = exactText(bytes) !== undefined;
  return {
    ...published,
    uri,
    path,
    mimeType: typeOfFile(path, isText),
    isText,
    read: read === undefined ? kept(bytes) : again(read, published),
  };
}

// What reads a file again must not keep its bytes meanwhile, as a function that is made beside them would.

function kept(bytes: Uint8Array): () => Uint8Array {
  return () => bytes;
}

function again(read: NonNullable<GivenFile["read"]>, published: Pick<PublishedFile, "size" | "digest">): PublishedFile["read"] {
  return () => read(published);
}

/** The directory as the URIs of its files begin, in the spelling of `SKILL.md`. */
function rootUri(uri: string | undefined, frontmatter: JsonObject, what: string): string {
  return skillUri(uri, frontmatter, what).slice(0, -(SKILL_FILE.length + 1));
}

function skillUri(uri: string | undefined, frontmatter: JsonObject, what: string): string {
  const name = ownMember(frontmatter, "name");
  // A name that no directory can have is reported as such, not as a fault of the URI that it would make.
  const directory = typeof name === "string" ? `skill://${encodeURIComponent(name.toWellFormed())}` : "";
  const chosen = uri ?? `${skillRoot(`${directory}/${SKILL_FILE}`) === undefined ? "skill://skill" : directory}/${SKILL_FILE}`;
  if (typeof chosen !== "string" || !chosen.endsWith(`/${SKILL_FILE}`) || /[{}]/.test(chosen)) {
    throw new TypeError(`${what}.uri: Expected a URI that ends in /${SKILL_FILE}, without braces`);
  }
  return chosen;
}

interface EntryParts extends Pick<Skill, "frontmatter" | "resources">, Pick<SkillOptions, "uri" | "meta"> {}

function entryOf({ frontmatter, resources, uri, meta }: EntryParts, what: string): Skill {
  const entry = {
    uri: skillUri(uri, frontmatter, what),
    frontmatter,
    resources,
    ...(meta === undefined ? {} : { _meta: meta }),
  };
  const fault = skillFault(entry) ?? jsonFault(meta, "_meta");
  if (fault !== undefined) throw new TypeError(`${what}: ${skillRoot(entry.uri) ?? "The skill"}: ${fault}`);
  return frozenCopy(entry as unknown as JsonObject) as unknown as Skill;
}

function named<T>(what: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    throw new TypeError(`${what}: ${error instanceof Error ? error.message : String(error)}`);
  }
}
