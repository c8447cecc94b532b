/** A task that runs here: its handler, its questions, and how it ends. */
import type { Context } from "../../protocol/context.ts";
import { ERROR_CODES, isMcpError } from "../../protocol/errors.ts";
import type { ProtocolError } from "../../protocol/errors.ts";
import { isFinal } from "../../protocol/extensions/tasks.ts";
import { TASK_LIMITS } from "../../protocol/limits.ts";
import type { InputRequests, JsonObject, JsonRpcNotification, JsonRpcRequest, JsonValue } from "../../protocol/types.ts";
import { HandlerContext } from "../context.ts";
import type { Exchange } from "../core.ts";
import type { RunWork } from "../requests/deferred.ts";
import { jsonFault } from "../json/json_fault.ts";
import { RequestedInput } from "../input/requested_input.ts";
import type { Watched } from "../requests/running.ts";
import type { TaskRecord } from "../stores/tasks.ts";
import { TaskAsker } from "./task_asker.ts";
import type { DeskTask, TaskDesk } from "./task_desk.ts";
import { TaskExchange } from "./task_exchange.ts";

/** What a status brings with it. */
type Ending = Pick<TaskRecord, "status" | "statusMessage" | "result" | "error">;

/** An ending that the store did not take, and when it is written again. */
interface Unwritten {
  readonly ending: Ending;
  readonly reason: unknown;
  readonly failed: number;
  readonly at: number;
}

/** A task that runs here. It counts among the requests that run, so that the end of the server waits for it. */
export class RunningTask implements Watched, DeskTask {
  /** The task as it was made. */
  readonly record: TaskRecord;
  readonly #desk: TaskDesk;
  readonly #exchange: TaskExchange;
  readonly #asker: TaskAsker;
  readonly #abort = new AbortController();
  #cancelledAt: number | undefined;
  #lookedAt = performance.now();
  #note: string | undefined;
  #notedAt = -Infinity;
  #over = false;
  #closing = false;
  #unwritten: Unwritten | undefined;

