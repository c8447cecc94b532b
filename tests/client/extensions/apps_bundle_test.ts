import assert from "node:assert/strict";
import { ROOT, runDeno } from "../../../scripts/command.ts";

/** The door bundled for a browser, with all that it loads. */
async function bundle(entry: string): Promise<string> {
  const folder = await Deno.makeTempDir({ prefix: "causeway-apps-" });
  try {
    const out = `${folder}/door.js`;
    const { code, output } = await runDeno(["bundle", "--platform", "browser", "-o", out, `${ROOT}/${entry}`]);
    assert.equal(code, 0, output);
    return await Deno.readTextFile(out);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** What makes code of a text, which a policy without 'unsafe-eval' forbids (CSP Level 3 § 4.4). */
const MAKES_CODE = /\beval\s*\(|\bnew\s+Function\b|[^.\w]Function\s*\(|\.constructor\s*\(\s*["'`]/;

Deno.test("apps 18 nothing that the door for hosts and views loads makes code of a text", async () => {
  assert.match("new Function('return 1')", MAKES_CODE);
  assert.match("(0, eval)('1'); eval ('1')", MAKES_CODE);
  const code = await bundle("client/extensions/apps.ts");
  assert.ok(code.length > 10_000);
  const found = MAKES_CODE.exec(code);
  assert.equal(found === null ? undefined : code.slice(Math.max(0, found.index - 80), found.index + 80), undefined);
  assert.doesNotMatch(code, /\bimport\s*\(\s*["'](?:ajv|node:)/);
});

Deno.test("the doors of Apps stay out of the doors that everybody loads", async () => {
  for (const entry of ["client/mod.ts", "server/mod.ts"]) {
    const out = await runDeno(["info", "--json", `${ROOT}/${entry}`]);
    assert.equal(out.code, 0, out.output);
    const modules = (JSON.parse(out.output.slice(out.output.indexOf("{"))) as { modules: { specifier: string }[] }).modules;
    assert.ok(modules.length > 50);
    const apps = modules.map(({ specifier }) => specifier).filter((specifier) => /\/extensions\/(?:app|bridge)/.test(specifier));
    assert.deepEqual(apps, [], entry);
  }
});
