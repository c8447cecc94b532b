import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { skills, skillsFrom } from "../../../server/extensions/skills.ts";
import type { SkillsFromOptions } from "../../../server/extensions/skills.ts";
import { defineServer } from "../../../server/server.ts";
import type { Server } from "../../../server/server_types.ts";
import { WAYS } from "../eras.ts";
import type { Way } from "../eras.ts";
import type { Json } from "../handshake_client.ts";

function manifest(name: string): string {
  return `---\nname: ${name}\ndescription: What ${name} is for\n---\n`;
}

/** Writes a tree: text and bytes are files, undefined is an empty directory, a target behind an arrow is a symbolic link. */
async function tree(files: Readonly<Record<string, string | Uint8Array | undefined>>): Promise<string> {
  const top = await Deno.realPath(await Deno.makeTempDir({ prefix: "causeway-skills-" }));
  for (const [path, content] of Object.entries(files)) {
    const full = join(top, path);
    await Deno.mkdir(content === undefined ? full : join(full, ".."), { recursive: true });
    if (content === undefined) continue;
    if (typeof content !== "string") await Deno.writeFile(full, content);
    else if (content.startsWith("-> ")) await Deno.symlink(content.slice(3), full);
    else await Deno.writeTextFile(full, content);
  }
  return top;
}

async function inTree(files: Parameters<typeof tree>[0], use: (top: string) => Promise<void>): Promise<void> {
  const top = await tree(files);
  try {
    await use(top);
  } finally {
    await Deno.remove(top, { recursive: true });
  }
}

async function uris(top: string | URL, options?: SkillsFromOptions): Promise<readonly string[]> {
  return (await skillsFrom(top, options)).map(({ entry }) => entry.uri);
}

async function serve(top: string, options: SkillsFromOptions = {}, faults: unknown[] = []): Promise<Way> {
  const extensions = [skills({ skills: await skillsFrom(top, options) })];
  const server = defineServer({ name: "x", version: "1.0.0", extensions, onError: (error) => void faults.push(error) }) as Server;
  return await (WAYS[0] as typeof WAYS[number]).open(server);
}

async function read(way: Way, uri: string): Promise<Json> {
  const { result, error } = await way.call("resources/read", { uri });
  return error?.code ?? result.contents[0].text ?? atob(result.contents[0].blob);
}

const TREE = {
  "team/refunds/SKILL.md": manifest("refunds"),
  "team/refunds/references/the policy.md": "Within 30 days\r\n",
  "team/refunds/drafts": undefined,
  "team/refunds/inner/SKILL.md": manifest("inner"),
  "team/refunds/inner/x.bin": Uint8Array.from([0, 1, 2]),
  "greeting/SKILL.md": `\ufeff${manifest("greeting")}`,
  "README.md": "Not a skill",
  "empty": undefined,
} as const;

Deno.test("skillsFrom finds every directory with SKILL.md, whose path becomes the path of its URI", () =>
  inTree(TREE, async (top) => {
    assert.deepEqual(await uris(top), ["skill://greeting/SKILL.md", "skill://team/refunds/SKILL.md"]);
    assert.deepEqual(await uris(pathToFileURL(top)), await uris(top));
    assert.deepEqual(await uris(pathToFileURL(top).href), await uris(top));
    assert.deepEqual(await uris(top, { base: "github://o/r" }), [
      "github://o/r/greeting/SKILL.md",
      "github://o/r/team/refunds/SKILL.md",
    ]);
    assert.deepEqual(await uris(join(top, "greeting")), ["skill://greeting/SKILL.md"]);
    assert.deepEqual(await uris(join(top, "empty")), []);
    const [, refunds] = await skillsFrom(top);
    assert.deepEqual((refunds?.entry.resources as readonly Json[]).map(({ uri, size }) => [uri, size]), [
      ["skill://team/refunds/SKILL.md", manifest("refunds").length],
      ["skill://team/refunds/inner/SKILL.md", manifest("inner").length],
      ["skill://team/refunds/inner/x.bin", 3],
      ["skill://team/refunds/references/the%20policy.md", 16],
    ]);
  }));

