/**
 * Tasks on a server (`io.modelcontextprotocol/tasks`): tools that answer with a handle and go on working.
 *
 * @example A tool whose calls may become tasks
 * ```ts
 * import { defineServer, tool } from "@causeway/mcp/server";
 * import { tasks } from "@causeway/mcp/server/tasks";
 *
 * const report = tool({ name: "report", task: "optional", handler: async () => await Promise.resolve("A long report") });
 *
 * export default defineServer({ name: "reports", version: "1.0.0", tools: [report], extensions: [tasks()] });
 * ```
 *
 * @module
 */
import type { Context } from "../../protocol/context.ts";
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { declares, mustDeclare } from "../../protocol/extensions/extension_declared.ts";
import { describeTasks, TASK_RESULT, TASKS_ID } from "../../protocol/extensions/tasks.ts";
import type { ServerExtension } from "../../protocol/extensions/extension_types.ts";
import { TASK_LIMITS } from "../../protocol/limits.ts";
import type { JsonObject } from "../../protocol/types.ts";
import { checkFunction, checkObject, checkOptionNames } from "../../protocol/unknown_option.ts";
import type { Exchange } from "../core.ts";
import { DEFERRED } from "../requests/deferred.ts";
import type { Deferred, RunWork, ToolExtension } from "../requests/deferred.ts";
import { exchangeOf } from "../requests/exchange_of.ts";
import { lacks, requireScopes } from "../access/require_scopes.ts";
import type { EventBus } from "../stores/event_bus.ts";
import { memoryBus } from "../stores/memory.ts";
import { MemoryStore } from "../stores/memory_store.ts";
import type { Store } from "../stores/store.ts";
import { storedTasks } from "../stores/tasks.ts";
import type { TaskRecord } from "../stores/tasks.ts";
import { RunningTask } from "./running_task.ts";
import { handleOf, ownerOf, shownTask, TaskDesk } from "./task_desk.ts";
import { TaskExchange } from "./task_exchange.ts";

export { TASKS_ID } from "../../protocol/extensions/tasks.ts";
export type * from "../mod.ts";

/** How tasks of a server are kept. */
export interface TasksOptions {
  /**
   * Where tasks are kept; in the memory of this process when absent, where the oldest that have ended are forgotten before their
   * time once there are more than 100,000 records, or all of them together have more than 67,108,864 characters. In a store that
   * outlives the process, and that instances may share, every instance answers for every task. Work that ran when its process died
   * is reported as failed.
   */
  readonly store?: Store | undefined;
  /**
   * Milliseconds that the store has for each of its calls; 10,000 when absent. One that takes longer has failed: a call that was to
   * become a task is answered with an error, and its place among the handlers is free again.
   */
  readonly storeTimeout?: number | undefined;
  /** Tells the instances that share the store of changes at once; without it they look every second. */
  readonly bus?: EventBus | undefined;
  /** Milliseconds for which a task can be asked for, from its beginning; an hour when absent, at most 30 days. */
  readonly ttl?: number | undefined;
  /** Milliseconds between two looks that clients are told; 1,000 when absent. */
  readonly pollInterval?: number | undefined;
  /** Tasks that run in this process at once; 1,024 when absent. */
  readonly maxRunning?: number | undefined;
  /** Of them those of one principal; 64 when absent. */
  readonly maxRunningPerPrincipal?: number | undefined;
}

/** How one task is run. */
export interface TaskOptions {
  /** Refuse clients without the extension (-32021) instead of answering them when the work is done. False when absent. */
  readonly required?: boolean | undefined;
  /** As in {@linkcode TasksOptions}, for this task. */
  readonly ttl?: number | undefined;
  /** As in {@linkcode TasksOptions}, for this task. */
  readonly pollInterval?: number | undefined;
}

const KNOWN: ReadonlySet<string> = new Set([
  "store",
  "bus",
  "ttl",
  "pollInterval",
  "maxRunning",
  "maxRunningPerPrincipal",
  "storeTimeout",
]);
const KNOWN_OF_ONE: ReadonlySet<string> = new Set(["required", "ttl", "pollInterval"]);

const STORE = ["get", "set", "delete", "list"] as const;

const DESK: unique symbol = Symbol("tasks of a server");

interface TasksExtension extends ToolExtension {
  readonly [DESK]: { readonly desk: TaskDesk; readonly options: TasksOptions };
}

