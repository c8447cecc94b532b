/**
 * Runs the official conformance suite against the two fixtures, a process for each scenario, and says what passed. Whole legs
 * are written to `dist/conformance.json`, from which `scripts/readme_tables.ts` makes a table.
 */

import { parseArgs } from "node:util";
import { plainText, ROOT, runDeno, startCommand } from "./command.ts";
import { ALONE, type Expectation, EXPECTED, isExpected } from "./conformance/expected.ts";
import { type Count, keepFigures, type LegFigures } from "./conformance/figures.ts";
import { readScenarios, type Scenario } from "./conformance/lists.ts";
import { conformanceConsumer } from "./conformance/npm.ts";
import { judge, type Verdict } from "./conformance/verdict.ts";
import { print } from "./print.ts";

const USAGE =
  "usage: run_conformance.ts [--leg server|client] [--wire <revision>] [--only <text>] [--all] [--timeout <seconds>]\n" +
  "  [--jobs <n>] [--server <program>] [--client <program>] [--npm]";

const PERMISSIONS = ["--allow-net=127.0.0.1,localhost", "--allow-env"];

interface Options {
  /** Only scenarios whose name contains this. */
  readonly only: string;
  /** Also those that are not offered yet. */
  readonly all: boolean;
  /** Milliseconds for one scenario. */
  readonly timeout: number;
  /** Scenarios that run at the same time. */
  readonly jobs: number;
  /** The commands of the programs under test. */
  readonly server: readonly string[];
  readonly client: readonly string[];
}

/** The totals of one leg and wire. */
interface Tally {
  passed: number;
  failed: number;
  figures?: LegFigures;
}

/** The suite as the import map names it, ready for `deno run`. */
async function suite(): Promise<string> {
  const { imports } = JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as { imports: Record<string, string> };
  return imports["@modelcontextprotocol/conformance"] ?? "npm:@modelcontextprotocol/conformance";
}

async function list(program: string, args: readonly string[]): Promise<string> {
  const { code, output } = await runDeno(["run", "-A", program, "list", ...args], { timeout: 120_000 });
  if (code !== 0) throw new Error(`Cannot list the scenarios: ${output}`);
  return plainText(output);
}

/** Runs one scenario in the suite's single mode, whose checks land in a folder of their own. */
async function runScenario(
  program: string,
  { leg, wire }: Expectation,
  name: string,
  target: string,
  timeout: number,
): Promise<Verdict> {
  const folder = await Deno.makeTempDir({ prefix: "causeway-conformance-" });
  try {
    const end = leg === "server" ? ["--url", target] : ["--command", target];
    const args = [leg, "--scenario", name, "--spec-version", wire, "--force", "--timeout", String(timeout), "-o", folder, ...end];
    const { code, output, timedOut } = await runDeno(["run", "-A", program, ...args], { timeout: timeout + 20_000 });
    return judge({ code, timedOut, output: plainText(output), checks: await findChecks(folder) });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

async function findChecks(folder: string): Promise<string | undefined> {
  for await (const entry of Deno.readDir(folder)) {
    const path = `${folder}/${entry.name}`;
    if (entry.isFile && entry.name === "checks.json") return await Deno.readTextFile(path);
    const below = entry.isDirectory ? await findChecks(path) : undefined;
    if (below !== undefined) return below;
  }
  return undefined;
}

/** Starts the fixture server on a free port and calls `use` with its URL; ends it afterwards. */
async function withServer<T>(command: readonly string[], use: (url: string) => Promise<T>): Promise<T> {
  const server = startCommand(command, { env: { PORT: "0" } });
  try {
    let url: string | undefined;
    const ended = server.result.then(({ output }) => {
      throw new Error(`The fixture server ended: ${output}`);
    });
    ended.catch(() => {});
    for (let waited = 0; url === undefined; waited += 50) {
      if (waited > 60_000) throw new Error(`The fixture server does not listen: ${server.output()}`);
      await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 50))]);
      url = /http:\/\/\S+:[1-9]\d*\/\S*/.exec(plainText(server.output()))?.[0];
    }
    return await use(url);
  } finally {
    server.stop();
    await server.result;
  }
}

async function runLeg(program: string, expectation: Expectation, options: Options): Promise<Tally> {
  const { leg, wire, scored } = expectation;
  const required = scored === 0 ? "" : await list(program, ["--requirements", wire]);
  const scenarios = readScenarios(expectation, await list(program, [`--${leg}`]), required);
  const chosen = scenarios.filter(({ name, scored }) =>
    name.includes(options.only) && (options.all || isExpected(expectation, name, scored))
  );
  const run = async (target: string): Promise<Map<Scenario, Verdict>> => {
    const verdicts = new Map<Scenario, Verdict>();
    const take = async (queue: Scenario[]): Promise<void> => {
      for (let one = queue.shift(); one !== undefined; one = queue.shift()) {
        verdicts.set(one, await runScenario(program, expectation, one.name, target, options.timeout));
      }
    };
    const together = chosen.filter(({ name }) => !ALONE.has(name));
    await Promise.all(Array.from({ length: options.jobs }, () => take(together)));
    await take(chosen.filter(({ name }) => ALONE.has(name)));
    return verdicts;
  };
  // The client gets its URL as last argument; `exec` lets the suite's timeout reach it instead of a shell.
  const verdicts = leg === "server" ? await withServer(options.server, run) : await run(`exec ${options.client.join(" ")}`);
  return report(expectation, scenarios, verdicts, options.only !== "");
}

