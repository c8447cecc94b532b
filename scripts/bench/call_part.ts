/** Measures clients that call one after the other: in process, and over stdio. */
import { type Child, cpuSeconds, startChild } from "./child.ts";
import type { Options } from "./options.ts";
import { compare, middle, type PartResult, type Row, type Sample, type Samples } from "./report.ts";

/** Calls in process: ours against the bound, and beside the official pair. */
export async function memoryPart(options: Options): Promise<PartResult> {
  const [ours, official] = ["ours in process", "official in process"] as const;
  const samples = await measure(options, [[ours, "ours_memory.ts"], [official, "official_memory.ts"]]);
  const rows: Row[] = [
    {
      what: "in process: one callTool",
      value: 1e6 / middle(samples, ours, "rate"),
      unit: "µs",
      target: { at: "most", value: 15 },
    },
    { what: "in process: CPU of one callTool", value: middle(samples, ours, "cpu"), unit: "µs" },
    ...compare(samples, [{ what: "in process, ours / official", a: ours, b: official, of: "rate" }]),
  ];
  return { samples, rows };
}

/** Round trips over stdio: our pair against the official pair. */
export async function stdioPart(options: Options): Promise<PartResult> {
  const [bare, ours, official] = ["bare pipe", "ours over stdio", "official over stdio"] as const;
  const samples = await measure(options, [[bare, "bare_stdio.ts"], [ours, "ours_stdio.ts"], [official, "official_stdio.ts"]]);
  const rows = compare(samples, [
    { what: "stdio round trip, ours / bare pipe", a: ours, b: bare, of: "rate" },
    { what: "stdio round trip of both ends, ours / bare pipe", a: ours, b: bare, of: "cpu" },
    { what: "stdio round trip, ours / official", a: ours, b: official, of: "rate", target: { at: "least", value: 2 } },
    { what: "stdio round trip of both ends, official / ours", a: official, b: ours, of: "cpu" },
  ]);
  return { samples, rows };
}

async function measure(options: Options, all: readonly (readonly [name: string, file: string])[]): Promise<Samples> {
  const children: Child[] = [];
  const samples = new Map<string, Sample[]>();
  try {
    for (const [name, file] of all.filter(([name]) => !(options.ours && name.startsWith("official")))) {
      const child = startChild(name, file);
      children.push(child);
      samples.set(name, []);
      const line = await child.line();
      if (line !== "ready") throw new Error(`${name}: found ${line}`);
      await callRound(child, options.warmUp);
    }
    for (let i = 0; i < options.rounds; i++) {
      for (const child of children) samples.get(child.name)?.push(await callRound(child, options.seconds));
    }
    return samples;
  } finally {
    await Promise.all(children.map((child) => child.stop()));
  }
}

/** One round of a program that calls by itself. */
export async function callRound(child: Child, length: number): Promise<Sample> {
  const before = cpuSeconds(child.pid);
  await child.send(`${length}`);
  const { requests, seconds } = JSON.parse(await child.line()) as { readonly requests: number; readonly seconds: number };
  return { cpu: (cpuSeconds(child.pid) - before) * 1e6 / requests, rate: requests / seconds };
}
