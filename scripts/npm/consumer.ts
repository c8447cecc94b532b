/** A directory with only the tarball installed, as a user has it. */

import { cp, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import process from "node:process";
import { type CommandResult, runCommand } from "../command.ts";
import { nodeProgram, NPM } from "./tools.ts";

/** A directory with only the tarball installed. */
export interface Consumer {
  /** Its path. */
  readonly folder: string;
  /** What npm wrote while it installed. */
  readonly log: string;
  /** Writes a file into it. */
  write(name: string, text: string): Promise<void>;
  /** Runs a program in it. */
  run(command: readonly string[]): Promise<CommandResult>;
  /** Copies what a folder `node_modules` holds into its own. */
  add(packages: string): Promise<void>;
  /** The packages that were installed, and the bytes of their files. */
  measure(): Promise<Installed>;
  /** Removes it. */
  remove(): Promise<void>;
}

/** What an installation brought. */
export interface Installed {
  /** Name and version of each package, ours too. */
  readonly packages: readonly string[];
  /** The bytes of all files. */
  readonly bytes: number;
}

/** Installs a tarball under Node 20 into a new directory. A package whose `engines` exclude Node 20 makes it fail. */
export async function createConsumer(tarball: string): Promise<Consumer> {
  const folder = await mkdtemp(`${tmpdir()}/causeway-consumer-`);
  await writeFile(`${folder}/package.json`, `${JSON.stringify({ name: "consumer", private: true, type: "module" })}\n`);
  const path = `${dirname(await nodeProgram("node20"))}:${process.env["PATH"]}`;
  const command = [...NPM, "install", "--no-audit", "--no-fund", "--engine-strict", tarball];
  const { code, output } = await runCommand(command, { cwd: folder, env: { PATH: path } });
  if (code !== 0) throw new Error(`Cannot install ${tarball} under Node 20: ${output}`);
  return {
    folder,
    log: output,
    write: (name, text) => writeFile(`${folder}/${name}`, text),
    run: (given) => runCommand(given, { cwd: folder, timeout: 120_000 }),
    add: (packages) => cp(packages, `${folder}/node_modules`, { recursive: true, force: true }),
    measure: () => measure(`${folder}/node_modules`),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

async function measure(root: string): Promise<Installed> {
  const packages: string[] = [];
  let bytes = 0;
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = `${entry.parentPath}/${entry.name}`;
    bytes += (await stat(path)).size;
    if (!/\/node_modules\/(?:@[^/]+\/)?[^/]+\/package\.json$/.test(path)) continue;
    const { name, version } = JSON.parse(await readFile(path, "utf8")) as { name: string; version: string };
    packages.push(`${name}@${version}`);
  }
  return { packages: packages.sort(), bytes };
}
