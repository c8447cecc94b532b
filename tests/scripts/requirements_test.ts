import assert from "node:assert/strict";
import { compareCoverage, readNames } from "../../scripts/requirements.ts";
import { parseRequirements } from "../requirements.ts";

const LEDGER = parseRequirements([
  "M-BASE-001|MUST|both|2026-07-28",
  "M-BASE-002|MUST NOT|server|2026-07-28,2025-11-25",
  "M-BASE-003|SHOULD|both|2026-07-28",
  "M-AUTH-001|MUST|client|2026-07-28",
  "M-SEC-001|MUST|host-app|2026-07-28",
  "L-SES-001|MUST|server|2025-11-25",
].join("\n"));

Deno.test("readNames finds ids in the names of tests and steps only", () => {
  const named = readNames(`
    // M-BASE-009
    const id = "M-BASE-008";
    Deno.test("one (M-BASE-001, M-BASE-002)", async (t) => { await t.step("two (L-SES-001)", () => {}); });
    Deno.test({ name: "three (M-BASE-003)", fn() {} });
    for (const x of [1]) Deno.test(\`four \${x} (M-AUTH-001)\`, () => {});
  `);
  assert.deepEqual([...named.keys()].sort(), ["L-SES-001", "M-AUTH-001", "M-BASE-001", "M-BASE-002", "M-BASE-003"]);
});

Deno.test("compareCoverage counts what is due and names what it does not know", () => {
  const named = readNames(`Deno.test("a (M-BASE-001, M-BASE-003)", f); Deno.test("b (M-NOPE-001)", f);`);
  assert.deepEqual(compareCoverage(LEDGER, named), {
    covered: ["M-BASE-001"],
    uncovered: ["M-BASE-002"],
    unknown: ['M-NOPE-001 in "b (M-NOPE-001)"'],
  });
});
