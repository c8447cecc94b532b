/** What an approval of a skill is bound to. */
import { checkList, checkObject } from "../../protocol/unknown_option.ts";
import { skillDigest } from "./skill_digest.ts";
import type { RemoteSkill } from "./skill_types.ts";

/**
 * The fingerprint of a skill: a digest over its server, its URI, and the URI and digest of each of its files, in whatever order
 * they are listed (SEP-2640, Resources: "the unit of content … that a user's approval binds to").
 *
 * @param skill The entry.
 * @returns `sha256:` and 64 hexadecimal digits; undefined for a dynamic skill, which cannot be bound.
 * @throws {TypeError} For what is not an entry.
 */
export async function skillFingerprint(skill: RemoteSkill): Promise<string | undefined> {
  checkObject(skill, "skillFingerprint.skill");
  const { server, uri, resources } = skill;
  if (resources === "dynamic") return undefined;
  checkList(resources ?? null, "skillFingerprint.skill.resources");
  const files = resources.map((file) => JSON.stringify([file.uri, file.digest])).sort();
  return await skillDigest(new TextEncoder().encode(JSON.stringify(["skill", 1, server, uri, files])));
}
