/** Bounds, origins, directories, and skills inside of others. */
import assert from "node:assert/strict";
import { connect } from "../../../client/connect.ts";
import { approvals, SkillError, skillFingerprint, skills } from "../../../client/extensions/skills.ts";
import type { RemoteSkill, SkillErrorReason, SkillsClient } from "../../../client/extensions/skills.ts";
import type { JsonObject } from "../../../protocol/types.ts";
import { memoryStore } from "../../../server/stores/memory.ts";
import type { ScriptedServer } from "../scripted.ts";
import { complete } from "../scripted.ts";
import { bytesOf, digestOf, entryOf, skillSite, skillText } from "./skill_site.ts";
import type { SiteFile, SkillSiteOptions } from "./skill_site.ts";

const URI = "skill://refunds/SKILL.md";
const FORMS = "skill://refunds/references/FORMS.md";
const FILES = new Map<string, SiteFile>([[URI, skillText("refunds")], [FORMS, "A form"]]);
const MIB = 1024 * 1024;

async function on(
  options: SkillSiteOptions,
  use: (served: SkillsClient, server: ScriptedServer) => Promise<void>,
): Promise<void> {
  for (const handshake of [false, true]) {
    const server = skillSite({ ...options, handshake });
    const client = await connect(server);
    try {
      await use(skills.on(client, { server: "docs" }), server);
    } finally {
      await client.close();
    }
  }
}

function refusal(reason: SkillErrorReason): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof SkillError, String(error));
    assert.equal(error.reason, reason, error.message);
    return true;
  };
}

const reads = (server: ScriptedServer): unknown[] => server.requests("resources/read").map(({ params }) => params?.uri);

async function served(uri = URI, files: ReadonlyMap<string, SiteFile> = FILES, server = "docs"): Promise<RemoteSkill> {
  return { ...await entryOf(uri, files), server } as unknown as RemoteSkill;
}

Deno.test("skills 13 the fingerprint changes with every URI, digest, server and skill, and not with the order", async () => {
  const skill = await served();
  const files = skill.resources as Exclude<RemoteSkill["resources"], "dynamic">;
  const [own, forms] = files as [typeof files[0], typeof files[0]];
  const prints = new Set([await skillFingerprint(skill)]);
  assert.equal(await skillFingerprint({ ...skill, resources: [forms, own] }), [...prints][0]);
  const other = await digestOf("other");
  const changed: RemoteSkill[] = [
    { ...skill, resources: [own] },
    { ...skill, resources: [own, forms, { ...forms, uri: "skill://refunds/new.md" }] },
    { ...skill, resources: [own, { ...forms, uri: "skill://refunds/references/forms.md" }] },
    { ...skill, resources: [own, { ...forms, digest: other }] },
    { ...skill, resources: [{ ...own, digest: forms.digest }, { ...forms, digest: own.digest }] },
    { ...skill, server: "other" },
    { ...skill, uri: "skill://a/refunds/SKILL.md" },
  ];
  for (const one of changed) prints.add(await skillFingerprint(one));
  assert.equal(prints.size, changed.length + 1);
});

Deno.test("skills 13 an approval holds for exactly these files, in a store that outlasts it, and goes with its server", async () => {
  const store = memoryStore();
  const skill = await served();
  await approvals(store).approve(skill);
  const approved = approvals(store);
  assert.equal(await approved.has(skill), true);
  const changed = await served(URI, new Map([...FILES, [FORMS, "Another form"]]));
  assert.equal(await approved.has(changed), false);
  assert.equal(await approved.has({ ...skill, server: "docs-2" }), false);
  await approved.approve({ ...skill, server: "docs-2" });
  assert.equal(await approved.has(skill), true);
  await approved.forget("docs");
  assert.equal(await approved.has(skill), false);
  assert.equal(await approved.has({ ...skill, server: "docs-2" }), true);
  await approved.revoke({ server: "docs-2", uri: URI });
  assert.equal(await approved.has({ ...skill, server: "docs-2" }), false);
});

