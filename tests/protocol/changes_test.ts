import assert from "node:assert/strict";
import { CHANGE_METHODS, changeOfMethod } from "../../protocol/changes.ts";

Deno.test("changeOfMethod knows every notification of a change, and names of built-ins are none", () => {
  for (const [type, method] of Object.entries(CHANGE_METHODS)) assert.equal(changeOfMethod(method), type);
  for (const method of ["notifications/message", "constructor", "__proto__", ""]) assert.equal(changeOfMethod(method), undefined);
});
