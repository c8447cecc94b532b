import assert from "node:assert/strict";
import { isTransientStatus } from "../../protocol/is_transient_status.ts";

Deno.test("isTransientStatus is true for what may be another answer later, and for nothing else", () => {
  const transient = [408, 409, 429, 500, 502, 503, 504, 599];
  const lasting = [200, 301, 400, 401, 403, 404, 405, 410, 501, undefined, null, "503"];
  assert.deepEqual(transient.filter((status) => !isTransientStatus(status)), []);
  assert.deepEqual(lasting.filter(isTransientStatus), []);
});
