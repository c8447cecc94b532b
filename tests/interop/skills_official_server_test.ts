/** This package's skills client against skills of the official server, in both kinds of revisions. */
import assert from "node:assert/strict";
import { type Client, connect, ProtocolError, type ProtocolVersion } from "@causeway/mcp/client";
import { SkillError, skills, type SkillsClient } from "@causeway/mcp/client/skills";
import { peerCommand, withHttpPeer } from "./peers/children.ts";

const VERSIONS: readonly ProtocolVersion[] = ["2026-07-28", "2025-11-25"];
const PLAIN = "skill://plain/SKILL.md";
const FILES = [
  PLAIN,
  "skill://plain/assets/bytes.bin",
  "skill://plain/assets/with%20space%20&%20%C3%BCmlaut.txt",
  "skill://plain/inner/SKILL.md",
  "skill://plain/references/deep/two.md",
  "skill://plain/references/one.md",
];

Deno.test("skills 22 the client speaks with skills of the official server over HTTP", async () => {
  await withHttpPeer(peerCommand("official_skills.ts", "http"), async (url) => {
    for (const protocol of VERSIONS) await use(await connect(url, { protocol: [protocol] }), protocol);
  });
});

Deno.test("skills 22 the client speaks with skills of the official server over stdio", async () => {
  for (const protocol of VERSIONS) {
    await use(await connect({ ...peerCommand("official_skills.ts"), stderr: "null" }, { protocol: [protocol] }), protocol);
  }
});

Deno.test("skills 22 the client reads dynamic skills of the official server that it does not list", async () => {
  await withHttpPeer(peerCommand("official_skills.ts", "http", "dynamic"), async (url) => {
    for (const protocol of VERSIONS) {
      await using client = await connect(url, { protocol: [protocol] });
      const served = skills.on(client, { server: "live" });
      assert.deepEqual((await served.list()).skills, []);
      assert.equal(served.directoryRead, false);
      const held = await served.load("skill://live/SKILL.md");
      const { text, verified } = await held.read("now.txt");
      assert.deepEqual([text, verified, held.fingerprint], ["now", false, undefined]);
      await assert.rejects(held.directory(), (error) => error instanceof SkillError && error.reason === "unsupported");
    }
  });
});

async function use(client: Client, protocol: ProtocolVersion): Promise<void> {
  try {
    // With one stateless revision nothing is asked at connect: the skills client finds out by itself.
    assert.equal(client.server.protocolVersion, protocol);
    const served = skills.on(client, { server: "official" });
    const { skills: listed, refused, ttlMs } = await served.list();
    assert.deepEqual(refused, []);
    assert.deepEqual(listed.map(({ uri }) => uri), ["skill://odd/SKILL.md", PLAIN, "skill://plain/inner/SKILL.md"]);
    assert.equal(ttlMs, client.server.era === "modern" ? 1000 : 0);
    for (const skill of listed) {
      assert.deepEqual(await served.get(skill.uri), skill);
      const held = await served.load(skill);
      for (const file of skill.resources === "dynamic" ? [] : skill.resources) {
        assert.equal((await held.read(file.uri)).verified, true, file.uri);
      }
    }
    await plain(served);
    await odd(served);
  } finally {
    await client.close();
  }
}

async function plain(served: SkillsClient): Promise<void> {
  const held = await served.load(PLAIN);
  const files = held.skill.resources === "dynamic" ? [] : held.skill.resources;
  assert.deepEqual(files.map(({ uri }) => uri).sort(), FILES);
  assert.equal((await held.read("references/deep/two.md")).text, "Zwei €\n");
  assert.equal((await held.read("assets/with space & ümlaut.txt")).text, "spaced");
  const { bytes, text } = await held.read("assets/bytes.bin");
  assert.deepEqual([...bytes], Array.from({ length: 256 }, (_, byte) => byte));
  assert.equal(text, undefined);
  const names = async (path?: string): Promise<string[]> => (await held.directory(path)).map(({ uri }) => uri).sort();
  const children = [PLAIN, "skill://plain/assets", "skill://plain/inner", "skill://plain/references"];
  assert.deepEqual(await names(), children);
  assert.deepEqual(await names("references"), ["skill://plain/references/deep", "skill://plain/references/one.md"]);
  const isUnknown = (error: unknown): boolean => error instanceof ProtocolError && error.code === -32602;
  await assert.rejects(names("SKILL.md"), isUnknown);
  await assert.rejects(served.get("skill://nowhere/SKILL.md"), isUnknown);
}

async function odd(served: SkillsClient): Promise<void> {
  const { skill: { frontmatter }, manifest } = await served.load("skill://odd/SKILL.md");
  assert.equal(manifest.text.startsWith("\ufeff---\r\n"), true);
  const { name: _name, description, ...rest } = frontmatter;
  assert.equal(description, "Ünïcode: folded over lines");
  assert.deepEqual(rest, {
    license: "MIT",
    metadata: { version: "1.0", "a b": "it's" },
    enabled: "yes",
    version: 1.1,
    octal: 15,
    decimal: 17,
    hex: 255,
    date: "2026-01-01",
    nothing: null,
    empty: null,
    tags: ["a", [1, { x: true }]],
    text: "line one\n\nline two\n",
  });
}
