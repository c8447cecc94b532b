/**
 * Makes `docs/llms.txt`, a list of the guides for models, from their titles and first sentences: `deno task llms --write`.
 * Without `--write`, the status is 1 when the file is another one.
 */

import { ROOT } from "./command.ts";
import { print } from "./print.ts";

/** The order in which a reader wants the guides; others follow by name. */
const ORDER: readonly string[] = [
  ...["first-server", "first-client", "tools-and-schemas", "resources-and-templates", "prompts-and-completion", "input"],
  ...["errors", "subscriptions", "caching", "middleware", "proxy", "authorization", "extensions", "apps", "skills", "testing"],
  ...[
    "deploy",
    "observability",
    "limits-and-security",
    "revisions-and-old-peers",
    "from-the-official-sdk",
    "from-fastmcp",
    "features",
    "limits-of-this-library",
  ],
];

/** A guide: its file, its title, and its first sentence. */
export interface Guide {
  readonly file: string;
  readonly title: string;
  readonly sentence: string;
}

/**
 * Reads a guide.
 *
 * @throws {Error} When it does not begin with a title and a sentence.
 */
export function readGuide(file: string, text: string): Guide {
  const [head = "", body = ""] = text.split(/\n\n/, 2);
  const title = /^# (.+)$/.exec(head.trim())?.[1];
  const sentence = /^(?![#|-]|```).*?[.!?](?=\s|$)/.exec(plain(body.replaceAll("\n", " ")))?.[0];
  if (title === undefined || sentence === undefined) throw new Error(`${file}: Expected a title, and a sentence below it`);
  return { file, title, sentence };
}

/** The text of `llms.txt`. */
export function llmsText(guides: readonly Guide[]): string {
  const place = ({ file }: Guide): number => (ORDER.indexOf(file.replace(/\.md$/, "")) + 1 || ORDER.length + 1);
  const sorted = [...guides].sort((a, b) => place(a) - place(b) || a.file.localeCompare(b.file));
  return [
    "# Causeway",
    "",
    "> Clients and servers for the Model Context Protocol (MCP): `@causeway/mcp`, for Deno, Node, Bun, Workers and browsers.",
    "",
    "## Guides",
    "",
    ...sorted.map(({ file, title, sentence }) => `- [${title}](${file}): ${sentence}`),
    "",
  ].join("\n");
}

/** The text that the guides in `docs/` of a repository make. */
export async function currentText(root: string): Promise<string> {
  const guides: Guide[] = [];
  for await (const { name } of Deno.readDir(`${root}/docs`)) {
    if (name.endsWith(".md")) guides.push(readGuide(name, await Deno.readTextFile(`${root}/docs/${name}`)));
  }
  return llmsText(guides);
}

/** Text without links and marks. */
function plain(text: string): string {
  return text.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1").replaceAll("**", "");
}

async function main(): Promise<number> {
  const path = `${ROOT}/docs/llms.txt`;
  const text = await currentText(ROOT);
  if (await Deno.readTextFile(path).catch(() => "") === text) {
    print("docs/llms.txt is current");
    return 0;
  }
  if (!Deno.args.includes("--write")) {
    print("docs/llms.txt is not current: run this again with --write");
    return 1;
  }
  await Deno.writeTextFile(path, text);
  print("docs/llms.txt is written");
  return 0;
}

if (import.meta.main) Deno.exit(await main());
