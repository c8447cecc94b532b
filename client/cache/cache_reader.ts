/** One caller that waits for an answer: until it comes, its signal aborts, its time is over, or the connection ends. */
import type { Deadline, DeadlineWatch } from "../waits/deadline_watch.ts";
import { onAbort } from "../waits/on_abort.ts";
import { timeoutError } from "../waits/timeout_error.ts";
import type { CachedCall } from "./cache_types.ts";

/** A caller of the cache. */
export class CacheReader implements Deadline {
  /** When its time is over, on the clock of `performance.now()`. */
  due: number;
  /** Called once with the reason when it leaves without an answer. */
  onLeave: ((reason: unknown) => void) | undefined;
  readonly #call: CachedCall;
  readonly #watch: DeadlineWatch;
  readonly #abort = new AbortController();
  #reject: (error: unknown) => void = () => undefined;
  #leaveSignal: (() => void) | undefined;
  #over = false;

  /** Does not wait yet. */
  constructor(call: CachedCall, watch: DeadlineWatch) {
    this.#call = call;
    this.#watch = watch;
    this.due = Math.min(performance.now() + call.times.timeout, call.times.deadline);
  }

  /** Aborts when it leaves without an answer. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Waits for some work, which goes on when the reader leaves. */
  run<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#call;
    if (signal?.aborted === true) return Promise.reject(signal.reason);
    this.#watch.add(this);
    this.#leaveSignal = onAbort(signal, () => this.fail(signal?.reason));
    return new Promise((resolve, reject) => {
      this.#reject = reject;
      const ended = (): boolean => this.#end();
      work().then((value) => ended() && resolve(value), (error) => ended() && reject(error));
    });
  }

  /** There was progress: the time without any begins anew. */
  progressed(): void {
    this.due = Math.min(performance.now() + this.#call.times.timeout, this.#call.times.deadline);
  }

  /** Its time is over. */
  onDue(): void {
    const { method, times } = this.#call;
    const timeout = this.due >= times.deadline ? undefined : times.timeout;
    this.fail(timeoutError({ method, timeout, total: times.total }));
  }

  /** Leaves with an error. */
  fail(error: unknown): void {
    if (!this.#end()) return;
    this.#reject(error);
    this.#abort.abort(error);
    this.onLeave?.(error);
  }

  #end(): boolean {
    if (this.#over) return false;
    this.#over = true;
    this.#watch.delete(this);
    this.#leaveSignal?.();
    return true;
  }
}
