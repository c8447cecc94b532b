/** Calls something over and over whenever the bench asks for it. */

const encoder = new TextEncoder();

/** Prints "ready"; for each line of standard input calls for that many seconds and prints the count as JSON. */
export async function serveRounds(call: () => Promise<unknown>): Promise<void> {
  print("ready");
  for await (const text of Deno.stdin.readable.pipeThrough(new TextDecoderStream())) {
    for (const line of text.split("\n")) {
      if (line !== "") print(JSON.stringify(await round(call, Number(line))));
    }
  }
}

async function round(call: () => Promise<unknown>, seconds: number): Promise<{ requests: number; seconds: number }> {
  const started = performance.now();
  const end = started + seconds * 1_000;
  let requests = 0;
  while (performance.now() < end) {
    for (let i = 0; i < 10; i++) await call();
    requests += 10;
  }
  return { requests, seconds: (performance.now() - started) / 1_000 };
}

function print(line: string): void {
  Deno.stdout.writeSync(encoder.encode(`${line}\n`));
}
