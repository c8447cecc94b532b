/**
 * Skills on a server (`io.modelcontextprotocol/skills`, SEP-2640): directories of instructions that hosts discover, verify and read.
 *
 * @example A server that publishes one skill
 * ```ts
 * import { defineServer } from "@causeway/mcp/server";
 * import { skill, skills } from "@causeway/mcp/server/skills";
 *
 * const greeting = await skill({
 *   files: { "SKILL.md": "---\nname: greeting\ndescription: How we greet guests\n---\n\nSay hello, and their name.\n" },
 * });
 *
 * export default defineServer({ name: "manners", version: "1.0.0", extensions: [skills({ skills: [greeting] })] });
 * ```
 *
 * @module
 */
import type { Context } from "../../protocol/context.ts";
import { ProtocolError } from "../../protocol/errors.ts";
import type { ServerExtension } from "../../protocol/extensions/extension_types.ts";
import { describeSkills } from "../../protocol/extensions/skills.ts";
import type { Skill } from "../../protocol/extensions/skills.ts";
import { SKILL_LIMITS } from "../../protocol/limits.ts";
import { shown } from "../../protocol/shown.ts";
import type { CacheHint, JsonObject } from "../../protocol/types.ts";
import { checkObject } from "../../protocol/unknown_option.ts";
import { checkCacheHint } from "../components/cache_hint.ts";
import type { ResourceExtension } from "../components/resource_extension.ts";
import { directoriesOf, namedChildren, rootOf } from "./skill_directories.ts";
import type { Child } from "./skill_directories.ts";
import { pagesOf } from "./skill_pages.ts";
import type { SkillPage } from "./skill_pages.ts";
import { skillParts } from "./skill_parts.ts";
import type { ServedSkill } from "./skill_parts.ts";
import { pathWithin, resourcesOf } from "./skill_resources.ts";

export { SKILLS_ID } from "../../protocol/extensions/skills.ts";
export type { Skill, SkillFile } from "../../protocol/extensions/skills.ts";
export { dynamicSkill, skill } from "./skill.ts";
export type { DynamicSkillOptions, SkillOptions } from "./skill.ts";
export type { ServedSkill } from "./skill_parts.ts";
export { skillsFrom } from "./skills_directory.ts";
export type { SkillsFromOptions } from "./skills_directory.ts";
export type * from "../mod.ts";

/** What a server publishes. */
export interface SkillsOptions {
  /** The skills: what `skillsFrom`, `skill` and `dynamicSkill` make. */
  readonly skills: readonly ServedSkill[];
  /** Is a skill listed? Others are found by those who know their URI; all are listed when absent. */
  readonly listed?: ((skill: Skill) => boolean) | undefined;
  /** Serve `resources/directory/read`. True when absent, unless a dynamic skill has no `list`. */
  readonly directoryRead?: boolean | undefined;
  /** Items on one page; 100 when absent. A page of skills ends earlier at 1,048,576 characters. */
  readonly pageSize?: number | undefined;
  /** How long the entries and directories may be kept; not at all when absent. What is read has the server's `cache.read`. */
  readonly cache?: CacheHint | undefined;
}

/** The Skills extension of one server. */
export interface SkillsExtension extends ServerExtension {
  /**
   * Publishes other skills instead. Call `server.update({})` next: then their files are resources of the server, and clients that
   * listen for changes of the list are told. Whether directories are read stays as it was declared.
   *
   * @throws {TypeError} For what is not a skill, and for a URI that two skills have; nothing is changed then.
   */
  replace(skills: readonly ServedSkill[]): void;
}

/**
 * The Skills extension for `defineServer({ extensions: [skills({ skills })] })`. The server declares resources, lists each
 * `SKILL.md` among them, and serves the files that were published and no others. Clients have to declare nothing.
 *
 * ```ts
 * import { defineServer } from "@causeway/mcp/server";
 * import { skills, skillsFrom } from "@causeway/mcp/server/skills";
 *
 * export async function serve(directory: string) {
 *   const published = skills({ skills: await skillsFrom(directory), cache: { ttlMs: 60_000, cacheScope: "public" } });
 *   return defineServer({ name: "handbook", version: "1.0.0", extensions: [published] });
 * }
 * ```
 *
 * @param options The skills, and how they are listed.
 * @throws {TypeError} For what is not a skill, for a URI that two skills have, and for a wrong option.
 */
export function skills(options: SkillsOptions): SkillsExtension {
  check(options);
  const { cache = {} } = options;
  const hint: CacheHint = { ttlMs: cache.ttlMs ?? 0, cacheScope: cache.cacheScope ?? "private" };
  const directoryRead = readsDirectories(options);
  let now = shelve(options);
  const served = describeSkills({ directoryRead }).serve({
    "skills/list": ({ cursor }) => written("skills", now.pageOf(cursor), hint),
    "skills/get": ({ uri }) => {
      const found = now.byUri.get(uri);
      if (found === undefined) throw ProtocolError.invalidParams(`No skill is served at ${shown(uri)}`);
      return { skill: found.entry as unknown as Record<string, unknown>, ...hint };
    },
    "resources/directory/read": async ({ uri, cursor }, ctx) =>
      written("resources", await now.readDirectory(uri, cursor, ctx), hint),
  });
  const extension: SkillsExtension & ResourceExtension = {
    ...served,
    get resources() {
      return now.resources;
    },
    replace(published) {
      const changed = { ...options, skills: published, directoryRead };
      check(changed);
      now = shelve(changed);
    },
  };
  return Object.freeze(extension);
}

