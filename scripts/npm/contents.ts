/** Reads what a packed package holds and names what is wrong with it. */

import { readdir, readFile } from "node:fs/promises";
import { builtinModules } from "node:module";
import { readImports } from "../check_imports.ts";
import { readTokens } from "../source_tokens.ts";

/** The files of a package: path → text. */
export type PackageFiles = ReadonlyMap<string, string>;

interface Manifest {
  readonly name: string;
  readonly exports: Readonly<Record<string, string | { readonly types: string; readonly default: string }>>;
  readonly dependencies: Readonly<Record<string, string>>;
}

const ALLOWED =
  /^(?:[a-z0-9_/]+(?:\d{4}-\d{2}-\d{2})?\.(?:js|d\.ts)|package\.json|README\.md|LICENSE|CHANGELOG\.md|docs\/(?:[a-z-]+\.md|llms\.txt|bench\.svg))$/;
const ALWAYS = ["package.json", "README.md", "LICENSE"];

/** Every file below `folder`. */
export async function readPackage(folder: string): Promise<PackageFiles> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = new Map<string, string>();
  for (const entry of entries.filter((one) => one.isFile())) {
    const path = `${entry.parentPath}/${entry.name}`;
    files.set(path.slice(folder.length + 1), await readFile(path, "utf8"));
  }
  return new Map([...files].sort(([a], [b]) => a < b ? -1 : 1));
}

/**
 * What is wrong with a package: files that do not belong there, paths of the machine that built it, imports of what is not
 * there or not a dependency, dependencies that nothing imports, exports without their files.
 *
 * @param files The package.
 * @param places Folders that no file may name.
 */
export function contentFaults(files: PackageFiles, places: readonly string[]): string[] {
  const faults: string[] = [];
  const { name, exports, dependencies } = JSON.parse(files.get("package.json") ?? "{}") as Manifest;
  const needed = new Set(Object.keys(dependencies));
  for (const path of ALWAYS) if (!files.has(path)) faults.push(`${path}: is not there`);
  for (const [door, target] of Object.entries(exports)) {
    for (const path of typeof target === "string" ? [target] : Object.values(target)) {
      if (!files.has(path.replace(/^\.\//, ""))) faults.push(`${path}: the export "${door}" names it, and it is not there`);
    }
  }
  const used = new Set<string>();
  for (const [path, text] of files) {
    if (/(?<!\.d)\.ts$/.test(path)) faults.push(`${path}: is a source that no door reaches`);
    else if (!ALLOWED.test(path) || /_test\.|(?:^|\/)tests?\//.test(path)) faults.push(`${path}: does not belong into a package`);
    if (/sourceMappingURL=/.test(text)) faults.push(`${path}: has a source map`);
    for (const place of places) if (text.includes(place)) faults.push(`${path}: names ${place}`);
    if (!/\.(?:js|d\.ts)$/.test(path)) continue;
    for (const { specifier } of readImports(readTokens(text))) {
      if (!specifier.startsWith(".")) used.add(packageOf(specifier));
      const fault = importFault(path, specifier, name, files, needed);
      if (fault !== undefined) faults.push(`${path}: ${fault}`);
    }
  }
  for (const one of needed) if (!used.has(one)) faults.push(`package.json: depends on ${one}, which nothing imports`);
  return faults;
}

function importFault(
  path: string,
  specifier: string,
  own: string,
  files: PackageFiles,
  needed: ReadonlySet<string>,
): string | undefined {
  if (specifier.startsWith(".")) {
    const target = new URL(specifier, `file:///${path}`).pathname.slice(1);
    const declared = path.endsWith(".d.ts") ? target.replace(/\.js$/, ".d.ts") : target;
    return files.has(declared) ? undefined : `imports ${specifier}, which is not there`;
  }
  if (specifier.startsWith("node:") || builtinModules.includes(specifier)) return `imports ${specifier} of Node`;
  const name = packageOf(specifier);
  return name === own || needed.has(name) ? undefined : `imports ${specifier}, which is no dependency`;
}

function packageOf(specifier: string): string {
  return specifier.split("/").slice(0, specifier.startsWith("@") ? 2 : 1).join("/");
}
