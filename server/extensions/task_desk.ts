/** The tasks of one server: those that run here, and the answers for all that are in the store. */
import type { ListenStream } from "../../protocol/extensions/extension_types.ts";
import { isFinal } from "../../protocol/extensions/tasks.ts";
import type { Task } from "../../protocol/extensions/tasks.ts";
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { TASK_LIMITS } from "../../protocol/limits.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { exchangeOf } from "../requests/exchange_of.ts";
import type { EventBus } from "../stores/event_bus.ts";
import type { TaskRecord, TaskStore } from "../stores/tasks.ts";
import { TaskTeller } from "./task_teller.ts";

/** A task that runs here, as the desk sees it. */
export interface DeskTask {
  /** The task as it was made. */
  readonly record: TaskRecord;
  /** Takes in what the record says now; undefined when it is gone. */
  take(record: TaskRecord | undefined): void;
}

/** What a desk is made of. */
export interface DeskSettings {
  /** Where tasks are kept. */
  readonly store: TaskStore;
  /** May other processes use the store? */
  readonly shared: boolean;
  /** Tells other instances of changes. */
  readonly bus: EventBus;
}

const TOPIC = "causeway/tasks";

/** Answers for tasks. */
export class TaskDesk {
  /** Names this process among those that share the store. */
  readonly instance: string = crypto.randomUUID();
  /** What the desk is made of. */
  readonly settings: DeskSettings;
  readonly #running = new Map<string, DeskTask>();
  readonly #listeners = new Map<string, Set<(taskId: string) => void>>();
  #stop: (() => void) | undefined;
  #beatAt = -Infinity;

  /** No task runs yet. */
  constructor(settings: DeskSettings) {
    this.settings = settings;
  }

