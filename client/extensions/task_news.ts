/** What a server tells a client of its tasks: one change stream for all that are waited for. */
import { ERROR_CODES, isMcpError } from "../../protocol/errors.ts";
import { TASK_NOTICE } from "../../protocol/extensions/tasks.ts";
import { TASK_WAIT_LIMITS } from "../../protocol/limits.ts";
import type { JsonObject, SubscriptionFilter } from "../../protocol/types.ts";
import type { RequestOptions } from "../options.ts";
import type { Subscription, SubscriptionOptions } from "../changes/subscription_types.ts";
import { readHandle } from "./read_task.ts";
import type { TaskFeed } from "./task_feed.ts";

/** What tasks need of a client. */
export interface ListeningClient {
  /** Sends a request. */
  request(method: string, params?: object, options?: RequestOptions): Promise<JsonObject>;
  /** Opens a change stream. */
  listen(filter: SubscriptionFilter, options?: SubscriptionOptions): Promise<Subscription>;
}

type Timer = ReturnType<typeof setTimeout>;

interface OpenStream {
  readonly subscription: Subscription;
  readonly ids: ReadonlySet<string>;
  readonly openedAt: number;
  /** Is it needed no longer? */
  left: boolean;
}

/**
 * Tells waits of what happens to their tasks (SEP-2663, Task Status Notifications). The filter of a stream is fixed, so that
 * a new one takes over when further tasks are waited for; one that is lost is opened again a few times. Where the server
 * refuses, does not know `taskIds` or does not agree to a task, nothing is told, and the waits look.
 */
export class TaskNews {
  readonly #client: ListeningClient;
  readonly #feeds = new Map<string, Set<TaskFeed>>();
  readonly #denied = new Set<string>();
  #stream: OpenStream | undefined;
  #opening: AbortController | undefined;
  #opens: Timer | undefined;
  #closes: Timer | undefined;
  #openedAt = -Infinity;
  #losses = 0;
  #stretch = 0;
  #refused = false;
  #closed = false;

  /** Nothing is opened yet. */
  constructor(client: ListeningClient) {
    this.#client = client;
  }

  /** Was the client closed? */
  get closed(): boolean {
    return this.#closed;
  }

