/** The sessions of a server before anybody asked for one: what serves them is loaded by the first message that is theirs. */
import type { Dialect } from "../../protocol/dialect.ts";
import { isRequest } from "../../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../../protocol/limits.ts";
import { onDemand } from "../../protocol/on_demand.ts";
import type { RequestId } from "../../protocol/types.ts";
import { belongsToSession, SESSION_METHODS } from "./belongs_to_session.ts";
import { failure } from "../http_response.ts";
import type { HttpSessions } from "../streamable_http_session.ts";

/** What {@linkcode sessionsOnDemand} takes. */
export interface SessionsOnDemandOptions {
  /** The dialects that are served. */
  readonly dialects: readonly Dialect[];
  /** Bounds of answers. */
  readonly limits: ResolvedLimits;
  /** Loads the sessions, which are kept; called again after it failed. */
  readonly load: () => Promise<HttpSessions>;
  /** Told why they could not be loaded. */
  readonly onError: (error: unknown) => void;
}

/** Makes sessions that are loaded at their first use. What comes meanwhile is answered afterwards, in the order it came. */
export function sessionsOnDemand({ dialects, limits, load, onError }: SessionsOnDemandOptions): HttpSessions {
  let closed = false;
  const room = onDemand(async () => {
    const loaded = await load();
    // Those that come after the end find no session, as they do where sessions were.
    if (closed) await loaded.close();
    return loaded;
  });
  let sessions: HttpSessions | undefined;
  const later = (answer: (loaded: HttpSessions) => Promise<Response>, id: RequestId | undefined): Promise<Response> => {
    return room.load().then((loaded) => {
      // Set only here, where the rest of those that wait is next: nothing overtakes them.
      sessions = loaded;
      return answer(loaded);
    }, (error) => {
      onError(error);
      return failure(id, limits);
    });
  };
  return {
    allow: SESSION_METHODS,
    takes: (message, headers) => belongsToSession(message, headers, dialects),
    post: (message, ...about) =>
      sessions?.post(message, ...about) ??
        later((loaded) => loaded.post(message, ...about), isRequest(message) ? message.id : undefined),
    visit: (request, principal) =>
      sessions?.visit(request, principal) ?? later((loaded) => loaded.visit(request, principal), undefined),
    async close() {
      closed = true;
      await room.loading?.then((loaded) => loaded.close(), () => undefined);
    },
  };
}
