/** Checks the house rules of `import_rules.ts` over the tree: imports, cycles, globals, revisions, sizes. */

import { ROOT } from "./command.ts";
import { longFunctions } from "./function_sizes.ts";
import {
  BRIDGE_VERSION_FILE,
  CLASS_FILES,
  CONSOLE_FILES,
  DIALECTS,
  IMPORT_RULES,
  IMPURE_GLOBALS,
  matches,
  RUNTIME_FILES,
  SIZES,
  SOURCES,
} from "./import_rules.ts";
import { print } from "./print.ts";
import { readTokens, type Token } from "./source_tokens.ts";

/** What was found: `problems` fail the check, `warnings` only ask. Each is `file:line: sentence`. */
export interface Findings {
  readonly problems: string[];
  readonly warnings: string[];
}

interface Import {
  readonly specifier: string;
  readonly line: number;
}

const COMPARISONS = new Set(["===", "!==", "==", "!="]);
const REVISION = /20\d\d-\d\d-\d\d/;

/** Checks the files (path in the repository → text). `own` is the name of the package. */
export function checkSources(files: ReadonlyMap<string, string>, own: string): Findings {
  const findings: Findings = { problems: [], warnings: [] };
  const graph = new Map<string, string[]>();
  for (const [path, text] of files) {
    const tokens = readTokens(text);
    const imports = readImports(tokens);
    const report = (line: number, sentence: string): void => void findings.problems.push(`${path}:${line}: ${sentence}`);
    graph.set(path, imports.flatMap((one) => resolve(path, one.specifier) ?? []));
    for (const one of imports) checkImport(path, one, own, report);
    if (!SOURCES.some((pattern) => matches(path, pattern))) continue;
    checkGlobals(path, tokens, report);
    checkRevisions(path, tokens, report);
    checkHabits(path, text, tokens, report);
    const lines = text.trimEnd().split("\n").length;
    if (lines > SIZES.file) findings.warnings.push(`${path}:1: The file has ${lines} lines, more than ${SIZES.file}`);
    for (const { line, length } of longFunctions(tokens, SIZES.function)) {
      findings.warnings.push(`${path}:${line}: The function has ${length} lines, more than ${SIZES.function}`);
    }
  }
  for (const cycle of findCycles(graph)) findings.problems.push(`${cycle[0]}:1: Imports itself: ${cycle.join(" → ")}`);
  return findings;
}

type Report = (line: number, sentence: string) => void;

function checkImport(path: string, { specifier, line }: Import, own: string, report: Report): void {
  const rule = IMPORT_RULES.find((one) => matches(path, one.in));
  if (rule === undefined) return report(line, "Imports from a folder that no rule names");
  const target = resolve(path, specifier);
  const free = matches(path, "tests/") || matches(path, "scripts/");
  if (target !== undefined) {
    if (!rule.ours.some((pattern) => matches(target, pattern))) report(line, `Imports ${target}: ${rule.in} may not`);
  } else if (specifier.startsWith("node:")) {
    if (!free && !matches(path, "examples/")) report(line, `Imports ${specifier}: ask process.getBuiltinModule for it`);
  } else if (/^[a-z]+:/.test(specifier)) {
    report(line, `Imports ${specifier}: a package comes through the import map`);
  } else {
    const allowed = rule.packages ?? [];
    const name = packageName(specifier);
    if (!allowed.includes("*") && (!allowed.includes(name) || name === own)) {
      report(line, `Imports ${specifier}: ${rule.in} may not`);
    }
  }
}

function checkGlobals(path: string, tokens: readonly Token[], report: Report): void {
  const runtime = RUNTIME_FILES.includes(path);
  for (const [at, { kind, text, line }] of tokens.entries()) {
    if (kind === "string" || kind === "template") {
      if (!runtime && text.startsWith("node:")) report(line, `Names the built-in module ${text}: only a runtime file may`);
      continue;
    }
    if (kind !== "word") continue;
    if (!runtime && (text === "Deno" || text === "getBuiltinModule")) report(line, `Names ${text}: only a runtime file may`);
    if (text === "console" && isGlobal(tokens, at) && !CONSOLE_FILES.includes(path)) {
      report(line, "Names console: use the log option");
    }
    if (!path.startsWith("protocol/")) continue;
    if (IMPURE_GLOBALS.includes(text) && isGlobal(tokens, at)) report(line, `Names ${text}: protocol/ is pure`);
    if (text === "random" && tokens[at - 2]?.text === "Math") report(line, "Names Math.random: protocol/ is pure");
  }
}

/** Whether the word at `at` stands for itself: no member (`x.fetch`), no key and no method or property declaration. */
function isGlobal(tokens: readonly Token[], at: number): boolean {
  const before = tokens[at - 1]?.text;
  const after = tokens[at + 1]?.text;
  if (before === "." || before === "?.") return tokens[at - 2]?.text === "globalThis";
  if (after === "?" && [":", ",", ")", "(", ";"].includes(tokens[at + 2]?.text ?? "")) return false;
  return after !== ":" || before === "?";
}

