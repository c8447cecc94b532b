/** Changes on their way: how they travel on the bus, what a client is told, and the queue of one receiver. */
import { CHANGE_METHODS } from "../../protocol/changes.ts";
import type { ListChange } from "../../protocol/changes.ts";
import type { Notify } from "../../protocol/context.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject, ServerCapabilities } from "../../protocol/types.ts";
import type { EventBus } from "../stores/event_bus.ts";

/** A change, as it travels on the bus. */
export type Change =
  | { readonly type: ListChange }
  | { readonly type: "resourceUpdated"; readonly uri: string };

/** The topic of changes on the bus. */
export const CHANGES = "causeway/changes";

/** Makes `server.notify`. */
export function createNotify(bus: EventBus): Notify {
  const publish = (change: Change): Promise<void> => bus.publish(CHANGES, change);
  return Object.freeze({
    toolsChanged: () => publish({ type: "toolsListChanged" }),
    promptsChanged: () => publish({ type: "promptsListChanged" }),
    resourcesChanged: () => publish({ type: "resourcesListChanged" }),
    resourceUpdated: (uri: string | URL) => publish({ type: "resourceUpdated", uri: String(uri) }),
  });
}

/** Reads what came from the bus; undefined for anything that is not a change. */
export function readChange(event: unknown): Change | undefined {
  if (!isJsonObject(event) || typeof event.type !== "string" || !Object.hasOwn(CHANGE_METHODS, event.type)) return undefined;
  return event.type !== "resourceUpdated" || typeof event.uri === "string" ? event as unknown as Change : undefined;
}

/** The key of a change: changes with the same key tell the same. */
export function keyOfChange(change: Change): string {
  return change.type === "resourceUpdated" ? `uri ${change.uri}` : change.type;
}

/** The notification that tells of a change: its method and params. */
export function changeNotice(change: Change): { readonly method: string; readonly params: JsonObject } {
  return { method: CHANGE_METHODS[change.type], params: change.type === "resourceUpdated" ? { uri: change.uri } : {} };
}

/** Does a server with these capabilities tell of such a change? */
export function offersChange(change: Change, { tools, prompts, resources }: ServerCapabilities): boolean {
  switch (change.type) {
    case "toolsListChanged":
      return tools?.listChanged === true;
    case "promptsListChanged":
      return prompts?.listChanged === true;
    case "resourcesListChanged":
      return resources?.listChanged === true;
    case "resourceUpdated":
      return resources?.subscribe === true;
  }
}

/**
 * The changes for one receiver. At most `bound` are handed on at once; behind them every kind and every URI waits only once,
 * because a notice says that something changed, not how often.
 */
export class ChangeQueue {
  readonly #bound: number;
  readonly #send: (change: Change) => Promise<void>;
  /** Made when something waits first, because quiet receivers are many. */
  #waiting: Map<string, Change> | undefined;
  #unsent = 0;

  /**
   * Makes an empty queue.
   *
   * @param bound Changes that are handed on before one of them was taken (limit `subscriptionBuffer`).
   * @param send Hands one on; resolves when there is room for more, and never rejects.
   */
  constructor(bound: number, send: (change: Change) => Promise<void>) {
    this.#bound = bound;
    this.#send = send;
  }

  /** Hands a change on, now or when there is room. */
  tell(change: Change): void {
    if (this.#unsent >= this.#bound) {
      (this.#waiting ??= new Map()).set(keyOfChange(change), change);
      return;
    }
    this.#unsent++;
    this.#send(change).then(() => {
      this.#unsent--;
      const [next] = this.#waiting ?? [];
      if (next === undefined) return;
      this.#waiting?.delete(next[0]);
      this.tell(next[1]);
    });
  }

  /** Hands on whatever waits, because nothing comes after it. */
  flush(): void {
    for (const change of this.#waiting?.values() ?? []) this.#send(change);
    this.#waiting = undefined;
  }

  /** Forgets what waits. */
  clear(): void {
    this.#waiting = undefined;
  }
}
