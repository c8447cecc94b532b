/** Finds the TypeScript snippets of documents and of comments in sources. */

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

/** The blocks fenced with `ts` in a Markdown text, or, where `path` is a source, in its comments. */
export function readSnippets(path: string, text: string): Snippet[] {
  const found: Snippet[] = [];
  const lines = text.split("\n").map(path.endsWith(".md") ? (line) => line : commentText);
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

/** What a line of a block comment says; nothing for any other line. */
function commentText(line: string): string {
  return /^\s*\* ?(.*)$/.exec(line)?.[1] ?? "";
}

/** The documents whose snippets count, from the repository. */
export function docFiles(root: string): string[] {
  return ["README.md", ...filesBelow(root, "docs").filter((path) => path.endsWith(".md"))].filter((path) => exists(root, path));
}

/** The sources whose comments count, from the repository. */
export function sourceFiles(root: string): string[] {
  const folders = ["client", "protocol", "server", "testing", "transports"];
  const found = ["mod.ts", "testing.ts", ...folders.flatMap((folder) => filesBelow(root, folder))];
  return found.filter((path) => path.endsWith(".ts") && exists(root, path));
}

function filesBelow(root: string, folder: string): string[] {
  if (!exists(root, folder)) return [];
  const entries = [...Deno.readDirSync(`${root}/${folder}`)].sort((a, b) => a.name < b.name ? -1 : 1);
  return entries.flatMap(({ name, isDirectory }) => isDirectory ? filesBelow(root, `${folder}/${name}`) : [`${folder}/${name}`]);
}

function exists(root: string, path: string): boolean {
  try {
    Deno.statSync(`${root}/${path}`);
    return true;
  } catch {
    return false;
  }
}
