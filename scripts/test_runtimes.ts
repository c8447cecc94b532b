/** Runs the suite of `tests/runtimes/` on every runtime, against the npm package; `--built` takes the one that is in `dist/`. */

import { cp, readdir } from "node:fs/promises";
import { parseArgs } from "node:util";
import { plainText, ROOT, runDeno, startCommand } from "./command.ts";
import { buildNpm, builtNpm } from "./build_npm.ts";
import { type Consumer, createConsumer } from "./npm/consumer.ts";
import { installTools, nodeProgram, NODES } from "./npm/tools.ts";
import { print } from "./print.ts";
import { announced, type Outcome, runInBrowser } from "./runtime_browser.ts";

/** The cases that a carrier has at least, so that an empty run is seen. */
const LEAST = 30;
/** A worker is one request at a time: sessions in memory and hearing of a client's going are not to be had there. */
const NOT_ON_WORKERS = "2025-11-25,2025-06-18,cancels a call";
const FORBIDDING = "--v8-flags=--disallow-code-generation-from-strings";

type Runtime = (consumer: Consumer) => Promise<readonly Outcome[]>;

/** Every runtime by name. */
const RUNTIMES: Readonly<Record<string, Runtime>> = {
  ...Object.fromEntries(NODES.map((node) => [node, async (consumer) => run(consumer, [await nodeProgram(node), "run.mjs"])])),
  "node20 without code generation": async (consumer) => {
    return await run(consumer, [await nodeProgram("node20"), "--disallow-code-generation-from-strings", "run.mjs"]);
  },
  "node20 frameworks": async (consumer) => {
    await consumer.add(await installTools("frameworks"));
    return await run(consumer, [await nodeProgram("node20"), "frameworks.mjs"]);
  },
  ...Object.fromEntries(["express", "fastify", "hono"].map((name) => [`node20 example ${name}`, runExample(name)])),
  "bun": async (consumer) => await run(consumer, [`${await installTools("bun")}/.bin/bun`, "run.mjs"]),
  "deno": (consumer) => run(consumer, [Deno.execPath(), "run", "-A", "--unstable-no-legacy-abort", "run.mjs"]),
  "deno without code generation": (consumer) => {
    return run(consumer, [Deno.execPath(), "run", "-A", "--unstable-no-legacy-abort", FORBIDDING, "run.mjs"]);
  },
  "workerd": runWorker,
  "chromium": runInBrowser,
};

async function run(consumer: Consumer, command: readonly string[]): Promise<Outcome[]> {
  return readOutcomes(await consumer.run(command));
}

/** The cases are lines of JSON; a program that fails adds one. */
function readOutcomes({ code, output }: { readonly code: number; readonly output: string }): Outcome[] {
  const lines = output.split("\n").filter((line) => line.startsWith('{"name":'));
  const outcomes = lines.map((line) => JSON.parse(line) as Outcome);
  return code === 0 ? outcomes : [...outcomes, { name: "the program ends well", error: plainText(output) }];
}

/** The example as it stands, but that `server.mjs` beside it is the suite's. */
function runExample(name: string): Runtime {
  return async (consumer) => {
    await consumer.add(await installTools("frameworks"));
    await cp(`${ROOT}/examples/node/${name}.mjs`, `${consumer.folder}/${name}.mjs`);
    const node = await nodeProgram("node20");
    const example = startCommand([node, `${name}.mjs`], { cwd: consumer.folder, env: { PORT: "0" } });
    try {
      const url = await announced(example.output, /^(http:\S+)\n/m);
      if (url === undefined) return [{ name: "it listens", error: example.output() }];
      return await run(consumer, [node, "run.mjs", url]);
    } finally {
      example.stop();
      await example.result;
    }
  };
}

async function runWorker(consumer: Consumer): Promise<Outcome[]> {
  const bundled = await runDeno(["bundle", "--quiet", "--platform", "browser", "-o", "worker_bundle.mjs", "worker.mjs"], {
    cwd: consumer.folder,
  });
  if (bundled.code !== 0) return [{ name: "it bundles", error: bundled.output }];
  await consumer.write("config.capnp", WORKER);
  const program = `${await installTools("workerd")}/.bin/workerd`;
  const worker = startCommand([program, "serve", "config.capnp", "--control-fd=1"], { cwd: consumer.folder });
  try {
    const port = await announced(worker.output, /"port":(\d+)/);
    if (port === undefined) return [{ name: "it listens", error: worker.output() }];
    const url = `http://127.0.0.1:${port}`;
    const inside = await (await fetch(`${url}/suite`)).json() as Outcome[];
    const outside = await run(consumer, [await nodeProgram("node20"), "run.mjs", `${url}/mcp`, NOT_ON_WORKERS]);
    return [...inside, ...outside];
  } finally {
    worker.stop();
    await worker.result;
  }
}

const WORKER = `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "main", worker = .worker)],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")]
);
const worker :Workerd.Worker = (
  modules = [(name = "worker.mjs", esModule = embed "worker_bundle.mjs")],
  compatibilityDate = "2026-01-01",
);
`;

async function main(): Promise<number> {
  const { values } = parseArgs({
    args: [...Deno.args],
    options: { only: { type: "string", default: "" }, built: { type: "boolean", default: false } },
  });
  const { tarball } = values.built ? await builtNpm() : await buildNpm();
  const consumer = await createConsumer(tarball);
  let [passed, failed] = [0, 0];
  try {
    const folder = `${ROOT}/tests/runtimes`;
    for (const file of await readdir(folder)) {
      if (file.endsWith(".mjs")) await cp(`${folder}/${file}`, `${consumer.folder}/${file}`);
    }
    for (const [name, runtime] of Object.entries(RUNTIMES)) {
      if (!name.includes(values.only)) continue;
      const started = performance.now();
      const outcomes = await runtime(consumer);
      const wrong = outcomes.filter(({ error }) => error !== undefined);
      if (outcomes.length < LEAST) wrong.push({ name: "all cases ran", error: `${outcomes.length} of them` });
      const seconds = ((performance.now() - started) / 1000).toFixed(1);
      print(`${wrong.length === 0 ? "ok    " : "FAILED"} ${name}: ${outcomes.length - wrong.length} cases passed (${seconds} s)`);
      for (const one of wrong) print(`  ${one.name}\n    ${(one.error ?? "").replaceAll("\n", "\n    ")}`);
      passed += outcomes.length - wrong.length;
      failed += wrong.length;
    }
  } finally {
    await consumer.remove();
  }
  print(`${passed} passed, ${failed} failed`);
  return failed === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
