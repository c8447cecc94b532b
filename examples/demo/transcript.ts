/** Prints what is asked and answered as it happens, and remembers it for the comparison at the end. */
// deno-lint-ignore-file no-console -- printing is what this file does

/** The record of one tour over one transport. */
export interface Transcript {
  /** How the server is reached. */
  readonly transport: string;
  /** Everything that was said, without times. */
  readonly lines: string[];
  /** Milliseconds of each step. */
  readonly times: Map<string, number>;
  /** One line of what comes in while something is asked. */
  say(line: string): void;
  /** Asks something: prints the question, runs it, prints the answer and how long it took. */
  ask<T>(step: string, question: string, run: () => Promise<T>, answer: (value: T) => string): Promise<T>;
}

const COLOURS = { bold: 1, dim: 2, green: 32, yellow: 33, blue: 34, cyan: 36 } as const;

/** Colours text on a terminal, unless `NO_COLOR` is set. */
export function paint(colour: keyof typeof COLOURS, text: string): string {
  return Deno.stdout.isTerminal() && !Deno.noColor ? `\x1b[${COLOURS[colour]}m${text}\x1b[0m` : text;
}

/** Begins a transcript with a heading. */
export function transcript(transport: string, where: string): Transcript {
  const lines: string[] = [];
  const times = new Map<string, number>();
  const print = (mark: string, text: string, rest = "") => {
    lines.push(`${mark} ${text}`);
    console.log(`  ${mark} ${text}${rest}`);
  };
  console.log(`\n${paint("bold", transport)} ${paint("dim", where)}\n`);
  return {
    transport,
    lines,
    times,
    say: (line) => print(paint("yellow", "·"), line),
    async ask(step, question, run, answer) {
      print(paint("blue", "→"), question);
      const start = performance.now();
      const value = await run();
      const time = performance.now() - start;
      times.set(step, time);
      print(paint("green", "←"), answer(value), paint("dim", `  ${milliseconds(time)}`));
      return value;
    },
  };
}

/** One row for each step, one column for each transport. */
export function table(transcripts: readonly Transcript[]): string {
  const steps = [...transcripts[0]?.times.keys() ?? []];
  const wide = Math.max(...steps.map((step) => step.length));
  const column = 12;
  const head = "".padEnd(wide) + transcripts.map(({ transport }) => transport.padStart(column)).join("");
  const rows = steps.map((step) =>
    step.padEnd(wide) + transcripts.map(({ times }) => milliseconds(times.get(step)).padStart(column)).join("")
  );
  return [paint("bold", head), ...rows].join("\n");
}

function milliseconds(time: number | undefined): string {
  return time === undefined ? "-" : `${time.toFixed(time < 10 ? 2 : 0)} ms`;
}
