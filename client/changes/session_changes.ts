/** Changes where there are no change streams: subscriptions of the session, and notifications that belong to no call. */
import { changeOfMethod } from "../../protocol/changes.ts";
import type { ListChange } from "../../protocol/changes.ts";
import { TransportError } from "../../protocol/errors.ts";
import { ownMember } from "../../protocol/json.ts";
import type { JsonObject, JsonRpcNotification, ServerCapabilities, SubscriptionFilter } from "../../protocol/types.ts";
import { mapBounded } from "../map_bounded.ts";
import { isWithin } from "./is_within.ts";
import type { ListenRequest, ListenSink } from "./listen_types.ts";
import type { ChangeEvent } from "./subscription_types.ts";

/** What the changes of a session need. */
export interface SessionChangesOptions {
  /** Sends `resources/subscribe` or `resources/unsubscribe`. Without `again`, a lost session is not opened anew for it. */
  readonly ask: (method: string, params: JsonObject, terms: AskTerms) => Promise<unknown>;
  /** What the server declared. */
  readonly capabilities: () => ServerCapabilities;
  /** Opens the stream for what belongs to no call, until the signal aborts. */
  readonly listen: (signal: AbortSignal, onGap: () => void, onLost: (error: unknown) => void) => void;
  /** How many subscriptions are asked for at once. */
  readonly atOnce: number;
  /** Told of faults that belong to no watch. */
  readonly report: (error: unknown) => void;
}

/** The terms of one request. */
export interface AskTerms {
  /** Milliseconds without an answer; the client's own when absent. */
  readonly timeout?: number | undefined;
  /** Gives it up. */
  readonly signal?: AbortSignal | undefined;
  /** Open the session anew when it is lost. */
  readonly again: boolean;
}

interface Watcher {
  readonly lists: ReadonlySet<ListChange>;
  readonly uris: readonly string[];
  readonly sink: ListenSink;
  readonly leave: () => void;
  /** The last event was a gap: another one would add nothing. */
  gap: boolean;
  /** Is it still being opened? */
  opening: boolean;
  /** What ended it while it was being opened. */
  fault: Error | undefined;
}

/** One subscribed resource. */
interface Subscribed {
  readonly uri: string;
  /** How many watches want it. */
  wanted: number;
  /** Does the server know? */
  told: boolean;
  /** The requests about it that are under way, one after the other. */
  work: Promise<void>;
}

const LISTS: readonly (readonly [key: ListChange, capability: "tools" | "prompts" | "resources"])[] = [
  ["toolsListChanged", "tools"],
  ["promptsListChanged", "prompts"],
  ["resourcesListChanged", "resources"],
];

/** The watches of one connection in a revision that begins with a handshake (MCP 2025-11-25, Resources § Subscriptions). */
export class SessionChanges {
  readonly #options: SessionChangesOptions;
  readonly #watchers = new Set<Watcher>();
  readonly #resources = new Map<string, Subscribed>();
  #listening: AbortController | undefined;

  /** Watches nothing yet. */
  constructor(options: SessionChangesOptions) {
    this.#options = options;
  }

  /** How many watches are open. */
  get size(): number {
    return this.#watchers.size;
  }

