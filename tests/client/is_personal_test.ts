/** Tests of `client/is_personal.ts`. */
import assert from "node:assert/strict";
import type { Call } from "../../client/connection_settings.ts";
import { isPersonal } from "../../client/is_personal.ts";

const call = (more: object, options: object = {}): Call =>
  ({ method: "tools/list", params: {}, options, times: {}, ...more }) as Call;

Deno.test("isPersonal keeps calls from the cache that have input, or want more than the answer", () => {
  assert.equal(isPersonal(call({})), false);
  for (const more of [{ inputResponses: {} }, { requestState: "" }]) assert.ok(isPersonal(call(more)));
  for (const options of [{ onProgress: () => undefined }, { logLevel: "info" }]) assert.ok(isPersonal(call({}, options)));
});