function report(expectation: Expectation, scenarios: Scenario[], verdicts: Map<Scenario, Verdict>, partial: boolean): Tally {
  const { leg, wire } = expectation;
  const tally: Tally = { passed: 0, failed: 0 };
  const passes = (one: Scenario): boolean => verdicts.get(one)?.reasons.length === 0;
  const count = (scored: boolean): Count => {
    const all = scenarios.filter((one) => one.scored === scored);
    return { passed: all.filter(passes).length, of: all.length };
  };
  const [scored, unscored] = [count(true), count(false)];
  const left = scenarios.filter((one) => !passes(one)).map(({ name }) => name);
  tally.figures = { leg, wire, scored, unscored, left };
  print(`${leg} ${wire}: ${scored.passed}/${scored.of} scored, ${unscored.passed}/${unscored.of} unscored`);
  for (const [one, { reasons }] of verdicts) {
    if (isExpected(expectation, one.name, one.scored)) tally[passes(one) ? "passed" : "failed"]++;
    else if (passes(one)) print(`  passes, though it is not expected to: ${one.name}`);
    if (reasons.length > 0) print(`  ${one.name}\n${reasons.map((reason) => `    ${reason}`).join("\n")}`);
  }
  const missing = [...missingScenarios(expectation, scenarios)];
  for (const sentence of missing) print(`  ${sentence}`);
  if (!partial) tally.failed += missing.length;
  const absent = scenarios.filter(({ name, scored }) => !isExpected(expectation, name, scored));
  if (absent.length > 0) print(`  not offered yet: ${absent.length} (${absent.map(({ name }) => name).join(", ")})`);
  const warned = [...verdicts.values()].some(({ reasons }) => reasons.some((reason) => reason.startsWith("Warning")));
  if (!warned) print("  No warnings");
  return tally;
}

/** What the suite no longer has though it is expected to pass. */
function* missingScenarios({ scored, unscored, mustPass, also }: Expectation, scenarios: Scenario[]): Generator<string> {
  const count = scenarios.filter((one) => one.scored).length;
  const rest = scenarios.length - count;
  if (count !== scored) yield `The requirement set has ${count} scenarios, not ${scored}`;
  if (rest !== unscored) yield `There are ${rest} scenarios beside the requirement set, not ${unscored}`;
  for (const name of [mustPass, also].flatMap((names) => names === "all" ? [] : names)) {
    if (!scenarios.some((one) => one.name === name)) yield `The suite has no scenario ${name}`;
  }
}

async function main(): Promise<number> {
  const { values } = parseArgs({
    args: Deno.args,
    options: {
      leg: { type: "string" },
      wire: { type: "string" },
      only: { type: "string", default: "" },
      all: { type: "boolean", default: false },
      timeout: { type: "string", default: "30" },
      jobs: { type: "string", default: "3" },
      server: { type: "string", default: "tests/conformance/server.ts" },
      client: { type: "string", default: "tests/conformance/client.ts" },
      npm: { type: "boolean", default: false },
    },
  });
  const legs = EXPECTED.filter(({ leg, wire }) => leg === (values.leg ?? leg) && wire === (values.wire ?? wire));
  if (legs.length === 0) {
    print(`No expectation for these arguments\n${USAGE}`);
    return 2;
  }
  const { only, all } = values;
  const consumer = values.npm ? await conformanceConsumer() : undefined;
  const [server, client] = [values.server, values.client].map((file) =>
    consumer?.command(file) ?? [Deno.execPath(), "run", ...PERMISSIONS, file]
  ) as [string[], string[]];
  const options: Options = { only, all, server, client, timeout: Number(values.timeout) * 1000, jobs: Number(values.jobs) };
  const program = await suite();
  const total: Tally = { passed: 0, failed: 0 };
  const whole: LegFigures[] = [];
  for (const expectation of legs) {
    try {
      const { passed, failed, figures } = await runLeg(program, expectation, options);
      if (figures !== undefined && only === "") whole.push(figures);
      total.passed += passed;
      total.failed += failed;
    } catch (error) {
      print(`${expectation.leg} ${expectation.wire}: ${error instanceof Error ? error.message : error}`);
      total.failed++;
    }
  }
  await consumer?.remove();
  await keepFigures(`${ROOT}/dist/conformance.json`, whole);
  print(`${total.passed} passed, ${total.failed} failed`);
  return total.failed > 0 || total.passed === 0 ? 1 : 0;
}

if (import.meta.main) Deno.exit(await main());
