/** Writes lines to standard output and standard error. */

const encoder = new TextEncoder();

/** Writes one line to standard output. */
export function print(line = ""): void {
  writeAll(Deno.stdout, `${line}\n`);
}

/** Writes text as it is to standard output or standard error. */
export function write(text: string, target: "stdout" | "stderr" = "stdout"): void {
  writeAll(Deno[target], text);
}

/** Writes one line to standard error. */
export function printError(line: string): void {
  writeAll(Deno.stderr, `${line}\n`);
}

function writeAll(target: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = encoder.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(target.writeSync(bytes));
}
