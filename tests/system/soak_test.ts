import assert from "node:assert/strict";
import { ROOT, runDeno } from "../../scripts/command.ts";

Deno.test("deno task soak sends 4,000 mixed requests with random faults: each is answered, and nothing is rejected unseen", async () => {
  const flags = ["--unstable-no-legacy-abort", "--v8-flags=--expose-gc"];
  const args = ["run", "-A", ...flags, `${ROOT}/scripts/soak.ts`, "--requests=4000", "--seed=1"];
  const { code, output } = await runDeno(args);
  assert.equal(code, 0, output);
  for (const outcome of ["echo", "aborted", "timed out", "asked", "change", "disturbed: closed"]) {
    assert.match(output, new RegExp(`^ *\\d+ ${outcome}$`, "m"), `${outcome} is missing:\n${output}`);
  }
  assert.match(output, /^\d{4} requests in [\d.]+ s, each with an answer or an error of its own$/m);
  assert.doesNotMatch(output, /FAILED|Warning/);
});
