/** Writes a line to standard error, where the tests look for it. */

/** Writes `line` and a line end. */
export function writeStderr(line: string): void {
  Deno.stderr.writeSync(new TextEncoder().encode(`${line}\n`));
}
