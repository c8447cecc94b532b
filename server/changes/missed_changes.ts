/** The changes that come between a request for a change stream and its beginning. */
import { ownMember } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/json.ts";
import type { Exchange } from "../core.ts";
import { CHANGES, keyOfChange, readChange } from "./changes.ts";
import type { Change } from "./changes.ts";

/** The changes since a request came. */
export interface MissedChanges {
  /** Every kind and every URI once, in the order in which they came first. */
  readonly changes: ReadonlyMap<string, Change>;
  /** Stops keeping changes before the request ends. */
  readonly stop: () => void;
}

/** Keeps the changes that a request for a stream may be about, until the request ends; its filter need not be checked yet. */
export function missedChanges(exchange: Exchange): MissedChanges {
  const { core, request } = exchange;
  const { resourceSubscriptions: uris } = Object(ownMember(request.params, "notifications")) as JsonObject;
  // Of the URIs only those that are asked for, so that no others fill the memory, or take their place.
  const wanted = new Set<unknown>([uris].flat());
  const changes = new Map<string, Change>();
  const leave = core.bus.subscribe(CHANGES, (event) => {
    const change = readChange(event);
    if (change === undefined || change.type === "resourceUpdated" && !wanted.has(change.uri)) return;
    changes.set(keyOfChange(change), change);
  });
  const stop = (): void => {
    forget();
    leave();
  };
  const forget = exchange.whenSettled(stop);
  return { changes, stop };
}
