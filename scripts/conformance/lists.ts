/** Reads what the suite's `list` command prints: plain text is its only inventory. */

import type { Expectation, Leg } from "./expected.ts";

/** One scenario on one wire. */
export interface Scenario {
  readonly name: string;
  /** In the frozen requirement set of the revision, so that it counts for the score. */
  readonly scored: boolean;
}

/** The scenarios of one leg that apply on one wire: what `list --<leg>` and `list --requirements <wire>` print together. */
export function readScenarios(
  { leg, wire, extensions }: Pick<Expectation, "leg" | "wire" | "extensions">,
  listed: string,
  required: string,
): Scenario[] {
  const set = readRequired(required)[leg];
  const found: Scenario[] = [];
  for (const line of listed.split("\n")) {
    const match = /^\s+- (\S+)(?: \[(.*)\])?$/.exec(line);
    const [, name = "", applies = ""] = match ?? [];
    if (name === "") continue;
    const on = applies.split(",");
    if (set.has(name) || on.includes(wire) || (extensions && on.includes("extension"))) {
      found.push({ name, scored: set.has(name) });
    }
  }
  return found;
}

/** The names that score, by leg; the list of what never scores ends the reading. */
function readRequired(text: string): Record<Leg, Set<string>> {
  const sets: Record<Leg, Set<string>> = { server: new Set(), client: new Set() };
  let leg: Leg | undefined;
  for (const line of text.split("\n")) {
    if (/^Server scenarios/.test(line)) leg = "server";
    else if (/^Client scenarios/.test(line)) leg = "client";
    else if (/^\S/.test(line)) leg = undefined;
    const name = /^ {2}- (\S+)$/.exec(line)?.[1];
    if (leg !== undefined && name !== undefined) sets[leg].add(name);
  }
  return sets;
}
