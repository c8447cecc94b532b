/** Type-checks every TypeScript snippet of the docs, and runs those that are not marked `ignore`, with those of the sources. */

import { join } from "node:path";
import { ROOT, runDeno } from "./command.ts";
import { print } from "./print.ts";
import { PERMISSIONS } from "./run_tests.ts";

/** One fenced block of TypeScript. */
export interface Snippet {
  /** The file it stands in, from the repository. */
  readonly path: string;
  /** The line of its first line of code. */
  readonly line: number;
  /** Its file name, when its first line is a comment with nothing else, as in `// server.ts`. */
  readonly name: string | undefined;
  /** Marked `ignore`: it is type-checked and not run (it waits for ever, or asks a server that is not there). */
  readonly ignored: boolean;
  readonly code: string;
}

/** The blocks fenced with `ts` in a Markdown text. */
export function readSnippets(path: string, text: string): Snippet[] {
  const found: Snippet[] = [];
  const lines = text.split("\n");
  for (let at = 0; at < lines.length; at++) {
    const fence = /^\s*(`{3,})(?:ts|typescript)\b(.*)$/.exec(lines[at] ?? "");
    if (!fence) continue;
    const start = at + 1;
    while (at + 1 < lines.length && lines[at + 1]?.trim() !== fence[1]) at++;
    const body = lines.slice(start, at + 1);
    const name = /^\s*\/\/ ([\w/-]+\.ts)\s*$/.exec(body[0] ?? "")?.[1];
    found.push({ path, line: start + 1, name, ignored: /\bignore\b/.test(fence[2] ?? ""), code: body.join("\n") });
  }
  return found;
}

/** The Markdown files whose snippets count. */
export function docFiles(root: string): string[] {
  const inDocs = exists(`${root}/docs`) ? [...Deno.readDirSync(`${root}/docs`)].map(({ name }) => `docs/${name}`) : [];
  return ["README.md", ...inDocs.sort()].filter((path) => path.endsWith(".md") && exists(`${root}/${path}`));
}

/** Type-checks all snippets against the sources; resolves with whether they are right. */
export async function checkSnippets(root: string, snippets: readonly Snippet[]): Promise<boolean> {
  if (snippets.length === 0) return true;
  const config = JSON.parse(await Deno.readTextFile(`${root}/deno.json`));
  const imports: Record<string, string> = { ...config.imports };
  for (const [door, file] of Object.entries(config.exports as Record<string, string>)) {
    imports[join(config.name, door)] = `file://${join(root, file)}`;
  }
  const folder = await Deno.makeTempDir({ prefix: "causeway-docs-" });
  try {
    await Deno.writeTextFile(`${folder}/deno.json`, JSON.stringify({ imports, compilerOptions: config.compilerOptions }));
    const files: string[] = [];
    for (const { path, line, name, code } of snippets) {
      const home = `${folder}/${path.replaceAll("/", "_")}`;
      await Deno.mkdir(home, { recursive: true });
      const file = `${home}/${name ?? `line_${line}.ts`}`;
      await Deno.writeTextFile(file, /^\s*(?:import|export)\b/m.test(code) ? code : `${code}\nexport {};\n`);
      files.push(file);
    }
    const { code } = await runDeno(["check", "--no-lock", ...files], { cwd: folder, forward: true });
    return code === 0;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function exists(path: string): boolean {
  try {
    Deno.statSync(path);
    return true;
  } catch {
    return false;
  }
}

if (import.meta.main) {
  const docs = docFiles(ROOT);
  const snippets = docs.flatMap((path) => readSnippets(path, Deno.readTextFileSync(`${ROOT}/${path}`)));
  if (!(await checkSnippets(ROOT, snippets))) Deno.exit(1);
  const sources = ["mod.ts", "testing.ts", "client", "protocol", "server", "testing", "transports"].filter((path) =>
    exists(`${ROOT}/${path}`)
  );
  const { code } = await runDeno(["test", "--doc", "--permit-no-files", ...PERMISSIONS, ...docs, ...sources], { forward: true });
  const run = snippets.filter(({ ignored }) => !ignored).length;
  print(`${snippets.length} snippets in ${docs.length} documents type-checked, ${run} of them run, and those of the sources`);
  Deno.exit(code);
}