  /** How many tasks run here; of one owner when it is named. */
  count(owner?: string): number {
    if (owner === undefined) return this.#running.size;
    let count = 0;
    for (const { record } of this.#running.values()) if (record.owner === owner) count++;
    return count;
  }

  /** Is nothing held: no task, no listener? */
  get idle(): boolean {
    return this.#running.size + this.#listeners.size === 0;
  }

  /** A task begins to run here, once it is in the store. */
  async begin(task: DeskTask): Promise<void> {
    const { taskId } = task.record;
    this.#running.set(taskId, task);
    this.#attach();
    try {
      await this.beat();
      await this.settings.store.create(task.record);
    } catch (error) {
      this.end(taskId);
      throw error;
    }
  }

  /** A task has ended here. */
  end(taskId: string): void {
    this.#running.delete(taskId);
    this.#detach();
  }

  /** Says that this process lives, now and then. */
  async beat(): Promise<void> {
    const now = performance.now();
    if (!this.settings.shared || now - this.#beatAt < TASK_LIMITS.beat) return;
    this.#beatAt = now;
    await this.settings.store.beat(this.instance, TASK_LIMITS.lease);
  }

  /**
   * The task of an owner.
   *
   * @throws {ProtocolError} -32602 when there is none, and in the same words when it is somebody else's.
   */
  async find(taskId: string, owner: string): Promise<TaskRecord> {
    const record = await this.#read(taskId, owner);
    if (record === undefined) throw ProtocolError.invalidParams("Invalid params: no such task");
    return record;
  }

  /** Answers questions of a task. Keys that name no open question are passed over (SEP-2663, tasks/update). */
  async update(taskId: string, owner: string, responses: JsonObject): Promise<void> {
    await this.find(taskId, owner);
    await this.change(taskId, (record) => {
      const open = Object.entries(record.inputRequests ?? {});
      const answered = open.filter(([key]) => isJsonObject(ownMember(responses, key)));
      if (isFinal(record.status) || answered.length === 0) return undefined;
      const left = open.filter(([key]) => !isJsonObject(ownMember(responses, key)));
      return {
        ...record,
        ...(left.length === 0 ? { status: "working" as const } : {}),
        inputRequests: left.length === 0 ? undefined : Object.fromEntries(left),
        answers: { ...record.answers, ...Object.fromEntries(answered.map(([key]) => [key, ownMember(responses, key)])) },
      };
    });
  }

  /** Asks for the end of a task; one that has ended stays as it is. */
  async cancel(taskId: string, owner: string): Promise<void> {
    await this.find(taskId, owner);
    await this.change(
      taskId,
      (record) => isFinal(record.status) || record.cancelled ? undefined : { ...record, cancelled: true },
    );
  }

  /** Changes a task and tells of it. `change` gives undefined when it is to stay as it is. */
  async change(
    taskId: string,
    change: (record: TaskRecord) => TaskRecord | undefined,
  ): Promise<TaskRecord | undefined> {
    let changed = false;
    const now = await this.settings.store.change(taskId, (record) => {
      const next = change(record);
      changed = next !== undefined;
      return next === undefined ? undefined : { ...next, lastUpdatedAt: new Date().toISOString() };
    });
    if (!changed) return now;
    this.#running.get(taskId)?.take(now);
    // Who does not hear of it on the bus finds it in the store.
    this.settings.bus.publish(TOPIC, { taskId, from: this.instance }).catch(() => undefined);
    return now;
  }

  /** Tells a change stream of those of its owner's tasks that the caller may see. Gives the ids that it will tell of. */
  async listen(
    wanted: JsonValue,
    stream: ListenStream,
    mayBeSeen: (record: TaskRecord) => boolean,
  ): Promise<readonly string[]> {
    const owner = ownerOf(stream.info.auth);
    const ids = [...new Set(wanted as readonly string[])];
    if (ids.length > TASK_LIMITS.listened) {
      const message = `Invalid params: taskIds names ${ids.length} tasks, at most ${TASK_LIMITS.listened}`;
      throw ProtocolError.invalidParams(message, { data: { limit: TASK_LIMITS.listened, seen: ids.length } });
    }
    const accepted: string[] = [];
    for (const id of ids) {
      const record = await this.#read(id, owner);
      if (record !== undefined && mayBeSeen(record)) accepted.push(id);
    }
    if (accepted.length === 0) return accepted;
    const read = (id: string): Promise<TaskRecord | undefined> => this.#read(id, owner);
    const teller = new TaskTeller({ ids: accepted, read, show: shownTask, stream });
    const tell = (id: string): void => teller.tell(id);
    for (const id of accepted) {
      const listeners = this.#listeners.get(id) ?? new Set();
      this.#listeners.set(id, listeners.add(tell));
    }
    this.#attach();
    const { running } = exchangeOf(stream.info).core;
    if (this.settings.shared) running.add(teller);
    stream.onEnd(() => {
      running.delete(teller);
      for (const id of accepted) {
        const listeners = this.#listeners.get(id);
        if (listeners?.delete(tell) && listeners.size === 0) this.#listeners.delete(id);
      }
      this.#detach();
    });
    // What happened before the stream was open must not be missed.
    for (const id of accepted) tell(id);
    return accepted;
  }

  async #read(taskId: string, owner: string): Promise<TaskRecord | undefined> {
    const { store, shared } = this.settings;
    const record = await store.read(taskId);
    if (record === undefined || record.owner !== owner || record.until <= Date.now()) return undefined;
    if (isFinal(record.status) || !shared || record.instance === this.instance || await store.lives(record.instance)) {
      return record;
    }
    // The process that ran it is gone, and with it the handler.
    return await this.change(taskId, (found) => isFinal(found.status) ? undefined : stopped(found));
  }

  #attach(): void {
    this.#stop ??= this.settings.bus.subscribe(TOPIC, (event) => {
      if (!isJsonObject(event) || typeof event.taskId !== "string") return;
      const { taskId, from } = event;
      const task = this.#running.get(taskId);
      if (from !== this.instance && task !== undefined) {
        this.settings.store.read(taskId).then((record) => task.take(record), () => undefined);
      }
      for (const tell of this.#listeners.get(taskId) ?? []) tell(taskId);
    });
  }

  #detach(): void {
    if (!this.idle) return;
    this.#stop?.();
    this.#stop = undefined;
  }
}

/** What a client is told of a task. */
export function shownTask(record: TaskRecord): JsonObject {
  const { status } = record;
  return {
    ...handleOf(record),
    ...(status === "input_required" ? { inputRequests: record.inputRequests as unknown as JsonObject } : {}),
    ...(status === "completed" ? { result: record.result } : {}),
    ...(status === "failed" ? { error: record.error as unknown as JsonObject } : {}),
  };
}

/** What a handle says of a task: nothing that belongs to its status. */
export function handleOf({ taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs }: Task): JsonObject {
  return {
    taskId,
    status,
    ...(statusMessage === undefined ? {} : { statusMessage }),
    createdAt,
    lastUpdatedAt,
    ttlMs,
    ...(pollIntervalMs === undefined ? {} : { pollIntervalMs }),
  };
}

/** Whose tasks a caller may reach: those of its principal; anonymous callers share theirs, and know them by their ids alone. */
export function ownerOf(auth: { readonly principal: string } | undefined): string {
  return auth?.principal ?? "";
}

function stopped(record: TaskRecord): TaskRecord {
  const message = "The server stopped while the task ran";
  return {
    ...record,
    status: "failed",
    statusMessage: message,
    inputRequests: undefined,
    error: { code: ERROR_CODES.internal_error, message, data: { reason: "stopped" } },
  };
}