Deno.test("skills 13 a skill is loaded only when approve says so, with an entry that nobody changes afterwards", async () => {
  const client = await connect(skillSite({ files: FILES, entries: new Map([[URI, await entryOf(URI, FILES)]]) }));
  const approved = approvals(memoryStore());
  const docs = skills.on(client, { server: "docs", approve: (skill) => approved.has(skill) });
  const skill = await served();
  await assert.rejects(docs.load(URI), refusal("unapproved"));
  await approved.approve(skill);
  const loading = docs.load(skill);
  const files = skill.resources as unknown as { digest: string }[];
  if (files[1] !== undefined) files[1].digest = await digestOf("x");
  const held = await loading;
  assert.equal((await held.read(FORMS)).text, "A form");
  assert.throws(() => (held.skill.frontmatter as { name: string }).name = "x", TypeError);
  assert.throws(() => (held.skill.resources as unknown[]).push({}), TypeError);
  const lax = skills.on(client, { server: "docs", approve: () => "yes" as never });
  await assert.rejects(lax.load(URI), refusal("unapproved"));
  await client.close();
});

Deno.test("skills 14 files of a dynamic skill are read unverified, without a fingerprint and without a lasting approval", async () => {
  const entry = { ...await entryOf(URI, FILES), resources: "dynamic" };
  await on({ entries: new Map([[URI, entry]]), files: FILES }, async (docs, server) => {
    const held = await docs.load(URI);
    assert.equal(held.fingerprint, undefined);
    assert.equal(held.manifest.verified, false);
    const { text, verified } = await held.read("references/FORMS.md");
    assert.deepEqual([text, verified], ["A form", false]);
    await held.read("references/FORMS.md");
    assert.deepEqual(reads(server), [URI, FORMS, FORMS]);
    await assert.rejects(held.read("skill://other/x.md"), refusal("unlisted"));
    assert.equal(reads(server).length, 3);
    const approved = approvals(memoryStore());
    await assert.rejects(approved.approve(held.skill), refusal("dynamic"));
    assert.equal(await approved.has(held.skill), false);
  });
});

Deno.test("skills 14 no more than 16 MiB of a dynamic skill are read, also when it is read many times at once", async () => {
  const entry = { ...await entryOf(URI, FILES), resources: "dynamic" };
  const own = bytesOf(FILES.get(URI) as string).byteLength;
  const files = new Map<string, SiteFile>([
    ...FILES,
    ["skill://refunds/big", "x".repeat(8 * MIB)],
    ["skill://refunds/rest", "x".repeat(8 * MIB - own)],
    ["skill://refunds/one", "x"],
  ]);
  const client = await connect(skillSite({ entries: new Map([[URI, entry]]), files }));
  const docs = skills.on(client, { server: "docs" });
  const held = await docs.load(URI);
  await held.read("big");
  assert.equal((await held.read("rest")).bytes.byteLength, 8 * MIB - own);
  await assert.rejects(held.read("one"), refusal("limit"));
  const eager = await docs.load(URI);
  const all = await Promise.allSettled(["big", "big", "big"].map((path) => eager.read(path)));
  assert.deepEqual(all.map(({ status }) => status), ["fulfilled", "rejected", "rejected"]);
  await assert.rejects(eager.read("one"), refusal("limit"));
  await client.close();
});

