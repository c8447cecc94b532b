/** The fetch handler: path, host and origin, then who calls, then sessions, then the transport. */
import type { Authenticator } from "../../protocol/auth/authenticator.ts";
import { onDemand } from "../../protocol/on_demand.ts";
import type { AuthInfo, MessageHandler, PromptHandler } from "../../transports/transport.ts";
import { failure, httpError } from "../../transports/http_response.ts";
import { createHttpHandler } from "../../transports/streamable_http_server.ts";
import type { HttpHandler } from "../../transports/streamable_http_server.ts";
import type { Core } from "../core.ts";
import { createServerSessions } from "../http_sessions.ts";
import { createCors } from "./cors.ts";
import { createOriginGuard } from "./origin.ts";

/** The two ways in over HTTP, and their end. */
export interface FetchHandlers {
  /** Answers a request of an unknown caller. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** Answers a request whose caller the application has verified. */
  readonly respond: (
    request: Request,
    options: { readonly auth?: AuthInfo<unknown> | undefined; readonly signal?: AbortSignal | undefined },
  ) => Promise<Response>;
  /** Ends the sessions that this process holds. */
  readonly close: () => Promise<void>;
}

/**
 * Makes the fetch handler of a server, from its handler in both forms. Its functions need no `this` and ignore further arguments.
 *
 * @param onError Told of faults that belong to no request.
 */
export function createFetch(
  core: Core,
  handle: MessageHandler,
  promptly: PromptHandler,
  onError: (error: unknown) => void,
): FetchHandlers {
  const { path, hosts, origins, auth: authenticator } = core.options;
  const guard = createOriginGuard(hosts, origins);
  const sessions = createServerSessions(core, handle, onError);
  const allow = createCors(sessions !== undefined);
  const answer = createHttpHandler(promptly, core.limits, { dialects: core.dialects, sessions, onError });
  const enter = authenticator === undefined ? answer : guarded(authenticator, answer, core, onError);
  const preflight = async (origin: string, headers: Headers): Promise<Response> => {
    try {
      return (await import("./preflight.ts")).answerPreflight(origin, headers, sessions?.allow);
    } catch (error) {
      onError(error);
      return failure(undefined, core.limits);
    }
  };
  const respond = (
    request: Request,
    auth: AuthInfo<unknown> | undefined,
    signal: AbortSignal | undefined,
    next: HttpHandler,
  ): Promise<Response> => {
    if (path !== undefined && pathOf(request.url) !== path) {
      return Promise.resolve(httpError(404, "Not found: the path is not the option path of this server"));
    }
    const { headers } = request;
    const origin = headers.get("origin");
    const fault = guard.hostFault(headers.get("host") ?? hostOf(request.url)) ??
      (origin === null ? undefined : guard.originFault(origin));
    if (fault !== undefined) return Promise.resolve(httpError(fault.status, fault.sentence));
    if (origin === null) return next(request, auth, signal);
    if (request.method === "OPTIONS" && headers.has("access-control-request-method")) {
      return preflight(origin, headers);
    }
    return next(request, auth, signal).then((response) => allow(response, origin));
  };
  return {
    fetch: (request) => {
      const metadata = authenticator?.metadata?.(request);
      return metadata === undefined ? respond(request, undefined, undefined, enter) : Promise.resolve(metadata);
    },
    respond: (request, options) => respond(request, options.auth, options.signal, answer),
    close: async () => await sessions?.close(),
  };
}

/** What lets callers in; servers without `auth` never load it. */
const GUARDING = onDemand(() => import("./authenticated.ts"));

/** Puts an authenticator before a handler, from the first request on. Where that can not be loaded, nobody is let in. */
function guarded(
  authenticator: Authenticator<unknown>,
  answer: HttpHandler,
  core: Core,
  onError: (error: unknown) => void,
): HttpHandler {
  let enter: HttpHandler | undefined;
  return (request, caller, signal) =>
    enter?.(request, caller, signal) ?? GUARDING.load().then(({ authenticated }) => {
      enter ??= authenticated(authenticator, answer, core);
      return enter(request, caller, signal);
    }, (error) => {
      onError(error);
      return failure(undefined, core.limits);
    });
}

/** The path of an absolute URL, without parsing the rest. */
function pathOf(url: string): string {
  const start = url.indexOf("/", url.indexOf("://") + 3);
  if (start < 0) return "/";
  const end = url.slice(start).search(/[?#]/);
  return end < 0 ? url.slice(start) : url.slice(start, start + end);
}

/** HTTP/2 and requests made in the process have no Host header; their URL says where they go (RFC 9113 § 8.3.1). */
function hostOf(url: string): string | null {
  const start = url.indexOf("://") + 3;
  const end = url.slice(start).search(/[/?#]/);
  return start < 3 ? null : end < 0 ? url.slice(start) : url.slice(start, start + end);
}