  /** Takes over from an exchange; nothing runs yet. */
  constructor(desk: TaskDesk, from: Exchange, record: TaskRecord) {
    this.record = record;
    this.#desk = desk;
    this.#exchange = new TaskExchange(from, this.#abort.signal, {
      onNotice: (notice) => this.#noted(notice),
      cancel: () => this.#cancel(),
    });
    this.#asker = new TaskAsker(this.#exchange, (requests) => this.#put(requests));
  }

  /** Runs the handler. */
  start(run: RunWork, work: (ctx: Context) => unknown): void {
    const exchange = this.#exchange;
    exchange.core.running.add(this);
    const context = new HandlerContext(exchange, new RequestedInput(this.#asker));
    // In a turn of its own, because the handle is not sent yet.
    Promise.resolve().then(() => run(exchange, context, (_args, ctx) => work(ctx))).then(
      (result) => this.#end(completed(result)),
      (error) => this.#end(this.#cancelledAt === undefined ? this.#failed(error) : CANCELLED),
    );
  }

  /** Takes in what the record says now. */
  take(record: TaskRecord | undefined): void {
    if (this.#over) return;
    if (record === undefined || record.until <= Date.now()) return this.#expire();
    // Another instance took this process for dead.
    if (isFinal(record.status)) return this.#settle(new DOMException("The task has ended", "AbortError"));
    if (record.answers !== undefined) this.#asker.take(record.answers);
    if (record.cancelled) this.#cancel();
  }

  /** Called every few milliseconds. */
  look(now: number): void {
    if (this.#over) return this.#writeAgain(now);
    if (this.record.until <= Date.now()) return this.#expire();
    if (this.#cancelledAt !== undefined && now - this.#cancelledAt >= TASK_LIMITS.cancelGrace) return void this.#end(CANCELLED);
    if (now - this.#lookedAt < TASK_LIMITS.look) return;
    this.#lookedAt = now;
    this.#writeNote();
    if (!this.#desk.settings.shared) return;
    this.#safely(this.#desk.beat());
    this.#safely(this.#desk.settings.store.read(this.record.taskId).then((record) => this.take(record)));
  }

  /** The server ends. */
  fail(error: ProtocolError): void {
    this.#closing = true;
    if (this.#unwritten === undefined) void this.#end(this.#failed(error), error);
    else this.#settle(error);
  }

  /** Nobody waits for it any more before it began. */
  abandon(): Promise<void> {
    return this.#end(CANCELLED, new DOMException("The task was given up", "AbortError"));
  }

  /** Cooperative: the handler has a moment to end by itself. */
  #cancel(): void {
    if (this.#over || this.#cancelledAt !== undefined) return;
    this.#cancelledAt = performance.now();
    this.#abort.abort(new DOMException("The task was cancelled", "AbortError"));
  }

  async #put(requests: InputRequests): Promise<void> {
    const note = this.#takeNote();
    const now = await this.#desk.change(this.record.taskId, (found) => {
      if (isFinal(found.status)) return undefined;
      // Answers that were taken have done their work.
      const answers = Object.entries(found.answers ?? {}).filter(([key]) => this.#asker.waitsFor(key));
      return {
        ...found,
        statusMessage: note ?? found.statusMessage,
        status: "input_required",
        inputRequests: { ...found.inputRequests, ...requests },
        answers: answers.length === 0 ? undefined : Object.fromEntries(answers),
      };
    });
    if (now === undefined || isFinal(now.status)) throw new DOMException("The task has ended", "AbortError");
  }

  async #end(ending: Ending, reason?: unknown): Promise<void> {
    if (this.#over) return;
    this.#over = true;
    await this.#write(ending, reason, 0);
  }

  async #write(ending: Ending, reason: unknown, failed: number): Promise<void> {
    const { taskId, until } = this.record;
    const last = { statusMessage: undefined, ...ending, inputRequests: undefined, answers: undefined };
    try {
      // What has ended stays as it is.
      await this.#desk.change(taskId, (found) => isFinal(found.status) ? undefined : { ...found, ...last });
    } catch (error) {
      this.#report(error);
      // Nobody else knows how the task ended. The end of a server waits for no store.
      if (!this.#closing && failed < TASK_LIMITS.rewrites && until > Date.now()) {
        this.#unwritten = { ending, reason, failed: failed + 1, at: performance.now() + TASK_LIMITS.look * 2 ** failed };
        return;
      }
    }
    this.#settle(reason);
  }

  #writeAgain(now: number): void {
    if (this.#unwritten === undefined || now < this.#unwritten.at) return;
    const { ending, reason, failed } = this.#unwritten;
    this.#unwritten = undefined;
    // Other instances must not take this one for dead meanwhile.
    this.#safely(this.#desk.beat());
    void this.#write(ending, reason, failed);
  }

  #expire(): void {
    this.#settle(new DOMException("The time of the task is over", "TimeoutError"));
  }

  /** With a reason the handler still runs. */
  #settle(reason: unknown): void {
    this.#over = true;
    this.#unwritten = undefined;
    this.#exchange.settle();
    this.#exchange.core.running.delete(this);
    this.#desk.end(this.record.taskId);
    if (reason !== undefined) this.#abort.abort(reason);
  }

  /** The text of progress is the status message; there is no other channel (SEP-2663, Notifications). */
  #noted({ method, params }: JsonRpcNotification | JsonRpcRequest): void {
    if (method !== "notifications/progress" || typeof params?.message !== "string") return;
    this.#note = params.message;
    // The first one at once, then the newest now and then: each is a write to the store, and a notification.
    if (performance.now() - this.#notedAt >= TASK_LIMITS.look) this.#writeNote();
  }

  #writeNote(): void {
    const note = this.#takeNote();
    if (note === undefined) return;
    const { taskId } = this.record;
    this.#safely(this.#desk.change(taskId, (found) => isFinal(found.status) ? undefined : { ...found, statusMessage: note }));
  }

  #takeNote(): string | undefined {
    const note = this.#note;
    this.#note = undefined;
    if (note !== undefined) this.#notedAt = performance.now();
    return note;
  }

  /** Only errors that are meant for the peer reach it, as in an answer. */
  #failed(error: unknown): Ending {
    const { dialect } = this.#exchange;
    if (isMcpError(error) && error.kind === "protocol") {
      const code = error.reason === undefined ? error.code : dialect.errorCode(error.reason);
      if (dialect.allowsErrorCode(code) && jsonFault(error.data, "data") === undefined) {
        return failure(code, error.message, error.data);
      }
    }
    return failure(ERROR_CODES.internal_error, "Internal error", { errorId: this.#report(error) });
  }

  #report(error: unknown): string {
    return this.#exchange.core.report(error, this.#exchange.request);
  }

  #safely(work: Promise<unknown>): void {
    work.catch((error) => this.#report(error));
  }
}

const CANCELLED: Ending = { status: "cancelled" };

function completed(result: JsonObject): Ending {
  const seen = JSON.stringify(result).length;
  if (seen <= TASK_LIMITS.resultLength) return { status: "completed", result };
  const message = `The result has ${seen} characters, at most ${TASK_LIMITS.resultLength}`;
  return failure(ERROR_CODES.internal_error, message, { limit: TASK_LIMITS.resultLength, seen });
}

function failure(code: number, message: string, data: JsonValue | undefined): Ending {
  return { status: "failed", statusMessage: message, error: data === undefined ? { code, message } : { code, message, data } };
}
