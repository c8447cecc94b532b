/** The tasks of a server in any store. */
import { isFinal } from "../../protocol/extensions/tasks.ts";
import type { Task } from "../../protocol/extensions/tasks.ts";
import { STORE_TRIES, TASK_LIMITS } from "../../protocol/limits.ts";
import { endsWithin } from "../../transports/ends_within.ts";
import type { Store } from "./store.ts";

/** A task as it is kept. */
export interface TaskRecord extends Task {
  /** Whose it is: the principal of the request that made it; the empty string for anonymous ones. */
  readonly owner: string;
  /** What its tool asks of callers: whoever looks at the task, answers or ends it needs the same scopes. */
  readonly scopes?: readonly string[] | undefined;
  /** The process that runs it. */
  readonly instance: string;
  /** Until when it is kept, in milliseconds since 1970. */
  readonly until: number;
  /** Answers that the process that runs it has not taken yet, by key. */
  readonly answers?: { readonly [key: string]: unknown } | undefined;
  /** Its end was asked for. */
  readonly cancelled?: true | undefined;
}

/** Keeps tasks, and signs of life of the processes that run them. */
export interface TaskStore {
  /** Keeps a new task. */
  create(record: TaskRecord): Promise<void>;
  /** A task; undefined when there is none, or its time is over. */
  read(taskId: string): Promise<TaskRecord | undefined>;
  /**
   * Changes a task; `change` gives undefined when it is to stay as it is, and is called again when another instance was faster.
   *
   * @returns The task as it is now; undefined when there is none.
   */
  change(taskId: string, change: (record: TaskRecord) => TaskRecord | undefined): Promise<TaskRecord | undefined>;
  /** A process says that it lives, for so many milliseconds. */
  beat(instance: string, ttl: number): Promise<void>;
  /** Does a process live? */
  lives(instance: string): Promise<boolean>;
}

/**
 * Keeps tasks in a store, under `["causeway", "tasks", id]`, and signs of life under `["causeway", "task-instances", id]`.
 *
 * @param store Any store; instances that share it answer for each other's tasks.
 * @param timeout Milliseconds that each call of the store may take; one that takes longer has failed, since whatever waits for it
 * holds a place of the server meanwhile. What the store does later counts as what another instance did.
 */
export function storedTasks(store: Store, timeout: number = TASK_LIMITS.storeTimeout): TaskStore {
  const inTime = async <T>(what: string, work: Promise<T>): Promise<T> => {
    if (timeout === Infinity || await endsWithin(work, timeout)) return await work;
    throw new Error(`${what}: the store gave no answer within ${timeout} ms (option storeTimeout of tasks)`);
  };
  const at = (taskId: string): readonly string[] => ["causeway", "tasks", taskId];
  const alive = (instance: string): readonly string[] => ["causeway", "task-instances", instance];
  const left = ({ until }: TaskRecord): number => Math.max(until - Date.now(), 1);
  return {
    create: async (record) => {
      const kept = store.set(at(record.taskId), record, { ttl: left(record), ifVersion: null });
      if (!await inTime("Creating a task", kept)) {
        throw new Error("Creating a task: its id is taken");
      }
    },
    read: async (taskId) => (await inTime("Reading a task", store.get(at(taskId))))?.value as TaskRecord | undefined,
    change: async (taskId, change) => {
      for (let attempt = 0; attempt < STORE_TRIES; attempt++) {
        const found = await inTime("Changing a task", store.get(at(taskId)));
        if (found === undefined) return undefined;
        const record = found.value as TaskRecord;
        const next = change(record);
        if (next === undefined) return record;
        // A full store forgets tasks that have ended rather than refuse new ones.
        const expendable = isFinal(next.status);
        const kept = store.set(at(taskId), next, { ttl: left(next), ifVersion: found.version, expendable });
        if (await inTime("Changing a task", kept)) return next;
      }
      throw new Error(`Changing a task: other instances were faster ${STORE_TRIES} times`);
    },
    beat: async (instance, ttl) => {
      await inTime("Noting that this process runs tasks", store.set(alive(instance), true, { ttl }));
    },
    lives: async (instance) => await inTime("Asking whether a process runs tasks", store.get(alive(instance))) !== undefined,
  };
}