/**
 * The Tasks extension for `defineServer({ extensions: [tasks()] })`. A tool with `task: "optional"` or `"required"` is answered
 * with a handle when the client declares the extension; {@linkcode task} decides in the handler. Middleware sees the handle; the
 * result of the work goes into the task as the tool gave it.
 *
 * @example A tool that takes its time
 * ```ts
 * import { connect, defineServer, textOf, tool } from "@causeway/mcp";
 * import { tasks } from "@causeway/mcp/server/tasks";
 * import { tasks as clientTasks } from "@causeway/mcp/client/tasks";
 *
 * const count = tool({
 *   name: "count",
 *   task: "optional",
 *   handler: async (_args, ctx) => {
 *     await new Promise((resolve) => setTimeout(resolve, 100));
 *     ctx.signal.throwIfAborted();
 *     return "Counted";
 *   },
 * });
 * const server = defineServer({ name: "slow", version: "1.0.0", tools: [count], extensions: [tasks({ pollInterval: 50 })] });
 * const client = await connect(server, { extensions: [clientTasks] });
 * console.log(textOf(await client.callTool("count")));
 * await client.close();
 * ```
 *
 * @param options Where tasks are kept, and for how long.
 * @throws {TypeError} For an option that nobody reads, a malformed store or bus, and what is not a positive integer.
 */
export function tasks(options: TasksOptions = {}): ServerExtension {
  checkObject(options, "tasks");
  checkOptionNames(options, KNOWN, "tasks.");
  for (const [name, value] of Object.entries(options)) {
    if (name !== "store" && name !== "bus") checkInteger(`tasks.${name}`, value);
  }
  const { store, bus = memoryBus() } = options;
  if (store !== undefined && STORE.some((name) => typeof store?.[name] !== "function")) {
    throw new TypeError(`tasks.store: Expected an object with ${STORE.join(", ")}`);
  }
  if (typeof bus?.publish !== "function" || typeof bus.subscribe !== "function") {
    throw new TypeError("tasks.bus: Expected an object with publish and subscribe");
  }
  const desk = new TaskDesk({
    store: storedTasks(store ?? memory(), store === undefined ? Infinity : options.storeTimeout),
    shared: store !== undefined,
    bus,
  });
  // A task says no less than its tool: the scopes of the call are those of what comes of it.
  const reach = async (taskId: string, ctx: Context): Promise<TaskRecord> => {
    const record = await desk.find(taskId, ownerOf(ctx.auth));
    requireScopes(exchangeOf(ctx), record);
    return record;
  };
  const served = describeTasks().serve({
    "tasks/get": async ({ taskId = "" }, ctx) => shownTask(await reach(taskId, ctx)),
    "tasks/update": async ({ taskId = "", inputResponses = {} }, ctx) => {
      await reach(taskId, ctx);
      await desk.update(taskId, ownerOf(ctx.auth), inputResponses as JsonObject);
      return {};
    },
    "tasks/cancel": async ({ taskId = "" }, ctx) => {
      await reach(taskId, ctx);
      await desk.cancel(taskId, ownerOf(ctx.auth));
      return {};
    },
  }, {
    taskIds: (wanted, stream) => desk.listen(wanted, stream, ({ scopes = [] }) => !lacks(exchangeOf(stream.info), scopes)),
  });
  const extension: TasksExtension = {
    ...served,
    tool: (parts) => {
      const { handler, options: { task: kind, ...options } } = parts;
      if (kind === undefined) return parts;
      const required = kind === "required";
      return { ...parts, options, handler: (args) => task((ctx) => handler(args, ctx), { required }) };
    },
    [DESK]: { desk, options },
  };
  return Object.freeze(extension);
}

/**
 * Goes on as a task: what a handler returns when it has decided that the rest takes its time. Before that it may ask in rounds;
 * `work` gets a context of its own, whose questions wait in the task, whose signal is aborted by `tasks/cancel`, and whose
 * progress message becomes the status message. For a client without the extension `work` runs at once, unless it is `required`.
 *
 * ```ts
 * import { tool } from "@causeway/mcp/server";
 * import { task } from "@causeway/mcp/server/tasks";
 *
 * export const report = tool({
 *   name: "report",
 *   args: { pages: { type: "integer", required: true } },
 *   handler: ({ pages }) => pages < 10 ? "A short report" : task(async () => await Promise.resolve("A long report")),
 * });
 * ```
 *
 * @param work Does the rest. What it returns, or throws, is treated as if the handler did.
 * @param options Of this task alone; what is absent is as in {@linkcode tasks}.
 * @returns What the handler has to return; its type is that of the result which the caller gets in the end.
 * @throws {TypeError} When `work` is not a function, for an option that nobody reads, and a time that is not a positive integer.
 */
