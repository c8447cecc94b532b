/** Builds the npm package into `dist/` and checks it: contents, every runtime of Node, every compiler, size, and README. */

import { createHash } from "node:crypto";
import { cp, mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { homedir, tmpdir } from "node:os";
import { ROOT } from "./command.ts";
import { type Check, installedChecks, type Subject, writePrograms } from "./npm/checks.ts";
import { createConsumer, type Installed } from "./npm/consumer.ts";
import { contentFaults, type PackageFiles, readPackage } from "./npm/contents.ts";
import { type Packed, packNpm } from "./npm/pack.ts";
import { installTools } from "./npm/tools.ts";
import { print } from "./print.ts";

/** DESIGN.md's bounds of an installation. */
const MOST_PACKAGES = 13;
const MOST_BYTES = 8_000_000;

/** Builds the package into `dist/`; gives its folder and tarball. */
export function buildNpm(): Promise<Packed> {
  return packNpm(ROOT, `${ROOT}/dist`);
}

/** The package that was built last. */
export async function builtNpm(): Promise<Packed> {
  const { name, version } = JSON.parse(await readFile(`${ROOT}/dist/npm/package.json`, "utf8")) as Record<string, string>;
  return { folder: `${ROOT}/dist/npm`, tarball: `${ROOT}/dist/${name?.slice(1).replace("/", "-")}-${version}.tgz` };
}

/** Copies the sources to `folder`. */
async function copySources(folder: string): Promise<void> {
  const skipped = /^(?:\.git|node_modules|coverage|dist|tests)(?:\/|$)/;
  await cp(ROOT, folder, { recursive: true, filter: (path) => !skipped.test(path.slice(ROOT.length + 1)) });
}

/** The same sources in another folder have to give the same bytes. */
async function reproducible(tarball: string, files: PackageFiles, scratch: string): Promise<string[]> {
  const again = await packNpm(`${scratch}/tree`, scratch);
  if (await digest(tarball) === await digest(again.tarball)) return [];
  const others = await readPackage(again.folder);
  const paths = new Set([...files.keys(), ...others.keys()]);
  const different = [...paths].filter((path) => files.get(path) !== others.get(path));
  return [`The second tarball differs: ${different.join(", ") || "only in how it is packed"}`];
}

async function digest(file: string): Promise<string> {
  return createHash("sha256").update(await readFile(file)).digest("hex");
}

function sizeFaults({ packages, bytes }: Installed): string[] {
  const faults: string[] = [];
  if (packages.length > MOST_PACKAGES) faults.push(`${packages.length} packages: ${packages.join(", ")}`);
  if (bytes > MOST_BYTES) faults.push(`${bytes} bytes`);
  return faults;
}

async function checkAll(checks: readonly Check[]): Promise<number> {
  let failed = 0;
  for (const { name, run } of checks) {
    const started = performance.now();
    const faults = await run();
    print(`${faults.length === 0 ? "ok    " : "FAILED"} ${name} (${((performance.now() - started) / 1000).toFixed(1)} s)`);
    for (const fault of faults) print(`  ${fault.replaceAll("\n", "\n  ")}`);
    if (faults.length > 0) failed++;
  }
  return failed;
}

async function main(): Promise<number> {
  const scratch = await mkdtemp(`${tmpdir()}/causeway-again-`);
  await copySources(`${scratch}/tree`);
  const { folder, tarball } = await buildNpm();
  print(`Packed ${tarball}`);
  await Promise.all([installTools("nodes"), installTools("checks")]);
  const consumer = await createConsumer(tarball);
  try {
    const files = await readPackage(folder);
    const { name, exports } = JSON.parse(files.get("package.json") ?? "") as { name: string; exports: object };
    const subject: Subject = { tarball, consumer, specifiers: Object.keys(exports).map((door) => name + door.slice(1)) };
    // JSON needs an attribute that is written in another way in each version of Node.
    const doors: Subject = { ...subject, specifiers: subject.specifiers.filter((one) => !one.endsWith(".json")) };
    await writePrograms(doors);
    const installed = await consumer.measure();
    const checks: Check[] = [
      { name: "the contents", run: () => Promise.resolve(contentFaults(files, [ROOT, `${homedir()}/`, `${tmpdir()}/`])) },
      { name: "the tarball is reproducible", run: () => reproducible(tarball, files, scratch) },
      { name: "what npm installs", run: () => Promise.resolve(sizeFaults(installed)) },
      { name: "npm warns of nothing", run: () => Promise.resolve(/npm warn/i.test(consumer.log) ? [consumer.log] : []) },
      ...installedChecks(doors),
    ];
    const failed = await checkAll(checks);
    const unpacked = [...files.values()].reduce((sum, text) => sum + new TextEncoder().encode(text).length, 0);
    print(`sha256 ${await digest(tarball)}`);
    print(`${files.size} files, ${kilobytes((await stat(tarball)).size)} packed, ${kilobytes(unpacked)} unpacked`);
    print(`npm install: ${installed.packages.length} packages, ${kilobytes(installed.bytes)}: ${installed.packages.join(", ")}`);
    print(`${checks.length - failed} passed, ${failed} failed`);
    return failed === 0 ? 0 : 1;
  } finally {
    await consumer.remove();
    await rm(scratch, { recursive: true, force: true });
  }
}

function kilobytes(bytes: number): string {
  return `${Math.round(bytes / 1000)} kB`;
}

if (import.meta.main) Deno.exit(await main());
