/** The states of one task as they come: told on a change stream where the server does that, else found by looking. */
import { isFinal } from "../../protocol/extensions/tasks.ts";
import type { Task } from "../../protocol/extensions/tasks.ts";
import type { RequestOptions } from "../options.ts";
import { TaskFeed } from "./task_feed.ts";
import type { TaskNews } from "./task_news.ts";

/**
 * The states of a task, up to the last one.
 *
 * @param news Tells of it.
 * @param status Looks at the task.
 * @param signal Ends it, by throwing its reason.
 */
export async function* updatesOf(
  news: TaskNews,
  taskId: string,
  status: (options: RequestOptions) => Promise<Task>,
  signal: AbortSignal | undefined,
): AsyncGenerator<Task, void, void> {
  const feed = new TaskFeed({ taskId });
  let seen = "";
  try {
    for (let told: Task | undefined;; told = await feed.next(Infinity, signal)) {
      let task = told;
      if (task === undefined) {
        feed.looks();
        feed.saw(task = await status({ signal }));
      }
      news.join(feed);
      if (stateOf(task) === seen) continue;
      seen = stateOf(task);
      yield task;
      if (isFinal(task.status)) return;
    }
  } finally {
    news.leave(feed);
  }
}

function stateOf({ status, statusMessage, lastUpdatedAt, inputRequests }: Task): string {
  return JSON.stringify([status, statusMessage, lastUpdatedAt, Object.keys(inputRequests ?? {})]);
}