Deno.test("skills 15 a skill inside another one is text there, and needs an approval of its own", async () => {
  const inner = "skill://refunds/eu/SKILL.md";
  const text = skillText("eu", "allowed-tools: Bash\n");
  const files = new Map<string, SiteFile>([...FILES, [inner, text]]);
  const innerEntry = await entryOf(inner, new Map([[inner, text]]), { "allowed-tools": "Bash" });
  // As part of the outer one even frontmatter that nobody can read is only text.
  const odd = new Map<string, SiteFile>([...FILES, [inner, "---\n&x *x\n---\n"]]);
  const approved = approvals(memoryStore());
  const outer = await served(URI, files);
  await approved.approve(outer);
  const client = await connect(skillSite({ entries: new Map([[inner, innerEntry]]), files }));
  const docs = skills.on(client, { server: "docs", approve: (skill) => approved.has(skill) });
  const held = await docs.load(outer);
  assert.deepEqual((await held.read("eu/SKILL.md")).text, text);
  assert.equal((await held.read("eu/SKILL.md")).skill, URI);
  await assert.rejects(docs.load(inner), refusal("unapproved"));
  await client.close();
  await on({ entries: new Map([[URI, await entryOf(URI, odd)]]), files: odd }, async (docs) => {
    assert.equal((await (await docs.load(URI)).read(inner)).verified, true);
  });
});

Deno.test("skills 16 the same URI of two servers is two skills: approvals, files and entries stay apart", async () => {
  const other = new Map<string, SiteFile>([[URI, skillText("refunds", "", "Another body\n")], [FORMS, "A form"]]);
  const one = skillSite({ entries: new Map([[URI, await entryOf(URI, FILES)]]), files: FILES });
  const two = skillSite({ entries: new Map([[URI, await entryOf(URI, other)]]), files: other });
  const [first, second] = [await connect(one), await connect(two)];
  const approved = approvals(memoryStore());
  const approve = (skill: RemoteSkill): Promise<boolean> => approved.has(skill);
  const [docs, shop] = [skills.on(first, { server: "docs", approve }), skills.on(second, { server: "shop", approve })];
  await approved.approve(await docs.get(URI));
  const held = await docs.load(URI);
  await held.read(FORMS);
  await assert.rejects(shop.load(URI), refusal("unapproved"));
  await approved.approve(await shop.get(URI));
  const sold = await shop.load(URI);
  // The digest is the same, the server is not.
  assert.equal((await sold.read(FORMS)).server, "shop");
  assert.deepEqual(reads(two), [URI, FORMS]);
  assert.notEqual(sold.fingerprint, held.fingerprint);
  await assert.rejects(docs.load(await shop.get(URI)), refusal("origin"));
  const forged = skillSite({ pages: [[{ ...await entryOf(URI, FILES), server: "shop" }]] });
  const third = await connect(forged);
  assert.equal((await skills.on(third, { server: "docs" }).list()).skills[0]?.server, "docs");
  for (const client of [first, second, third]) await client.close();
});

Deno.test("skills 17 a directory gives direct children, those alone that the held entry lists", async () => {
  const deep = "skill://refunds/references/eu/a.md";
  const entry = await entryOf(URI, new Map([...FILES, [deep, "a"]]));
  const directory = (uri: string): JsonObject => ({ uri, name: "d", mimeType: "inode/directory" });
  const file = (uri: string): JsonObject => ({ uri, name: "f" });
  const root = [
    file(URI),
    file(FORMS),
    file("skill://refunds/new.md"),
    file("skill://other/SKILL.md"),
    file("skill://refunds/../x"),
    directory("skill://refunds/references"),
    directory("skill://refunds/references/"),
    directory("skill://refunds/references/eu"),
    directory("skill://refunds/secret"),
    directory("skill://refunds"),
    null as never,
    { uri: URI },
  ];
  const directories = new Map([
    ["skill://refunds", root],
    ["skill://refunds/references", [directory("skill://refunds/references/eu"), file(FORMS), file(deep)]],
    ["skill://refunds/empty", []],
  ]);
  const options: SkillSiteOptions = { declared: { directoryRead: true }, directories, files: FILES };
  await on({ ...options, entries: new Map([[URI, entry]]) }, async (docs, server) => {
    assert.equal(docs.directoryRead, true);
    const held = await docs.load(URI);
    const names = async (path?: string): Promise<string[]> => (await held.directory(path)).map(({ uri }) => uri);
    assert.deepEqual(await names(), [URI, "skill://refunds/references"]);
    for (const path of ["references", "./references/", "skill://refunds/references"]) {
      assert.deepEqual(await names(path), ["skill://refunds/references/eu", FORMS]);
    }
    assert.deepEqual(await names("empty"), []);
    await assert.rejects(names("SKILL.md"), { code: -32602 });
    const asked = server.received.length;
    for (const path of ["..", "skill://other", "skill://refunds/..", "skill://refunds2", "/"]) {
      await assert.rejects(names(path), refusal("unlisted"), path);
    }
    assert.equal(server.received.length, asked);
    // It adds nothing to what may be read.
    await assert.rejects(held.read("new.md"), refusal("unlisted"));
    assert.deepEqual(await docs.directory("skill://refunds/empty"), []);
  });
  await on({ ...options, entries: new Map([[URI, { ...entry, resources: "dynamic" }]]) }, async (docs) => {
    const children = (await (await docs.load(URI)).directory()).map(({ uri }) => uri);
    const expected = [URI, "skill://refunds/new.md", "skill://refunds/references", "skill://refunds/secret"];
    assert.deepEqual(children, expected);
  });
});

