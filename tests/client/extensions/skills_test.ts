/** Loads skills of servers that tell the truth, lie, or never come to an end. */
import assert from "node:assert/strict";
import { connect } from "../../../client/connect.ts";
import { SkillError, skills } from "../../../client/extensions/skills.ts";
import type { RemoteSkill, SkillErrorReason, SkillsClient } from "../../../client/extensions/skills.ts";
import { ProtocolError } from "../../../protocol/errors.ts";
import type { JsonObject } from "../../../protocol/types.ts";
import type { ScriptedServer } from "../scripted.ts";
import { complete } from "../scripted.ts";
import { bytesOf, digestOf, entryOf, skillSite, skillText } from "./skill_site.ts";
import type { SiteFile, SkillSiteOptions } from "./skill_site.ts";

const URI = "skill://refunds/SKILL.md";
const FORMS = "skill://refunds/references/FORMS.md";
const FILES = new Map<string, SiteFile>([[URI, skillText("refunds")], [FORMS, "Größe: 1 €\r\n"]]);

/** Runs a test against such a server, in a revision of each kind. */
async function on(
  options: SkillSiteOptions,
  use: (served: SkillsClient, server: ScriptedServer) => Promise<void>,
  label = "docs",
): Promise<void> {
  for (const handshake of [false, true]) {
    const server = skillSite({ ...options, handshake });
    const client = await connect(server);
    try {
      await use(skills.on(client, { server: label }), server);
    } finally {
      await client.close();
    }
  }
}

function refusal(reason: SkillErrorReason, message = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof SkillError, String(error));
    assert.equal(error.reason, reason, error.message);
    assert.match(error.message, message);
    assert.equal(error.server, "docs");
    return true;
  };
}

const reads = (server: ScriptedServer): unknown[] => server.requests("resources/read").map(({ params }) => params?.uri);

Deno.test("skills.on lists, describes, loads and reads in both kinds of revisions, and says where everything comes from", async () => {
  const entry = await entryOf(URI, FILES);
  await on({ pages: [[entry]], entries: new Map([[URI, entry]]), files: FILES }, async (served, server) => {
    assert.equal(served.supported, true);
    const listing = await served.list();
    assert.deepEqual(listing.skills, [{ ...entry, server: "docs" }]);
    assert.deepEqual(listing.refused, []);
    assert.deepEqual(await served.get(URI), listing.skills[0]);
    const held = await served.load(listing.skills[0] as RemoteSkill);
    assert.equal(held.manifest.text, FILES.get(URI));
    assert.match(String(held.fingerprint), /^sha256:[0-9a-f]{64}$/);
    const { bytes, ...file } = await held.read("references/FORMS.md");
    assert.deepEqual(file, {
      server: "docs",
      skill: URI,
      uri: FORMS,
      mimeType: "text/markdown",
      text: "Größe: 1 €\r\n",
      verified: true,
    });
    assert.deepEqual(bytes, bytesOf("Größe: 1 €\r\n"));
    assert.deepEqual(reads(server), [URI, FORMS]);
  });
});

Deno.test("skills.on fetches no file before a skill is loaded, and of a loaded one its SKILL.md alone", async () => {
  const entry = await entryOf(URI, FILES);
  await on({ pages: [[entry]], entries: new Map([[URI, entry]]), files: FILES }, async (served, server) => {
    await served.list();
    await served.get(URI);
    assert.deepEqual(reads(server), []);
    await served.load(URI);
    assert.deepEqual(reads(server), [URI]);
  });
});

Deno.test("skills.on asks again for nothing that it has verified, gives copies, and keeps nothing with cacheBytes 0", async () => {
  const entry = await entryOf(URI, FILES);
  const server = skillSite({ entries: new Map([[URI, entry]]), files: FILES });
  const client = await connect(server);
  const held = await skills.on(client, { server: "docs" }).load(URI);
  for (let time = 0; time < 2; time++) (await held.read(FORMS)).bytes.fill(0);
  assert.equal((await held.read(FORMS)).text, "Größe: 1 €\r\n");
  assert.deepEqual(reads(server), [URI, FORMS]);
  const bare = await skills.on(client, { server: "docs", cacheBytes: 0 }).load(URI);
  await bare.read(FORMS);
  await bare.read(FORMS);
  assert.deepEqual(reads(server).slice(2), [URI, FORMS, FORMS]);
  await client.close();
});

