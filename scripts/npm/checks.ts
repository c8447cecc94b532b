/** Checks a packed package as its users meet it. Each check gives what is wrong; nothing is good. */

import { readFile } from "node:fs/promises";
import { plainText, ROOT, runCommand } from "../command.ts";
import type { Consumer } from "./consumer.ts";
import { browserProgram, importProgram, requireProgram, toolsProgram, typedProgram } from "./programs.ts";
import { readmeFaults } from "./readme.ts";
import { COMPILERS, installTools, nodeProgram, NODES, type ToolSet } from "./tools.ts";

/** One check: its name, and what it finds wrong. */
export interface Check {
  readonly name: string;
  run(): Promise<readonly string[]>;
}

/** What is checked. */
export interface Subject {
  readonly tarball: string;
  readonly consumer: Consumer;
  /** The doors as users import them. */
  readonly specifiers: readonly string[];
}

/** What the compiler may work out for one tool: its definition and one typed call. */
const INSTANTIATIONS = 750;
/** So many tools are compared with half as many. */
const TOOLS = 200;

/** The checks of an installed package. */
export function installedChecks(subject: Subject): Check[] {
  const checks: Check[] = [
    { name: "publint finds nothing", run: () => publint(subject) },
    { name: "are the types wrong? finds nothing", run: () => typesWrong(subject) },
  ];
  for (const node of NODES) {
    const run = (program: string) => async (): Promise<string[]> => {
      return faultsOf(await subject.consumer.run([await nodeProgram(node), program]));
    };
    checks.push({ name: `every door imports under ${node}`, run: run("import.mjs") });
    checks.push({ name: `every door is required under ${node}`, run: run("require.cjs") });
  }
  // Before those that add the types of Node.
  for (const { name } of COMPILERS) {
    checks.push({ name: `${name} for a browser, without the types of Node`, run: () => compileForBrowser(subject, name) });
  }
  for (const { name, types } of COMPILERS) {
    for (const resolution of ["nodenext", "bundler"] as const) {
      checks.push({ name: `${name} with ${resolution}`, run: () => compile(subject, name, types, resolution) });
    }
  }
  checks.push({
    name: `the types of one more tool take at most ${INSTANTIATIONS} instantiations`,
    run: () => instantiations(subject),
  });
  checks.push({ name: "the first example of README runs under node20", run: () => readmeFaults(subject.consumer) });
  return checks;
}

/** Writes the programs that the checks run. */
export async function writePrograms({ consumer, specifiers }: Subject): Promise<void> {
  await consumer.write("import.mjs", importProgram(specifiers));
  await consumer.write("require.cjs", requireProgram(specifiers));
  const doors = specifiers.filter((one) => !one.endsWith(".json"));
  await consumer.write("typed.ts", typedProgram(doors));
  await consumer.write("common.cts", typedProgram(doors));
  await consumer.write("browser.ts", browserProgram(doors));
}

async function publint({ tarball }: Subject): Promise<string[]> {
  const cli = `${await installTools("checks")}/publint/src/cli.js`;
  const { code, output } = await runCommand([await nodeProgram("node24"), cli, "run", tarball, "--strict"]);
  const text = plainText(output);
  return code === 0 && /All good!/.test(text) ? [] : [text.trim()];
}

/** The package is ES modules alone: Node 20.19 and later require them, and only the resolution of Node 10 knows no exports. */
async function typesWrong({ tarball }: Subject): Promise<string[]> {
  const folder = `${await installTools("checks")}/@arethetypeswrong/cli`;
  const { bin } = JSON.parse(await readFile(`${folder}/package.json`, "utf8")) as { bin: Record<string, string> };
  const cli = `${folder}/${Object.values(bin)[0]}`;
  const command = [await nodeProgram("node24"), cli, tarball, "--profile", "esm-only", "--no-emoji"];
  return faultsOf(await runCommand(command));
}

async function compile(
  { consumer }: Subject,
  compiler: string,
  types: ToolSet,
  resolution: "nodenext" | "bundler",
): Promise<string[]> {
  const tools = await installTools("checks");
  const file = `tsconfig.${compiler}.${resolution}.json`;
  const common = resolution === "nodenext" ? ["common.cts"] : [];
  const options = {
    ...COMPILER_OPTIONS,
    lib: ["es2023"],
    module: resolution === "nodenext" ? "nodenext" : "esnext",
    moduleResolution: resolution,
    types: ["node"],
  };
  await consumer.add(await installTools(types));
  await consumer.write(file, JSON.stringify({ compilerOptions: options, files: ["typed.ts", ...common] }));
  return faultsOf(await consumer.run([await nodeProgram("node24"), `${tools}/${compiler}/bin/tsc`, "-p", file]));
}

/** Every declaration stands on ES2022 and the web alone. */
async function compileForBrowser({ consumer }: Subject, compiler: string): Promise<string[]> {
  const tools = await installTools("checks");
  const file = `tsconfig.${compiler}.browser.json`;
  const options = { ...COMPILER_OPTIONS, lib: ["es2022", "dom"], module: "esnext", moduleResolution: "bundler", types: [] };
  await consumer.write(file, JSON.stringify({ compilerOptions: options, files: ["browser.ts"] }));
  return faultsOf(await consumer.run([await nodeProgram("node24"), `${tools}/${compiler}/bin/tsc`, "-p", file]));
}

const COMPILER_OPTIONS = {
  target: "es2022",
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  skipLibCheck: false,
  noEmit: true,
};

/** Twice the tools take twice the work, and the work of each is bounded. */
async function instantiations({ consumer }: Subject): Promise<string[]> {
  const tools = await installTools("checks");
  await consumer.add(await installTools("types20"));
  const counts: number[] = [];
  for (const count of [0, TOOLS / 2, TOOLS]) {
    await consumer.write("many.ts", toolsProgram(count));
    const command = [
      await nodeProgram("node24"),
      `${tools}/typescript5/bin/tsc`,
      "--noEmit",
      "--strict",
      "--extendedDiagnostics",
    ];
    const options = ["--module", "nodenext", "--target", "es2022", "--lib", "es2023", "--types", "node", "many.ts"];
    const found = await consumer.run([...command, ...options]);
    if (found.code !== 0) return faultsOf(found);
    counts.push(Number(/Instantiations:\s*(\d+)/.exec(found.output)?.[1]));
  }
  const [none = NaN, half = NaN, all = NaN] = counts;
  const each = Math.round((all - none) / TOOLS);
  const faults: string[] = [];
  if (!(each <= INSTANTIATIONS)) faults.push(`Each tool takes ${each} instantiations, at most ${INSTANTIATIONS} are wanted`);
  if (!(all - none <= 2.2 * (half - none))) {
    faults.push(`${TOOLS} tools take ${all - none} instantiations, half of them ${half - none}`);
  }
  return faults;
}

function faultsOf({ code, output, timedOut }: { code: number; output: string; timedOut: boolean }): string[] {
  if (timedOut) return ["It takes too long"];
  return code === 0 ? [] : [plainText(output).trim().replaceAll(`${ROOT}/dist/tools/`, "")];
}
