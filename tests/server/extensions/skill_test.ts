import assert from "node:assert/strict";
import { connect } from "../../../client/connect.ts";
import { dynamicSkill, skill, skills } from "../../../server/extensions/skills.ts";
import type { ServedSkill } from "../../../server/extensions/skills.ts";
import { resource } from "../../../server/components/resource.ts";
import { defineServer } from "../../../server/server.ts";
import type { Server } from "../../../server/server_types.ts";
import { WAYS } from "../eras.ts";
import type { Json } from "../handshake_client.ts";
import { all, contents, DAILY, greeting, INFO, manifest, refunds, serve } from "./skill_fixture.ts";

Deno.test("skills 06 what becomes of the given bytes afterwards changes nothing", async () => {
  const bytes = new TextEncoder().encode("before");
  const files = { "SKILL.md": manifest("fixed"), "a.txt": bytes };
  const server = serve({ skills: [await skill({ files })] });
  bytes.fill(0x21);
  const way = await (WAYS[0] as typeof WAYS[number]).open(server);
  assert.equal((await contents(way, "skill://fixed/a.txt")).text, "before");
});

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
    [{ files: { "SKILL.md": "---\ndescription: b\n---\n" } }, /frontmatter\.name: Expected 1 to 64 /],
    [{ files: { "SKILL.md": "---\nname: 1.10\ndescription: b\n---\n" } }, /frontmatter\.name: Expected 1 to 64 /],
    [{ files: { "SKILL.md": manifest("a/b") } }, /frontmatter\.name: Expected 1 to 64 /],
    [{ files: { "SKILL.md": manifest("../a") } }, /frontmatter\.name: Expected 1 to 64 /],
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
  for (const options of [{}, { files: null }, { files: "SKILL.md" }]) {
    await assert.rejects(skill(options as never), { name: "TypeError", message: /^skill\.files: Expected an object/ });
  }
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

Deno.test("skills 21 a dynamic skill is asked for files within its directory alone, in their own spelling", async () => {
  const asked: string[] = [];
  const one = dynamicSkill({
    frontmatter: { name: "daily", description: "Now" },
    read: (path) => (asked.push(path), path === "SKILL.md" ? DAILY : "given"),
    list: (directory) => (asked.push(`${directory}/`), ["x"]),
  });
  const way = await (WAYS[0] as typeof WAYS[number]).open(serve({ skills: [one] }));
  const paths = [
    "..",
    "../x",
    "%2e%2e/x",
    "a/../x",
    "a/./x",
    ".",
    "a//x",
    "",
    "/x",
    "a%2Fx",
    "a%5Cx",
    "a\\x",
    "x%00",
    "x%0A",
    "x?y",
    "x#y",
    "%",
    "%ff",
  ];
  for (const path of [...paths, "SKILL%2Emd"]) {
    const uri = `skill://daily/${path}`;
    assert.equal((await way.call("resources/read", { uri })).error?.code, -32602, path);
    if (path === "SKILL%2Emd") continue;
    assert.equal((await way.call("resources/directory/read", { uri })).error?.code, -32602, path);
  }
  for (const uri of ["skill://daily", "skill://dailyx/a", "skill://other/a", "SKILL://daily/a"]) {
    assert.equal((await way.call("resources/read", { uri })).error?.code, -32602, uri);
  }
  assert.deepEqual(asked, []);
  assert.equal((await contents(way, "skill://daily/a%20b/..c")).text, "given");
  assert.equal((await way.call("resources/directory/read", { uri: "skill://daily/a%20b" })).result.resources.length, 1);
  assert.deepEqual(asked, ["a b/..c", "a b/"]);
});

Deno.test("replace and an update publish other skills at once, tell whoever listens, and change nothing when they are wrong", async () => {
  const published = skills({ skills: [greeting], pageSize: 1 });
  const server = defineServer({ ...INFO, extensions: [published] }) as Server;
  const client = await connect(server);
  const stream = await client.listen({ resourcesListChanged: true });
  assert.throws(() => published.replace([refunds, refunds]), /taken by another skill/);
  assert.deepEqual((await client.request("skills/list")).skills, [JSON.parse(JSON.stringify(greeting.entry))]);
  published.replace([refunds]);
  await server.update({});
  assert.deepEqual((await stream.next()).value, { type: "resourcesListChanged" });
  await stream.close();
  const { skills: entries } = await client.request("skills/list");
  assert.deepEqual(entries, [JSON.parse(JSON.stringify(refunds.entry))]);
  await assert.rejects(client.readResource(greeting.entry.uri), { code: -32602 });
  await client.readResource(refunds.entry.uri);
  await assert.rejects(client.request("skills/get", { uri: greeting.entry.uri }), { code: -32602 });
  await client.close();
  await server.close();
});