Deno.test("skills 10 bytes that were verified for one entry do not stand in for another one with a wrong size", async () => {
  const honest = await entryOf(URI, FILES);
  const lying = {
    ...honest,
    resources: (honest.resources as JsonObject[]).map((file) => file.uri === FORMS ? { ...file, size: 1 } : file),
  };
  await on({ entries: new Map([[URI, honest]]), files: FILES }, async (served) => {
    await (await served.load(URI)).read(FORMS);
    const held = await served.load({ ...lying, server: "docs" } as unknown as RemoteSkill);
    await assert.rejects(held.read(FORMS), refusal("size"));
  });
});

Deno.test("skills.on refuses what is no client, no label, and no number of bytes", async () => {
  const client = await connect(skillSite({}));
  assert.throws(() => skills.on({} as never, { server: "docs" }), TypeError);
  for (const server of ["", "x".repeat(257), 1 as never]) assert.throws(() => skills.on(client, { server }), /on\.server/);
  assert.throws(() => skills.on(client, { server: "docs", cacheBytes: -1 }), /cacheBytes/);
  assert.throws(() => skills.on(client, { server: "docs", approve: true as never }), /approve/);
  await client.close();
});

Deno.test("skills 01 the client asks a server that declares nothing for no skills", async () => {
  for (const declared of [undefined, "yes" as never]) {
    await on({ declared }, async (served, server) => {
      assert.equal(served.supported, false);
      for (
        const call of [() => served.list(), () => served.get(URI), () => served.load(URI), () => served.directory("skill://x")]
      ) {
        await assert.rejects(call(), refusal("unsupported", /io\.modelcontextprotocol\/skills/));
      }
      assert.deepEqual(server.requests().filter(({ method }) => method !== "initialize"), []);
    });
  }
});

Deno.test("skills 01 a client that knows nothing of its server asks it once what it is", async () => {
  const entry = await entryOf(URI, FILES);
  const server = skillSite({ pages: [[entry]] });
  const client = await connect(server, { protocol: "2026-07-28" });
  const served = skills.on(client, { server: "docs" });
  assert.equal(served.supported, false);
  assert.equal((await served.list()).skills.length, 1);
  assert.equal((await served.list()).skills.length, 1);
  const methods = server.received.map((message) => "method" in message && message.method);
  assert.deepEqual(methods, ["server/discover", "skills/list", "skills/list"]);
  await client.close();
  const bare = await connect(skillSite({ capabilities: {} }), { protocol: "2026-07-28" });
  await assert.rejects(skills.on(bare, { server: "docs" }).list(), refusal("unsupported"));
  await bare.close();
});

Deno.test("skills 01 who stops waiting for what the server is does not end that for others", async () => {
  const entry = await entryOf(URI, FILES);
  const client = await connect(skillSite({ pages: [[entry]] }), { protocol: "2026-07-28" });
  const served = skills.on(client, { server: "docs" });
  const stop = new AbortController();
  const [stopped, other] = [served.list({ signal: stop.signal }), served.list()];
  stop.abort(new Error("not wanted any more"));
  await assert.rejects(stopped, /not wanted any more/);
  assert.equal((await other).skills.length, 1);
  await client.close();
});

Deno.test("skills 02 the client reads no directory where the server does not declare that it can", async () => {
  const entry = await entryOf(URI, FILES);
  for (const declared of [{}, { directoryRead: false }, { directoryRead: "true" }]) {
    await on({ declared, entries: new Map([[URI, entry]]), files: FILES }, async (served, server) => {
      assert.equal(served.supported, true);
      assert.equal(served.directoryRead, false);
      await assert.rejects(served.directory("skill://refunds"), refusal("unsupported", /directoryRead/));
      await assert.rejects((await served.load(URI)).directory(), refusal("unsupported", /directoryRead/));
      assert.equal(server.requests("resources/directory/read").length, 0);
    });
  }
});

