/** Packs the sources into the npm package: `deno pack`, with a completed manifest, packed again by npm. */

import process from "node:process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { runCommand, runDeno } from "../command.ts";
import { completeManifest, type PackedManifest } from "./manifest.ts";
import { NPM } from "./tools.ts";

/** A packed package. */
export interface Packed {
  /** Its folder, as it is unpacked in `node_modules`. */
  readonly folder: string;
  /** Its tarball. */
  readonly tarball: string;
}

/**
 * Packs the sources in `tree`.
 *
 * @param tree The folder with `deno.json`.
 * @param out Where the tarball and the folder `npm` go; both are replaced.
 */
export async function packNpm(tree: string, out: string): Promise<Packed> {
  const scratch = await mkdtemp(`${tmpdir()}/causeway-pack-`);
  try {
    const raw = `${scratch}/raw.tgz`;
    const { code, output } = await runDeno(["pack", "--allow-dirty", "--no-source-maps", "-o", raw], { cwd: tree });
    if (code !== 0) throw new Error(`Cannot pack: ${output}`);
    const folder = `${out}/npm`;
    await rm(folder, { recursive: true, force: true });
    await mkdir(folder, { recursive: true });
    await unpack(raw, folder);
    await referenceLibraries(folder);
    const manifest = JSON.parse(await readFile(`${folder}/package.json`, "utf8")) as PackedManifest;
    await writeFile(`${folder}/package.json`, `${JSON.stringify(completeManifest(manifest, repository()), null, 2)}\n`);
    const packed = await runCommand([...NPM, "pack", folder, "--json", "--ignore-scripts", "--pack-destination", scratch], {
      cwd: scratch,
    });
    const name = /"filename":\s*"([^"]+)"/.exec(packed.output)?.[1];
    if (packed.code !== 0 || name === undefined) throw new Error(`Cannot pack: ${packed.output}`);
    const file = name.replace(/^@/, "").replace("/", "-");
    const tarball = `${out}/${file}`;
    await rm(tarball, { force: true });
    await move(`${scratch}/${file}`, tarball);
    return { folder, tarball };
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/**
 * Writes into each declaration with `Symbol.asyncDispose` which library of TypeScript declares it, for programs that have neither
 * that library nor the types of Node. `deno pack` leaves such a line of a source out.
 */
async function referenceLibraries(folder: string): Promise<void> {
  for (const name of await readdir(folder, { recursive: true })) {
    if (!name.endsWith(".d.ts")) continue;
    const text = await readFile(`${folder}/${name}`, "utf8");
    if (text.includes("[Symbol.asyncDispose]")) await writeFile(`${folder}/${name}`, `${DISPOSABLE}${text}`);
  }
}

const DISPOSABLE = '/// <reference lib="esnext.disposable" />\n';

/** Unpacks a tarball of npm, without the folder that is at its top. */
async function unpack(tarball: string, folder: string): Promise<void> {
  const { code, output } = await runCommand(["tar", "-xzf", tarball, "-C", folder, "--strip-components=1"]);
  if (code !== 0) throw new Error(`Cannot unpack ${tarball}: ${output}`);
}

async function move(from: string, to: string): Promise<void> {
  await rename(from, to).catch(async () => await writeFile(to, await readFile(from)));
}

/** Where the workflow that publishes runs; nowhere else is it known. */
function repository(): string | undefined {
  const { GITHUB_SERVER_URL: host, GITHUB_REPOSITORY: name } = process.env;
  return host === undefined || name === undefined ? undefined : `${host}/${name}`;
}
