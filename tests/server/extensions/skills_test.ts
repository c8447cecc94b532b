import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { dynamicSkill, skills } from "../../../server/extensions/skills.ts";
import type { SkillsOptions } from "../../../server/extensions/skills.ts";
import { defineServer } from "../../../server/server.ts";
import type { Server } from "../../../server/server_types.ts";
import { onEveryWay, WAYS } from "../eras.ts";
import type { Json } from "../handshake_client.ts";
import { all, BYTES, bytesOf, contents, daily, greeting, INFO, inner, manifest, refunds, serve, TEXTS } from "./skill_fixture.ts";

onEveryWay(
  "skills 01 a server without the extension knows none of its methods",
  () => defineServer(INFO) as Server,
  async (way) => {
    for (const method of ["skills/list", "skills/get", "resources/directory/read"]) {
      assert.equal((await way.call(method, { uri: "skill://a/SKILL.md" })).error.code, -32601, method);
    }
  },
);

onEveryWay(
  "skills 02 without directoryRead directories are an unknown method",
  () => serve({ directoryRead: false }),
  async (way) => {
    assert.equal((await way.call("resources/directory/read", { uri: "skill://greeting" })).error.code, -32601);
    assert.ok((await way.call("skills/list", {})).result.skills.length > 0);
  },
);

Deno.test("skills 02 the declaration stands in the extension's settings, and says directoryRead where it is served", () => {
  const bare = dynamicSkill({ frontmatter: { name: "bare", description: "x" }, read: () => undefined });
  const cases: readonly (readonly [Partial<SkillsOptions>, object])[] = [
    [{}, { directoryRead: true }],
    [{ directoryRead: false }, {}],
    [{ skills: [bare] }, {}],
    [{ skills: [] }, { directoryRead: true }],
  ];
  for (const [options, declared] of cases) {
    const { settings } = skills({ skills: [greeting], ...options });
    assert.deepEqual(settings, declared);
  }
  assert.throws(() => skills({ skills: [bare], directoryRead: true }), /skills\.skills\[0\]: Expected a dynamic skill with list/);
});

Deno.test("skills 03 a server with skills declares resources in every revision, even when it has none", async () => {
  for (const { name, open } of WAYS) {
    const server = serve({ skills: [] });
    const way = await open(server);
    const { result } = way.handshake && !name.includes("channel")
      ? await way.call("initialize", { protocolVersion: name.slice(0, 10), capabilities: {}, clientInfo: INFO })
      : way.handshake
      ? { result: undefined }
      : await way.call("server/discover", {});
    if (result !== undefined) {
      assert.ok(result.capabilities.resources, name);
      assert.deepEqual(result.capabilities.extensions, { "io.modelcontextprotocol/skills": { directoryRead: true } }, name);
    }
    assert.deepEqual((await way.call("resources/list", {})).result.resources, [], name);
    assert.deepEqual((await way.call("skills/list", {})).result.skills, [], name);
    await way.close();
    await server.close();
  }
});

onEveryWay(
  "skills 04 results have resultType, ttlMs and cacheScope without a handshake, and none of them with one",
  () => serve({ cache: { ttlMs: 7, cacheScope: "public" } }),
  async (way) => {
    const calls: readonly (readonly [string, object])[] = [
      ["skills/list", {}],
      ["skills/get", { uri: greeting.entry.uri }],
      ["resources/directory/read", { uri: "skill://greeting" }],
      ["resources/directory/read", { uri: "skill://daily" }],
    ];
    for (const [method, params] of calls) {
      const { resultType, ttlMs, cacheScope, nextCursor } = (await way.call(method, params as never)).result;
      const expected = way.handshake ? [undefined, undefined, undefined] : ["complete", 7, "public"];
      assert.deepEqual([resultType, ttlMs, cacheScope], expected, method);
      assert.equal(nextCursor, undefined);
    }
  },
);

onEveryWay(
  "skills 05 every listed entry holds its own URI, unique URIs, and digests and sizes of what is read",
  () => serve({ pageSize: 1 }),
  async (way) => {
    const entries = await all(way, "skills/list", "skills");
    assert.deepEqual(entries.map(({ uri }) => uri), [refunds, inner, greeting, daily].map(({ entry }) => entry.uri));
    for (const { uri, frontmatter, resources } of entries) {
      assert.equal(uri.split("/").at(-2), frontmatter.name);
      if (resources === "dynamic") continue;
      const uris = resources.map((file: Json) => file.uri);
      assert.ok(uris.includes(uri));
      assert.equal(new Set(uris).size, uris.length);
      for (const file of resources) {
        assert.ok(file.uri.startsWith(uri.slice(0, -"SKILL.md".length)), file.uri);
        const bytes = bytesOf(await contents(way, file.uri));
        assert.equal(bytes.byteLength, file.size, file.uri);
        assert.equal(`sha256:${createHash("sha256").update(bytes).digest("hex")}`, file.digest, file.uri);
      }
    }
    assert.equal(entries[0].resources.length, 7);
  },
);

