/** The Tasks extension (`io.modelcontextprotocol/tasks`, SEP-2663): its shapes, and how they are read. */
import type { JsonObject } from "../json.ts";
import { isJsonObject, ownMember } from "../json.ts";
import type { JsonRpcErrorObject } from "../json_rpc.ts";
import type { InputRequests } from "../types.ts";
import { extension } from "./extension.ts";
import type { Extension } from "./extension_types.ts";

/** The identifier. */
export const TASKS_ID = "io.modelcontextprotocol/tasks";

/** The `resultType` of a handle. */
export const TASK_RESULT = "task";

/** The notification of a task's state. */
export const TASK_NOTICE = "notifications/tasks";

/** How far a task is. "completed", "failed" and "cancelled" are final. */
export type TaskStatus = "working" | "input_required" | "completed" | "failed" | "cancelled";

/** What is known of a task (SEP-2663, Data Types). */
export interface Task {
  /** Names the task; whoever knows it, and is its owner where callers are known, reaches the task. */
  readonly taskId: string;
  /** How far it is. */
  readonly status: TaskStatus;
  /** More about that, for people and models. */
  readonly statusMessage?: string | undefined;
  /** When it was made, as ISO 8601. */
  readonly createdAt: string;
  /** When its status changed last, as ISO 8601. */
  readonly lastUpdatedAt: string;
  /** Milliseconds from `createdAt` for which it can be asked for; null: for good. */
  readonly ttlMs: number | null;
  /** Milliseconds between two looks that the server proposes. */
  readonly pollIntervalMs?: number | undefined;
  /** The questions that wait for an answer, while the status is "input_required". */
  readonly inputRequests?: InputRequests | undefined;
  /** What the request would have given, when the status is "completed". */
  readonly result?: JsonObject | undefined;
  /** Why it failed, when the status is "failed". */
  readonly error?: JsonRpcErrorObject | undefined;
}

/** The methods of the extension, by name. */
export type TaskMethods = {
  /** Asks for the state of a task. */
  readonly "tasks/get": TaskMethod;
  /** Answers questions of a task. */
  readonly "tasks/update": TaskMethod & {
    readonly params: { readonly properties: { readonly inputResponses: { readonly type: "object" } } };
  };
  /** Asks for the end of a task. */
  readonly "tasks/cancel": TaskMethod;
};

/** What its methods have in common: the task that they name, in the params and in the header. */
export interface TaskMethod {
  /** The params. */
  readonly params: {
    readonly type: "object";
    readonly properties: { readonly taskId: { readonly type: "string" } };
    readonly required: readonly string[];
  };
  /** The result. */
  readonly result: { readonly type: "object" };
  /** What `Mcp-Name` repeats. */
  readonly header: "taskId";
}

const NAMES_TASK = {
  params: { type: "object", properties: { taskId: { type: "string" } }, required: ["taskId"] },
  result: { type: "object" },
  header: "taskId",
} as const;

/** Describes the extension. */
export function describeTasks(): Extension<TaskMethods> {
  return extension<TaskMethods>({
    id: TASKS_ID,
    methods: {
      "tasks/get": NAMES_TASK,
      "tasks/update": {
        ...NAMES_TASK,
        params: {
          type: "object",
          properties: { taskId: { type: "string" }, inputResponses: { type: "object" } },
          required: ["taskId", "inputResponses"],
        },
      },
      "tasks/cancel": NAMES_TASK,
    },
    notifications: { [TASK_NOTICE]: { type: "object" } },
    resultTypes: [TASK_RESULT],
    resultMethods: ["tools/call"],
    listenKeys: { taskIds: { type: "array", items: { type: "string" } } },
  });
}

const STATUSES: ReadonlySet<unknown> = new Set(
  ["working", "input_required", "completed", "failed", "cancelled"] satisfies TaskStatus[],
);

/** Is a status one that never changes any more? */
export function isFinal(status: TaskStatus): boolean {
  return status !== "working" && status !== "input_required";
}

/**
 * Reads what a server says of a task.
 *
 * @param detailed Must what belongs to the status be there (`tasks/get`, `notifications/tasks`)? It is not there in a handle.
 * @returns The task, or what is wrong, as the end of a sentence.
 */
export function readTask(value: JsonObject, detailed: boolean): Task | string {
  for (const key of ["taskId", "createdAt", "lastUpdatedAt"]) {
    if (typeof ownMember(value, key) !== "string") return `${key} is not a string`;
  }
  const { status, ttlMs, pollIntervalMs, statusMessage } = value;
  if (value.taskId === "") return "taskId is empty";
  if (!STATUSES.has(status)) return "status is none of a task";
  if (ttlMs !== null && typeof ttlMs !== "number") return "ttlMs is neither a number nor null";
  if (pollIntervalMs !== undefined && typeof pollIntervalMs !== "number") return "pollIntervalMs is not a number";
  if (statusMessage !== undefined && typeof statusMessage !== "string") return "statusMessage is not a string";
  return (detailed ? detailFault(value) : undefined) ?? value as unknown as Task;
}

function detailFault(value: JsonObject): string | undefined {
  const { status } = value;
  if (status === "completed" && !isJsonObject(ownMember(value, "result"))) return "a completed task has no result";
  if (status === "input_required" && !isJsonObject(ownMember(value, "inputRequests"))) return "the questions are missing";
  if (status !== "failed") return undefined;
  const error = ownMember(value, "error");
  const isError = isJsonObject(error) && Number.isInteger(error.code) && typeof error.message === "string";
  return isError ? undefined : "a failed task has no error";
}
