/** Why an entry of `skills/list` or `skills/get` may not be loaded. */
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonObject, JsonValue } from "../json.ts";
import { SKILL_LIMITS } from "../limits.ts";
import { canonicalSkillUri, lastSegment, skillRoot } from "./skill_uri.ts";

/** One value of `digest`: SHA-256 in lower-case hexadecimal digits (SEP-2640, Integrity and Verification). */
const DIGEST = /^sha256:[0-9a-f]{64}$/;

/** Lower-case letters, digits and single hyphens between them (Agent Skills, name). */
const NAME = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;

/**
 * Says in one sentence why an entry may be neither published nor loaded (SEP-2640, Skill Entries; Agent Skills, Frontmatter).
 *
 * @param value The entry, from anywhere.
 * @returns The first fault, which begins with the path in the entry; undefined for an entry that is as it has to be.
 */
export function skillFault(value: unknown): string | undefined {
  if (!isJsonObject(value)) return "Expected an object";
  const uri = ownMember(value, "uri");
  if (typeof uri !== "string") return "uri: Expected a string";
  const root = skillRoot(uri);
  if (root === undefined) {
    return "uri: Expected a URI that ends in /SKILL.md within a named directory, without query and fragment";
  }
  const frontmatter = ownMember(value, "frontmatter");
  if (!isJsonObject(frontmatter)) return "frontmatter: Expected an object";
  const meta = ownMember(value, "_meta");
  if (meta !== undefined && !isJsonObject(meta)) return "_meta: Expected an object";
  return frontmatterFault(frontmatter, lastSegment(root)) ?? filesFault(ownMember(value, "resources"), root, uri);
}

function frontmatterFault(frontmatter: JsonObject, directory: string): string | undefined {
  const name = ownMember(frontmatter, "name");
  if (typeof name !== "string" || name.length > SKILL_LIMITS.name || !NAME.test(name)) {
    return `frontmatter.name: Expected 1 to ${SKILL_LIMITS.name} lower-case letters, digits and single hyphens between them`;
  }
  if (name !== directory) return "frontmatter.name: Expected the name of the directory that holds SKILL.md";
  const description = ownMember(frontmatter, "description");
  if (!isText(description, SKILL_LIMITS.description)) {
    return `frontmatter.description: Expected 1 to ${SKILL_LIMITS.description} characters`;
  }
  const compatibility = ownMember(frontmatter, "compatibility");
  if (compatibility !== undefined && !isText(compatibility, SKILL_LIMITS.compatibility)) {
    return `frontmatter.compatibility: Expected 1 to ${SKILL_LIMITS.compatibility} characters`;
  }
  const metadata = ownMember(frontmatter, "metadata");
  if (metadata !== undefined && !(isJsonObject(metadata) && Object.values(metadata).every((one) => typeof one === "string"))) {
    return "frontmatter.metadata: Expected an object whose values are strings";
  }
  return undefined;
}

function filesFault(files: JsonValue | undefined, root: string, own: string): string | undefined {
  if (files === "dynamic") return undefined;
  if (!Array.isArray(files)) return 'resources: Expected a list of files or "dynamic"';
  if (files.length > SKILL_LIMITS.files) {
    return `resources: Expected at most ${SKILL_LIMITS.files} files, received ${files.length}`;
  }
  const seen = new Set<string>();
  let bytes = 0;
  for (const [at, file] of files.entries()) {
    const path = `resources[${at}]`;
    if (!isJsonObject(file)) return `${path}: Expected an object`;
    const uri = ownMember(file, "uri");
    const key = typeof uri === "string" ? canonicalSkillUri(uri) : undefined;
    if (key === undefined) {
      return `${path}.uri: Expected the URI of a file, without query, fragment, and segments that climb or are empty`;
    }
    if (!key.startsWith(`${root}/`)) return `${path}.uri: Expected a file within the directory of the skill`;
    const fault = bytesFault(file);
    if (fault !== undefined) return `${path}.${fault}`;
    if (seen.has(key)) return `${path}.uri: Expected each file once`;
    seen.add(key);
    bytes += file.size as number;
    if (bytes > SKILL_LIMITS.bytes) return `resources: Expected at most ${SKILL_LIMITS.bytes} bytes in all`;
  }
  return seen.has(canonicalSkillUri(own) as string) ? undefined : "resources: Expected SKILL.md among the files";
}

function bytesFault(file: JsonObject): string | undefined {
  const digest = ownMember(file, "digest");
  if (typeof digest !== "string" || !DIGEST.test(digest)) {
    return "digest: Expected sha256: and 64 lower-case hexadecimal digits";
  }
  const size = ownMember(file, "size");
  if (!Number.isSafeInteger(size) || (size as number) < 0) return "size: Expected an integer of at least 0 bytes";
  return undefined;
}

/** Characters are Unicode's, not UTF-16's. */
function isText(value: JsonValue | undefined, longest: number): boolean {
  return typeof value === "string" && value !== "" && value.length <= 2 * longest && [...value].length <= longest;
}
