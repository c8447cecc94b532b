/**
 * Measures this package against the bare platform and the official packages in one run: `deno task bench`.
 *
 * Prints two tables and writes `dist/bench.json`; with `--draw` also `docs/bench.svg`. Options: `--rounds 7`, `--seconds 1`,
 * `--warm-up 6`, `--only http,list,memory,stdio,start,streams,sizes`, `--ours` to leave the official packages out, and `--against
 * ../before` to measure this checkout against another one.
 */
import { againstPart } from "./bench/against_part.ts";
import { memoryPart, stdioPart } from "./bench/call_part.ts";
import { echoPart, listPart } from "./bench/http_part.ts";
import { canDraw, drawRates } from "./bench/drawing.ts";
import { hasWrk } from "./bench/load.ts";
import { type Options, type Part, readOptions } from "./bench/options.ts";
import { formatReport, jsonReport, type PartResult } from "./bench/report.ts";
import { sizesPart } from "./bench/sizes_part.ts";
import { startPart } from "./bench/start_part.ts";
import { streamsPart } from "./bench/streams_part.ts";

const RUN: Readonly<Record<Part, (options: Options) => Promise<PartResult>>> = {
  http: echoPart,
  list: listPart,
  memory: memoryPart,
  stdio: stdioPart,
  start: startPart,
  streams: streamsPart,
  sizes: sizesPart,
  against: againstPart,
};

async function main(): Promise<void> {
  const options = readOptions(Deno.args);
  // Other work on the machine makes wall time, and so requests/s, useless; the report says how much there was.
  const [loadBefore = 0] = Deno.loadavg();
  const results: PartResult[] = [];
  for (const part of options.only) results.push(await RUN[part](options));
  const facts = {
    deno: Deno.version.deno,
    system: `${Deno.build.os} ${Deno.build.arch}`,
    cores: navigator.hardwareConcurrency,
    load: await hasWrk() ? "wrk" : "built in",
    loadBefore,
    rounds: options.rounds,
    seconds: options.seconds,
  };
  await Deno.mkdir(new URL("../dist/", import.meta.url), { recursive: true });
  await Deno.writeTextFile(new URL("../dist/bench.json", import.meta.url), jsonReport(results, facts));
  const samples = new Map(results.flatMap((result) => [...result.samples]));
  if (options.draw) {
    if (!canDraw(samples)) throw new Error("--draw: needs the part http, with the official packages");
    const note =
      `Medians of ${options.rounds} rounds, ${facts.cores} shared cores, Deno ${facts.deno}, ${facts.load}, 16 connections`;
    await Deno.writeTextFile(new URL("../docs/bench.svg", import.meta.url), drawRates(samples, note));
  }
  await Deno.stdout.write(new TextEncoder().encode(`${formatReport(results)}\n\n${JSON.stringify(facts)}\n`));
}

if (import.meta.main) await main();
