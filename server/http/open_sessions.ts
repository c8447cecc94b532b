/** Puts together the sessions of a server over HTTP; loaded when the first message comes that is theirs. */
import { createHttpSessions } from "../../transports/streamable_http_session.ts";
import type { HttpSessions, HttpSessionsOptions } from "../../transports/streamable_http_session.ts";
import type { Core } from "../core.ts";
import { storedEvents } from "../stores/events.ts";
import { memoryStore } from "../stores/memory.ts";
import { storedSessions } from "../stores/sessions.ts";
import { GIVE_KEYS, warning } from "../warning.ts";
import { createSessionTokens } from "./session_tokens.ts";
import { timedStore } from "./timed_store.ts";

/** Makes the sessions of a server, as its option `sessions` says. */
export function openSessions(core: Core, handle: HttpSessionsOptions["handle"]): HttpSessions {
  const { sessions, stateKeys } = core.options;
  const given = typeof sessions === "object" ? sessions.store : undefined;
  const store = given === undefined ? undefined : timedStore(given);
  const { limits } = core;
  const onError = (error: unknown): void => {
    core.report(error);
  };
  const sealedAlone = (): void => {
    if (store === undefined) return;
    onError(warning(`stateKeys: No key is set, so that no other process can serve the sessions of this one; ${GIVE_KEYS}`));
  };
  // No session keeps more events than its limit, and as many that must not be lost; one is written before an older one goes.
  const maxEntries = 2 * Math.max(1, limits.sessions) * (limits.sessionEvents + 1);
  return createHttpSessions({
    handle,
    limits,
    dialects: core.dialects,
    tokens: createSessionTokens({
      keys: stateKeys,
      server: core.info.name,
      lifetime: limits.sessionAge,
      onProcessKey: sealedAlone,
    }),
    records: store === undefined ? undefined : storedSessions(store),
    events: storedEvents(store ?? memoryStore({ maxEntries: Math.min(maxEntries, Number.MAX_SAFE_INTEGER) })),
    shared: store !== undefined || (stateKeys !== undefined && stateKeys.length > 0),
    onAdopt: (session) => core.sessions.join(session),
    onError,
  });
}
