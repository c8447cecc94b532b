import assert from "node:assert/strict";
import { describeTasks, isFinal, readTask } from "../../../protocol/extensions/tasks.ts";

const TASK = {
  taskId: "t",
  status: "working",
  createdAt: "2026-01-01T00:00:00Z",
  lastUpdatedAt: "2026-01-01T00:00:00Z",
  ttlMs: null,
};

Deno.test("readTask takes what a task has to have, and names what is missing", () => {
  assert.deepEqual(readTask(TASK, true), TASK);
  for (
    const [change, fault] of [
      [{ taskId: 1 }, /taskId is not a string/],
      [{ taskId: "" }, /taskId is empty/],
      [{ status: "done" }, /status is none/],
      [{ ttlMs: undefined }, /ttlMs/],
      [{ pollIntervalMs: "1" }, /pollIntervalMs/],
      [{ createdAt: undefined }, /createdAt/],
      [{ statusMessage: 1 }, /statusMessage/],
      [{ status: "completed" }, /no result/],
      [{ status: "failed", error: { code: "1" } }, /no error/],
      [{ status: "input_required" }, /questions are missing/],
    ] as const
  ) assert.match(String(readTask({ ...TASK, ...change } as never, true)), fault);
  assert.notEqual(typeof readTask({ ...TASK, status: "completed" }, false), "string");
});

Deno.test("isFinal knows the three ends of a task", () => {
  assert.deepEqual(
    (["working", "input_required", "completed", "failed", "cancelled"] as const).filter(isFinal),
    ["completed", "failed", "cancelled"],
  );
});

Deno.test("describeTasks names the task in the header of each method", () => {
  const { headers, resultMethods, settings } = describeTasks();
  assert.deepEqual(headers, { "tasks/get": "taskId", "tasks/update": "taskId", "tasks/cancel": "taskId" });
  assert.deepEqual(resultMethods, ["tools/call"]);
  assert.deepEqual(settings, {});
});