Deno.test("skills 17 an empty directory of a skill is one, with nothing in it", () =>
  inTree(TREE, async (top) => {
    const way = await serve(top);
    const { result } = await way.call("resources/directory/read", { uri: "skill://team/refunds/drafts" });
    assert.deepEqual(result.resources, []);
    const { result: above } = await way.call("resources/directory/read", { uri: "skill://team/refunds" });
    assert.deepEqual(above.resources.map(({ name }: Json) => name), ["refunds", "drafts", "inner", "references"]);
    assert.equal((await way.call("resources/directory/read", { uri: "skill://empty" })).error.code, -32602);
  }));

Deno.test("a skill within a skill is published by itself only when that is asked for", () =>
  inTree(TREE, async (top) => {
    assert.deepEqual(await uris(top, { nested: true }), [
      "skill://greeting/SKILL.md",
      "skill://team/refunds/SKILL.md",
      "skill://team/refunds/inner/SKILL.md",
    ]);
    const way = await serve(top, { nested: true });
    assert.equal(await read(way, "skill://team/refunds/inner/SKILL.md"), manifest("inner"));
    const { result } = await way.call("resources/list", {});
    assert.equal(result.resources.length, 3);
  }));

Deno.test("skills 06 files are served as they lie there: marks, line ends and bytes", () =>
  inTree(TREE, async (top) => {
    const way = await serve(top);
    assert.equal(await read(way, "skill://greeting/SKILL.md"), `\ufeff${manifest("greeting")}`);
    assert.equal(await read(way, "skill://team/refunds/references/the%20policy.md"), "Within 30 days\r\n");
    const { result } = await way.call("resources/read", { uri: "skill://team/refunds/inner/x.bin" });
    assert.deepEqual(result.contents, [
      { uri: "skill://team/refunds/inner/x.bin", mimeType: "application/octet-stream", blob: btoa("\0\x01\x02") },
    ]);
  }));

Deno.test("skills 20 a file that changed since it was published is not served, and the same bytes again are", () =>
  inTree(TREE, async (top) => {
    const way = await serve(top);
    const file = join(top, "team/refunds/references/the policy.md");
    const uri = "skill://team/refunds/references/the%20policy.md";
    const before = await Deno.readFile(file);
    const changes: readonly (() => Promise<void>)[] = [
      () => Deno.writeTextFile(file, "Within 31 days\r\n"),
      () => Deno.writeTextFile(file, "Within 30 days\r\nor later"),
      () => Deno.writeTextFile(file, ""),
      () => Deno.remove(file),
      () => Deno.mkdir(file),
      async () => {
        await Deno.remove(file);
        await Deno.writeFile(`${file}.other`, before);
        await Deno.symlink(`${file}.other`, file);
      },
    ];
    for (const [at, change] of changes.entries()) {
      await change();
      const { error } = await way.call("resources/read", { uri });
      assert.equal(error?.code, -32603, `change ${at}`);
      assert.match(error.message, /has changed since its skill was published/);
    }
    await Deno.remove(file);
    await Deno.writeFile(file, before);
    assert.equal(await read(way, uri), "Within 30 days\r\n");
    const { result } = await way.call("skills/get", { uri: "skill://team/refunds/SKILL.md" });
    assert.equal(result.skill.resources[3].size, before.byteLength);
  }));

Deno.test("skills 21 symbolic links below the directory are refused, and the way there may be one", () =>
  inTree({ ...TREE, "link": "-> team" }, async (top) => {
    await assert.rejects(skillsFrom(top), { name: "TypeError", message: /^skillsFrom: \/.*link: Expected no symbolic link$/ });
    assert.deepEqual(await uris(join(top, "link")), ["skill://refunds/SKILL.md"]);
    await Deno.remove(join(top, "link"));
    for (const target of ["/etc/passwd", "../SKILL.md", "nowhere", "."]) {
      const link = join(top, "team/refunds/references/link.md");
      await Deno.symlink(target, link);
      await assert.rejects(skillsFrom(top), /link\.md: Expected no symbolic link$/, target);
      await Deno.remove(link);
    }
  }));

