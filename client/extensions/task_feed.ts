/** One wait for a task: what was told of it, and when to look again. */
import { isFinal } from "../../protocol/extensions/tasks.ts";
import type { Task } from "../../protocol/extensions/tasks.ts";
import { TASK_WAIT_LIMITS } from "../../protocol/limits.ts";

/** Waits for news of one task: told where a stream tells of it, else at the pace of looks that the server proposes. */
export class TaskFeed {
  /** The task. */
  readonly taskId: string;
  readonly #since = performance.now();
  #interval: number | undefined;
  #ttl: number;
  #lookedAt = performance.now();
  /** The unbroken stretch of being told, 0 when there is none; and the one in which the task was seen, by a look or a notification. */
  #stretch = 0;
  #lookedIn = 0;
  #seenIn = -1;
  #told: Task | undefined;
  #wake: (() => void) | undefined;
  #over = false;

  /** Nothing is told yet. */
  constructor({ taskId, pollIntervalMs, ttlMs }: Pick<Task, "taskId" | "pollIntervalMs"> & Partial<Pick<Task, "ttlMs">>) {
    this.taskId = taskId;
    this.#interval = pollIntervalMs;
    this.#ttl = ttlMs ?? Infinity;
  }

  /** From now on a stream tells of the task, without a gap as long as the number stays; 0 when none does. */
  listens(stretch: number): void {
    if (this.#stretch === stretch) return;
    this.#stretch = stretch;
    this.#wake?.();
  }

  /** A notification came. */
  tell(task: Task): void {
    if (this.#told !== undefined && isFinal(this.#told.status)) return;
    this.#told = task;
    this.#wake?.();
  }

  /** A notification came that cannot be read: what it said has to be looked up. */
  doubt(): void {
    this.#seenIn = -1;
    this.#wake?.();
  }

  /** The client was closed: what comes next is a look, which says so. */
  end(): void {
    this.#over = true;
    this.#wake?.();
  }

  /** A look begins. */
  looks(): void {
    this.#lookedAt = performance.now();
    this.#lookedIn = this.#stretch;
  }

  /** A look was answered. What happened before it is news no more. */
  saw(task: Task): void {
    this.#take(task, this.#lookedIn);
    const told = this.#told;
    if (told !== undefined && Date.parse(told.lastUpdatedAt) < Date.parse(task.lastUpdatedAt)) this.#told = undefined;
  }

  /**
   * Waits until something is told, or it is time to look: then it gives undefined.
   *
   * @param deadline When to give undefined in any case, on the clock of `performance.now()`.
   * @param signal Ends the wait, which then rejects with its reason.
   */
  async next(deadline: number, signal: AbortSignal | undefined): Promise<Task | undefined> {
    for (;;) {
      signal?.throwIfAborted();
      const told = this.#told;
      if (told !== undefined) {
        this.#told = undefined;
        this.#take(told, this.#stretch);
        return told;
      }
      const left = Math.min(this.#due(), deadline) - performance.now();
      if (left <= 0 || this.#over) return undefined;
      await this.#pause(left, signal);
    }
  }

  #take({ pollIntervalMs, ttlMs }: Task, stretch: number): void {
    this.#interval = pollIntervalMs;
    this.#ttl = ttlMs ?? Infinity;
    this.#seenIn = stretch;
  }

  /** Who is told, and has missed nothing, looks seldom: when the stream may be dead, and when the task's time is over. */
  #due(): number {
    const { shortest, usual, longest, listening } = TASK_WAIT_LIMITS;
    const hint = this.#interval ?? 0;
    const wanted = Math.min(Math.max(hint > 0 ? hint : usual, shortest), longest);
    const isTold = this.#stretch > 0 && this.#seenIn === this.#stretch;
    if (!isTold) return this.#lookedAt + wanted;
    return Math.max(Math.min(this.#lookedAt + listening, this.#since + this.#ttl), this.#lookedAt + wanted);
  }

  #pause(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve, reject) => {
      const end = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener("abort", onAbort);
        this.#wake = undefined;
      };
      const onAbort = (): void => {
        end();
        reject(signal?.reason);
      };
      const wake = (): void => {
        end();
        resolve();
      };
      const timer = setTimeout(wake, milliseconds);
      this.#wake = wake;
      signal?.addEventListener("abort", onAbort, { once: true });
    });
  }
}
