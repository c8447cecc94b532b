/** The sessions of a server in any store. */
import { STORE_TRIES } from "../../protocol/limits.ts";
import type { SessionRecord, SessionStore } from "../../transports/streamable_http_session.ts";
import type { Store } from "./store.ts";

/**
 * Keeps sessions in a store, under `["causeway", "sessions", key]`.
 *
 * @param store Any store; instances that share it serve each other's sessions.
 */
export function storedSessions(store: Store): SessionStore {
  const at = (key: string): readonly string[] => ["causeway", "sessions", key];
  return {
    read: async (key) => {
      const found = await store.get(at(key));
      return found === undefined ? undefined : { ...found.value as SessionRecord, version: found.version };
    },
    create: async (key, record, ttl) => {
      await store.set(at(key), record, { ttl });
    },
    update: async (key, change, ttl) => {
      for (let attempt = 0; attempt < STORE_TRIES; attempt++) {
        const found = await store.get(at(key));
        if (found === undefined) return false;
        const next = change(found.value as SessionRecord);
        if (await store.set(at(key), next, { ttl, ifVersion: found.version })) return true;
      }
      throw new Error(`Changing a session: other instances were faster ${STORE_TRIES} times`);
    },
    end: (key) => store.delete(at(key)),
  };
}
