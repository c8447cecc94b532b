/** Reads the names of tests out of their sources. */
import { readTokens } from "./source_tokens.ts";

/** Tokens in which the end of a template is looked for. */
const STRETCH = 24;

/** Is it a file whose tests speak of the package, and not of the scripts? */
export function isTestFile(path: string): boolean {
  return /^tests\/(?!scripts\/).*_test\.ts$/.test(path);
}

/** The names of `Deno.test("…")`, `test.step("…")` and `{ name: "…" }`; `…` stands for what is filled in. */
export function* testNames(text: string): Generator<string> {
  const tokens = readTokens(text);
  for (let at = 0; at < tokens.length; at++) {
    const token = tokens[at];
    if (token?.kind !== "string" && token?.kind !== "template") continue;
    const before = tokens[at - 1]?.text;
    const called = before === "(" && ["test", "step", "only", "ignore"].includes(tokens[at - 2]?.text ?? "");
    if (!called && !(before === ":" && tokens[at - 2]?.text === "name")) continue;
    let name = token.text;
    // The stretches of one template are parted by what stands in `${…}`.
    if (token.kind === "template") {
      for (let next = at + 1; next < tokens.length && next - at < STRETCH; next++) {
        const stretch = tokens[next];
        if (stretch?.text === ",") break;
        if (stretch?.kind === "template") name += `…${stretch.text}`;
      }
    }
    yield name;
  }
}
