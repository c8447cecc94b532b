/** The sessions of a server over HTTP, when its options ask for them. */
import { sessionsOnDemand } from "../transports/sessions/sessions_on_demand.ts";
import type { HttpSessions, HttpSessionsOptions } from "../transports/streamable_http_session.ts";
import type { Core } from "./core.ts";
import { loadHandshakes } from "./handshake.ts";

/** Makes the sessions of a server; undefined when none are wanted, or no revision has them. */
export function createServerSessions(
  core: Core,
  handle: HttpSessionsOptions["handle"],
  onError: (error: unknown) => void,
): HttpSessions | undefined {
  const { sessions } = core.options;
  if (!sessions || !core.dialects.some(({ handshake }) => handshake !== undefined)) {
    return undefined;
  }
  return sessionsOnDemand({
    dialects: core.dialects,
    limits: core.limits,
    // Clients of stateless revisions never need it.
    load: async () => {
      const [{ openSessions }] = await Promise.all([import("./http/open_sessions.ts"), loadHandshakes(core.dialects)]);
      return openSessions(core, handle);
    },
    onError,
  });
}
