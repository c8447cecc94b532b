/** What the conformance suite found, kept as JSON for the table in README. */

import type { Leg } from "./expected.ts";

/** How many scenarios passed, and of how many. */
export interface Count {
  readonly passed: number;
  readonly of: number;
}

/** The outcome of one leg and wire. */
export interface LegFigures {
  readonly leg: Leg;
  readonly wire: string;
  readonly scored: Count;
  readonly unscored: Count;
  /** The scenarios that did not pass, or were not run. */
  readonly left: readonly string[];
}

/** The figures in a file; none when it is not there. */
export async function readFigures(path: string): Promise<readonly LegFigures[]> {
  try {
    return JSON.parse(await Deno.readTextFile(path)) as readonly LegFigures[];
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Writes figures to a file, in place of older ones of the same leg and wire. */
export async function keepFigures(path: string, figures: readonly LegFigures[]): Promise<void> {
  if (figures.length === 0) return;
  const key = ({ leg, wire }: LegFigures): string => `${leg} ${wire}`;
  const all = new Map([...await readFigures(path), ...figures].map((one) => [key(one), one]));
  await Deno.mkdir(path.slice(0, path.lastIndexOf("/")), { recursive: true });
  await Deno.writeTextFile(path, `${JSON.stringify([...all.values()], null, 2)}\n`);
}
