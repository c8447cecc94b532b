/** `deno serve` as a child, for tests of programs that it serves. */
import assert from "node:assert/strict";

/** Options of {@linkcode denoServe}. */
export interface DenoServeOptions {
  /** What `deno serve` is given beside the address. */
  readonly args?: readonly string[];
  /** Its working directory. */
  readonly cwd?: string;
  /** Added to its environment. */
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Serves a program with nothing granted on a port of its own choice, hands its address to `use`, and ends it.
 *
 * @returns What it wrote to its standard error.
 */
export async function denoServe(
  program: string,
  use: (url: string) => Promise<void>,
  { args = [], cwd, env = {} }: DenoServeOptions = {},
): Promise<string> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["serve", "--no-prompt", "--cached-only", "--host=127.0.0.1", "--port=0", ...args, program],
    ...(cwd === undefined ? {} : { cwd }),
    env: { NO_COLOR: "1", ...env },
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const reader = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  let url: string | undefined;
  try {
    while (url === undefined) {
      const { done, value } = await reader.read();
      assert.ok(!done, `deno serve ended: ${text}`);
      text += value;
      // A piece may end within the address.
      url = /Listening on (http:\/\/\S+)\s/.exec(text)?.[1];
    }
    await use(url);
  } finally {
    child.kill("SIGTERM");
    for (let rest = await reader.read(); !rest.done; rest = await reader.read()) text += rest.value;
    await child.status;
  }
  return text;
}
