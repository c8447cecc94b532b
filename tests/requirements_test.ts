import assert from "node:assert/strict";
import { compareCoverage, readTests } from "../scripts/requirements.ts";
import { parseRequirements, requirements } from "./requirements.ts";

Deno.test("requirements holds the whole ledger with unique ids", () => {
  const ledger = requirements();
  assert.equal(ledger.size, 1018);
  assert.deepEqual(ledger.get("M-BASE-001"), { id: "M-BASE-001", level: "MUST", role: "both", revisions: ["2026-07-28"] });
  for (const { id, revisions } of ledger.values()) assert.equal(id.startsWith("M-"), revisions.includes("2026-07-28"), id);
});

Deno.test("parseRequirements names the line that it cannot read", () => {
  assert.throws(() => parseRequirements("M-BASE-001|OUGHT|both|2026-07-28"), /Cannot read the requirement: "M-BASE-001\|OUGHT/);
  assert.throws(() => parseRequirements("M-A-001|MUST|both|x\nM-A-001|MUST|both|x"), /Cannot read the requirement/);
});

Deno.test("every requirement that a test names exists", () => {
  const root = new URL("..", import.meta.url).pathname.replace(/\/$/, "");
  const { covered, uncovered, unknown } = compareCoverage(requirements(), readTests(root));
  assert.deepEqual(unknown, []);
  assert.equal(covered.length + uncovered.length, 334);
});