  /** A wait begins. */
  join(feed: TaskFeed): void {
    const { taskId } = feed;
    const feeds = this.#feeds.get(taskId) ?? new Set();
    if (feeds.has(feed)) return;
    this.#feeds.set(taskId, feeds.add(feed));
    if (this.#stream?.ids.has(taskId) === true) feed.listens(++this.#stretch);
    this.#plan();
  }

  /** A wait ends. The stream stays for a moment: the next one may begin at once. */
  leave(feed: TaskFeed): void {
    const { taskId } = feed;
    feed.listens(0);
    const feeds = this.#feeds.get(taskId);
    if (feeds?.delete(feed) !== true || feeds.size > 0) return;
    this.#feeds.delete(taskId);
    this.#denied.delete(taskId);
    this.#plan();
  }

  /** Decides what comes next, and when. */
  #plan(): void {
    clearTimeout(this.#closes);
    const { shortest, reopen, linger } = TASK_WAIT_LIMITS;
    const isNeeded = !this.#refused && this.#opening === undefined && this.#wanted() !== undefined;
    if (!isNeeded) {
      clearTimeout(this.#opens);
      this.#opens = undefined;
    } else {
      // What is over in a moment needs no stream, and tasks that begin together share one.
      const delay = Math.max(shortest, this.#openedAt + reopen * 2 ** this.#losses - performance.now());
      this.#opens ??= setTimeout(() => void this.#open(), delay);
    }
    if (this.#feeds.size > 0) return;
    this.#opening?.abort();
    if (this.#stream !== undefined) this.#closes = setTimeout(() => leave(this.#stream), linger);
  }

  /** The tasks of the next stream, those first that are waited for longest; undefined when the open one has them all. */
  #wanted(): readonly string[] | undefined {
    const ids: string[] = [];
    for (const id of this.#feeds.keys()) {
      if (ids.length >= TASK_WAIT_LIMITS.shared) break;
      if (!this.#denied.has(id)) ids.push(id);
    }
    return ids.every((id) => this.#stream?.ids.has(id) === true) ? undefined : ids;
  }

  /** Never rejects. */
  async #open(): Promise<void> {
    this.#opens = undefined;
    const ids = this.#wanted();
    if (ids === undefined) return;
    const abort = this.#opening = new AbortController();
    this.#openedAt = performance.now();
    try {
      const subscription = await this.#client.listen({ taskIds: ids }, { signal: abort.signal });
      const accepted: unknown = subscription.accepted.taskIds;
      if (abort.signal.aborted) {
        await subscription.close();
      } else if (Array.isArray(accepted)) {
        const told = new Set(ids.filter((id) => accepted.includes(id)));
        this.#take({ subscription, ids: told, openedAt: this.#openedAt, left: false }, ids);
      } else {
        this.#refused = true;
        await subscription.close();
      }
    } catch (error) {
      if (!abort.signal.aborted) this.#failed(error);
    }
    this.#opening = undefined;
    this.#plan();
  }

  /** The new stream is there before the old one goes: nothing is missed between them. */
  #take(stream: OpenStream, asked: readonly string[]): void {
    const old = this.#stream;
    this.#stream = stream;
    for (const id of asked) if (!stream.ids.has(id) && this.#feeds.has(id)) this.#denied.add(id);
    this.#stretch++;
    for (const [id, feeds] of this.#feeds) {
      for (const feed of feeds) {
        if (!stream.ids.has(id)) feed.listens(0);
        else if (old?.ids.has(id) !== true) feed.listens(this.#stretch);
      }
    }
    leave(old);
    void this.#read(stream);
    if (stream.ids.size === 0) leave(stream);
  }

  async #read(stream: OpenStream): Promise<void> {
    for await (const event of stream.subscription) {
      if (event.type === "notification" && event.method === TASK_NOTICE) this.#tell(event.params);
      else if (event.type === "dropped") this.#interrupted(stream, ++this.#stretch);
      // Who closed it, if not the news? It was the client, with everything else.
      else if (event.type === "closed" && event.reason.by === "client" && !stream.left) this.#end();
    }
    if (this.#stream !== stream) return;
    this.#stream = undefined;
    this.#interrupted(stream, 0);
    // One that held was no failure.
    if (performance.now() - stream.openedAt >= TASK_WAIT_LIMITS.listening) this.#losses = 0;
    if (stream.ids.size > 0 && this.#feeds.size > 0) this.#lost();
    this.#plan();
  }

  #tell({ _meta, ...params }: JsonObject): void {
    const { taskId } = params;
    for (const feed of this.#feeds.get(taskId as string) ?? []) {
      try {
        feed.tell(readHandle(params, feed.taskId));
      } catch {
        feed.doubt();
      }
    }
  }

  #interrupted({ ids }: OpenStream, stretch: number): void {
    for (const [id, feeds] of this.#feeds) if (ids.has(id)) { for (const feed of feeds) feed.listens(stretch); }
  }

  #failed(error: unknown): void {
    // Capacity, and the like, may be there later; any other refusal is one for good.
    const isPassing = isMcpError(error) &&
      (error.kind === "transport" || (error.kind === "protocol" && error.code === ERROR_CODES.internal_error));
    if (isPassing) this.#lost();
    else this.#refused = true;
  }

  #end(): void {
    this.#closed = this.#refused = true;
    for (const feeds of this.#feeds.values()) for (const feed of feeds) feed.end();
  }

  #lost(): void {
    if (++this.#losses > TASK_WAIT_LIMITS.lost) this.#refused = true;
  }
}

function leave(stream: OpenStream | undefined): void {
  if (stream === undefined) return;
  stream.left = true;
  void stream.subscription.close();
}
