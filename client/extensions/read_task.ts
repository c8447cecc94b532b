/** Reads what a server says of a task, with its questions. */
import { TransportError } from "../../protocol/errors.ts";
import { readTask } from "../../protocol/extensions/tasks.ts";
import type { Task } from "../../protocol/extensions/tasks.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { InputRequest, JsonObject } from "../../protocol/types.ts";
import { questionFault } from "../input/question_fault.ts";

/**
 * Reads a handle.
 *
 * @throws {TransportError} "not_mcp" when it is none.
 */
export function startedTask(result: JsonObject): Task {
  const task = readTask(result, false);
  if (typeof task !== "string") return task;
  throw new TransportError("not_mcp", `Reading the answer to tools/call: ${task}`);
}

/**
 * Reads the answer to `tasks/get`, or the notification that says the same.
 *
 * @throws {TransportError} "not_mcp" when it is none, or is of another task.
 */
export function readHandle(result: JsonObject, taskId: string): Task {
  const task = readTask(result, true);
  const fault = typeof task === "string" ? task : task.taskId === taskId ? questionsFault(task) : "it is of another task";
  if (fault !== undefined) throw new TransportError("not_mcp", `Reading the answer to tasks/get: ${fault}`);
  return task as Task;
}

const ASKABLE: ReadonlySet<unknown> = new Set(["elicitation/create", "sampling/createMessage", "roots/list"]);

function questionsFault({ status, inputRequests }: Task): string | undefined {
  if (status !== "input_required") return undefined;
  for (const [key, request] of Object.entries(inputRequests ?? {}) as [string, Partial<InputRequest> | null][]) {
    const asks = request?.method === "roots/list" || isJsonObject(request?.params);
    if (!asks || !ASKABLE.has(request?.method)) {
      return `the question ${JSON.stringify(key)} is none of the protocol`;
    }
    const fault = questionFault(request as InputRequest);
    if (fault !== undefined) return `the question ${JSON.stringify(key)}: ${fault}`;
  }
  return undefined;
}
