/** Waits for the end of one task: looks at the pace that the server proposes, hands on new questions, sends the answers once. */
import { isMcpError, ProtocolError, TransportError } from "../../protocol/errors.ts";
import { readTask } from "../../protocol/extensions/tasks.ts";
import type { Task } from "../../protocol/extensions/tasks.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { TASK_WAIT_LIMITS } from "../../protocol/limits.ts";
import type { InputRequest, JsonObject } from "../../protocol/types.ts";
import type { ExtensionRound, ExtensionStep, RequestOptions } from "../options.ts";
import { questionFault } from "../question_fault.ts";

/** Sends a request. */
export type Ask = (method: string, params: JsonObject, options: RequestOptions) => Promise<JsonObject>;

/** A task was cancelled, so that there is no result. */
export class TaskCancelledError extends Error {
  /** The task. */
  readonly taskId: string;

  /** Names the task. */
  constructor(taskId: string, statusMessage: string | undefined) {
    super(
      `Waiting for the task ${JSON.stringify(taskId)}: it was cancelled${
        statusMessage === undefined ? "" : ` (${statusMessage})`
      }`,
    );
    this.name = "TaskCancelledError";
    this.taskId = taskId;
  }
}

/** Waits for one task. */
export class Poller {
  readonly #taskId: string;
  readonly #ask: Ask;
  readonly #asked = new Set<string>();
  #interval: number | undefined;
  #looked = false;
  #lost = 0;
  #unwatch: (() => void) | undefined;

  /**
   * Begins to wait.
   *
   * @param task The task as its handle has it.
   * @param ask Sends requests.
   */
  constructor({ taskId, pollIntervalMs, status }: Pick<Task, "taskId" | "status" | "pollIntervalMs">, ask: Ask) {
    this.#taskId = taskId;
    this.#ask = ask;
    this.#interval = pollIntervalMs;
    // What is not at work needs no pause before the first look; neither does a task that is taken up again.
    this.#looked = status === "working" && pollIntervalMs !== undefined;
  }

  /** Goes on to the end, or to questions that were not asked before. Aborting the signal cancels the task. */
  async round({ options, deadline, inputResponses }: ExtensionRound): Promise<ExtensionStep> {
    const taskId = this.#taskId;
    const { signal, timeout } = options;
    this.#watch(signal);
    try {
      if (inputResponses !== undefined) {
        await this.#ask("tasks/update", { taskId, inputResponses: inputResponses as unknown as JsonObject }, { signal, timeout });
        this.#looked = false;
      }
      for (;;) {
        if (this.#looked) await sleep(this.#pause(deadline), signal);
        if (performance.now() >= deadline) throw outOfTime(taskId);
        const task = await this.#look({ signal, timeout });
        const step = task === undefined ? undefined : this.#stepOf(task);
        if (step === undefined) continue;
        if (step.type === "complete") this.#unwatch?.();
        return step;
      }
    } catch (error) {
      this.#unwatch?.();
      throw error;
    }
  }

  /** Until the task has ended the signal cancels it, also while questions are answered. */
  #watch(signal: AbortSignal | undefined): void {
    this.#unwatch?.();
    if (signal === undefined) return;
    const cancel = (): void => void this.#ask("tasks/cancel", { taskId: this.#taskId }, {}).catch(() => undefined);
    signal.addEventListener("abort", cancel, { once: true });
    this.#unwatch = () => signal.removeEventListener("abort", cancel);
  }

  #pause(deadline: number): number {
    const { shortest, usual, longest } = TASK_WAIT_LIMITS;
    const hint = this.#interval ?? 0;
    const wanted = Math.min(Math.max(hint > 0 ? hint : usual, shortest), longest);
    return Math.max(Math.min(wanted, deadline - performance.now()), 0);
  }

  /** A look that is lost on its way is made again; an answer, whatever it says, counts. */
  async #look(options: RequestOptions): Promise<Task | undefined> {
    this.#looked = true;
    try {
      const task = readHandle(await this.#ask("tasks/get", { taskId: this.#taskId }, options), this.#taskId);
      this.#lost = 0;
      this.#interval = task.pollIntervalMs;
      return task;
    } catch (error) {
      const passing = isMcpError(error) && error.kind === "transport" &&
        (error.reason === "unreachable" || error.reason === "timeout" || error.reason === "closed");
      if (!passing || options.signal?.aborted === true || ++this.#lost > TASK_WAIT_LIMITS.lost) throw error;
      return undefined;
    }
  }

  #stepOf(task: Task): ExtensionStep | undefined {
    switch (task.status) {
      case "completed":
        return { type: "complete", result: task.result as JsonObject };
      case "failed": {
        const { code, message, data } = task.error as NonNullable<Task["error"]>;
        throw new ProtocolError(code, message, { data });
      }
      case "cancelled":
        throw new TaskCancelledError(task.taskId, task.statusMessage);
      case "working":
        return undefined;
      case "input_required": {
        // Between two looks the same question is not asked twice (SEP-2663, Input Required).
        const fresh = Object.entries(task.inputRequests ?? {}).filter(([key]) => !this.#asked.has(key));
        for (const [key] of fresh) this.#asked.add(key);
        return fresh.length === 0 ? undefined : { type: "input_required", requests: Object.fromEntries(fresh) };
      }
    }
  }
}

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
 * Reads the answer to `tasks/get`.
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

/** Waits; rejects with the reason of the signal when that aborts. */
export function sleep(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted === true) return reject(signal.reason);
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", stop);
      resolve();
    }, milliseconds);
    signal?.addEventListener("abort", stop, { once: true });
  });
}

function outOfTime(taskId: string): TransportError {
  const text = `Waiting for the task ${
    JSON.stringify(taskId)
  }: the total time is over, the task goes on (limit requestTotalTimeout)`;
  return new TransportError("timeout", text, { data: { limit: "requestTotalTimeout", taskId } });
}
