/** What can be asked of the bench on its command line. */
import { parseArgs } from "node:util";

/** The parts of the bench. */
export const PARTS = ["http", "list", "memory", "stdio", "start", "streams", "sizes"] as const;

/** The part that measures this checkout against another one. */
const AGAINST = "against";

/** One part of the bench. */
export type Part = typeof PARTS[number] | typeof AGAINST;

/** How the bench runs. */
export interface Options {
  /** Rounds of each contender; 7 by default. */
  readonly rounds: number;
  /** Seconds of one round; 1 by default. */
  readonly seconds: number;
  /** Seconds of load on each program before its first round; 6 by default: V8 is done with compiling by then. */
  readonly warmUp: number;
  /** The parts to run; all by default. */
  readonly only: readonly Part[];
  /** The folder of another checkout of this package; this one is then measured against it, and nothing else is. */
  readonly against?: string;
  /** Leaves the official packages out, for short runs while tuning. */
  readonly ours: boolean;
  /** Draws `docs/bench.svg`; false by default, because the file is part of the documentation. */
  readonly draw: boolean;
}

/** Reads `--rounds 7 --seconds 1 --warm-up 6 --only http,list --ours --draw --against ../before`. Throws a TypeError for what is not known. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArgs({
    args: [...args],
    options: {
      rounds: { type: "string" },
      seconds: { type: "string" },
      "warm-up": { type: "string" },
      only: { type: "string" },
      ours: { type: "boolean" },
      draw: { type: "boolean" },
      against: { type: "string" },
    },
  });
  const { against } = values;
  const only = against !== undefined
    ? [AGAINST] as const
    : values.only === undefined
    ? PARTS
    : values.only.split(",").map((name) => {
      const part = PARTS.find((known) => known === name);
      if (part === undefined) throw new TypeError(`--only: ${name} is not one of ${PARTS.join(", ")}`);
      return part;
    });
  return {
    rounds: count("rounds", values.rounds, 7),
    seconds: count("seconds", values.seconds, 1),
    warmUp: count("warm-up", values["warm-up"], 6),
    only,
    ours: values.ours ?? false,
    draw: values.draw ?? false,
    ...(against === undefined ? {} : { against }),
  };
}

function count(name: string, text: string | undefined, otherwise: number): number {
  const value = text === undefined ? otherwise : Number(text);
  if (!(value > 0)) throw new TypeError(`--${name}: ${text} is not a positive number`);
  return value;
}
