/** Change streams: who wants which change. */
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import type { ListenExtras } from "../../protocol/extensions/extension_serving.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { withHttpStatus } from "../../protocol/json_rpc.ts";
import { SUBSCRIBED_LENGTH } from "../../protocol/limits.ts";
import type { ResolvedLimits } from "../../protocol/limits.ts";
import type { JsonObject, ServerCapabilities } from "../../protocol/types.ts";
import { SERVICE_UNAVAILABLE } from "../../transports/http_status.ts";
import { contextOf } from "../context.ts";
import type { Exchange } from "../core.ts";
import type { EventBus } from "../stores/event_bus.ts";
import type { IsVisible } from "../access/is_visible.ts";
import { changeNotice, ChangeQueue, CHANGES, readChange } from "./changes.ts";
import type { Change } from "./changes.ts";
import { missedChanges } from "./missed_changes.ts";
import type { MissedChanges } from "./missed_changes.ts";

/** One open stream. */
class Listener {
  readonly exchange: Exchange;
  readonly wanted: JsonObject;
  readonly changes: ChangeQueue;
  readonly #end: (result: JsonObject) => void;

  constructor(exchange: Exchange, wanted: JsonObject, bound: number, end: (result: JsonObject) => void) {
    this.exchange = exchange;
    this.wanted = wanted;
    this.changes = new ChangeQueue(bound, (change) => send(exchange, change));
    this.#end = end;
  }

  /** Ends the stream with its result, after whatever waits. */
  end(): void {
    const { exchange } = this;
    this.changes.flush();
    if (exchange.info.connection.transport === "stdio") {
      exchange.afterAnswer = exchange.dialect.writeStreamCancelled(exchange.request.id);
    }
    this.#end(exchange.dialect.writeStreamEnd(exchange.request.id, exchange.frame));
  }
}

/** The open change streams of one server. */
export class Subscriptions {
  readonly #bus: EventBus;
  readonly #limits: ResolvedLimits;
  readonly #byType = new Map<string, Set<Listener>>();
  readonly #byUri = new Map<string, Set<Listener>>();
  readonly #all = new Set<Listener>();
  readonly #perPrincipal = new Map<string, number>();
  #stop: (() => void) | undefined;

  /** Listens on the bus while a stream is open. */
  constructor(bus: EventBus, limits: ResolvedLimits) {
    this.#bus = bus;
    this.#limits = limits;
  }

