/** The scenarios of Skills: a catalogue that is only looked at, and a skill that is not what its entry says. */
import { connect } from "@causeway/mcp/client";
import { SkillError, skills } from "@causeway/mcp/client/skills";

/** Lists skills and reads none. */
export async function listSkills(url: string): Promise<void> {
  await using client = await connect(url);
  const { refused } = await skills.on(client, { server: "conformance" }).list();
  if (refused.length > 0) throw new Error(`Listing skills: ${refused[0]?.fault}`);
}

/** Loads each skill, and reads all its files unless it is refused for what is wrong with it here. */
export async function loadSkill(url: string): Promise<void> {
  await using client = await connect(url);
  const served = skills.on(client, { server: "conformance" });
  for (const skill of (await served.list()).skills) {
    try {
      const held = await served.load(skill);
      for (const { uri } of skill.resources === "dynamic" ? [] : skill.resources) await held.read(uri);
    } catch (error) {
      if (!(error instanceof SkillError) || !["size", "digest", "frontmatter"].includes(error.reason)) throw error;
    }
  }
}
