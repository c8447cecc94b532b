/** The directories of published skills, and what they hold. */
import { DIRECTORY_TYPE } from "../../protocol/extensions/skills.ts";
import { SKILL_FILE } from "../../protocol/extensions/skill_uri.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { typeOfFile } from "./skill_bytes.ts";
import { skillParts } from "./skill_parts.ts";
import type { ServedSkill, SkillParts } from "./skill_parts.ts";

/** A child of a directory, as a resource. */
export type Child = JsonObject & { readonly uri: string };

/**
 * Every directory within skills whose files are known: the children by the URI of the directory, which has no slash at its end,
 * in the order of their names.
 */
export function directoriesOf(skills: readonly ServedSkill[]): ReadonlyMap<string, readonly Child[]> {
  const found = new Map<string, Map<string, Child>>();
  for (const skill of skills) {
    const { files, emptyDirectories, dynamic } = skillParts(skill) as SkillParts;
    if (dynamic !== undefined) continue;
    const root = rootOf(skill);
    for (const { uri, path, mimeType, size } of files) {
      const name = path.slice(path.lastIndexOf("/") + 1);
      childrenOf(found, root, parentOf(path)).set(name, { uri, ...describe(skill, path, name), mimeType, size });
    }
    for (const directory of emptyDirectories) childrenOf(found, root, directory);
  }
  return new Map([...found].map(([uri, children]) => [uri, [...children].sort(byName).map(([, child]) => child)]));
}

/** What the application named in a directory of a dynamic skill. */
export function namedChildren(directory: string, names: readonly string[]): readonly Child[] {
  return names.map((name) => {
    const bare = name.endsWith("/") ? name.slice(0, -1) : name;
    if (bare === "" || bare === "." || bare === ".." || /[/\\]/.test(bare) || !bare.isWellFormed()) {
      throw new TypeError(`dynamicSkill.list: Expected names of files, and of directories with a slash at their end`);
    }
    const mimeType = bare === name ? typeOfFile(bare, true) : DIRECTORY_TYPE;
    return { uri: `${directory}/${encodeURIComponent(bare)}`, name: bare, mimeType };
  });
}

/** The directory of a skill, in the spelling of its URI. */
export function rootOf({ entry }: ServedSkill): string {
  return entry.uri.slice(0, -(SKILL_FILE.length + 1));
}

/** The children of a directory; it, and those above it within the skill, are there from now on. */
function childrenOf(found: Map<string, Map<string, Child>>, root: string, directory: string): Map<string, Child> {
  const uri = directory === "" ? root : `${root}/${directory.split("/").map(encodeURIComponent).join("/")}`;
  const known = found.get(uri);
  if (known !== undefined) return known;
  const children = new Map<string, Child>();
  found.set(uri, children);
  if (directory !== "") {
    const name = directory.slice(directory.lastIndexOf("/") + 1);
    childrenOf(found, root, parentOf(directory)).set(name, { uri, name, mimeType: DIRECTORY_TYPE });
  }
  return children;
}

/** `SKILL.md` is called as its skill is, here as in `resources/list` (SEP-2640, Resource Metadata). */
function describe({ entry }: ServedSkill, path: string, name: string): JsonObject & { readonly name: string } {
  if (path !== SKILL_FILE) return { name };
  const { frontmatter } = entry;
  return { name: frontmatter.name as string, description: frontmatter.description };
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf("/")));
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
