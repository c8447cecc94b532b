/** Tests of `transports/process.ts`: what it does to our own streams, and where Deno grants it little. */
import assert from "node:assert/strict";
import process from "node:process";
import { standardError } from "../../transports/process.ts";

const PROGRAM = new URL("./programs/narrow_client.ts", import.meta.url).pathname;

/** Runs the client with few rights on a terminal, where Deno asks for the others and waits. */
async function onTerminal(flags: string): Promise<string> {
  const command = `${Deno.execPath()} run --quiet --no-check ${flags} ${PROGRAM}`;
  const child = new Deno.Command("script", {
    args: ["-qec", command, "/dev/null"],
    stdin: "null",
    stdout: "piped",
    stderr: "null",
    env: { NO_COLOR: "1" },
  }).spawn();
  const killer = setTimeout(() => child.kill("SIGKILL"), 20_000);
  const { stdout } = await child.output();
  clearTimeout(killer);
  return new TextDecoder().decode(stdout).replaceAll("\r", "");
}

for (
  const [rights, flags] of [
    ["the right to start one program", "--allow-run=sh --allow-env=NODE_V8_COVERAGE"],
    ["the right to read files", "--allow-run --allow-read --allow-env=NODE_V8_COVERAGE"],
    ["the right to read some variables", "--allow-run=sh --allow-env=NODE_V8_COVERAGE,HOME"],
  ] as const
) {
  Deno.test({
    name: `connectStdio() asks for nothing more with ${rights}, and ends a stubborn server`,
    ignore: Deno.build.os !== "linux",
    async fn() {
      const text = await onTerminal(flags);
      assert.doesNotMatch(text, /Deno requests/);
      assert.match(text, /closed, 0 faults\n$/);
      assert.equal(/\bHOME\b/.test(text), flags.includes("HOME"));
    },
  });
}

Deno.test("standardError() listens once to our own standard error, however many children write to it, and to nothing else", () => {
  const { stdin, stdout, stderr } = process;
  const events = ["error", "close", "data", "end", "drain"];
  const count = (): number[] =>
    [stdin, stdout, stderr].map((stream) => events.reduce((all, one) => all + stream.listenerCount(one), 0));
  standardError();
  const before = count();
  for (let child = 0; child < 20; child++) standardError();
  assert.deepEqual(count(), before);
});