Deno.test("skills 08 an entry without a list of files and without dynamic is left out, told, and never loaded", async () => {
  const entry = await entryOf(URI, FILES);
  const { resources: _resources, ...without } = entry;
  const bad = [without, ...[null, "static", {}, [], 1].map((resources) => ({ ...entry, resources }))];
  const pages = [[...bad, null, "x"], [entry]];
  await on(
    { pages, files: FILES, entries: new Map(bad.map((skill, at) => [at === 0 ? URI : `${at}`, skill])) },
    async (served, server) => {
      const { skills: listed, refused } = await served.list();
      assert.equal(listed.length, 1);
      assert.deepEqual(refused.map(({ uri }) => uri), [...bad.map(() => URI), undefined, undefined]);
      assert.ok(refused.slice(0, -2).every(({ fault }) => fault.startsWith("resources: ")), JSON.stringify(refused));
      await assert.rejects(served.get(URI), refusal("entry", /resources/));
      for (const skill of bad) {
        await assert.rejects(served.load({ ...skill, server: "docs" } as unknown as RemoteSkill), refusal("entry", /resources/));
      }
      assert.deepEqual(reads(server), []);
    },
  );
});

Deno.test("skills 09 a file that the entry does not list is refused before anything is asked", async () => {
  const entry = await entryOf(URI, FILES);
  await on(
    { entries: new Map([[URI, entry]]), files: new Map([...FILES, ["skill://refunds/x.md", "?"]]) },
    async (served, server) => {
      const held = await served.load(URI);
      const asked = server.received.length;
      const foreign = ["x.md", "skill://refunds/x.md", "skill://other/SKILL.md", "https://example.com/", "file:///etc/passwd"];
      for (
        const reference of [...foreign, "", "references", "/etc/passwd", "//refunds/SKILL.md", "x".repeat(10_000), 1 as never]
      ) {
        await assert.rejects(held.read(reference), refusal("unlisted"), reference);
      }
      assert.equal(server.received.length, asked);
    },
  );
});

Deno.test("skills 10 a wrong size comes before a wrong digest, and only SHA-256 in small letters is one", async () => {
  const entry = await entryOf(URI, FILES);
  const given = async (text: SiteFile): Promise<SkillErrorReason | undefined> => {
    let reason: SkillErrorReason | undefined;
    await on({ entries: new Map([[URI, entry]]), files: new Map([...FILES, [FORMS, text]]) }, async (served) => {
      const held = await served.load(URI);
      reason = await held.read(FORMS).then(() => undefined, (error) => (error as SkillError).reason);
    });
    return reason;
  };
  const size = bytesOf(FILES.get(FORMS) as SiteFile).byteLength;
  assert.equal(await given("Größe: 2 €\r\n"), "digest");
  assert.equal(await given("Größe: 1 €\n\n"), "digest");
  assert.equal(await given("Größe: 1 €\n"), "size");
  assert.equal(await given("Größe: 1 €\r\n\n"), "size");
  assert.equal(await given("x".repeat(100_000)), "size");
  assert.equal(await given(new Uint8Array(size)), "digest");
  assert.equal(await given(new Uint8Array(size + 1)), "size");
  assert.equal(await given(new Uint8Array(size + 90)), "size");
  assert.equal(await given(bytesOf(FILES.get(FORMS) as SiteFile)), undefined);
  const [own, forms] = entry.resources as [JsonObject, JsonObject];
  for (
    const digest of [
      String(forms.digest).toUpperCase(),
      `SHA256:${"0".repeat(64)}`,
      `sha512:${"0".repeat(128)}`,
      `sha256:${"A".repeat(64)}`,
    ]
  ) {
    await on({ entries: new Map([[URI, { ...entry, resources: [own, { ...forms, digest }] }]]) }, async (served) => {
      await assert.rejects(served.get(URI), refusal("entry", /digest/));
    });
  }
});