Deno.test("skills 18 a list that repeats a skill, a cursor, or never ends is an error that comes soon", async () => {
  const entry = await entryOf(URI, FILES);
  const spelled = { ...entry, uri: "skill://refunds/%53KILL.md" };
  for (const pages of [[[entry, entry]], [[entry], [entry]], [[entry], [], [spelled]]]) {
    await on({ pages }, (docs) => assert.rejects(docs.list(), refusal("repeated")));
  }
  const endless = (page: (at: number) => JsonObject): { options: SkillSiteOptions; asked: () => number } => {
    let at = 0;
    const first: SkillSiteOptions["first"] = ({ method }) => /\/(list|read)$/.test(method) ? complete(page(at++)) : undefined;
    return { options: { first, declared: { directoryRead: true } }, asked: () => at };
  };
  const loop = endless((at) => ({ skills: [], resources: [], nextCursor: String(at % 3) }));
  await on(loop.options, async (docs) => {
    await assert.rejects(docs.list(), { reason: "not_mcp" });
    await assert.rejects(docs.directory("skill://x"), { reason: "not_mcp" });
  });
  assert.ok(loop.asked() < 20);
  const forever = endless((at) => ({ skills: [], resources: [], nextCursor: String(at) }));
  await on(
    forever.options,
    (docs) => assert.rejects(docs.list(), { reason: "limit", data: { limit: "pages", value: 1000, seen: 1001 } }),
  );
  const many = endless((at) => ({
    skills: Array.from(
      { length: 1000 },
      (_, index) => ({ ...entry, uri: `skill://a${at}/b${index}/refunds/SKILL.md`, resources: "dynamic" }),
    ),
    nextCursor: String(at),
  }));
  await on(many.options, (docs) => assert.rejects(docs.list(), refusal("limit")));
  assert.equal(many.asked(), 22);
  const refused = endless((at) => ({ skills: Array.from({ length: 1000 }, () => null), nextCursor: String(at) }));
  await on(refused.options, (docs) => assert.rejects(docs.list(), refusal("limit")));
  const children = endless((at) => ({
    resources: Array.from({ length: 1000 }, (_, index) => ({ uri: `skill://x/${at}-${index}`, name: "f" })),
    nextCursor: String(at),
  }));
  await on(children.options, (docs) => assert.rejects(docs.directory("skill://x"), refusal("limit")));
});

