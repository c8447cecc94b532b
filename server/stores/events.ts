/** The events of sessions' streams in any store. */
import type { EventStore, StoredEvent, StreamName } from "../../transports/streamable_http_session.ts";
import type { Store } from "./store.ts";

/** Digits of a place in a key, so that keys sort in the order of the places. */
const DIGITS = 16;

/**
 * Keeps events in a store, under `["causeway", "events", session, stream, place]`.
 *
 * @param store Any store; instances that share it give the events of each other's streams.
 */
export function storedEvents(store: Store): EventStore {
  return {
    append: async (name, { sequence, text }, ttl) => {
      // Without its events a session can still be used; without its record it is lost.
      await store.set(keyOf(name, sequence), text, { ttl, expendable: true });
    },
    read: async (name, from) => {
      const found: StoredEvent[] = [];
      for await (const { key, value } of store.list(keyOf(name))) {
        const sequence = Number(key.at(-1));
        if (sequence >= from) found.push({ sequence, text: String(value) });
      }
      return found;
    },
    remove: (name, sequence) => store.delete(keyOf(name, sequence)),
  };
}

function keyOf({ session, stream }: StreamName, sequence?: number): readonly string[] {
  const key = ["causeway", "events", session, stream];
  return sequence === undefined ? key : [...key, String(sequence).padStart(DIGITS, "0")];
}