Deno.test("skills 10 after a failed check the entry is asked for once more, and the error holds it where it has changed", async () => {
  const entry = await entryOf(URI, FILES);
  const changed = new Map([...FILES, [FORMS, "Another one"]]);
  const later = await entryOf(URI, changed);
  for (const current of [entry, later]) {
    await on({ entries: new Map([[URI, current]]), files: changed }, async (served, server) => {
      const held = await served.load({ ...entry, server: "docs" } as unknown as RemoteSkill);
      await assert.rejects(held.read(FORMS), (error) => {
        assert.equal((error as SkillError).reason, "size");
        assert.deepEqual((error as SkillError).current, current === entry ? undefined : { ...later, server: "docs" });
        return true;
      });
      assert.equal(server.requests("skills/get").length, 1);
      assert.deepEqual(await held.refresh(), { ...current, server: "docs" });
    });
  }
});

Deno.test("skills 11 whatever differs between the frontmatter of the entry and that of the file is found", async () => {
  const more = "license: MIT\nversion: 1\ntags: [a, b]\nnested:\n  deep: {x: 1, y: 2}\nword: ünïcode\nempty:\n";
  const same: JsonObject = {
    license: "MIT",
    version: 1,
    tags: ["a", "b"],
    nested: { deep: { y: 2, x: 1 } },
    word: "ünïcode",
    empty: null,
  };
  const { license: _license, ...less } = same;
  const others: readonly JsonObject[] = [
    less,
    { ...same, extra: true },
    { ...same, version: "1" },
    { ...same, tags: ["b", "a"] },
    { ...same, tags: ["a"] },
    { ...same, nested: { deep: { x: 1, y: 3 } } },
    { ...same, nested: { deep: { x: 1 } } },
    { ...same, word: "u\u0308nïcode" },
    { ...same, empty: "" },
    { ...same, description: "Something else" },
    JSON.parse(JSON.stringify(same).replace("{", '{"__proto__":{"polluted":1},')),
  ];
  const files = new Map([[URI, skillText("refunds", more)]]);
  const load = async (frontmatter: JsonObject, dynamic: boolean): Promise<void> => {
    const honest = await entryOf(URI, files, frontmatter);
    const entry = dynamic ? { ...honest, resources: "dynamic" } : honest;
    await on({ entries: new Map([[URI, entry]]), files }, async (served) => void await served.load(URI));
  };
  for (const dynamic of [false, true]) {
    await load(same, dynamic);
    for (const other of others) await assert.rejects(load(other, dynamic), refusal("frontmatter"), JSON.stringify(other));
  }
});

Deno.test("skills 11 a SKILL.md without readable frontmatter, or that is no UTF-8, is not loaded", async () => {
  for (
    const file of [
      "# No frontmatter",
      "---\nname: [\n---\n",
      "---\nname: refunds\nname: refunds\n---\n",
      new Uint8Array([0xff, 0xfe]),
    ]
  ) {
    const files = new Map<string, SiteFile>([[URI, file]]);
    await on({ entries: new Map([[URI, await entryOf(URI, files)]]), files }, async (served) => {
      await assert.rejects(served.load(URI), refusal("frontmatter"));
    });
  }
});

Deno.test("skills 12 every spelling of one file is that file, asked for as the entry spells it", async () => {
  const guide = "skill://refunds/my%20gu%C3%AFde%21.md";
  const files = new Map<string, SiteFile>([...FILES, [guide, "guide"]]);
  const entry = await entryOf(URI, files);
  const spellings = [
    "my guïde!.md",
    "my%20guïde%21.md",
    "./my%20gu%c3%afde!.md#part",
    "SKILL://refunds/my guïde!.md",
    `${guide}#part`,
  ];
  for (const reference of [...spellings, "references/../my guïde!.md", "%6Dy guïde!.md"]) {
    await on({ entries: new Map([[URI, entry]]), files }, async (served, server) => {
      assert.equal((await (await served.load(URI)).read(reference)).text, "guide", reference);
      assert.deepEqual(reads(server), [URI, guide]);
    });
  }
});

