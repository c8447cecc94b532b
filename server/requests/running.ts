/** The requests that still run: one coarse timer looks after their deadlines and their peers. */
import type { ProtocolError } from "../../protocol/errors.ts";
import { WATCH_INTERVAL } from "../../protocol/limits.ts";

/** A request that runs. */
export interface Watched {
  /** Called at each look; `now` is in milliseconds. */
  look(now: number): void;
  /** Answers with an error although the request still runs. */
  fail(error: ProtocolError, status?: number): void;
}

/** Turns of the microtask queue within which most handlers that wait for nothing outside are done: a timer costs more. */
const TURNS = 8;
const DONE: Promise<void> = Promise.resolve();

/**
 * Looks at running requests every {@linkcode WATCH_INTERVAL} milliseconds. There is one timer for all of them, and only while
 * something runs for longer than some turns: a timer per request costs a tenth of the throughput.
 */
export class Running {
  readonly #watched = new Set<Watched>();
  #timer: ReturnType<typeof setInterval> | undefined;
  #arming = false;

  /** How many requests run. */
  get size(): number {
    return this.#watched.size;
  }

  /** Begins to look at a request. */
  add(request: Watched): void {
    this.#watched.add(request);
    if (this.#timer === undefined && !this.#arming) void this.#arm();
  }

  /** Stops looking at a request. */
  delete(request: Watched): void {
    if (!this.#watched.delete(request) || this.#watched.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  /** Answers whatever runs with an error; the youngest first, so that no slot becomes free for a call that still waits. */
  failAll(error: ProtocolError, status?: number): void {
    for (const request of [...this.#watched].reverse()) request.fail(error, status);
  }

  async #arm(): Promise<void> {
    this.#arming = true;
    for (let turn = 0; turn < TURNS && this.#watched.size > 0; turn++) await DONE;
    this.#arming = false;
    if (this.#watched.size > 0) this.#timer ??= setInterval(() => this.#look(), WATCH_INTERVAL);
  }

  #look(): void {
    const now = performance.now();
    for (const request of this.#watched) request.look(now);
  }
}
