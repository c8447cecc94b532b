import assert from "node:assert/strict";
import { plainText, ROOT, runDeno } from "../../scripts/command.ts";
import { percent, readLcov } from "../../scripts/coverage.ts";
import { readSnippets } from "../../scripts/docs/snippets.ts";

Deno.test("readSnippets finds the TypeScript blocks with their line, name and mark", () => {
  const text = "# A\n```ts\nf();\n```\n```sh\nls\n```\n```ts ignore\n// server.ts\ng();\n```\n";
  assert.deepEqual(readSnippets("README.md", text), [
    { path: "README.md", line: 3, name: undefined, ignored: false, code: "f();" },
    { path: "README.md", line: 9, name: "server.ts", ignored: true, code: "// server.ts\ng();" },
  ]);
});

Deno.test("readSnippets finds the blocks in the comments of a source, and none in its code", () => {
  const text =
    "/**\n * Says so.\n *\n * ```ts\n * if (f()) {\n *   g();\n * }\n * ```\n */\nconst fence = `\n```ts\nh();\n```\n`;\n";
  assert.deepEqual(readSnippets("a.ts", text), [
    { path: "a.ts", line: 5, name: undefined, ignored: false, code: "if (f()) {\n  g();\n}" },
  ]);
});

Deno.test("check_docs ends with status 0 when every snippet of a repository compiles and runs", async () => {
  const { code, output } = await checkDocs({
    "README.md": "# A\n\n```ts\n// numbers.ts\nexport const three: number = 3;\n```\n",
    "docs/a.md": [
      ...["```ts", "// even.ts", "export const two = 2;", "```"],
      ...["```ts", 'import { two } from "./even.ts";', 'if (two !== 2) throw new Error("It is not two");', "```"],
      ...["```ts ignore", 'throw new Error("This is not run");', "```", ""],
    ].join("\n"),
  });
  assert.equal(code, 0, output);
  assert.match(output, /4 snippets in 2 documents and 0 in the sources: all type-checked, 3 of them run/);
});

Deno.test("check_docs ends with status 1 and names file and line when a snippet fails", async () => {
  const { code, output } = await checkDocs({
    "README.md": "# A\n\n```ts\nexport const fine = 1;\n```\n",
    "docs/guide.md": '# B\n\n```ts\nexport const fine = 2;\n\nthrow new Error("It broke");\n```\n',
  });
  assert.equal(code, 1, output);
  assert.match(output, /It broke[\s\S]*at docs\/guide\.md:6/);
  assert.match(output, /^docs\/guide\.md:4$/m);
  assert.doesNotMatch(output, /causeway-docs-/);
});

Deno.test("check_docs ends with status 1 and names file and line when a snippet does not compile, though it is not run", async () => {
  const { code, output } = await checkDocs({ "docs/guide.md": "# B\n\n```ts ignore\nexport const wrong: string = 1;\n```\n" });
  assert.equal(code, 1, output);
  assert.match(output, /Type 'number' is not assignable to type 'string'[\s\S]*at docs\/guide\.md:4/);
});

Deno.test("check_docs ends with status 1 and names the line when a source's comment holds a snippet that fails", async () => {
  const { code, output } = await checkDocs({
    "mod.ts": '/**\n * ```ts\n * throw new Error("It broke");\n * ```\n */\nexport {};\n',
  });
  assert.equal(code, 1, output);
  assert.match(output, /at mod\.ts:3/);
});

Deno.test("check_docs refuses two snippets of the same name in one document", async () => {
  const block = "```ts\n// a.ts\nexport const a = 1;\n```\n";
  const { code, output } = await checkDocs({ "docs/guide.md": block + block });
  assert.equal(code, 1, output);
  assert.match(output, /docs\/guide\.md:6: There is another a\.ts above/);
});

Deno.test("readLcov adds up a file that was reported twice", () => {
  const files = readLcov("SF:/a.ts\nDA:1,0\nDA:2,3\nend_of_record\nSF:/a.ts\nDA:1,1\nDA:3,0\nend_of_record\n");
  assert.deepEqual(files, [{ path: "/a.ts", lines: 3, hit: 2 }]);
  assert.equal(percent([{ path: "a", lines: 3, hit: 1 }, { path: "b", lines: 1, hit: 1 }]), 50);
  assert.equal(percent([]), 0);
});

/** Runs the script on a repository that holds these files alone. */
async function checkDocs(files: Readonly<Record<string, string>>): Promise<{ code: number; output: string }> {
  const folder = await Deno.makeTempDir({ prefix: "causeway-repository-" });
  try {
    await Deno.mkdir(`${folder}/docs`);
    await Deno.writeTextFile(`${folder}/deno.json`, '{ "name": "@example/empty", "exports": {} }');
    for (const [path, text] of Object.entries(files)) await Deno.writeTextFile(`${folder}/${path}`, text);
    const { code, output } = await runDeno(["run", "-A", `${ROOT}/scripts/check_docs.ts`, "--root", folder], { timeout: 60_000 });
    return { code, output: plainText(output) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}