Deno.test("skills 12 climbing, hidden slashes, empty segments, queries and fragments are refused, in entries and in reads", async () => {
  const entry = await entryOf(URI, FILES);
  const digest = await digestOf("x");
  const bad = ["../x", "a/../x", "./x", "a%2Fx", "a%2fx", "a//x", "a/", "x?y", "x#y", "%2e%2e/x", "a\\x", "%00", "%zz", ""];
  await on({ entries: new Map([[URI, entry]]), files: FILES }, async (served, server) => {
    const held = await served.load(URI);
    for (const path of bad.filter((path) => path !== "x#y")) {
      await assert.rejects(held.read(`skill://refunds/references/${path}`), refusal("unlisted"), path);
    }
    for (
      const path of ["../refunds/SKILL.md", "references/../../x", "references//FORMS.md", "references%2FFORMS.md", "SKILL.md?x"]
    ) {
      await assert.rejects(held.read(path), refusal("unlisted"), path);
    }
    for (
      const uri of [
        "skill://refunds",
        "skill://refunds/SKILL.md?x",
        "skill://refunds/SKILL.md#x",
        "skill://a/../SKILL.md",
        "SKILL.md",
        "",
      ]
    ) {
      await assert.rejects(served.get(uri), refusal("entry"), uri);
    }
    assert.deepEqual(reads(server), [URI]);
  });
  for (const path of bad) {
    const file = { uri: `skill://refunds/references/${path}`, digest, size: 1 };
    const hostile = { ...entry, resources: [...(entry.resources as JsonObject[]), file] };
    await on({ pages: [[hostile]] }, async (served) => {
      const { skills: listed, refused } = await served.list();
      assert.deepEqual([listed.length, refused.length], [0, 1], path);
    });
  }
});

Deno.test("skills.on.get refuses an entry of another skill", async () => {
  const entry = await entryOf(URI, FILES);
  await on({ entries: new Map([["skill://other/SKILL.md", entry]]) }, async (served) => {
    await assert.rejects(
      served.get("skill://other/SKILL.md"),
      refusal("entry", /described "skill:\/\/refunds\/SKILL\.md" instead/),
    );
    await assert.rejects(served.get("skill://gone/SKILL.md"), (error) => error instanceof ProtocolError && error.code === -32602);
  });
});

Deno.test("skills.on reads a file only from an answer that holds it once, as text or as Base64", async () => {
  const entry = await entryOf(URI, FILES);
  const text = FILES.get(URI) as string;
  const right = { uri: URI, text };
  const answers: JsonObject[] = [
    {},
    { contents: {} },
    { contents: [] },
    { contents: [null, "x", { uri: FORMS, text }] },
    { contents: [right, right] },
    { contents: [{ uri: URI }] },
    { contents: [{ uri: URI, text, blob: "" }] },
    { contents: [{ uri: URI, blob: "###" }] },
  ];
  for (const given of answers) {
    const first: SkillSiteOptions["first"] = ({ method }) => method === "resources/read" ? complete(given) : undefined;
    await on({ entries: new Map([[URI, entry]]), first }, async (served) => {
      await assert.rejects(served.load(URI), { reason: "not_mcp" }, JSON.stringify(given));
    });
  }
  const first: SkillSiteOptions["first"] = ({ method }) =>
    method === "resources/read" ? complete({ contents: [{ uri: FORMS, text: "other" }, right] }) : undefined;
  await on({ entries: new Map([[URI, entry]]), first }, async (served) => {
    assert.equal((await served.load(URI)).manifest.text, text);
  });
});

Deno.test("skills.on gives the text of the bytes that it verified, not of the message", async () => {
  // A lone surrogate is written as U+FFFD, so that both texts have the same bytes.
  const files = new Map<string, SiteFile>([[URI, skillText("refunds", "", "\ufffd")]]);
  const entry = await entryOf(URI, files);
  const lone = new Map<string, SiteFile>([[URI, skillText("refunds", "", "\ud800")]]);
  await on({ entries: new Map([[URI, entry]]), files: lone }, async (served) => {
    assert.equal((await served.load(URI)).manifest.text, files.get(URI));
  });
});
