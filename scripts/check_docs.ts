/**
 * Type-checks every TypeScript snippet of the docs and of the sources, and runs those that are not marked `ignore`:
 * `deno task docs [paths that begin so…] [--root <folder of a repository>]`.
 *
 * All snippets are checked at once. They run in as many processes as there are processors, each imported as a module of its own,
 * with the leak sanitizers on. What fails is reported by file and line of the document.
 */

import { join } from "node:path";
import { parseArgs } from "node:util";
import { plainText, ROOT, runDeno } from "./command.ts";
import { docFiles, readSnippets, type Snippet, sourceFiles } from "./docs/snippets.ts";
import { print } from "./print.ts";
import { PERMISSIONS } from "./run_tests.ts";

/** Milliseconds for all snippets together. */
const PATIENCE = 300_000;

/** What came of a check. */
export interface DocsCheck {
  readonly ok: boolean;
  /** What is wrong, by file and line; what Deno wrote when all is right. */
  readonly output: string;
}

/** The snippets of a repository: those of its documents, then those of its sources. */
function allSnippets(root: string): Snippet[] {
  return [...docFiles(root), ...sourceFiles(root)].flatMap((path) =>
    readSnippets(path, Deno.readTextFileSync(`${root}/${path}`))
  );
}

/** Type-checks and runs snippets against the sources of the repository at `root`. */
async function checkSnippets(root: string, snippets: readonly Snippet[]): Promise<DocsCheck> {
  if (snippets.length === 0) return { ok: true, output: "" };
  const twice = firstTwice(snippets);
  if (twice !== undefined) return { ok: false, output: `${twice.path}:${twice.line}: There is another ${twice.name} above\n` };
  const folder = await Deno.makeTempDir({ prefix: "causeway-docs-" });
  try {
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify(await settings(root)));
    // The packages that the repository is locked to.
    await Deno.copyFile(`${root}/deno.lock`, `${folder}/deno.lock`).catch(() => {});
    const files = await writeSnippets(folder, snippets);
    const checked = await runDeno(["check", "--quiet", ...files], { cwd: folder });
    if (checked.code !== 0) return { ok: false, output: inDocuments(checked.output, folder) };
    const tests = await writeTests(folder, snippets);
    if (tests.length === 0) return { ok: true, output: "" };
    const command = ["test", ...PERMISSIONS, "--parallel", "--no-check", "--quiet", ...tests];
    const { code, output, timedOut } = await runDeno(command, { cwd: folder, timeout: PATIENCE });
    const late = timedOut ? `The snippets did not end within ${PATIENCE} ms\n` : "";
    return { ok: code === 0, output: inDocuments(output, folder) + late };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** A configuration under which the snippets import the package as its users do. */
async function settings(root: string): Promise<object> {
  const { name, exports = {}, imports: given = {}, compilerOptions = {} } = JSON.parse(
    await Deno.readTextFile(`${root}/deno.json`),
  ) as { name: string; exports?: Record<string, string>; imports?: Record<string, string>; compilerOptions?: object };
  const imports = { ...given };
  for (const [door, file] of Object.entries(exports)) imports[join(name, door)] = `file://${join(root, file)}`;
  const test = { sanitizeOps: true, sanitizeResources: true };
  return { imports, compilerOptions, test, unstable: ["no-legacy-abort"] };
}

/** A second snippet of the same name in one document. */
function firstTwice(snippets: readonly Snippet[]): Snippet | undefined {
  const seen = new Set<string>();
  return snippets.find(({ path, name }) => {
    const known = name !== undefined && seen.has(`${path} ${name}`);
    seen.add(`${path} ${name}`);
    return known;
  });
}

/** A file for each snippet, in a folder for each document; its lines have the numbers that they have there. */
async function writeSnippets(folder: string, snippets: readonly Snippet[]): Promise<string[]> {
  const files: string[] = [];
  for (const snippet of snippets) {
    const { path, line, name, code } = snippet;
    const file = `${folder}/${path}/${fileOf(snippet)}`;
    await Deno.mkdir(file.slice(0, file.lastIndexOf("/")), { recursive: true });
    const module = /^\s*(?:import|export)\b/m.test(code) ? code : `${code}\nexport {};`;
    await Deno.writeTextFile(file, `${"\n".repeat(line - 1)}${module}\n`);
    files.push(`${path}/${name ?? fileOf(snippet)}`);
  }
  return files;
}

function fileOf({ line, name }: Snippet): string {
  return name ?? `line_${line}.ts`;
}

/** The files that run them: one for each document, which imports its snippets one after the other, and those that are tests. */
async function writeTests(folder: string, snippets: readonly Snippet[]): Promise<string[]> {
  const running = snippets.filter(({ ignored }) => !ignored);
  const tests = running.filter((snippet) => isTest(snippet)).map((snippet) => `${snippet.path}/${fileOf(snippet)}`);
  for (const [path, own] of Map.groupBy(running.filter((snippet) => !isTest(snippet)), ({ path }) => path)) {
    const text = own.map((one) => `Deno.test("${path}:${one.line}", async () => void await import("./${fileOf(one)}"));\n`);
    await Deno.writeTextFile(`${folder}/${path}/all_snippets_test.ts`, text.join(""));
    tests.push(`${path}/all_snippets_test.ts`);
  }
  return tests;
}

/** A snippet that registers tests is a test module itself. */
function isTest({ code }: Snippet): boolean {
  return /\bDeno\.test\(/.test(code);
}

/** The same text with places in the documents instead of places in the temporary files. */
function inDocuments(output: string, folder: string): string {
  return plainText(output)
    .replaceAll(new RegExp(`(?:file://)?(?:/private)?${folder}/(\\S+?\\.(?:md|ts))/[\\w/-]+\\.ts:(\\d+)(?::\\d+)?`, "g"), "$1:$2")
    .replaceAll(/ => \.\/\S+\/all_snippets_test\.ts:\d+:\d+/g, "");
}

if (import.meta.main) {
  const { values: { root }, positionals } = parseArgs({
    allowPositionals: true,
    options: { root: { type: "string", default: ROOT } },
  });
  const started = performance.now();
  const snippets = allSnippets(root).filter(({ path }) =>
    positionals.length === 0 || positionals.some((begin) => path.startsWith(begin))
  );
  const { ok, output } = await checkSnippets(root, snippets);
  if (!ok) print(output);
  const run = snippets.filter(({ ignored }) => !ignored).length;
  const documents = new Set(snippets.map(({ path }) => path).filter((path) => path.endsWith(".md"))).size;
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  const inDocs = snippets.filter(({ path }) => path.endsWith(".md")).length;
  print(
    `${inDocs} snippets in ${documents} documents and ${snippets.length - inDocs} in the sources: ` +
      `${ok ? `all type-checked, ${run} of them run` : "FAILED, see above"} (${seconds} s)`,
  );
  Deno.exit(ok ? 0 : 1);
}
