/** The files of skills as resources of a server: what is published, and nothing else. */
import { frontmatterDifference, readFrontmatter } from "../../protocol/extensions/skill_frontmatter.ts";
import { SKILL_FILE } from "../../protocol/extensions/skill_uri.ts";
import type { Skill } from "../../protocol/extensions/skills.ts";
import { decodeValue } from "../../protocol/uri_encoding.ts";
import { isSafePathValue } from "../../protocol/uri_template.ts";
import { resource } from "../components/resource.ts";
import type { ReadReturn, ResourceContext, ServerResource } from "../components/resource.ts";
import { exactText, typeOfFile } from "./skill_bytes.ts";
import { rootOf } from "./skill_directories.ts";
import { skillParts } from "./skill_parts.ts";
import type { DynamicParts, PublishedFile, ServedSkill, SkillParts } from "./skill_parts.ts";

/**
 * Makes the resources. `SKILL.md` of a listed skill is in `resources/list`; every other file is read by its URI alone.
 *
 * @throws {TypeError} When two skills have a file of one URI that is not the same.
 */
export function resourcesOf(skills: readonly ServedSkill[], isListed: (skill: Skill) => boolean): readonly ServerResource[] {
  const manifests = new Map(skills.map((skill) => [skill.entry.uri, skill]));
  const found = new Map<string, { readonly digest: string; readonly resource: ServerResource }>();
  const dynamic: ServerResource[] = [];
  for (const skill of skills) {
    const parts = skillParts(skill) as SkillParts;
    if (parts.dynamic !== undefined) {
      dynamic.push(...dynamicResources(skill, parts.dynamic, isListed(skill.entry)));
      continue;
    }
    for (const file of parts.files) {
      const before = found.get(file.uri);
      if (before !== undefined && before.digest !== file.digest) {
        throw new TypeError(`skills: ${file.uri}: Expected the same file in both skills that have it`);
      }
      // The file of a skill within another one is a file of both, and a SKILL.md of its own skill.
      const own = manifests.get(file.uri);
      const listed = own !== undefined && isListed(own.entry);
      if (before === undefined) found.set(file.uri, { digest: file.digest, resource: fileResource(file, own, listed) });
    }
  }
  return [...[...found.values()].map(({ resource }) => resource), ...dynamic];
}

function fileResource(file: PublishedFile, own: ServedSkill | undefined, listed: boolean): ServerResource {
  const { uri, path, mimeType, size, isText, read } = file;
  return resource({
    uri: uri as string,
    ...(own === undefined ? { name: path.slice(path.lastIndexOf("/") + 1) } : described(own.entry)),
    mimeType,
    size,
    listed,
    read: async () => {
      const bytes = await read();
      return isText ? exactText(bytes) : bytes;
    },
  });
}

function dynamicResources(skill: ServedSkill, { read }: DynamicParts, listed: boolean): readonly ServerResource[] {
  const { entry } = skill;
  const root = rootOf(skill);
  const own = resource({
    uri: entry.uri,
    ...described(entry),
    mimeType: "text/markdown",
    listed,
    read: async (_variables, ctx: ResourceContext) => manifestOf(entry, await read(SKILL_FILE, ctx)),
  });
  const files = resource({
    uri: `${root}/{+file}` as string,
    name: described(entry).name,
    matches: (uri) => {
      const file = pathWithin(root, uri);
      // SKILL.md has one spelling, and is checked before it is served.
      return file === undefined || file === "" || file === SKILL_FILE ? false : { file };
    },
    read: async ({ file = "" }: { readonly file?: string }, ctx: ResourceContext) => {
      const value = await read(file, ctx);
      const isBytes = value instanceof Uint8Array;
      if (typeof value !== "string" && !isBytes) return value;
      const mimeType = typeOfFile(file, !isBytes);
      return { contents: [{ uri: ctx.uri, mimeType, ...(isBytes ? { blob: value } : { text: value }) }] };
    },
  });
  return [own, files];
}

/** A host refuses a SKILL.md whose frontmatter is not the entry's (SEP-2640, Frontmatter): that is the server's fault. */
function manifestOf({ uri, frontmatter }: Skill, value: ReadReturn): ReadReturn {
  if (value === undefined) throw new TypeError(`Reading ${uri}: Expected dynamicSkill.read to give ${SKILL_FILE}`);
  const text = value instanceof Uint8Array ? exactText(value) : value;
  if (typeof text !== "string") throw new TypeError(`Reading ${uri}: Expected dynamicSkill.read to give text`);
  const fault = frontmatterDifference(frontmatter, readFrontmatter(text, { common: true }));
  if (fault !== undefined) throw new TypeError(`Reading ${uri}: ${fault}`);
  return text;
}

/**
 * The path of something within the directory of a dynamic skill, "" for the directory itself; undefined for what lies elsewhere and
 * for a spelling that no file has, or that leads elsewhere on some system, as a drive letter does.
 */
export function pathWithin(root: string, uri: string): string | undefined {
  if (uri === root) return "";
  if (!uri.startsWith(`${root}/`)) return undefined;
  const segments = uri.slice(root.length + 1).split("/").map((segment) => segment === "" ? undefined : decodeValue(segment));
  // deno-lint-ignore no-control-regex
  const strange = (segment: string | undefined) => segment === undefined || /^\.{1,2}$|[/\\\x00-\x1f\x7f]/.test(segment);
  const path = segments.join("/");
  return /[?#]/.test(uri) || segments.some(strange) || !isSafePathValue(path) ? undefined : path;
}

function described({ frontmatter }: Skill): { readonly name: string; readonly description: string } {
  return { name: frontmatter.name as string, description: frontmatter.description as string };
}
