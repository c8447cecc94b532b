/**
 * Feeds everything that reads what strangers send with random input. `--inputs=1000000`, `--seed=1`, `--only=<part of a
 * target's name>`, `--from=<number of the first input>`, `--no-growth`.
 */
import { measureGrowth, MOST_RATIO } from "./fuzz/growth.ts";
import { fuzz } from "./fuzz/run.ts";
import { closeServed } from "./fuzz/server_target.ts";
import { TARGETS } from "./fuzz/targets.ts";
import { print } from "./print.ts";

const DEFAULT_INPUTS = 1_000_000;

function option(name: string): string | undefined {
  const found = Deno.args.find((arg) => arg.startsWith(`--${name}=`));
  return found?.slice(name.length + 3);
}

function numberOption(name: string, otherwise: number): number {
  const value = Number(option(name) ?? otherwise);
  if (!Number.isSafeInteger(value) || value < 0) throw new TypeError(`--${name}: Expected an integer of at least 0`);
  return value;
}

async function main(): Promise<number> {
  const seed = numberOption("seed", crypto.getRandomValues(new Uint32Array(1))[0] as number);
  const inputs = numberOption("inputs", DEFAULT_INPUTS);
  const only = option("only");
  const targets = TARGETS.filter(({ name }) => only === undefined || name.includes(only));
  if (targets.length === 0) throw new TypeError(`--only: Expected a part of ${TARGETS.map(({ name }) => name).join(", ")}`);
  print(`seed ${seed}`);
  const crash = await fuzz({
    seed,
    inputs,
    targets,
    from: numberOption("from", 0),
    onDone: ({ name }, count, milliseconds) =>
      print(`${String(count).padStart(8)} inputs in ${(milliseconds / 1000).toFixed(1).padStart(6)} s: ${name}`),
  });
  await closeServed();
  if (crash !== undefined) {
    print(`FAILED: ${crash.target}, input ${crash.index} of seed ${seed}`);
    print(crash.input);
    print(crash.error instanceof Error ? `${crash.error.stack}\n${String(crash.error.cause ?? "")}` : String(crash.error));
    return 1;
  }
  if (Deno.args.includes("--no-growth")) return 0;
  let steep = 0;
  for (const { name, growth = [] } of targets) {
    for (const kind of growth) {
      const { size, once, ratio } = await measureGrowth(kind);
      const holds = ratio < MOST_RATIO;
      if (!holds) steep++;
      print(
        `${holds ? "ok    " : "FAILED"} ${ratio.toFixed(2)} times the work for twice the input (${size}: ${
          once.toFixed(1)
        } ms): ${name}, ${kind.name}`,
      );
    }
  }
  print(steep === 0 ? "Everything was read as it has to be" : `${steep} kinds of input cost more than in proportion`);
  return steep === 0 ? 0 : 1;
}

if (import.meta.main) Deno.exit(await main());