/** What is published at one time. */
interface Shelf {
  readonly byUri: ReadonlyMap<string, ServedSkill>;
  readonly resources: ResourceExtension["resources"];
  readonly pageOf: (cursor: string | undefined) => SkillPage<Skill>;
  readonly readDirectory: (uri: string, cursor: string | undefined, ctx: Context) => Promise<SkillPage<Child>>;
}

function shelve({ skills: published, listed = () => true, pageSize = SKILL_LIMITS.pageSize }: SkillsOptions): Shelf {
  const isListed = new Set(published.filter(({ entry }) => listed(entry)).map(({ entry }) => entry));
  return {
    byUri: new Map(published.map((skill) => [skill.entry.uri, skill])),
    resources: resourcesOf(published, (entry) => isListed.has(entry)),
    pageOf: pagesOf({ kind: "skills", items: [...isListed], uriOf: ({ uri }) => uri, pageSize }),
    readDirectory: directoryReader(published, pageSize),
  };
}

function written<K extends string, T>(member: K, page: SkillPage<T>, hint: CacheHint): { [P in K]: unknown[] } & JsonObject {
  const { items, nextCursor } = page;
  return { [member]: items, ...(nextCursor === undefined ? {} : { nextCursor }), ...hint } as never;
}

/** Reads directories; what is cut into pages once is kept. */
function directoryReader(
  published: readonly ServedSkill[],
  pageSize: number,
): (uri: string, cursor: string | undefined, ctx: Context) => Promise<SkillPage<Child>> {
  const paged = (directory: string, items: readonly Child[]) =>
    pagesOf({ kind: `directory ${directory}`, items, uriOf: ({ uri }) => uri, pageSize });
  const known = new Map([...directoriesOf(published)].map(([uri, children]) => [uri, paged(uri, children)]));
  const dynamic = published.flatMap((skill) => {
    const list = skillParts(skill)?.dynamic?.list;
    return list === undefined ? [] : [{ root: rootOf(skill), list }];
  });
  return async (uri, cursor, ctx) => {
    const found = known.get(uri);
    if (found !== undefined) return found(cursor);
    for (const { root, list } of dynamic) {
      const path = pathWithin(root, uri);
      const names = path === undefined ? undefined : await list(path, ctx);
      if (names !== undefined) return paged(uri, namedChildren(uri, names))(cursor);
    }
    throw ProtocolError.invalidParams(`${shown(uri)} is not a directory resource`);
  };
}

function readsDirectories({ skills: published, directoryRead }: SkillsOptions): boolean {
  return directoryRead ?? published.every((skill) => !isUnlistable(skill));
}

function isUnlistable(skill: ServedSkill): boolean {
  const dynamic = skillParts(skill)?.dynamic;
  return dynamic !== undefined && dynamic.list === undefined;
}

const KNOWN: ReadonlySet<string> = new Set(["skills", "listed", "directoryRead", "pageSize", "cache"]);

function check(options: SkillsOptions): void {
  checkObject(options, "skills");
  for (const key of Object.keys(options)) if (!KNOWN.has(key)) throw new TypeError(`skills.${key}: Unknown option`);
  const { skills: published, listed, directoryRead, pageSize, cache } = options;
  if (!Array.isArray(published)) throw new TypeError("skills.skills: Expected a list of skills");
  const seen = new Set<string>();
  published.forEach((one: ServedSkill, at) => {
    const path = `skills.skills[${at}]`;
    if (skillParts(one) === undefined) throw new TypeError(`${path}: Expected what skill(), awaited, or dynamicSkill() returns`);
    if (seen.has(one.entry.uri)) throw new TypeError(`${path}: ${one.entry.uri} is taken by another skill already`);
    seen.add(one.entry.uri);
    if (directoryRead === true && isUnlistable(one)) {
      throw new TypeError(`${path}: Expected a dynamic skill with list, because directoryRead is true`);
    }
  });
  if (listed !== undefined && typeof listed !== "function") throw new TypeError("skills.listed: Expected a function");
  if (directoryRead !== undefined && typeof directoryRead !== "boolean") {
    throw new TypeError("skills.directoryRead: Expected true or false");
  }
  if (pageSize !== undefined && !(Number.isSafeInteger(pageSize) && pageSize > 0)) {
    throw new TypeError("skills.pageSize: Expected a positive integer");
  }
  checkCacheHint(cache, "skills.cache");
}
