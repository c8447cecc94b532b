/** Measures change streams: the heap that a quiet one takes, and how long an event takes to reach many. */
import type { Options } from "./options.ts";
import { median, type PartResult, type Row } from "./report.ts";

/** Heap of one open stream beyond a bare SSE response, and one event for 10,000 listeners in the process. */
export async function streamsPart(options: Options): Promise<PartResult> {
  const more: number[] = [];
  const times: number[] = [];
  for (let round = 0; round < Math.min(options.rounds, 3); round++) {
    more.push(await run("ours") - await run("bare"));
    times.push(await run("event"));
  }
  const rows: Row[] = [
    {
      what: "open change stream: heap more than a bare SSE response",
      value: median(more) / 1_024,
      unit: "KiB",
      target: { at: "most", value: 4 },
    },
    {
      what: "one event to 10,000 listeners in the process",
      value: median(times),
      unit: "ms",
      target: { at: "most", value: 100 },
    },
  ];
  return { samples: new Map(), rows };
}

async function run(what: "bare" | "ours" | "event"): Promise<number> {
  const program = new URL("./programs/subscriptions.ts", import.meta.url).pathname;
  const args = ["run", "-A", "--cached-only", "--v8-flags=--expose-gc", program, what];
  const { success, stdout } = await new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "inherit" }).output();
  if (!success) throw new Error(`subscriptions.ts ${what}: ended with an error`);
  return JSON.parse(new TextDecoder().decode(stdout)) as number;
}
