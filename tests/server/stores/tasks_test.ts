import assert from "node:assert/strict";
import { memoryStore } from "../../../server/stores/memory.ts";
import { storedTasks } from "../../../server/stores/tasks.ts";
import type { TaskRecord } from "../../../server/stores/tasks.ts";
import { later } from "../../later.ts";

function record(taskId: string, until = Date.now() + 60_000): TaskRecord {
  const at = new Date().toISOString();
  return { taskId, status: "working", createdAt: at, lastUpdatedAt: at, ttlMs: 1, owner: "", instance: "i", until };
}

Deno.test("storedTasks creates an id once, and changes a task whoever is faster", async () => {
  const tasks = storedTasks(memoryStore());
  await tasks.create(record("a"));
  await assert.rejects(tasks.create(record("a")), /its id is taken/);
  const add = (found: TaskRecord): TaskRecord => ({ ...found, statusMessage: `${found.statusMessage ?? ""}x` });
  await Promise.all(Array.from({ length: 8 }, () => tasks.change("a", add)));
  assert.equal((await tasks.read("a"))?.statusMessage, "xxxxxxxx");
  assert.equal(await tasks.change("none", add), undefined);
  assert.equal((await tasks.change("a", () => undefined))?.statusMessage, "xxxxxxxx");
});

Deno.test("storedTasks lets a full store forget tasks that have ended for new ones, and no others", async () => {
  const tasks = storedTasks(memoryStore({ maxEntries: 2 }));
  await tasks.create(record("a"));
  await tasks.create(record("b"));
  await assert.rejects(tasks.create(record("c")), RangeError);
  await tasks.change("b", (found) => ({ ...found, status: "completed", result: {} }));
  await tasks.create(record("c"));
  assert.deepEqual([await tasks.read("b"), (await tasks.read("a"))?.status], [undefined, "working"]);
});

Deno.test("storedTasks forgets a task when its time is over, and a process that gives no sign of life", async () => {
  const tasks = storedTasks(memoryStore());
  await tasks.create(record("a", Date.now() + 20));
  await tasks.beat("i", 20);
  assert.equal(await tasks.lives("i"), true);
  await later(20, async () => {
    assert.equal(await tasks.read("a"), undefined);
    assert.equal(await tasks.lives("i"), false);
  });
});