function checkRevisions(path: string, tokens: readonly Token[], report: Report): void {
  if (path.startsWith(DIALECTS) || path === BRIDGE_VERSION_FILE) return;
  let declaring = false;
  for (const [at, { kind, text, line }] of tokens.entries()) {
    if (text === "ProtocolVersion" && tokens[at - 1]?.text === "type") declaring = path === "protocol/types.ts";
    if (kind === "punct" && text === ";") declaring = false;
    if ((kind === "string" || kind === "template") && REVISION.test(text) && !declaring) {
      report(line, `Names the revision "${text}": only ${DIALECTS} may`);
    }
    if (kind !== "word" || (text !== "era" && text !== "protocolVersion")) continue;
    const start = memberStart(tokens, at);
    const right = COMPARISONS.has(tokens[at + 1]?.text ?? "") && isText(tokens[at + 2]);
    const left = COMPARISONS.has(tokens[start - 1]?.text ?? "") && isText(tokens[start - 2]);
    const chosen = tokens[start - 1]?.text === "(" && tokens[start - 2]?.text === "switch";
    if (left || right || chosen) report(line, `Compares ${text}: ask the dialect instead`);
  }
}

/** Where the chain of members that ends at `at` begins (`a.b?.era` → the token `a`). */
function memberStart(tokens: readonly Token[], at: number): number {
  let start = at;
  while ([".", "?."].includes(tokens[start - 1]?.text ?? "") && tokens[start - 2]?.kind === "word") start -= 2;
  return start;
}

function isText(token: Token | undefined): boolean {
  return token?.kind === "string" || token?.kind === "template";
}

function checkHabits(path: string, text: string, tokens: readonly Token[], report: Report): void {
  if (!text.startsWith("/**")) report(1, "Does not open with a sentence that says what the file is");
  if (/(^|\/)index\.ts$/.test(path)) report(1, "Is called index.ts: a file is named after what it holds");
  for (const [at, { kind, text: word, line }] of tokens.entries()) {
    if (kind !== "word") continue;
    const before = tokens[at - 1]?.text;
    const after = tokens[at + 1];
    if (word === "default" && before === "export") report(line, "Exports a default: name it");
    const literal = isText(tokens[at + 2]) && [")", ","].includes(tokens[at + 3]?.text ?? "");
    if (word === "import" && before !== "." && after?.text === "(" && !literal) report(line, "Imports a computed name");
    if (word === "using" && after?.kind === "word" && tokens[at + 2]?.text === "=") {
      report(line, "Uses `using`: Node 20 cannot read it");
    }
    if (
      word === "class" && before !== "." && after?.kind === "word" && path.startsWith("protocol/") && !CLASS_FILES.includes(path)
    ) {
      report(line, "Declares a class: protocol/ has functions over values");
    }
  }
}

/** The specifiers of `import`, `export … from` and `import(…)`, types included. */
export function readImports(tokens: readonly Token[]): Import[] {
  const found: Import[] = [];
  for (const [at, token] of tokens.entries()) {
    if (token.kind !== "string" && token.kind !== "template") continue;
    const before = tokens[at - 1]?.text;
    const earlier = tokens[at - 2];
    const dynamic = before === "(" && earlier?.text === "import" && [")", ","].includes(tokens[at + 1]?.text ?? "");
    const fixed = before === "from" && (earlier?.kind === "word" || earlier?.text === "}" || earlier?.text === "*");
    const bare = before === "import" && token.kind === "string" && earlier?.text !== ".";
    if (dynamic || fixed || bare) found.push({ specifier: token.text, line: token.line });
  }
  return found;
}

/** The path in the repository that a relative specifier means; `undefined` for anything else. */
function resolve(from: string, specifier: string): string | undefined {
  if (!specifier.startsWith(".") && !specifier.startsWith("/")) return undefined;
  return new URL(specifier, `file:///${from}`).pathname.slice(1);
}

function packageName(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}

/** Every cycle once, as the files along it. */
export function findCycles(graph: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = [];
  const done = new Set<string>();
  const visit = (file: string, path: readonly string[]): void => {
    const seen = path.indexOf(file);
    if (seen >= 0) return void cycles.push([...path.slice(seen), file]);
    if (done.has(file)) return;
    for (const next of graph.get(file) ?? []) visit(next, [...path, file]);
    done.add(file);
  };
  for (const file of graph.keys()) visit(file, []);
  return cycles;
}

/** Every TypeScript file below `root` that a rule speaks of. */
export function readTree(root: string): Map<string, string> {
  const files = new Map<string, string>();
  const walk = (folder: string): void => {
    for (const entry of [...Deno.readDirSync(`${root}/${folder}`)].sort((a, b) => a.name.localeCompare(b.name))) {
      const path = folder + entry.name;
      if (entry.isDirectory && !/^\.|^(?:node_modules|coverage|dist|docs)$/.test(entry.name)) walk(`${path}/`);
      else if (entry.isFile && path.endsWith(".ts")) files.set(path, Deno.readTextFileSync(`${root}/${path}`));
    }
  };
  walk("");
  return files;
}

if (import.meta.main) {
  const files = readTree(ROOT);
  const { name } = JSON.parse(Deno.readTextFileSync(`${ROOT}/deno.json`)) as { name: string };
  const { problems, warnings } = checkSources(files, name);
  for (const warning of warnings) print(`warning: ${warning}`);
  for (const problem of problems) print(problem);
  print(`${files.size} files, ${problems.length} problems, ${warnings.length} warnings`);
  if (problems.length > 0) Deno.exit(1);
}
