/** Skills of this package's server, read by its client, in both kinds of revisions. */
import assert from "node:assert/strict";
import { connect, defineServer, ProtocolError, type ProtocolVersion } from "@causeway/mcp";
import { approvals, SkillError, skills } from "@causeway/mcp/client/skills";
import { dynamicSkill, skill, skills as publish } from "@causeway/mcp/server/skills";
import { memoryStore } from "@causeway/mcp/stores/memory";

const VERSIONS: readonly ProtocolVersion[] = ["2026-07-28", "2025-11-25"];
const HEAD = "---\nname: refunds\ndescription: Ünïcode\nversion: 1.10\ntags: [a, {b: ~}]\n---\n";

function refused(reason: string): (error: unknown) => boolean {
  return (error) => error instanceof SkillError && error.reason === reason;
}

Deno.test("skills 22 the client lists, loads and reads what this package's server publishes, listed or not", async () => {
  const bytes = Uint8Array.from({ length: 256 }, (_, byte) => byte);
  const files = { "SKILL.md": HEAD, "a/über uns.md": "\ufeffa\r\n", "a/b/bytes": bytes, "empty": "" };
  const live = dynamicSkill({
    frontmatter: { name: "live", description: "Now" },
    read: (path) => path === "SKILL.md" ? "---\nname: live\ndescription: Now\n---\n" : path === "now" ? "now" : undefined,
    list: (path) => path === "" ? ["SKILL.md", "now"] : undefined,
  });
  const published = publish({
    skills: [await skill({ files }), live],
    listed: ({ resources }) => resources !== "dynamic",
    pageSize: 1,
  });
  const server = defineServer({ name: "shop", version: "1.0.0", extensions: [published] });
  for (const protocol of VERSIONS) {
    await using client = await connect(server, { protocol: [protocol] });
    const served = skills.on(client, { server: "shop" });
    const { skills: [listed, ...more], refused: bad } = await served.list();
    assert.ok(listed !== undefined);
    assert.deepEqual([more, bad], [[], []]);
    assert.deepEqual(await served.get(listed.uri), listed);
    const held = await served.load(listed);
    assert.equal(held.manifest.text, HEAD);
    assert.deepEqual(held.skill.frontmatter.tags, ["a", { b: null }]);
    assert.equal((await held.read("a/über uns.md")).text, "\ufeffa\r\n");
    assert.deepEqual((await held.read("a/b/bytes")).bytes, bytes);
    assert.equal((await held.read("empty")).text, "");
    assert.deepEqual((await held.directory("a")).map(({ name }) => name).sort(), ["b", "über uns.md"]);
    await assert.rejects(held.read("a/other"), refused("unlisted"));
    const now = await served.load("skill://live/SKILL.md");
    assert.deepEqual((await now.read("now")).verified, false);
    assert.deepEqual((await now.directory()).map(({ name }) => name).sort(), ["SKILL.md", "now"]);
    const isUnknown = (error: unknown): boolean => error instanceof ProtocolError && error.code === -32602;
    await assert.rejects(served.get("skill://gone/SKILL.md"), isUnknown);
    await assert.rejects(served.directory("skill://gone"), isUnknown);
  }
});

Deno.test("skills 13 what a server publishes anew under an approved URI has to be approved anew", async () => {
  const approved = approvals(memoryStore());
  for (const [body, known] of [["One", false], ["One", true], ["Two", false]] as const) {
    const published = publish({ skills: [await skill({ files: { "SKILL.md": HEAD + body } })] });
    await using client = await connect(defineServer({ name: "shop", version: "1.0.0", extensions: [published] }));
    const served = skills.on(client, { server: "shop", approve: (skill) => approved.has(skill) });
    const entry = await served.get("skill://refunds/SKILL.md");
    assert.equal(await approved.has(entry), known);
    if (!known) await assert.rejects(served.load(entry), refused("unapproved"));
    await approved.approve(entry);
    assert.equal((await served.load(entry)).manifest.text, HEAD + body);
  }
});