  /**
   * Opens a watch.
   *
   * @returns What the server's capabilities allow of the filter.
   * @throws {ProtocolError} When the server refuses a subscription.
   * @throws {TransportError} "timeout" when it does not answer.
   */
  async open({ filter, timeout, signal }: ListenRequest, sink: ListenSink): Promise<SubscriptionFilter> {
    signal.throwIfAborted();
    const accepted = this.#allowed(filter);
    const leave = (): void => this.#leave(watcher, leave, signal);
    const lists = new Set(LISTS.filter(([key]) => accepted[key] === true).map(([key]) => key));
    const uris = [...new Set(accepted.resourceSubscriptions ?? [])];
    const watcher: Watcher = { lists, uris, sink, leave, gap: false, opening: true, fault: undefined };
    this.#watchers.add(watcher);
    signal.addEventListener("abort", leave);
    this.#listen();
    for (const uri of uris) this.#resource(uri).wanted++;
    try {
      const terms = { timeout, signal, again: true };
      await mapBounded(uris, this.#options.atOnce, (uri) => this.#settle(this.#resource(uri), terms));
      signal.throwIfAborted();
      if (watcher.fault !== undefined) throw watcher.fault;
    } catch (error) {
      leave();
      throw signal.aborted ? signal.reason : watcher.fault ?? error;
    }
    watcher.opening = false;
    sink.accepted?.();
    return accepted;
  }

  /** Takes a notification that belongs to no call. */
  take({ method, params = {} }: JsonRpcNotification): void {
    const type = changeOfMethod(method);
    if (type === undefined) return;
    if (type !== "resourceUpdated") return this.#tell((watcher) => watcher.lists.has(type), { type });
    const uri = ownMember(params, "uri");
    // It may be part of the resource that was subscribed to (MCP 2025-11-25, schema § ResourceUpdatedNotification).
    if (typeof uri === "string") this.#tell(({ uris }) => uris.some((own) => isWithin(uri, own)), { type, uri });
  }

  /** A new session knows nothing of the old one's subscriptions: asks for all of them again. Never rejects. */
  async restore(): Promise<void> {
    for (const resource of this.#resources.values()) resource.told = false;
    if (this.#watchers.size === 0) return;
    const failed = new Map<string, unknown>();
    await mapBounded([...this.#resources.values()], this.#options.atOnce, async (resource) => {
      await this.#settle(resource, { again: false }).catch((error) => failed.set(resource.uri, error));
    });
    for (const watcher of [...this.#watchers]) {
      const uri = watcher.uris.find((own) => failed.has(own));
      if (uri === undefined) this.#gap(watcher);
      else this.#end(watcher, failed.get(uri));
    }
  }

  /** Ends every watch with a fault. */
  fail(error: unknown): void {
    for (const watcher of [...this.#watchers]) this.#end(watcher, error);
  }

  #allowed(filter: SubscriptionFilter): SubscriptionFilter {
    const capabilities = this.#options.capabilities();
    const lists = LISTS.filter(([key, name]) => filter[key] === true && capabilities[name]?.listChanged === true);
    const uris = filter.resourceSubscriptions;
    const subscribes = uris !== undefined && capabilities.resources?.subscribe === true;
    return {
      ...Object.fromEntries(lists.map(([key]) => [key, true])),
      ...(subscribes ? { resourceSubscriptions: uris } : {}),
    };
  }

  #tell(wants: (watcher: Watcher) => boolean, event: ChangeEvent): void {
    for (const watcher of [...this.#watchers]) {
      if (!wants(watcher)) continue;
      watcher.gap = false;
      watcher.sink.push(event);
    }
  }

  #gap(watcher: Watcher): void {
    if (watcher.gap) return;
    watcher.gap = true;
    watcher.sink.push({ type: "gap" });
  }

  #end(watcher: Watcher, fault: unknown): void {
    watcher.leave();
    const text = "Watching for changes: the way on which they come was lost";
    const error = fault instanceof Error ? fault : new TransportError("closed", text, { cause: fault });
    if (watcher.opening) watcher.fault ??= error;
    else watcher.sink.end({ by: "fault", error });
  }

  #leave(watcher: Watcher, leave: () => void, signal: AbortSignal): void {
    signal.removeEventListener("abort", leave);
    if (!this.#watchers.delete(watcher)) return;
    for (const uri of watcher.uris) {
      const resource = this.#resource(uri);
      resource.wanted--;
      if (resource.wanted > 0) continue;
      this.#settle(resource, { again: false }).catch((error) => this.#options.report(error));
    }
    if (this.#watchers.size > 0) return;
    this.#listening?.abort();
    this.#listening = undefined;
  }

  #listen(): void {
    if (this.#listening !== undefined) return;
    const listening = this.#listening = new AbortController();
    const gap = (): void => this.#watchers.forEach((watcher) => this.#gap(watcher));
    this.#options.listen(listening.signal, gap, (error) => {
      if (listening.signal.aborted) return;
      this.#listening = undefined;
      listening.abort();
      this.fail(error);
    });
  }

  #resource(uri: string): Subscribed {
    let resource = this.#resources.get(uri);
    if (resource === undefined) {
      resource = { uri, wanted: 0, told: false, work: Promise.resolve() };
      this.#resources.set(uri, resource);
    }
    return resource;
  }

  /** Tells the server what is wanted of a resource, when it does not know. */
  #settle(resource: Subscribed, terms: AskTerms): Promise<void> {
    const done = resource.work.then(async () => {
      const wanted = resource.wanted > 0;
      try {
        if (wanted === resource.told) return;
        resource.told = wanted;
        await this.#options.ask(wanted ? "resources/subscribe" : "resources/unsubscribe", { uri: resource.uri }, terms);
      } catch (error) {
        // After a failure to unsubscribe the server may still send; what nobody wants is passed over.
        if (wanted) resource.told = false;
        throw error;
      } finally {
        if (resource.wanted === 0 && !resource.told) this.#resources.delete(resource.uri);
      }
    });
    resource.work = done.catch(() => undefined);
    return done;
  }
}
