/** `client.listen`: one change stream with its acknowledgement. */
import { TransportError } from "../../protocol/errors.ts";
import { isJsonObject } from "../../protocol/json.ts";
import { checkObject, checkOptionNames } from "../../protocol/unknown_option.ts";
import type { SubscriptionFilter } from "../../protocol/types.ts";
import type { Connection } from "../connection.ts";
import { onAbort } from "../waits/on_abort.ts";
import { ChangeStream } from "./change_stream.ts";
import { LISTEN, openListen } from "./listen_stream.ts";
import type { Subscription, SubscriptionOptions } from "./subscription_types.ts";

/**
 * Opens a change stream and waits for its acknowledgement (MCP 2026-07-28, Subscriptions § Acknowledgment).
 *
 * @param connection Where to.
 * @param filter What to ask for; sent as it is, keys of extensions included.
 * @param options How events are buffered.
 * @throws {TypeError} For a malformed filter.
 * @throws {ProtocolError} When the server refuses; -32601 when the revision has no such request: `watch` works in all.
 * @throws {TransportError} "closed" when the stream ends, and "timeout" when nothing comes, before the acknowledgement.
 */
export async function listen(
  connection: Connection,
  filter: SubscriptionFilter,
  options: SubscriptionOptions,
): Promise<Subscription> {
  checkFilter(filter, "client.listen");
  checkObject(options, "options");
  connection.mustHave(LISTEN);
  const { signal } = options;
  signal?.throwIfAborted();
  const abort = new AbortController();
  const close = (): Promise<void> => {
    stream.end({ by: "client" });
    return Promise.resolve();
  };
  const closable = { close };
  const stream = new ChangeStream(options, connection.settings.limits, () => {
    leaveSignal();
    connection.streams.delete(closable);
    abort.abort(new TransportError("closed", "Opening a change stream: it was closed"));
  });
  const leaveSignal = onAbort(signal, () => abort.abort(signal?.reason));
  // After the acknowledgement the caller's signal closes the stream.
  abort.signal.addEventListener("abort", () => stream.end({ by: "client" }));
  connection.streams.add(closable);
  try {
    const accepted = await openListen(connection, listenRequest(connection, filter, options, abort.signal), {
      push: (event) => stream.push(event),
      end: (reason) => stream.end(reason),
    });
    const next = (): ReturnType<Subscription["next"]> => stream.next();
    return {
      accepted,
      next,
      close,
      closed: stream.closed,
      [Symbol.asyncIterator]: () => stream.iterate(next, close),
      [Symbol.asyncDispose]: close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

const STREAM_OPTIONS: ReadonlySet<string> = new Set(["signal", "timeout", "buffer", "overflow", "coalesce", "relisten"]);

const FILTER_KEYS: ReadonlySet<string> = new Set([
  "toolsListChanged",
  "promptsListChanged",
  "resourcesListChanged",
  "resourceSubscriptions",
]);

/** What the change of a list is called elsewhere, such as `toolsChanged`. */
const LIST_NAME = /^(tool|prompt|resource)s?(?:list)?(?:changed)?$/i;

/** The request for a filter, with the time for its acknowledgement. */
export function listenRequest(
  connection: Connection,
  filter: SubscriptionFilter,
  options: SubscriptionOptions,
  signal: AbortSignal,
): Parameters<typeof openListen>[1] {
  checkOptionNames(options, STREAM_OPTIONS, "options.");
  const timeout = options.timeout ?? connection.settings.limits.requestTimeout;
  if (!(timeout > 0)) {
    throw new TypeError(`options.timeout: Expected a positive number of milliseconds, received ${String(timeout)}`);
  }
  return { filter, timeout, signal };
}

/**
 * Checks a filter. Keys of extensions pass.
 *
 * @throws {TypeError} When a key of the specification has the wrong type or is misspelt.
 */
export function checkFilter(filter: SubscriptionFilter, path: string): void {
  if (!isJsonObject(filter)) throw new TypeError(`${path}: Expected a filter object`);
  checkOptionNames(filter, FILTER_KEYS, `${path}: `, true);
  for (const name of Object.keys(filter)) {
    const [, list] = FILTER_KEYS.has(name) ? [] : LIST_NAME.exec(name) ?? [];
    if (list !== undefined) throw new TypeError(`${path}: ${name}: Unknown option, perhaps ${list.toLowerCase()}sListChanged`);
  }
  for (const key of ["toolsListChanged", "promptsListChanged", "resourcesListChanged"]) {
    const value = filter[key];
    if (value !== undefined && typeof value !== "boolean") throw new TypeError(`${path}: Expected ${key} to be a boolean`);
  }
  const uris: unknown = filter.resourceSubscriptions;
  if (uris !== undefined && !(Array.isArray(uris) && uris.every((uri) => typeof uri === "string"))) {
    throw new TypeError(`${path}: Expected resourceSubscriptions to be a list of URIs`);
  }
}
