import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { dynamicSkill, skill, skills } from "../../../server/extensions/skills.ts";
import type { ServedSkill, SkillsOptions } from "../../../server/extensions/skills.ts";
import { resource } from "../../../server/resource.ts";
import { defineServer } from "../../../server/server.ts";
import type { Server } from "../../../server/server_types.ts";
import { onEveryWay, WAYS } from "../eras.ts";
import type { Way } from "../eras.ts";
import type { Json } from "../handshake_client.ts";

const INFO = { name: "x", version: "1.0.0" };

function manifest(name: string, description = "What it is for"): string {
  return `---\nname: ${name}\ndescription: ${description}\n---\n\nDo it.\n`;
}

const BYTES = Uint8Array.from([0x89, 0x50, 0, 0xff, 0xfe, 0x0d, 0x0a]);
const TEXTS: Readonly<Record<string, string>> = {
  "bom.md": "\ufeff# With a mark\n",
  "crlf.txt": "one\r\ntwo\rthree\n",
  "multi byte/ü&=.md": "grüße 🦊 e\u0301",
  "empty.txt": "",
};

const refunds = await skill({
  uri: "skill://acme/billing/refunds/SKILL.md",
  files: { "SKILL.md": manifest("refunds"), ...TEXTS, "assets/seal.bin": BYTES, "inner/SKILL.md": manifest("inner") },
});
const inner = await skill({ uri: "skill://acme/billing/refunds/inner/SKILL.md", files: { "SKILL.md": manifest("inner") } });
const greeting = await skill({ files: { "SKILL.md": manifest("greeting") }, meta: { "com.example/x": 1 } });
const DAILY = "---\nname: daily\ndescription: Now\n---\n";
const daily = dynamicSkill({
  frontmatter: { name: "daily", description: "Now" },
  read: (path) => ({ "SKILL.md": DAILY, "a b/c.md": "at once", "seal.png": BYTES })[path],
  list: (directory) => ({ "": ["a b/", "SKILL.md", "seal.png"], "a b": ["c.md"], "void": [] })[directory],
});

function serve(options: Partial<SkillsOptions> = {}): Server {
  const published = skills({ skills: [refunds, inner, greeting, daily], ...options });
  return defineServer({ ...INFO, extensions: [published] }) as Server;
}

async function all(way: Way, method: string, member: string, params: object = {}): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: string | undefined;
  do {
    const { result } = await way.call(method, { ...params, ...(cursor === undefined ? {} : { cursor }) });
    found.push(...result[member]);
    cursor = result.nextCursor;
  } while (cursor !== undefined);
  return found;
}

async function contents(way: Way, uri: string): Promise<Json> {
  const { result } = await way.call("resources/read", { uri });
  assert.equal(result.contents.length, 1);
  assert.equal(result.contents[0].uri, uri);
  return result.contents[0];
}

function bytesOf(content: Json): Uint8Array {
  return content.text === undefined
    ? Uint8Array.from(atob(content.blob), (char) => char.charCodeAt(0))
    : new TextEncoder().encode(content.text);
}

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

