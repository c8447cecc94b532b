import assert from "node:assert/strict";
import { hasWrk } from "../../scripts/bench/load.ts";
import { ROOT, runDeno } from "../../scripts/command.ts";

Deno.test("deno task bench loads the servers with wrk and reports every HTTP row", async () => {
  assert.ok(await hasWrk(), "wrk is not installed");
  const args = [
    "run",
    "-A",
    `${ROOT}/scripts/bench.ts`,
    "--only",
    "http,list",
    "--rounds",
    "1",
    "--seconds",
    "1",
    "--warm-up",
    "1",
    "--ours",
  ];
  const { code, output } = await runDeno(args);
  assert.equal(code, 0, output);
  for (
    const row of ["echo, ours / bare, 1 tool: CPU", "echo, ours / bare, 1 tool: requests/s", "echo, 1,000 tools / 1 tool: CPU"]
  ) {
    assert.ok(output.includes(row), `${row} is missing:\n${output}`);
  }
  assert.match(output, /"load":"wrk"/);
});
