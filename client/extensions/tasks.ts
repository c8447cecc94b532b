/**
 * Tasks on a client (`io.modelcontextprotocol/tasks`): calls that are waited for to their end, and handles that outlive them.
 *
 * @example Start a call, and come back to it
 * ```ts ignore
 * import { connect } from "@causeway/mcp/client";
 * import { tasks } from "@causeway/mcp/client/tasks";
 *
 * const client = await connect("https://example.com/mcp", { extensions: [tasks] });
 * const started = await tasks.on(client).start("report", { pages: 100 });
 * if ("status" in started) console.log((await started.result()).content);
 * await client.close();
 * ```
 *
 * @module
 */
import { describeTasks } from "../../protocol/extensions/tasks.ts";
import type { Task } from "../../protocol/extensions/tasks.ts";
import type { CallToolResult, InputResponses, JsonObject } from "../../protocol/types.ts";
import type { CallOptions, ClientExtension, ExtensionHost, RequestOptions } from "../options.ts";
import { readToolResult } from "../results.ts";
import { readHandle, startedTask } from "./read_task.ts";
import { TaskNews } from "./task_news.ts";
import type { ListeningClient } from "./task_news.ts";
import { Poller } from "./task_poller.ts";
import type { Ask } from "./task_poller.ts";
import { updatesOf } from "./task_updates.ts";

export type { Task, TaskStatus } from "../../protocol/extensions/tasks.ts";
export { TaskCancelledError } from "./task_poller.ts";
export type { JsonRpcErrorObject } from "../../protocol/json_rpc.ts";
export type { ListeningClient } from "./task_news.ts";
export type * from "../mod.ts";

/** A task that a program has in its hands. `JSON.stringify` of it is what a later process needs to go on. */
export interface TaskHandle {
  /** The id of the task. */
  readonly id: string;
  /** How far the task is. */
  status(options?: RequestOptions): Promise<Task>;
  /**
   * Waits for the end. Questions go to the client's `inputs`, each once.
   *
   * @throws {ProtocolError} What the task failed with.
   * @throws {TaskCancelledError} When it was cancelled.
   * @throws {InputRequiredError} When nobody answers a question; `resume` answers and goes on.
   * @throws {TransportError} "timeout" when the total time is over; the task goes on.
   */
  result(options?: RequestOptions): Promise<CallToolResult>;
  /** Answers questions of the task by hand. Some of them will do. */
  update(responses: InputResponses, options?: RequestOptions): Promise<void>;
  /** Asks for the end of the task. It ends soon after, and perhaps in another way. */
  cancel(options?: RequestOptions): Promise<void>;
  /** The state now and after each change, up to the last one. Told by the server where it can, else by looking. */
  updates(options?: { readonly signal?: AbortSignal | undefined }): AsyncGenerator<Task, void, void>;
  /** What a later process needs: `tasks.on(client).task(json)`. */
  toJSON(): { readonly taskId: string };
}

/** The tasks of a connected client. */
export interface TasksClient {
  /** Takes up a task, by its id or by the JSON of a handle. */
  task(task: string | { readonly taskId: string }): TaskHandle;
  /** Calls a tool and does not wait: gives the handle when the server answers with a task, else the result. */
  start(name: string, args?: object, options?: CallOptions): Promise<TaskHandle | CallToolResult>;
}

/** The Tasks extension of a client. */
export interface TasksClientExtension extends ClientExtension {
  /**
   * The tasks of a client.
   *
   * @throws {TypeError} When the client was connected without the extension.
   */
  on(client: ListeningClient): TasksClient;
}

interface Attached {
  readonly host: ExtensionHost;
  readonly unawaited: WeakSet<object>;
  readonly news: TaskNews;
}

/**
 * The Tasks extension for `connect({ extensions: [tasks] })`. A call that is answered with a task is waited for to its end, so
 * that `callTool` gives the same as ever; aborting its signal cancels the task. Where the server tells of tasks on a change
 * stream, one stream does for all that are waited for; else the client looks at the pace that the server proposes. `onProgress`
 * hears a call until it becomes a task, which has no progress; `updates()` of a handle shows its status message.
 *
 * ```ts ignore
 * import { connect } from "@causeway/mcp";
 * import { tasks } from "@causeway/mcp/client/tasks";
 *
 * const client = await connect("https://example.com/mcp", { extensions: [tasks] });
 * const report = await tasks.on(client).start("report", { pages: 100 });
 * if ("status" in report) console.log(JSON.stringify(report), await report.result());
 * ```
 */
export const tasks: TasksClientExtension = createTasks();

function createTasks(): TasksClientExtension {
  const { id, settings, resultTypes, resultMethods, headers } = describeTasks();
  const attached = new WeakMap<object, Attached>();
  const heard = new WeakMap<object, TaskNews>();
  const unawaited = new WeakSet<object>();
  return Object.freeze(
    {
      id,
      settings,
      resultTypes,
      resultMethods,
      headers,
      attach: (client: object, host: ExtensionHost) => {
        const news = new TaskNews(client as ListeningClient);
        attached.set(client, { host, unawaited, news });
        heard.set(host.connection, news);
      },
      follow: (result, call) => {
        const task = startedTask(result);
        if (unawaited.has(call.options)) return undefined;
        const poller = new Poller(task, call.request, heard.get(call.connection) as TaskNews);
        return (round) => poller.round(round);
      },
      on: (client) => {
        const own = attached.get(client);
        if (own === undefined) throw new TypeError("tasks.on: Expected a client that was connected with extensions: [tasks]");
        return tasksOf(client, own);
      },
    } satisfies TasksClientExtension,
  );
}

function tasksOf(client: ListeningClient, attached: Attached): TasksClient {
  const { unawaited } = attached;
  const ask: Ask = (method, params, options) => client.request(method, params, options);
  return {
    task: (task) => {
      const taskId: unknown = typeof task === "string" ? task : task?.taskId;
      if (typeof taskId !== "string" || taskId === "") throw new TypeError("tasks.task: Expected the id of a task, or a handle");
      return handleOf(attached, ask, taskId);
    },
    start: async (name, args, options = {}) => {
      const own = { ...options };
      unawaited.add(own);
      const params = args === undefined ? { name } : { name, arguments: args };
      const result = await client.request("tools/call", params, own);
      return result.resultType === "task" ? handleOf(attached, ask, startedTask(result).taskId) : readToolResult(result);
    },
  };
}

function handleOf({ host, news }: Attached, ask: Ask, taskId: string): TaskHandle {
  const status = async (options: RequestOptions = {}): Promise<Task> =>
    readHandle(await ask("tasks/get", { taskId }, options), taskId);
  return {
    id: taskId,
    status,
    result: async (options = {}) => {
      const poller = new Poller({ taskId, status: "working" }, ask, news);
      const call = { method: "tasks/get", name: taskId };
      return readToolResult(await host.run(call, (round) => poller.round(round), { ...options, input: "auto" }) as JsonObject);
    },
    update: async (responses, options = {}) => {
      await ask("tasks/update", { taskId, inputResponses: responses as unknown as JsonObject }, options);
    },
    cancel: async (options = {}) => {
      await ask("tasks/cancel", { taskId }, options);
    },
    updates: ({ signal } = {}) => updatesOf(news, taskId, status, signal),
    toJSON: () => ({ taskId }),
  };
}
