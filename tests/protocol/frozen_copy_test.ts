/** Tests of `protocol/frozen_copy.ts`. */
import assert from "node:assert/strict";
import { frozenCopy } from "../../protocol/frozen_copy.ts";

Deno.test("frozenCopy copies JSON and freezes the copy at every depth, and nothing else", () => {
  const given = { list: [{ deep: 1 }], left: undefined };
  const copy = frozenCopy(given);
  assert.deepEqual(copy, { list: [{ deep: 1 }] });
  assert.ok(Object.isFrozen(copy) && Object.isFrozen(copy.list) && Object.isFrozen(copy.list[0]));
  given.list[0] = { deep: 2 };
  assert.equal(copy.list[0]?.deep, 1);
  assert.ok(!Object.isFrozen(given.list));
});
