import assert from "node:assert/strict";
import { type Expectation, EXPECTED, isExpected } from "../../scripts/conformance/expected.ts";
import { readScenarios } from "../../scripts/conformance/lists.ts";
import { judge } from "../../scripts/conformance/verdict.ts";

/** The reasons against a run that recorded these checks. */
function reasons(checks: readonly object[] | undefined, code = 0, output = ""): readonly string[] {
  return judge({ code, timedOut: false, output, checks: checks && JSON.stringify(checks) }).reasons;
}

Deno.test("judge passes a scenario only by a successful check of its own", () => {
  assert.deepEqual(reasons([{ id: "ping", status: "SUCCESS" }, { id: "b", status: "SKIPPED" }]), []);
  assert.deepEqual(reasons([{ id: "ping", status: "SKIPPED" }]), ["No check of its own succeeded"]);
  assert.deepEqual(reasons([{ id: "wire-schema-valid", status: "SUCCESS" }]), ["No check of its own succeeded"]);
  assert.deepEqual(reasons([]), ["No check of its own succeeded"]);
  assert.deepEqual(reasons(undefined, 1, "a\nboom\n"), ["Recorded no checks (exit 1): boom"]);
});

Deno.test("judge counts a failure, a warning and a bad exit against the scenario", () => {
  const good = { id: "a", status: "SUCCESS" };
  assert.deepEqual(reasons([good, { id: "b", status: "FAILURE", errorMessage: "no\nmore" }]), ["Failure b: no"]);
  assert.deepEqual(reasons([good, { id: "b", status: "WARNING" }]), ["Warning b"]);
  assert.deepEqual(reasons([good], 1, "x\nCLIENT EXITED WITH ERROR (code 3)\ny"), [
    "Exit status 1: CLIENT EXITED WITH ERROR (code 3)",
  ]);
});

Deno.test("readScenarios joins the inventory with the frozen requirement set", () => {
  const required = [
    "Required for 2026-07-28 (3 scenarios, frozen)",
    "",
    "Server scenarios (test against a server):",
    "  - tools-list",
    "",
    "Client scenarios (test against a client):",
    "  - tools_call",
    "  - auth/dpop-scored",
    "",
    "Run and reported, but never scored:",
    "  extension (1):",
    "    - auth/dpop [client]",
  ].join("\n");
  const listed = [
    "Client scenarios (test against a client):",
    "  - initialize [2025-06-18,2025-11-25]",
    "  - tools_call [2025-11-25,2026-07-28]",
    "  - auth/dpop [extension]",
    "  - later [2026-07-28]",
  ].join("\n");
  assert.deepEqual(readScenarios({ leg: "client", wire: "2026-07-28", extensions: true }, listed, required), [
    { name: "tools_call", scored: true },
    { name: "auth/dpop", scored: false },
    { name: "later", scored: false },
  ]);
  assert.deepEqual(readScenarios({ leg: "client", wire: "2025-06-18", extensions: false }, listed, ""), [
    { name: "initialize", scored: false },
  ]);
});

Deno.test("isExpected tells what must pass from what is not offered yet", () => {
  const find = (leg: string, wire: string): Expectation | undefined =>
    EXPECTED.find((one) => one.leg === leg && one.wire === wire);
  const server = find("server", "2026-07-28");
  const client = find("client", "2026-07-28");
  assert.ok(server && client);
  assert.equal(isExpected(server, "anything", true), true);
  assert.equal(isExpected(server, "tasks-status-notifications", false), false);
  assert.equal(isExpected(client, "tools_call", true), true);
  assert.equal(isExpected(client, "auth/dpop", false), true);
  assert.equal(isExpected(client, "sep-2640-client-verify-size", false), true);
  const older = find("server", "2025-06-18");
  assert.ok(older);
  assert.equal(isExpected(older, "ping", false), true);
});