Deno.test("skills 21 names that begin with a dot are passed over, and can not be read", () =>
  inTree(
    { ...TREE, ".hidden/SKILL.md": manifest("hidden"), "greeting/.env": "SECRET=1", "greeting/.git/config": "x" },
    async (top) => {
      const way = await serve(top);
      assert.deepEqual((await uris(top)).length, 2);
      for (const uri of ["skill://greeting/.env", "skill://greeting/.git/config", "skill://.hidden/SKILL.md"]) {
        assert.equal(await read(way, uri), -32602, uri);
      }
    },
  ));

Deno.test("skills 21 nothing outside of a skill is read, by whatever path", () =>
  inTree({ ...TREE, "secret.txt": "secret" }, async (top) => {
    const way = await serve(join(top, "greeting"));
    const paths = [
      "../secret.txt",
      "%2e%2e/secret.txt",
      "..%2Fsecret.txt",
      `/${top}/secret.txt`,
      encodeURIComponent(join(top, "secret.txt")),
      "SKILL.md/../../secret.txt",
    ];
    for (const path of paths) assert.equal(await read(way, `skill://greeting/${path}`), -32602, path);
    assert.equal(await read(way, "skill://secret.txt"), -32602);
  }));

Deno.test("skillsFrom refuses what is no file, what can not be read, and skills that hosts would not load, by their path", async () => {
  await inTree({ "wrong/SKILL.md": manifest("other") }, async (top) => {
    await assert.rejects(skillsFrom(top), {
      name: "TypeError",
      message: /^skillsFrom: \/.*\/wrong: skill:\/\/wrong: frontmatter\.name: /,
    });
  });
  await inTree({ "a/SKILL.md": manifest("a"), "a/b\\c": "x" }, async (top) => {
    await assert.rejects(skillsFrom(top), /\/a: "b\\\\c": Expected a relative path/);
  });
  await inTree({ "a/SKILL.md": manifest("a") }, async (top) => {
    const { success } = await new Deno.Command("mkfifo", { args: [join(top, "a/pipe")] }).output();
    assert.ok(success);
    await assert.rejects(skillsFrom(top), /pipe: Expected a file or a directory$/);
    await assert.rejects(skillsFrom(join(top, "nowhere")), {
      name: "TypeError",
      message: /^skillsFrom: Reading \/.*nowhere: ENOENT$/,
    });
    await assert.rejects(skillsFrom(join(top, "a/SKILL.md")), /ENOTDIR/);
    await assert.rejects(skillsFrom(top, { deep: true } as never), /^TypeError: skillsFrom\.deep: Unknown option/);
    for (const base of ["", "acme", "skill://acme/", "://"]) {
      await assert.rejects(skillsFrom(top, { base }), /skillsFrom\.base/, base);
    }
  });
  const deep = Array.from({ length: 34 }, (_, at) => `d${at}`).join("/");
  await inTree({ [`${deep}/SKILL.md`]: manifest("d33") }, async (top) => {
    await assert.rejects(skillsFrom(top), /at most 32 directories within each other$/);
  });
});

Deno.test("skills 19 skillsFrom reads no more than 512 files and 16 MiB of one skill", async () => {
  const many = Object.fromEntries(Array.from({ length: 511 }, (_, at) => [`a/${at}.md`, "x"]));
  await inTree({ "a/SKILL.md": manifest("a"), ...many }, async (top) => {
    assert.equal(((await skillsFrom(top))[0]?.entry.resources as readonly Json[]).length, 512);
    await Deno.writeTextFile(join(top, "a/one more.md"), "x");
    await assert.rejects(skillsFrom(top), /\/a: Expected at most 512 files$/);
  });
  const own = manifest("a");
  await inTree({ "a/SKILL.md": own, "a/z": new Uint8Array(16 * 1024 * 1024 - own.length) }, async (top) => {
    assert.equal((await uris(top)).length, 1);
    await Deno.writeFile(join(top, "a/zz"), new Uint8Array(1));
    await assert.rejects(skillsFrom(top), /\/a: Expected at most 16777216 bytes in all$/);
    assert.equal(basename(top).startsWith("causeway-skills-"), true);
  });
});
