import assert from "node:assert/strict";
import { ROOT } from "../../scripts/command.ts";
import { docFiles } from "../../scripts/docs/snippets.ts";
import { currentText, llmsText, readGuide } from "../../scripts/llms.ts";

Deno.test("docs/llms.txt is what the guides make: deno run -A scripts/llms.ts --write", async () => {
  assert.equal(await Deno.readTextFile(`${ROOT}/docs/llms.txt`), await currentText(ROOT));
});

Deno.test("readGuide takes the title and the first sentence, over line ends and without links", () => {
  const text = "# Asking\n\nA server [may](x.md) ask\nin **v1.0** of its work: a person. And more.\n\n## Next\n";
  assert.deepEqual(readGuide("a.md", text), {
    file: "a.md",
    title: "Asking",
    sentence: "A server may ask in v1.0 of its work: a person.",
  });
  assert.throws(() => readGuide("b.md", "# Asking\n\n## Next\n\nA sentence.\n"), /b\.md: Expected a title, and a sentence/);
  assert.throws(() => readGuide("c.md", "A sentence.\n"), /c\.md: Expected/);
});

Deno.test("llmsText lists guides in the order of readers, unknown ones behind the others", () => {
  const guide = (file: string) => ({ file, title: file, sentence: "It helps." });
  const lines = llmsText([guide("zebra.md"), guide("input.md"), guide("apple.md"), guide("first-server.md")]).split("\n");
  assert.deepEqual(lines.filter((line) => line.startsWith("- ")).map((line) => /\((.*)\)/.exec(line)?.[1]), [
    "first-server.md",
    "input.md",
    "apple.md",
    "zebra.md",
  ]);
});

Deno.test("every link from README and the guides to a file of the repository, and to a heading, leads somewhere", async () => {
  const files = docFiles(ROOT);
  const lost: string[] = [];
  for (const file of files) {
    const text = await Deno.readTextFile(`${ROOT}/${file}`);
    const prose = text.replaceAll(/^(`{3,}).*?^\1$/gms, "");
    for (const [, target = ""] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^[a-z]+:/.test(target)) continue;
      const url = new URL(target, `file://${ROOT}/${file}`);
      const found = await Deno.readTextFile(url.pathname).catch(() => undefined);
      if (found === undefined || (url.hash !== "" && !anchors(found).has(url.hash.slice(1)))) lost.push(`${file}: ${target}`);
    }
  }
  assert.deepEqual(lost, []);
});

/** The names under which GitHub reaches the headings of a text. */
function anchors(text: string): Set<string> {
  return new Set(
    [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
      heading.toLowerCase().replaceAll(/[^\p{L}\p{N} _-]/gu, "").replaceAll(" ", "-")
    ),
  );
}
