/** Tests of `server/changes/changes.ts`. */
import assert from "node:assert/strict";
import { changeNotice, ChangeQueue, offersChange, readChange } from "../../../server/changes/changes.ts";
import type { Change } from "../../../server/changes/changes.ts";

Deno.test("readChange() takes changes, and nothing else from a bus that others may use", () => {
  assert.deepEqual(readChange({ type: "toolsListChanged" }), { type: "toolsListChanged" });
  assert.deepEqual(readChange({ type: "resourceUpdated", uri: "x:" }), { type: "resourceUpdated", uri: "x:" });
  for (const event of [undefined, null, 1, "toolsListChanged", [], {}, { type: "toString" }, { type: "resourceUpdated" }]) {
    assert.equal(readChange(event), undefined);
  }
});

Deno.test("changeNotice() names the notification of each change", () => {
  assert.deepEqual(changeNotice({ type: "resourceUpdated", uri: "x:" }), {
    method: "notifications/resources/updated",
    params: { uri: "x:" },
  });
  for (
    const [type, list] of [["toolsListChanged", "tools"], ["promptsListChanged", "prompts"], [
      "resourcesListChanged",
      "resources",
    ]]
  ) {
    const { method, params } = changeNotice({ type } as Change);
    assert.deepEqual([method, params], [`notifications/${list}/list_changed`, {}]);
  }
});

Deno.test("offersChange() follows the declared capabilities", () => {
  const change: Change = { type: "resourceUpdated", uri: "x:" };
  assert.equal(offersChange(change, { resources: { subscribe: true } }), true);
  assert.equal(offersChange(change, { resources: { listChanged: true } }), false);
  assert.equal(offersChange({ type: "toolsListChanged" }, { tools: {} }), false);
  assert.equal(offersChange({ type: "promptsListChanged" }, { prompts: { listChanged: true } }), true);
  assert.equal(offersChange({ type: "resourcesListChanged" }, {}), false);
});

Deno.test("ChangeQueue hands on so many at once, and lets each kind and each URI wait once", async () => {
  const sent: Change[] = [];
  const waiting: (() => void)[] = [];
  const queue = new ChangeQueue(2, (change) => {
    sent.push(change);
    return new Promise((resolve) => waiting.push(resolve));
  });
  for (let turn = 0; turn < 5; turn++) {
    queue.tell({ type: "toolsListChanged" });
    queue.tell({ type: "resourceUpdated", uri: "a:" });
    queue.tell({ type: "resourceUpdated", uri: "b:" });
  }
  assert.equal(sent.length, 2);
  while (waiting.length > 0) {
    waiting.shift()?.();
    await Promise.resolve();
  }
  assert.deepEqual(sent.slice(2).map((one) => one.type === "resourceUpdated" ? one.uri : one.type), [
    "b:",
    "toolsListChanged",
    "a:",
  ]);
});

Deno.test("ChangeQueue hands on at once what waits when nothing comes after it, and forgets it on demand", () => {
  for (const end of ["flush", "clear"] as const) {
    const sent: Change[] = [];
    const queue = new ChangeQueue(1, (change) => {
      sent.push(change);
      return new Promise(() => undefined);
    });
    queue.tell({ type: "toolsListChanged" });
    queue.tell({ type: "promptsListChanged" });
    queue[end]();
    queue[end]();
    assert.equal(sent.length, end === "flush" ? 2 : 1);
  }
});
