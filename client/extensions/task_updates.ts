/** The states of one task as they come: told on a change stream where the server does that, else found by looking. */
import { ERROR_CODES, isMcpError } from "../../protocol/errors.ts";
import { isFinal, readTask, TASK_NOTICE } from "../../protocol/extensions/tasks.ts";
import type { Task } from "../../protocol/extensions/tasks.ts";
import { TASK_WAIT_LIMITS } from "../../protocol/limits.ts";
import type { JsonObject, SubscriptionFilter } from "../../protocol/types.ts";
import type { RequestOptions } from "../options.ts";
import type { Subscription, SubscriptionOptions } from "../subscription_types.ts";
import { sleep } from "./task_poller.ts";

/** What tasks need of a client. */
export interface ListeningClient {
  /** Sends a request. */
  request(method: string, params?: object, options?: RequestOptions): Promise<JsonObject>;
  /** Opens a change stream. */
  listen(filter: SubscriptionFilter, options?: SubscriptionOptions): Promise<Subscription>;
}

/**
 * The states of a task, up to the last one.
 *
 * @param status Looks at the task.
 * @param signal Ends it, by throwing its reason.
 */
export async function* updatesOf(
  client: ListeningClient,
  taskId: string,
  status: (options: RequestOptions) => Promise<Task>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Task, void, void> {
  const stream = await open(client, taskId, signal);
  const end = new AbortController();
  const onAbort = (): void => end.abort(signal?.reason);
  signal?.addEventListener("abort", onAbort);
  let listening = stream !== undefined;
  let told: Promise<Task | undefined> | undefined;
  let seen = "";
  try {
    for (let task: Task | undefined = await status({ signal });;) {
      if (task !== undefined && stateOf(task) !== seen) {
        seen = stateOf(task);
        yield task;
        if (isFinal(task.status)) return;
      }
      const { shortest, usual, longest } = TASK_WAIT_LIMITS;
      const hint = Math.min(Math.max(task?.pollIntervalMs ?? usual, shortest), longest);
      told ??= stream === undefined || !listening ? undefined : nextOf(stream, taskId);
      const pause = new AbortController();
      const waited = sleep(
        listening ? Math.max(hint, TASK_WAIT_LIMITS.listening) : hint,
        AbortSignal.any([pause.signal, end.signal]),
      );
      waited.catch(() => undefined);
      const first = await Promise.race([waited.then(() => "look" as const), ...(told === undefined ? [] : [told])]);
      pause.abort();
      signal?.throwIfAborted();
      if (first === "look") {
        task = await status({ signal });
      } else {
        [task, told] = [first, undefined];
        // The stream has ended: from now on looking has to do.
        listening = first !== undefined;
      }
    }
  } finally {
    signal?.removeEventListener("abort", onAbort);
    await stream?.close();
  }
}

/** A stream that tells of the task; undefined where the server does not. */
async function open(client: ListeningClient, taskId: string, signal: AbortSignal | undefined): Promise<Subscription | undefined> {
  try {
    const stream = await client.listen({ taskIds: [taskId] }, { signal });
    const accepted: unknown = stream.accepted.taskIds;
    if (Array.isArray(accepted) && accepted.includes(taskId)) return stream;
    await stream.close();
  } catch (error) {
    if (!isMcpError(error) || error.kind !== "protocol" || error.code !== ERROR_CODES.method_not_found) throw error;
  }
  return undefined;
}

async function nextOf(stream: Subscription, taskId: string): Promise<Task | undefined> {
  for (;;) {
    const { value: event } = await stream.next();
    if (event === undefined || event.type === "closed") return undefined;
    if (event.type !== "notification" || event.method !== TASK_NOTICE) continue;
    const { _meta, ...params } = event.params;
    const task = readTask(params, true);
    if (typeof task !== "string" && task.taskId === taskId) return task;
  }
}

function stateOf({ status, statusMessage, lastUpdatedAt, inputRequests }: Task): string {
  return JSON.stringify([status, statusMessage, lastUpdatedAt, Object.keys(inputRequests ?? {})]);
}
