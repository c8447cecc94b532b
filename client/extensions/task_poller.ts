/** Waits for the end of one task: takes what is told, else looks; hands on new questions, sends the answers once. */
import { isMcpError, ProtocolError, TransportError } from "../../protocol/errors.ts";
import type { Task } from "../../protocol/extensions/tasks.ts";
import { TASK_WAIT_LIMITS } from "../../protocol/limits.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { ExtensionRound, ExtensionStep, RequestOptions } from "../options.ts";
import { readHandle } from "./read_task.ts";
import { TaskFeed } from "./task_feed.ts";
import type { TaskNews } from "./task_news.ts";

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
  readonly #news: TaskNews;
  readonly #feed: TaskFeed;
  #looked = false;
  #lost = 0;
  #unwatch: (() => void) | undefined;

  /**
   * Begins to wait.
   *
   * @param task The task as its handle has it.
   * @param ask Sends requests.
   * @param news Tells of the task, where the server does.
   */
  constructor(task: Pick<Task, "taskId" | "status"> & Partial<Task>, ask: Ask, news: TaskNews) {
    this.#taskId = task.taskId;
    this.#ask = ask;
    this.#news = news;
    this.#feed = new TaskFeed(task);
    // What is not at work needs no pause before the first look; neither does a task that is taken up again.
    this.#looked = task.status === "working" && task.pollIntervalMs !== undefined;
  }

  /** Goes on to the end, or to questions that were not asked before. Aborting the signal cancels the task. */
  async round(round: ExtensionRound): Promise<ExtensionStep> {
    const taskId = this.#taskId;
    const { options: { signal, timeout }, inputResponses } = round;
    this.#watch(signal);
    try {
      if (inputResponses !== undefined) {
        await this.#ask("tasks/update", { taskId, inputResponses: inputResponses as unknown as JsonObject }, { signal, timeout });
        this.#looked = false;
      }
      for (;;) {
        const told = this.#looked ? await this.#next(round.deadline, signal) : undefined;
        if (told === undefined && performance.now() >= round.deadline) throw outOfTime(taskId);
        const task = told ?? await this.#look({ signal, timeout });
        const step = task === undefined ? undefined : this.#stepOf(task);
        if (step === undefined) continue;
        if (step.type === "complete") this.#unwatch?.();
        return step;
      }
    } catch (error) {
      this.#unwatch?.();
      throw error;
    } finally {
      this.#news.leave(this.#feed);
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

  #next(deadline: number, signal: AbortSignal | undefined): Promise<Task | undefined> {
    this.#news.join(this.#feed);
    return this.#feed.next(deadline, signal);
  }

  /** A look that gets lost is made again; any answer counts, whatever it says. */
  async #look(options: RequestOptions): Promise<Task | undefined> {
    this.#looked = true;
    this.#feed.looks();
    try {
      const task = readHandle(await this.#ask("tasks/get", { taskId: this.#taskId }, options), this.#taskId);
      this.#lost = 0;
      this.#feed.saw(task);
      return task;
    } catch (error) {
      const passing = isMcpError(error) && error.kind === "transport" &&
        (error.reason === "unreachable" || error.reason === "timeout" || error.reason === "closed");
      if (!passing || options.signal?.aborted === true || this.#news.closed || ++this.#lost > TASK_WAIT_LIMITS.lost) throw error;
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

function outOfTime(taskId: string): TransportError {
  const text = `Waiting for the task ${
    JSON.stringify(taskId)
  }: the total time is over, the task goes on (limit requestTotalTimeout)`;
  return new TransportError("timeout", text, { data: { limit: "requestTotalTimeout", taskId } });
}