export function task<R>(work: (ctx: Context) => R, options: TaskOptions = {}): Awaited<R> {
  checkFunction(work, "task.work");
  checkObject(options, "task.options");
  checkOptionNames(options, KNOWN_OF_ONE, "task.");
  for (const name of ["ttl", "pollInterval"] as const) {
    if (options[name] !== undefined) checkInteger(`task.${name}`, options[name]);
  }
  const deferred: Deferred = {
    resultType: "input_required",
    [DEFERRED]: async (exchange, context, run, { options: { scopes } }) => {
      const found = exchange instanceof TaskExchange ? undefined : ofServer(exchange);
      const required = options.required === true && !(exchange instanceof TaskExchange);
      if (required) {
        if (found === undefined) throw new TypeError("task: Expected tasks() among the extensions of the server");
        mustDeclare(exchange, found);
      }
      if (found === undefined || !declares(exchange, found)) return await run(exchange, context, (_args, ctx) => work(ctx));
      return await begin(exchange, found, { ...options, scopes }, run, work);
    },
  };
  return deferred as unknown as Awaited<R>;
}

/** Results that nobody fetches must not fill the process: the oldest tasks that have ended go first. */
function memory(): Store {
  return new MemoryStore(TASK_LIMITS.records, TASK_LIMITS.kept);
}

async function begin(
  exchange: Exchange,
  { [DESK]: { desk, options } }: TasksExtension,
  own: TaskOptions & Pick<TaskRecord, "scopes">,
  run: RunWork,
  work: (ctx: Context) => unknown,
): Promise<JsonObject> {
  const owner = ownerOf(exchange.info.principal);
  admit(desk, owner, options);
  const now = Date.now();
  const ttlMs = Math.min(own.ttl ?? options.ttl ?? TASK_LIMITS.ttl, TASK_LIMITS.longestTtl);
  const at = new Date(now).toISOString();
  const record: TaskRecord = {
    taskId: crypto.randomUUID(),
    status: "working",
    createdAt: at,
    lastUpdatedAt: at,
    ttlMs,
    pollIntervalMs: own.pollInterval ?? options.pollInterval ?? TASK_LIMITS.pollInterval,
    owner,
    ...(own.scopes === undefined ? {} : { scopes: own.scopes }),
    instance: desk.instance,
    until: now + ttlMs,
  };
  const running = new RunningTask(desk, exchange, record);
  // Nobody hears of a task that could not be asked for (SEP-2663, Durability).
  await desk.begin(running);
  // A store may take longer than the caller waits; work that nobody knows of does not begin.
  if (exchange.done || exchange.signal.aborted) await running.abandon();
  else running.start(run, work);
  return exchange.write({ resultType: TASK_RESULT, ...handleOf(record) });
}

function admit(desk: TaskDesk, owner: string, options: TasksOptions): void {
  const { maxRunning = TASK_LIMITS.running, maxRunningPerPrincipal = TASK_LIMITS.runningPerPrincipal } = options;
  if (desk.count() >= maxRunning) throw tooMany("maxRunning", maxRunning);
  if (owner !== "" && desk.count(owner) >= maxRunningPerPrincipal) {
    throw tooMany("maxRunningPerPrincipal", maxRunningPerPrincipal);
  }
}

function tooMany(limit: string, value: number): ProtocolError {
  const message = `Capacity reached: ${value} tasks run (option ${limit} of tasks)`;
  return new ProtocolError(ERROR_CODES.internal_error, message, { data: { reason: "capacity_reached", limit, value } });
}

function ofServer({ core }: Exchange): TasksExtension | undefined {
  return core.options.extensions?.find((extension): extension is TasksExtension =>
    extension.id === TASKS_ID && DESK in extension
  );
}

function checkInteger(path: string, value: unknown): void {
  if (value !== undefined && !(Number.isSafeInteger(value) && (value as number) > 0)) {
    throw new TypeError(`${path}: Expected a positive integer`);
  }
}
