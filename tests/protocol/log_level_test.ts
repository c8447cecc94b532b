import assert from "node:assert/strict";
import { isLogLevel, LOG_LEVELS } from "../../protocol/log_level.ts";

Deno.test("isLogLevel knows the eight severities, in their order, and no other value", () => {
  assert.deepEqual(LOG_LEVELS, ["debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"]);
  for (const level of LOG_LEVELS) assert.equal(isLogLevel(level), true);
  for (const other of ["DEBUG", "warn", "", "constructor", 0, null, undefined, ["info"]]) assert.equal(isLogLevel(other), false);
});
