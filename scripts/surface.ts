/** Lists what each door exports; with `--write` it writes the list that `tests/surface_test.ts` holds the doors to. */

import { ROOT, runDeno } from "./command.ts";
import { print } from "./print.ts";

/** The exported names of one door, sorted. */
export interface DoorSurface {
  /** What exists at run time: functions, classes, constants. */
  readonly values: readonly string[];
  /** What only the compiler sees: interfaces, type aliases, classes that go out as types. */
  readonly types: readonly string[];
}

interface Documented {
  readonly nodes: Readonly<Record<string, { readonly symbols?: readonly { readonly name: string }[] }>>;
}

/** The doors of the package: export → file. */
export async function readDoors(): Promise<Readonly<Record<string, string>>> {
  return (JSON.parse(await Deno.readTextFile(`${ROOT}/deno.json`)) as { exports: Record<string, string> }).exports;
}

/** What the door in `file` exports: a class that goes out with `export type` is a type. */
export async function readSurface(file: string): Promise<DoorSurface> {
  const { code, output } = await runDeno(["doc", "--json", "--quiet", file]);
  if (code !== 0) throw new Error(`Cannot document ${file}: ${output}`);
  const { nodes } = JSON.parse(output) as Documented;
  const module: object = await import(`file://${ROOT}/${file.replace(/^\.\//, "")}`);
  const values = Object.keys(module).sort();
  const names = new Set(Object.values(nodes).flatMap(({ symbols }) => symbols ?? []).map(({ name }) => name));
  return { values, types: [...names].filter((name) => !values.includes(name)).sort() };
}

if (import.meta.main) {
  const surface: Record<string, DoorSurface> = {};
  for (const [door, file] of Object.entries(await readDoors())) surface[door] = await readSurface(file);
  if (Deno.args.includes("--write")) {
    const head =
      '/** What each door exports, written by `deno task surface --write`. */\n\nimport type { DoorSurface } from "../scripts/surface.ts";\n';
    const list = `/** The exported names by door. */\nexport const SURFACE: Readonly<Record<string, DoorSurface>> = ${
      JSON.stringify(surface, null, 2)
    };\n`;
    await Deno.writeTextFile(`${ROOT}/tests/surface.ts`, `${head}\n${list}`);
    await runDeno(["fmt", "--quiet", "tests/surface.ts"]);
  }
  for (const [door, { values, types }] of Object.entries(surface)) {
    print(`${door}: ${values.length} values, ${types.length} types`);
  }
}
