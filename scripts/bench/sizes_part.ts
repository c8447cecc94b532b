/** Measures what users carry: the weight of the doors, and the type checking of many tools. */
import { bundleDoor, bundleEntry } from "../bundle_door.ts";
import { ROOT, runDeno } from "../command.ts";
import { toolsProgram } from "../npm/programs.ts";
import type { Options } from "./options.ts";
import { median, type PartResult, type Row } from "./report.ts";

const TOOLS = 200;

/**
 * What of the doors is loaded at the start, and all of them, minified and compressed without the validators; seconds that checking
 * 200 tools takes beyond none.
 */
export async function sizesPart(options: Options): Promise<PartResult> {
  const folder = await Deno.makeTempDir({ prefix: "causeway-bench-" });
  try {
    const rows: Row[] = [];
    for (const door of ["./server", "./client"] as const) {
      const { startBytes, allBytes } = await bundleDoor(door);
      const start = { what: `door ${door}, loaded at the start, minified, gzip`, value: startBytes / 1_000, unit: "kB" } as const;
      rows.push({ ...start, target: { at: "most", value: 18 } });
      rows.push({ what: `door ${door}, all of it, minified, gzip`, value: allBytes / 1_000, unit: "kB" });
    }
    for (const name of options.ours ? [] : ["server", "client"]) {
      const { startBytes, allBytes } = await bundleEntry(ROOT, `scripts/bench/programs/official_${name}_door.ts`);
      rows.push({ what: `official ${name}, loaded at the start, minified, gzip`, value: startBytes / 1_000, unit: "kB" });
      rows.push({ what: `official ${name}, all of it, minified, gzip`, value: allBytes / 1_000, unit: "kB" });
    }
    const more: number[] = [];
    for (let round = 0; round < Math.min(options.rounds, 3); round++) {
      more.push(await checked(folder, TOOLS, round) - await checked(folder, 0, round));
    }
    rows.push({
      what: `deno check of ${TOOLS} tools: more than of none`,
      value: median(more),
      unit: "s",
      target: { at: "most", value: 3 },
    });
    return { samples: new Map(), rows };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Seconds; the text is another one each time, because Deno remembers what it has checked. */
async function checked(folder: string, tools: number, round: number): Promise<number> {
  const file = `${folder}/tools.ts`;
  await Deno.writeTextFile(file, `${toolsProgram(tools)}// ${crypto.randomUUID()} ${round}\n`);
  const started = performance.now();
  const { code, output } = await runDeno(["check", `--config=${ROOT}/deno.json`, file]);
  if (code !== 0) throw new Error(`Checking ${tools} tools: ${output}`);
  return (performance.now() - started) / 1_000;
}