onEveryWay(
  "skills 06 text and bytes are served as they were given: marks, line ends, all planes, binary, nothing",
  serve,
  async (way) => {
    for (const [path, text] of Object.entries(TEXTS)) {
      const uri = `skill://acme/billing/refunds/${path.split("/").map(encodeURIComponent).join("/")}`;
      const content = await contents(way, uri);
      assert.deepEqual([content.text, content.mimeType], [text, path.endsWith(".md") ? "text/markdown" : "text/plain"], path);
      const file = (refunds.entry.resources as readonly Json[]).find((one) => one.uri === uri);
      assert.equal(file?.digest, `sha256:${createHash("sha256").update(text, "utf8").digest("hex")}`, path);
    }
    const seal = await contents(way, "skill://acme/billing/refunds/assets/seal.bin");
    assert.deepEqual([bytesOf(seal), seal.mimeType], [BYTES, "application/octet-stream"]);
  },
);

onEveryWay(
  "skills 07 skills/get knows listed and other skills alike, and refuses everything else",
  () => serve({ listed: ({ uri }) => !uri.includes("inner") && !uri.includes("daily") }),
  async (way) => {
    const listed = await all(way, "skills/list", "skills");
    assert.deepEqual(listed.map(({ uri }) => uri), [refunds.entry.uri, greeting.entry.uri]);
    assert.deepEqual(listed[1]._meta, { "com.example/x": 1 });
    for (const one of [refunds, inner, greeting, daily]) {
      const { skill } = (await way.call("skills/get", { uri: one.entry.uri })).result;
      assert.deepEqual(skill, JSON.parse(JSON.stringify(one.entry)));
      const same = listed.find(({ uri }) => uri === one.entry.uri);
      if (same !== undefined) assert.equal(JSON.stringify(skill), JSON.stringify(same));
    }
    const others = [
      "skill://acme/billing/refunds/bom.md",
      "skill://nothing/SKILL.md",
      "skill://greeting",
      "",
      "SKILL://greeting/SKILL.md",
      "skill://greeting/SKILL.md#x",
    ];
    for (const uri of others) assert.equal((await way.call("skills/get", { uri })).error.code, -32602, uri);
    for (const params of [{}, { uri: 1 }, { uri: null }, { uri: ["skill://greeting/SKILL.md"] }]) {
      assert.equal((await way.call("skills/get", params as never)).error.code, -32602);
    }
  },
);

onEveryWay(
  "skills 17 a directory names its direct children, directories without a slash at the end, and nothing else is one",
  () => serve({ pageSize: 2 }),
  async (way) => {
    const read = async (uri: string): Promise<Json> =>
      (await all(way, "resources/directory/read", "resources", { uri })).map(({ uri, name, mimeType }) => [uri, name, mimeType]);
    const root = "skill://acme/billing/refunds";
    assert.deepEqual(await read(root), [
      [`${root}/SKILL.md`, "refunds", "text/markdown"],
      [`${root}/assets`, "assets", "inode/directory"],
      [`${root}/bom.md`, "bom.md", "text/markdown"],
      [`${root}/crlf.txt`, "crlf.txt", "text/plain"],
      [`${root}/empty.txt`, "empty.txt", "text/plain"],
      [`${root}/inner`, "inner", "inode/directory"],
      [`${root}/multi%20byte`, "multi byte", "inode/directory"],
    ]);
    assert.deepEqual(await read(`${root}/inner`), [[`${root}/inner/SKILL.md`, "inner", "text/markdown"]]);
    assert.deepEqual(await read(`${root}/multi%20byte`), [[`${root}/multi%20byte/%C3%BC%26%3D.md`, "ü&=.md", "text/markdown"]]);
    assert.deepEqual(await read("skill://daily"), [
      ["skill://daily/a%20b", "a b", "inode/directory"],
      ["skill://daily/SKILL.md", "SKILL.md", "text/markdown"],
      ["skill://daily/seal.png", "seal.png", "image/png"],
    ]);
    assert.deepEqual(await read("skill://daily/a%20b"), [["skill://daily/a%20b/c.md", "c.md", "text/markdown"]]);
    assert.deepEqual(await read("skill://daily/void"), []);
    const none = [
      `${root}/SKILL.md`,
      `${root}/`,
      `${root}/nothing`,
      "skill://acme",
      "skill://acme/billing",
      "skill://daily/",
      "skill://daily/../daily",
      "skill://daily/a%20b/c.md",
      "skill://daily?x",
      "skill://dailyx",
      "",
    ];
    for (const uri of none) assert.equal((await way.call("resources/directory/read", { uri })).error.code, -32602, uri);
  },
);

