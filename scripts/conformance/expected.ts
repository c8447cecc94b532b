/** Which scenarios of the official suite must pass, as data. */

/** Which end is under test. */
export type Leg = "server" | "client";

/** What must pass on one leg and wire. */
export interface Expectation {
  readonly leg: Leg;
  readonly wire: string;
  /** How many scenarios the revision's requirement set has for this leg: a set that shrank proves nothing. */
  readonly scored: number;
  /** The scored scenarios that must pass: all, or these. */
  readonly mustPass: "all" | readonly string[];
  /** Scenarios outside the requirement set that must pass too. */
  readonly also: readonly string[];
}

/** What must pass now. Every other scenario is counted as not offered yet. */
export const EXPECTED: readonly Expectation[] = [
  {
    leg: "server",
    wire: "2026-07-28",
    scored: 37,
    mustPass: "all",
    also: ["http-header-validation", "http-custom-header-server-validation", "json-schema-2020-12"],
  },
  {
    leg: "client",
    wire: "2026-07-28",
    scored: 32,
    mustPass: [
      "tools_call",
      "request-metadata",
      "sep-2322-client-request-state",
      "http-standard-headers",
      "http-custom-headers",
      "http-invalid-tool-headers",
      "json-schema-ref-no-deref",
    ],
    also: ["json-schema-2020-12-preservation"],
  },
];

/** Whether a scenario must pass. */
export function isExpected(expectation: Expectation, name: string, scored: boolean): boolean {
  if (!scored) return expectation.also.includes(name);
  return expectation.mustPass === "all" || expectation.mustPass.includes(name);
}