  /** Opens a stream: the acknowledgement goes first, the result comes when the server ends it. */
  open(exchange: Exchange, wanted: JsonObject, extras?: ListenExtras, missed: Iterable<Change> = []): Promise<JsonObject> {
    // A client that left while this was loaded, or while an extension opened its part, waits for nothing.
    if (exchange.done) return Promise.resolve({});
    this.#admit(exchange.info.principal?.principal);
    return new Promise((resolve) => {
      const listener = new Listener(exchange, wanted, this.#limits.subscriptionBuffer, resolve);
      this.#add(listener);
      exchange.onSettled = chain(exchange.onSettled, () => this.#remove(listener));
      const notifications = { ...extras?.accepted, ...wanted };
      exchange.emit(
        exchange.dialect.writeChange("notifications/subscriptions/acknowledged", { notifications }, exchange.request.id),
      );
      extras?.acknowledged();
      for (const change of missed) if (this.#wanting(change)?.has(listener)) listener.changes.tell(change);
    });
  }

  /** Ends every stream with its result. */
  endAll(): void {
    for (const listener of [...this.#all]) {
      this.#remove(listener);
      listener.end();
    }
  }

  #admit(principal: string | undefined): void {
    const { subscriptions, subscriptionsPerPrincipal } = this.#limits;
    const own = principal === undefined ? 0 : this.#perPrincipal.get(principal) ?? 0;
    if (this.#all.size >= subscriptions) throw tooMany("subscriptions", subscriptions);
    if (own >= subscriptionsPerPrincipal) throw tooMany("subscriptionsPerPrincipal", subscriptionsPerPrincipal);
  }

  #add(listener: Listener): void {
    this.#all.add(listener);
    const principal = listener.exchange.info.principal?.principal;
    if (principal !== undefined) this.#perPrincipal.set(principal, (this.#perPrincipal.get(principal) ?? 0) + 1);
    for (const [key, value] of Object.entries(listener.wanted)) {
      if (value === true) put(this.#byType, key, listener);
      else if (Array.isArray(value)) { for (const uri of value) put(this.#byUri, uri as string, listener); }
    }
    this.#stop ??= this.#bus.subscribe(CHANGES, (event) => this.#deliver(event));
  }

  #remove(listener: Listener): void {
    if (!this.#all.delete(listener)) return;
    const principal = listener.exchange.info.principal?.principal;
    for (const [key, value] of Object.entries(listener.wanted)) {
      if (value === true) take(this.#byType, key, listener);
      else if (Array.isArray(value)) { for (const uri of value) take(this.#byUri, uri as string, listener); }
    }
    if (principal !== undefined) {
      const left = (this.#perPrincipal.get(principal) ?? 1) - 1;
      if (left > 0) this.#perPrincipal.set(principal, left);
      else this.#perPrincipal.delete(principal);
    }
    if (this.#all.size > 0) return;
    this.#stop?.();
    this.#stop = undefined;
  }

  #deliver(event: unknown): void {
    const change = readChange(event);
    if (change === undefined) return;
    for (const listener of this.#wanting(change) ?? []) listener.changes.tell(change);
  }

  #wanting(change: Change): ReadonlySet<Listener> | undefined {
    return change.type === "resourceUpdated" ? this.#byUri.get(change.uri) : this.#byType.get(change.type);
  }
}

function send(exchange: Exchange, change: Change): Promise<void> {
  const { method, params } = changeNotice(change);
  return exchange.emit(exchange.dialect.writeChange(method, params, exchange.request.id));
}

/** What the method `subscriptions/listen` of one server needs. */
export interface Listening {
  /** What the server declares. */
  readonly capabilities: ServerCapabilities;
  /** May a caller know of a resource? */
  readonly isVisible: IsVisible;
}

/**
 * Answers `subscriptions/listen`.
 *
 * @param since Changes since the request came.
 */
export function listen(
  exchange: Exchange,
  { capabilities, isVisible }: Listening,
  since?: MissedChanges,
): Promise<JsonObject> {
  const wanted = honoured(exchange, capabilities, isVisible);
  const extras = exchange.core.options.extensions?.open(exchange, contextOf);
  if (extras === undefined) return openStream(exchange, wanted, undefined, since);
  const missed = since ?? missedChanges(exchange);
  return extras.then((added) => openStream(exchange, wanted, added, missed));
}

function openStream(
  exchange: Exchange,
  wanted: JsonObject,
  added: ListenExtras | undefined,
  missed: MissedChanges | undefined,
): Promise<JsonObject> {
  const { core } = exchange;
  const subscriptions = core.subscriptions ??= new Subscriptions(core.bus, core.limits);
  const end = subscriptions.open(exchange, wanted, added, missed?.changes.values());
  // From here on the stream hears of changes by itself; for a client that has left, keeping them has ended already.
  if (!exchange.done) missed?.stop();
  // It may have come before the end of the server, and be open only now.
  if (core.closed) subscriptions.endAll();
  return end;
}

/** The part of a filter that the server serves; types that it does not offer are left out. */
function honoured(exchange: Exchange, { tools, prompts, resources }: ServerCapabilities, isVisible: IsVisible): JsonObject {
  const filter = ownMember(exchange.request.params, "notifications");
  if (!isJsonObject(filter)) {
    throw ProtocolError.invalidParams("Invalid params: notifications must be an object that says what is wanted");
  }
  for (const key of ["toolsListChanged", "promptsListChanged", "resourcesListChanged"]) {
    const value = ownMember(filter, key);
    if (value !== undefined && typeof value !== "boolean") {
      throw ProtocolError.invalidParams(`Invalid params: ${key} must be a boolean`);
    }
  }
  const uris = ownMember(filter, "resourceSubscriptions");
  if (uris !== undefined && !(Array.isArray(uris) && uris.every((uri) => typeof uri === "string"))) {
    throw ProtocolError.invalidParams("Invalid params: resourceSubscriptions must be a list of URIs");
  }
  const limit = exchange.core.limits.subscriptionUris;
  if (uris !== undefined && uris.length > limit) {
    const message =
      `Invalid params: resourceSubscriptions names ${uris.length} resources, at most ${limit} (limit subscriptionUris)`;
    throw ProtocolError.invalidParams(message, { data: { limit, seen: uris.length } });
  }
  const length = (uris ?? []).reduce((sum, uri) => sum + (uri as string).length, 0);
  if (length > SUBSCRIBED_LENGTH) {
    const message = `Invalid params: resourceSubscriptions has ${length} characters, at most ${SUBSCRIBED_LENGTH}`;
    throw ProtocolError.invalidParams(message, { data: { limit: SUBSCRIBED_LENGTH, seen: length } });
  }
  const shown = [...new Set(uris as readonly string[] | undefined ?? [])].filter((uri) => isVisible(uri, exchange));
  return {
    ...(filter.toolsListChanged === true && tools !== undefined ? { toolsListChanged: true } : {}),
    ...(filter.promptsListChanged === true && prompts !== undefined ? { promptsListChanged: true } : {}),
    ...(filter.resourcesListChanged === true && resources !== undefined ? { resourcesListChanged: true } : {}),
    ...(shown.length > 0 && resources !== undefined ? { resourceSubscriptions: shown } : {}),
  };
}

function tooMany(limit: string, value: number): ProtocolError {
  const data = { reason: "capacity_reached", limit, value };
  const message = `Capacity reached: ${value} change streams are open (limit ${limit})`;
  return withHttpStatus(new ProtocolError(ERROR_CODES.internal_error, message, { data }), SERVICE_UNAVAILABLE);
}

function put(index: Map<string, Set<Listener>>, key: string, listener: Listener): void {
  const listeners = index.get(key);
  if (listeners === undefined) index.set(key, new Set([listener]));
  else listeners.add(listener);
}

function take(index: Map<string, Set<Listener>>, key: string, listener: Listener): void {
  const listeners = index.get(key);
  if (listeners?.delete(listener) && listeners.size === 0) index.delete(key);
}

function chain(first: (() => void) | undefined, then: () => void): () => void {
  if (first === undefined) return then;
  return () => {
    first();
    then();
  };
}
