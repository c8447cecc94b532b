/**
 * Prepares a release: `deno task release 1.2.0`, or `major`, `minor`, `patch`. The version goes into `deno.json`,
 * `protocol/version.ts` and the changelog, all or none. `--check v1.2.0` only says whether the three agree with a tag.
 */

import { parseArgs } from "node:util";
import { ROOT, runCommand } from "./command.ts";
import { print } from "./print.ts";

/** The three texts that name the version. */
export interface ReleaseFiles {
  /** `deno.json`. */
  readonly config: string;
  /** `protocol/version.ts`. */
  readonly version: string;
  /** `CHANGELOG.md`. */
  readonly changelog: string;
}

const PATHS: { readonly [K in keyof ReleaseFiles]: string } = {
  config: "deno.json",
  version: "protocol/version.ts",
  changelog: "CHANGELOG.md",
};
const IN_CONFIG = /("version":\s*")([^"]+)(")/;
const IN_SOURCE = /(VERSION = ")([^"]+)(")/;
const UNRELEASED = "## Unreleased\n";
/** Semantic Versioning 2.0.0, without build metadata, which says nothing of the order of versions. */
const SEMANTIC = /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-[0-9A-Za-z.-]+)?$/;

/**
 * The version that follows.
 *
 * @param current The present version.
 * @param wanted A version, or the part that goes up: `major`, `minor`, `patch`.
 * @throws {TypeError} For what is neither, and for a version that is not after the present one.
 */
export function nextVersion(current: string, wanted: string): string {
  const [major = 0, minor = 0, patch = 0] = numbers(current);
  switch (wanted) {
    case "major":
      return `${major + 1}.0.0`;
    case "minor":
      return `${major}.${minor + 1}.0`;
    case "patch":
      return current.includes("-") ? `${major}.${minor}.${patch}` : `${major}.${minor}.${patch + 1}`;
  }
  if (!SEMANTIC.test(wanted)) throw new TypeError(`Expected major, minor, patch or a version, found ${wanted}`);
  if (!isAfter(wanted, current)) throw new TypeError(`Version ${wanted} is not after ${current}`);
  return wanted;
}

/**
 * The texts with the new version.
 *
 * @param files The texts as they are.
 * @param wanted As in {@linkcode nextVersion}.
 * @param date The day, as in 2026-07-28.
 * @throws {TypeError} When the texts disagree about the present version, or the changelog has nothing unreleased.
 */
export function prepareRelease(files: ReleaseFiles, wanted: string, date: string): ReleaseFiles & { readonly next: string } {
  const current = currentVersion(files);
  const next = nextVersion(current, wanted);
  const at = files.changelog.indexOf(UNRELEASED);
  const rest = files.changelog.slice(at + UNRELEASED.length);
  const end = rest.search(/^## /m);
  if (at < 0 || (end < 0 ? rest : rest.slice(0, end)).trim() === "") {
    throw new TypeError('CHANGELOG.md: Expected entries under "## Unreleased", found none');
  }
  return {
    next,
    config: files.config.replace(IN_CONFIG, `$1${next}$3`),
    version: files.version.replace(IN_SOURCE, `$1${next}$3`),
    changelog: `${files.changelog.slice(0, at)}${UNRELEASED}\n## ${next} (${date})\n${rest}`,
  };
}

/**
 * The version that all texts name.
 *
 * @throws {TypeError} When they disagree.
 */
export function currentVersion({ config, version }: Pick<ReleaseFiles, "config" | "version">): string {
  const [one, other] = [IN_CONFIG.exec(config)?.[2], IN_SOURCE.exec(version)?.[2]];
  if (one === undefined || one !== other) {
    throw new TypeError(`${PATHS.config} names version ${one ?? "none"}, ${PATHS.version} names ${other ?? "none"}`);
  }
  return one;
}

function numbers(version: string): number[] {
  return version.replace(/-.*/, "").split(".").map(Number);
}

/** A version before a release, such as 1.0.0-rc.1, comes before it (Semantic Versioning 2.0.0 § 11). */
function isAfter(version: string, other: string): boolean {
  const [mine, theirs] = [numbers(version), numbers(other)];
  const at = mine.findIndex((number, index) => number !== theirs[index]);
  if (at >= 0) return (mine[at] ?? 0) > (theirs[at] ?? 0);
  const [own = "", given = ""] = [version, other].map((text) => /-(.*)/.exec(text)?.[1] ?? "");
  if (own === "" || given === "") return own === "" && given !== "";
  return own.localeCompare(given, "en", { numeric: true }) > 0;
}

async function main(args: readonly string[]): Promise<void> {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { check: { type: "string" }, root: { type: "string", default: ROOT } },
  });
  const { root, check } = values;
  const read = (path: string): Promise<string> => Deno.readTextFile(`${root}/${path}`);
  const files = { config: await read(PATHS.config), version: await read(PATHS.version), changelog: await read(PATHS.changelog) };
  if (check !== undefined) {
    const current = currentVersion(files);
    if (check !== `v${current}`) throw new TypeError(`The tag ${check} does not name version ${current}`);
    if (!files.changelog.includes(`## ${current} (`)) throw new TypeError(`CHANGELOG.md has no entry for version ${current}`);
    return;
  }
  const [wanted, ...more] = positionals;
  if (wanted === undefined || more.length > 0) throw new TypeError("Expected one argument: major, minor, patch or a version");
  const { code, output } = await runCommand(["git", "status", "--porcelain"], { cwd: root });
  if (code !== 0 || output.trim() !== "") throw new TypeError(`The tree has changes that are not committed:\n${output}`);
  const { next, ...prepared } = prepareRelease(files, wanted, new Date().toISOString().slice(0, 10));
  for (const [name, path] of Object.entries(PATHS)) {
    await Deno.writeTextFile(`${root}/${path}`, prepared[name as keyof ReleaseFiles]);
  }
  print(`Version ${next}. Look at the changes, then: git commit -am "Version ${next}" && git tag v${next} && git push --tags`);
}

if (import.meta.main) {
  try {
    await main(Deno.args);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    print(`Release: ${error.message}`);
    Deno.exit(1);
  }
}
