import assert from "node:assert/strict";
import { describeSkills, SKILLS_ID } from "../../../protocol/extensions/skills.ts";

Deno.test("describeSkills has the third method and its setting only where directories are read, and clients declare nothing", () => {
  const plain = describeSkills({ directoryRead: false });
  assert.deepEqual([plain.id, plain.settings, plain.handshake], [SKILLS_ID, {}, true]);
  const answer = () => ({}) as never;
  const handlers = { "skills/list": answer, "skills/get": answer, "resources/directory/read": answer };
  const served = plain.serve(handlers);
  assert.deepEqual(Object.keys(served.methods), ["skills/list", "skills/get"]);
  assert.equal(served.undeclared, true);
  const more = describeSkills({ directoryRead: true });
  assert.deepEqual(more.settings, { directoryRead: true });
  assert.deepEqual(Object.keys(more.serve(handlers).methods), ["skills/list", "skills/get", "resources/directory/read"]);
});
