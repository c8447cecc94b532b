/** Bundles a program with all that it needs, as `docs/deploy.md` advises for fast starts. */
import { ROOT, runDeno } from "./command.ts";

/**
 * Bundles a program for Deno, minified and split at its dynamic imports, the packages included.
 *
 * @param entry The program.
 * @param folder Where the chunks go; the first one has the program's name.
 * @param config The configuration with the import map; that of the repository by default.
 * @returns The file to run.
 * @throws {Error} When it cannot be bundled; the message is the bundler's.
 */
export async function bundleProgram(entry: string, folder: string, config: string = `${ROOT}/deno.json`): Promise<string> {
  const how = ["--no-lock", "--config", config, "--platform", "deno", "--code-splitting", "--minify"];
  const { code, output } = await runDeno(["bundle", ...how, "--outdir", folder, entry]);
  if (code !== 0) throw new Error(`Bundling ${entry}: ${output}`);
  return `${folder}/${entry.replace(/^.*\/|\.ts$/g, "")}.js`;
}
