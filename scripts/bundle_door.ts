/** Bundles a door of the package as a program that runs anywhere would carry it, split into what it loads when. */
import { gzipSync } from "node:zlib";
import config from "../deno.json" with { type: "json" };
import { ROOT, runDeno } from "./command.ts";

/** A door of the package. */
export type Door = keyof typeof config.exports;

/** The packages that check schemas: loaded on first use, so not part of a door's weight. */
export const VALIDATORS: readonly string[] = ["ajv/dist/2020.js", "ajv", "@cfworker/json-schema"];

/** A door, bundled and minified. */
export interface DoorBundle {
  /** What a program loads at its start: the entry and what that imports statically. */
  readonly start: string;
  /** The start, and everything that is loaded on first use. */
  readonly all: string;
  /** Bytes of the start after gzip. */
  readonly startBytes: number;
  /** Bytes of everything after gzip. */
  readonly allBytes: number;
}

/**
 * Bundles a door for a browser, minified and split at its dynamic imports, without the validators.
 *
 * @throws {Error} When it cannot be bundled; the message is the bundler's.
 */
export function bundleDoor(door: Door): Promise<DoorBundle> {
  return bundleEntry(ROOT, config.exports[door]);
}

/**
 * Bundles a program as {@linkcode bundleDoor} does a door.
 *
 * @param root The folder with the configuration.
 * @param entry The program, relative to that folder.
 * @throws {Error} When it cannot be bundled; the message is the bundler's.
 */
export async function bundleEntry(root: string, entry: string): Promise<DoorBundle> {
  const folder = await Deno.makeTempDir({ prefix: "causeway-bundle-" });
  try {
    const external = VALIDATORS.map((name) => `--external=${name}`);
    const split = ["--platform", "browser", "--minify", "--code-splitting", "--outdir", folder];
    const { code, output } = await runDeno(["bundle", ...split, ...external, `${root}/${entry}`], { cwd: root });
    if (code !== 0) throw new Error(`Bundling ${entry}: ${output}`);
    const chunks = new Map<string, string>();
    for await (const { name } of Deno.readDir(folder)) chunks.set(name, await Deno.readTextFile(`${folder}/${name}`));
    const start = loadedWith(chunks, entry.replace(/^(?:.*\/)?(.*)\.ts$/, "$1.js"));
    const all = [...chunks.values()].join("\n");
    return { start, all, startBytes: packed(start), allBytes: packed(all) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function packed(text: string): number {
  return gzipSync(text, { level: 9 }).length;
}

/** The text of a chunk and of all that it imports statically. */
function loadedWith(chunks: ReadonlyMap<string, string>, entry: string): string {
  if (!chunks.has(entry)) throw new Error(`Bundling: no chunk ${entry}, found ${[...chunks.keys()].join(", ")}`);
  const loaded = new Set([entry]);
  for (const name of loaded) {
    for (const [, target = ""] of (chunks.get(name) ?? "").matchAll(/\b(?:from|import)\s*"\.\/([^"]+)"/g)) {
      if (chunks.has(target)) loaded.add(target);
    }
  }
  return [...loaded].map((name) => chunks.get(name)).join("\n");
}
