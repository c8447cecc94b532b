/** Measures what users carry: the weight of the doors, and the type checking of many tools. */
import { gzipSync } from "node:zlib";
import config from "../../deno.json" with { type: "json" };
import { ROOT, runDeno } from "../command.ts";
import { toolsProgram } from "../npm/programs.ts";
import type { Options } from "./options.ts";
import { median, type PartResult, type Row } from "./report.ts";

const VALIDATORS = ["ajv/dist/2020.js", "ajv", "@cfworker/json-schema"];
const TOOLS = 200;

/** Doors bundled, minified and compressed without the validators; seconds that checking 200 tools takes beyond none. */
export async function sizesPart(options: Options): Promise<PartResult> {
  const folder = await Deno.makeTempDir({ prefix: "causeway-bench-" });
  try {
    const rows: Row[] = [];
    for (const door of ["./server", "./client"] as const) {
      const value = await gzipped(config.exports[door], `${folder}/door.js`) / 1_000;
      rows.push({ what: `door ${door}, minified, gzip`, value, unit: "kB", target: { at: "most", value: 18 } });
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

async function gzipped(file: string, out: string): Promise<number> {
  const external = VALIDATORS.map((name) => `--external=${name}`);
  const args = ["bundle", "--platform", "browser", "--minify", ...external, "-o", out, `${ROOT}/${file}`];
  const { code, output } = await runDeno(args);
  if (code !== 0) throw new Error(`Bundling ${file}: ${output}`);
  return gzipSync(await Deno.readFile(out), { level: 9 }).length;
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
