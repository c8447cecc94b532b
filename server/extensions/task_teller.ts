/** Tells one change stream of its tasks. */
import type { ListenStream } from "../../protocol/extensions/extension_types.ts";
import { isFinal, TASK_NOTICE } from "../../protocol/extensions/tasks.ts";
import { TASK_LIMITS } from "../../protocol/limits.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { Watched } from "../requests/running.ts";
import type { TaskRecord } from "../stores/tasks.ts";

/** What a teller is made of. */
export interface TellerSettings {
  /** The tasks. */
  readonly ids: readonly string[];
  /** Reads a task of the stream's caller; undefined when it is gone. */
  readonly read: (taskId: string) => Promise<TaskRecord | undefined>;
  /** What the stream is told of it. */
  readonly show: (record: TaskRecord) => JsonObject;
  /** Where to. */
  readonly stream: ListenStream;
}

/** Sends the newest state, one at a time: of what changes faster than it is read, states in between are left out. */
export class TaskTeller implements Watched {
  readonly #settings: TellerSettings;
  /** What was told last of the tasks that can still change. */
  readonly #told: Map<string, string>;
  readonly #waiting = new Set<string>();
  #busy = false;
  #lookedAt = performance.now();

  /** Nothing is told yet. */
  constructor(settings: TellerSettings) {
    this.#settings = settings;
    this.#told = new Map(settings.ids.map((id) => [id, ""]));
  }

  /** A task may have changed. */
  tell(taskId: string): void {
    if (!this.#told.has(taskId)) return;
    this.#waiting.add(taskId);
    if (!this.#busy) void this.#send();
  }

  /** Looks for what other instances did, of which no bus tells. */
  look(now: number): void {
    if (now - this.#lookedAt < TASK_LIMITS.look) return;
    this.#lookedAt = now;
    for (const id of this.#told.keys()) this.tell(id);
  }

  /** The server ends its streams by itself. */
  fail(): void {}

  async #send(): Promise<void> {
    const { read, show, stream } = this.#settings;
    this.#busy = true;
    for (const taskId of this.#waiting) {
      this.#waiting.delete(taskId);
      try {
        const record = await read(taskId);
        const state = record === undefined ? "" : stateOf(record);
        if (record === undefined || isFinal(record.status)) this.#told.delete(taskId);
        else if (state === this.#told.get(taskId)) continue;
        else this.#told.set(taskId, state);
        if (record !== undefined) await stream.notify(TASK_NOTICE, show(record));
      } catch {
        // The store may answer at the next look.
      }
    }
    this.#busy = false;
  }
}

function stateOf({ status, statusMessage, lastUpdatedAt, inputRequests }: TaskRecord): string {
  return JSON.stringify([status, statusMessage, lastUpdatedAt, Object.keys(inputRequests ?? {})]);
}
