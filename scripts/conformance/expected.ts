/** Which scenarios of the official suite must pass, as data. */

/** Which end is under test. */
export type Leg = "server" | "client";

/** What must pass on one leg and wire. */
export interface Expectation {
  readonly leg: Leg;
  readonly wire: string;
  /** How many scenarios the revision's requirement set has for this leg: a set that shrank proves nothing. */
  readonly scored: number;
  /** How many more apply on this wire: the same holds for them. */
  readonly unscored: number;
  /** Whether the scenarios of extensions, which belong to no revision, are run on this wire. */
  readonly extensions: boolean;
  /** The scored scenarios that must pass: all, or these. */
  readonly mustPass: "all" | readonly string[];
  /** Scenarios outside the requirement set that must pass too: all, or these. */
  readonly also: "all" | readonly string[];
}

/** The flows of the authorization extensions. */
const AUTH_EXTENSIONS = [
  "auth/client-credentials-jwt",
  "auth/client-credentials-basic",
  "auth/enterprise-managed-authorization",
  "auth/dpop",
  "auth/dpop-nonce",
  "auth/wif-jwt-bearer",
] as const;

/** The Tasks extension; `tasks-status-notifications` is skipped by the suite whatever a server does. */
const TASKS = [
  "tasks-capability-negotiation",
  "tasks-lifecycle",
  "tasks-dispatch-and-envelope",
  "tasks-wire-fields",
  "tasks-request-state-removal",
  "tasks-mrtr-input",
  "tasks-request-headers",
  "tasks-required-task-error",
  "tasks-mrtr-composition",
] as const;

/** The Skills extension, on the client's side. */
const SKILLS_CLIENT = [
  "sep-2640-client-no-prefetch",
  "sep-2640-client-verify-digest",
  "sep-2640-client-verify-size",
  "sep-2640-client-verify-frontmatter",
] as const;

/** The Skills extension. */
const SKILLS = ["sep-2640-skills-enumeration", "sep-2640-skills-manifest", "sep-2640-skills-directory"] as const;

/** What must pass now. Every other scenario is counted as not offered yet. */
export const EXPECTED: readonly Expectation[] = [
  {
    leg: "server",
    wire: "2026-07-28",
    scored: 37,
    unscored: 16,
    extensions: true,
    mustPass: "all",
    also: ["http-header-validation", "http-custom-header-server-validation", "json-schema-2020-12", ...TASKS, ...SKILLS],
  },
  { leg: "server", wire: "2025-11-25", scored: 30, unscored: 3, extensions: false, mustPass: "all", also: "all" },
  { leg: "server", wire: "2025-06-18", scored: 0, unscored: 27, extensions: false, mustPass: [], also: "all" },
  { leg: "server", wire: "2025-03-26", scored: 0, unscored: 1, extensions: false, mustPass: [], also: "all" },
  {
    leg: "client",
    wire: "2026-07-28",
    scored: 32,
    unscored: 11,
    extensions: true,
    mustPass: "all",
    also: ["json-schema-2020-12-preservation", ...AUTH_EXTENSIONS, ...SKILLS_CLIENT],
  },
  {
    leg: "client",
    wire: "2025-11-25",
    scored: 18,
    unscored: 11,
    extensions: true,
    mustPass: "all",
    also: ["json-schema-2020-12-preservation", ...AUTH_EXTENSIONS, ...SKILLS_CLIENT],
  },
  { leg: "client", wire: "2025-06-18", scored: 0, unscored: 5, extensions: false, mustPass: [], also: "all" },
  { leg: "client", wire: "2025-03-26", scored: 0, unscored: 2, extensions: false, mustPass: [], also: "all" },
];

/** Scenarios that measure time: they run while no other does. */
export const ALONE: ReadonlySet<string> = new Set(["server-stateless", "server-sse-polling", "sse-retry"]);

/** Whether a scenario must pass. */
export function isExpected(expectation: Expectation, name: string, scored: boolean): boolean {
  const names = scored ? expectation.mustPass : expectation.also;
  return names === "all" || names.includes(name);
}