Deno.test("skills 02 the declaration stands in the extension's settings, and says directoryRead where it is served", async () => {
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

Deno.test("skills 06 what becomes of the given bytes afterwards changes nothing", async () => {
  const bytes = new TextEncoder().encode("before");
  const files = { "SKILL.md": manifest("fixed"), "a.txt": bytes };
  const server = serve({ skills: [await skill({ files })] });
  bytes.fill(0x21);
  const way = await (WAYS[0] as typeof WAYS[number]).open(server);
  assert.equal((await contents(way, "skill://fixed/a.txt")).text, "before");
});

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

Deno.test("skills 19 a skill of 512 files is published, one of 513 is not, and long entries end a page", async () => {
  const files = (count: number) =>
    Object.fromEntries([
      ["SKILL.md", manifest("large")],
      ...Array.from({ length: count - 1 }, (_, at) => [`${"x".repeat(60)}/${at}.md`, `${at}`]),
    ]);
  const many = await Promise.all(
    Array.from({ length: 30 }, (_, at) => skill({ uri: `skill://s${at}/large/SKILL.md`, files: files(512) })),
  );
  await assert.rejects(skill({ files: files(513) }), { name: "TypeError", message: /^skill: Expected at most 512 files$/ });
  const way = await (WAYS[0] as typeof WAYS[number]).open(serve({ skills: many }));
  const page = (await way.call("skills/list", {})).result;
  assert.ok(page.skills.length > 1 && page.skills.length < 30, `${page.skills.length} skills`);
  assert.ok(JSON.stringify(page).length < 1_100_000);
  const uris = (await all(way, "skills/list", "skills")).map(({ uri }) => uri);
  assert.deepEqual(uris, many.map(({ entry }) => entry.uri));
});

Deno.test("skills 19 a skill of 16 MiB is published, and one with a byte more is not", async () => {
  const own = manifest("heavy");
  const rest = 16 * 1024 * 1024 - own.length;
  const files = (bytes: number) => ({ "SKILL.md": own, "a.bin": new Uint8Array(bytes) });
  const heavy = await skill({ files: files(rest) });
  assert.equal((heavy.entry.resources as readonly Json[]).reduce((sum, { size }) => sum + size, 0), 16_777_216);
  await assert.rejects(skill({ files: files(rest + 1) }), { name: "TypeError", message: /at most 16777216 bytes in all$/ });
});

Deno.test("skill refuses what hosts would not load, and says what is wrong with which skill", async () => {
  const ok = manifest("a");
  const cases: readonly (readonly [Parameters<typeof skill>[0], RegExp])[] = [
    [{ files: {} }, /^skill: Expected SKILL\.md among the files$/],
    [{ files: { "skill.md": ok } }, /Expected SKILL\.md among/],
    [{ files: { "SKILL.md": "# No frontmatter" } }, /^skill: Reading the frontmatter of SKILL\.md: /],
    [{ files: { "SKILL.md": Uint8Array.from([0xff]) } }, /Expected SKILL\.md to be UTF-8 text$/],
    [{ files: { "SKILL.md": "---\nname: a\n---\n" } }, /frontmatter\.description: /],
    [{ files: { "SKILL.md": "---\ndescription: a\n---\n" } }, /^skill/],
    [{ files: { "SKILL.md": manifest("A b") } }, /frontmatter\.name: /],
    [{ files: { "SKILL.md": "---\nname: a\ndescription: b\nmetadata:\n  version: 1.0\n---\n" } }, /frontmatter\.metadata: /],
    [{ files: { "SKILL.md": "---\nname: a\ndescription: &x b\n---\n" } }, /line 3: Expected no anchor$/],
    [{ files: { "SKILL.md": "---\nname: a\ndescription: 'b\n  c'\n---\n" } }, /line 3: Expected quotes to close/],
    [{ files: { "SKILL.md": ok }, uri: "skill://b/SKILL.md" }, /skill:\/\/b: frontmatter\.name: /],
    [{ files: { "SKILL.md": ok }, uri: "skill://a/README.md" }, /^skill\.uri: /],
    [{ files: { "SKILL.md": ok }, uri: "skill://{x}/a/SKILL.md" }, /^skill\.uri: /],
    [{ files: { "SKILL.md": ok }, uri: "skill://../a/SKILL.md" }, /uri: Expected|"SKILL\.md": Expected a relative path/],
    [{ files: { "SKILL.md": ok, "../b": "" } }, /^skill: "\.\.\/b": Expected a relative path/],
    [{ files: { "SKILL.md": ok, "/b": "" } }, /^skill: "\/b": /],
    [{ files: { "SKILL.md": ok, "b/": "" } }, /^skill: "b\/": /],
    [{ files: { "SKILL.md": ok, "b\\c": "" } }, /^skill: "b\\\\c": /],
    [{ files: { "SKILL.md": ok, "\ud800": "" } }, /^skill: "\\ud800": /],
    [{ files: { "SKILL.md": ok, b: "\ud800" } }, /^skill\.files\["b"\]: Expected text that is valid Unicode$/],
    [{ files: { "SKILL.md": ok, b: 1 as never } }, /^skill\.files\["b"\]: Expected text or bytes$/],
    [{ files: { "SKILL.md": ok }, meta: [] as never }, /_meta: /],
  ];
  for (const [options, message] of cases) await assert.rejects(skill(options), { name: "TypeError", message });
  assert.throws(() => dynamicSkill({ frontmatter: { name: "a" }, read: () => "" }), /frontmatter\.description: /);
  assert.throws(
    () => dynamicSkill({ frontmatter: { name: "a", description: "b" }, read: 1 as never }),
    /^TypeError: dynamicSkill\.read/,
  );
});

Deno.test("skills refuses what is no skill, a URI twice, different files of one URI, and options that nobody reads", async () => {
  const other = await skill({
    uri: "skill://acme/billing/refunds/inner/SKILL.md",
    files: { "SKILL.md": manifest("inner", "Other") },
  });
  assert.throws(
    () => skills({ skills: [{ entry: greeting.entry } as ServedSkill] }),
    /skills\.skills\[0\]: Expected what skill\(\), awaited/,
  );
  assert.throws(() => skills({ skills: [skill({ files: {} }).catch(() => 0) as never] }), /awaited/);
  assert.throws(() => skills({ skills: [greeting, greeting] }), /skills\.skills\[1\]: skill:\/\/greeting\/SKILL\.md is taken/);
  assert.throws(() => skills({ skills: [refunds, other] }), /Expected the same file in both skills/);
  assert.throws(() => skills({ skills: undefined as never }), /skills\.skills: Expected a list/);
  assert.throws(() => skills({ skills: [], directories: true } as never), /skills\.directories: Unknown option/);
  assert.throws(() => skills({ skills: [], pageSize: 0 }), /skills\.pageSize/);
  assert.throws(() => skills({ skills: [], listed: true as never }), /skills\.listed/);
  assert.throws(() => skills({ skills: [], directoryRead: 1 as never }), /skills\.directoryRead/);
  assert.throws(() => skills({ skills: [], cache: { ttlMs: -1 } }), /skills\.cache\.ttlMs/);
  const taken = resource({ uri: "skill://greeting/SKILL.md", name: "x", read: () => "x" });
  assert.throws(
    () => defineServer({ ...INFO, resources: [taken], extensions: [skills({ skills: [greeting] })] }),
    /skill:\/\/greeting/,
  );
});

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

Deno.test("a dynamic SKILL.md that differs from its entry is not served, and its server is told why", async () => {
  const faults: string[] = [];
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    ["---\nname: daily\ndescription: Later\n---\n", /frontmatter\.description: /],
    ["---\nname: daily\ndescription: Now\nallowed-tools: Bash\n---\n", /frontmatter\.allowed-tools: /],
    ["Now", /Reading the frontmatter/],
    [undefined, /to give SKILL\.md/],
    [{ text: DAILY }, /to give text/],
    [Uint8Array.from([0xff]), /to give text/],
  ];
  for (const [given, message] of wrong) {
    const one = dynamicSkill({ frontmatter: { name: "daily", description: "Now" }, read: () => given as never });
    const server = defineServer({
      ...INFO,
      extensions: [skills({ skills: [one] })],
      onError: (error) => void faults.push(String(error)),
    });
    const way = await (WAYS[0] as typeof WAYS[number]).open(server as Server);
    const { error } = await way.call("resources/read", { uri: "skill://daily/SKILL.md" });
    assert.deepEqual([error.code, error.message], [-32603, "Internal error"]);
    assert.match(faults.at(-1) ?? "nothing", message);
  }
  const good = dynamicSkill({ frontmatter: { name: "daily", description: "Now" }, read: () => new TextEncoder().encode(DAILY) });
  const way = await (WAYS[0] as typeof WAYS[number]).open(serve({ skills: [good] }));
  assert.deepEqual(await contents(way, "skill://daily/SKILL.md"), {
    uri: "skill://daily/SKILL.md",
    mimeType: "text/markdown",
    text: DAILY,
  });
});

Deno.test("names of a dynamic directory that are none are the server's fault", async () => {
  for (const name of ["", "/", "a/b", "..", "./", "a\\b", "\ud800"]) {
    const one = dynamicSkill({ frontmatter: { name: "daily", description: "Now" }, read: () => DAILY, list: () => [name] });
    const way = await (WAYS[0] as typeof WAYS[number]).open(serve({ skills: [one] }));
    assert.equal((await way.call("resources/directory/read", { uri: "skill://daily" })).error.code, -32603, name);
  }
});
