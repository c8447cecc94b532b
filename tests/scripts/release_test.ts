/** The release task, on a repository of its own. */
import assert from "node:assert/strict";
import { ROOT, runCommand, runDeno } from "../../scripts/command.ts";
import { currentVersion, nextVersion, prepareRelease, type ReleaseFiles } from "../../scripts/release.ts";

const FILES: ReleaseFiles = {
  config: '{\n  "name": "@causeway/mcp",\n  "version": "0.1.0"\n}\n',
  version: '/** The version. */\nexport const VERSION = "0.1.0";\n',
  changelog: "# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.0.9 (2026-01-01)\n\n- Another.\n",
};

Deno.test("nextVersion raises one part, and takes only versions that come later", () => {
  assert.equal(nextVersion("0.1.9", "patch"), "0.1.10");
  assert.equal(nextVersion("0.1.9", "minor"), "0.2.0");
  assert.equal(nextVersion("0.1.9", "major"), "1.0.0");
  assert.equal(nextVersion("1.0.0-rc.1", "patch"), "1.0.0");
  assert.equal(nextVersion("0.9.0", "0.10.0"), "0.10.0");
  assert.equal(nextVersion("1.0.0-rc.2", "1.0.0-rc.10"), "1.0.0-rc.10");
  assert.equal(nextVersion("1.0.0-rc.2", "1.0.0"), "1.0.0");
  for (const wrong of ["0.1.9", "0.1.8", "1", "1.0", "v1.0.0", "01.0.0", "next", "1.0.0-", "0.1.9-rc.1"]) {
    assert.throws(() => nextVersion("0.1.9", wrong), TypeError, wrong);
  }
});

Deno.test("prepareRelease puts the version into all three texts and leaves room for what comes next", () => {
  const { next, config, version, changelog } = prepareRelease(FILES, "minor", "2026-07-28");
  assert.equal(next, "0.2.0");
  assert.equal(currentVersion({ config, version }), "0.2.0");
  assert.ok(changelog.startsWith("# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-07-28)\n\n### Added\n\n- A thing.\n\n## 0.0.9"));
});

Deno.test("prepareRelease refuses texts that disagree, and a changelog without entries", () => {
  const other = { ...FILES, version: 'export const VERSION = "0.2.0";\n' };
  assert.throws(() => prepareRelease(other, "minor", "2026-07-28"), /deno.json names version 0.1.0, .* names 0.2.0/);
  const silent = { ...FILES, changelog: "# Changelog\n\n## Unreleased\n\n## 0.0.9 (2026-01-01)\n\n- Another.\n" };
  assert.throws(() => prepareRelease(silent, "minor", "2026-07-28"), /Expected entries/);
});

Deno.test("the release task refuses a tree with changes, and otherwise writes all three files", async () => {
  const root = await Deno.makeTempDir({ prefix: "causeway-release-" });
  const git = async (...args: string[]): Promise<void> => {
    const { code, output } = await runCommand(["git", "-c", "user.name=a", "-c", "user.email=a@example.com", ...args], {
      cwd: root,
    });
    assert.equal(code, 0, output);
  };
  const release = (...args: string[]) => runDeno(["run", "-A", `${ROOT}/scripts/release.ts`, "--root", root, ...args]);
  try {
    await Deno.mkdir(`${root}/protocol`);
    await Deno.writeTextFile(`${root}/deno.json`, FILES.config);
    await Deno.writeTextFile(`${root}/protocol/version.ts`, FILES.version);
    await Deno.writeTextFile(`${root}/CHANGELOG.md`, FILES.changelog);
    await git("init", "-q");
    const dirty = await release("minor");
    assert.equal(dirty.code, 1);
    assert.match(dirty.output, /not committed/);
    assert.equal(await Deno.readTextFile(`${root}/deno.json`), FILES.config);
    await git("add", "-A");
    await git("commit", "-qm", "All");
    assert.equal((await release()).code, 1);
    const done = await release("minor");
    assert.equal(done.code, 0, done.output);
    assert.match(await Deno.readTextFile(`${root}/protocol/version.ts`), /"0\.2\.0"/);
    assert.equal((await release("--check", "v0.2.0")).code, 0);
    assert.equal((await release("--check", "v0.3.0")).code, 1);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});

Deno.test("the sources and the manifest name the same version", async () => {
  const read = (path: string): Promise<string> => Deno.readTextFile(`${ROOT}/${path}`);
  assert.match(currentVersion({ config: await read("deno.json"), version: await read("protocol/version.ts") }), /^\d/);
});