onEveryWay(
  "skills 17 and 18 cursors belong to one list, and each item is on one page",
  () => serve({ pageSize: 2 }),
  async (way) => {
    const first = (await way.call("skills/list", {})).result;
    assert.equal(first.skills.length, 2);
    const root = "skill://acme/billing/refunds";
    const page = (await way.call("resources/directory/read", { uri: root })).result;
    assert.equal(page.resources.length, 2);
    const refused: readonly (readonly [string, object])[] = [
      ["skills/list", { cursor: page.nextCursor }],
      ["skills/list", { cursor: "" }],
      ["skills/list", { cursor: "x" }],
      ["skills/list", { cursor: 1 }],
      ["resources/directory/read", { uri: root, cursor: first.nextCursor }],
      ["resources/directory/read", { uri: "skill://daily", cursor: page.nextCursor }],
      ["resources/directory/read", { uri: "skill://nothing", cursor: page.nextCursor }],
    ];
    for (const [method, params] of refused) {
      assert.equal((await way.call(method, params as never)).error.code, -32602, JSON.stringify(params));
    }
    const uris = (await all(way, "skills/list", "skills")).map(({ uri }) => uri);
    assert.deepEqual([uris.length, new Set(uris).size], [4, 4]);
  },
);

onEveryWay(
  "SKILL.md of listed skills is in resources/list with its name, description and type, and other files are only read",
  () => serve({ listed: ({ uri }) => !uri.includes("inner") }),
  async (way) => {
    const listed = await all(way, "resources/list", "resources");
    assert.deepEqual(listed.map(({ uri, name, description, mimeType }) => [uri, name, description, mimeType]), [
      ["skill://acme/billing/refunds/SKILL.md", "refunds", "What it is for", "text/markdown"],
      ["skill://greeting/SKILL.md", "greeting", "What it is for", "text/markdown"],
      ["skill://daily/SKILL.md", "daily", "Now", "text/markdown"],
    ]);
    assert.equal((await contents(way, "skill://acme/billing/refunds/inner/SKILL.md")).text, manifest("inner"));
    const templates = await all(way, "resources/templates/list", "resourceTemplates");
    assert.deepEqual(templates.map(({ uriTemplate }) => uriTemplate), ["skill://daily/{+file}"]);
  },
);

onEveryWay("skills 21 nothing but published files is read, whatever a URI climbs over", serve, async (way) => {
  const uris = [
    "skill://greeting",
    "skill://greeting/",
    "skill://greeting/SKILL.md/",
    "skill://greeting/./SKILL.md",
    "skill://greeting/x/../SKILL.md",
    "skill://greeting/%2e%2e/greeting/SKILL.md",
    "skill://greeting/..%2Fgreeting%2FSKILL.md",
    "skill://greeting//etc/passwd",
    "skill://greeting/%2Fetc%2Fpasswd",
    "skill://greeting/SKILL.md%00",
    "skill://greeting/SKILL.md?x",
    "skill://daily/../greeting/SKILL.md",
    "skill://daily/%2e%2e/x",
    "skill://daily/a b/c.md",
    "skill://daily/SKILL%2Emd",
    "skill://daily/",
    "skill://daily",
    "file:///etc/passwd",
  ];
  const code = way.handshake ? -32002 : -32602;
  for (const uri of uris) {
    const { error } = await way.call("resources/read", { uri });
    assert.ok(error !== undefined, uri);
    assert.ok([code, -32602].includes(error.code), `${uri}: ${error.code}`);
  }
  assert.equal((await contents(way, "skill://daily/a%20b/c.md")).text, "at once");
  assert.deepEqual(bytesOf(await contents(way, "skill://daily/seal.png")), BYTES);
});