Deno.test("skills 18 a list of few huge entries ends at its bound, and at the end of its total time", async () => {
  const entry = await entryOf(URI, FILES);
  let at = 0;
  const heavy = (): JsonObject => {
    const frontmatter = { name: `a${++at}`, description: "d", pad: "x".repeat(8 * MIB) };
    return complete({
      skills: [{ ...entry, uri: `skill://a${at}/SKILL.md`, frontmatter, resources: "dynamic" }],
      nextCursor: String(at),
    });
  };
  const client = await connect(skillSite({ first: ({ method }) => method === "skills/list" ? heavy() : undefined }));
  await assert.rejects(skills.on(client, { server: "docs" }).list(), refusal("limit"));
  assert.equal(at, 8);
  await client.close();
  let asked = 0;
  const slow = await connect(skillSite({
    first: ({ method }) => method === "skills/list" ? complete({ skills: [], nextCursor: String(asked++) }) : undefined,
  }));
  await assert.rejects(skills.on(slow, { server: "docs" }).list({ totalTimeout: 1 }), { reason: "timeout" });
  const end = AbortSignal.abort(new Error("enough"));
  await assert.rejects(skills.on(slow, { server: "docs" }).list({ signal: end }), /enough/);
  await slow.close();
});

Deno.test("skills 18 listPage gives one page and its cursor, the empty one too", async () => {
  const entry = await entryOf(URI, FILES);
  const first: SkillSiteOptions["first"] = ({ method, params }) =>
    method === "skills/list"
      ? complete({
        skills: [{ ...entry, uri: params?.cursor === "" ? "skill://b/refunds/SKILL.md" : URI, resources: "dynamic" }],
        ...(params?.cursor === "" ? {} : { nextCursor: "", ttlMs: 7 }),
      })
      : undefined;
  await on({ first }, async (docs) => {
    const page = await docs.listPage();
    assert.deepEqual([page.nextCursor, page.ttlMs, page.skills[0]?.uri], ["", 7, URI]);
    const last = await docs.listPage(page.nextCursor);
    assert.deepEqual([last.nextCursor, last.ttlMs], [undefined, 0]);
    assert.deepEqual((await docs.list()).skills.length, 2);
    assert.equal((await docs.list()).ttlMs, 0);
  });
  for (const answer of [{}, { skills: {} }, { skills: [], nextCursor: 1 }]) {
    await on({ first: ({ method }) => method === "skills/list" ? complete(answer) : undefined }, async (docs) => {
      await assert.rejects(docs.list(), { reason: "not_mcp" });
    });
  }
});

Deno.test("skills 19 a skill of 512 files and of 16 MiB is taken, one file or byte more is not", async () => {
  const entry = await entryOf(URI, FILES);
  const [own] = entry.resources as [JsonObject & { size: number }];
  const digest = await digestOf("x");
  const files = (count: number): JsonObject[] =>
    Array.from({ length: count }, (_, at) => ({ uri: `skill://refunds/f${at}`, digest, size: 1 }));
  const big = (size: number): JsonObject[] => [{ uri: "skill://refunds/big", digest, size }];
  for (
    const [resources, isTaken] of [
      [[own, ...files(511)], true],
      [[own, ...files(512)], false],
      [[own, ...big(16 * MIB - own.size)], true],
      [[own, ...big(16 * MIB - own.size + 1)], false],
    ] as const
  ) {
    const skill = { ...entry, resources };
    await on({ pages: [[skill]], entries: new Map([[URI, skill]]), files: FILES }, async (docs) => {
      const { skills: listed, refused } = await docs.list();
      assert.deepEqual([listed.length, refused.length], isTaken ? [1, 0] : [0, 1]);
      if (isTaken) assert.equal((await docs.load(URI)).skill.resources.length, resources.length);
      else await assert.rejects(docs.load({ ...skill, server: "docs" } as unknown as RemoteSkill), refusal("entry"));
    });
  }
});

Deno.test("approvals keep a digest of a skill's URI, which the server chooses, and not the URI", async () => {
  const keys: (readonly string[])[] = [];
  const store = memoryStore();
  const seen = {
    get: store.get.bind(store),
    set: (key: readonly string[], value: unknown) => (keys.push(key), store.set(key, value)),
    delete: store.delete.bind(store),
    list: store.list.bind(store),
  };
  await approvals(seen).approve(await served());
  assert.equal(keys.length, 1);
  assert.match(String(keys[0]?.at(-1)), /^sha256:[0-9a-f]{64}$/);
  assert.doesNotMatch(JSON.stringify(keys), /skill:\/\//);
});
