/** Asks for the caller of every HTTP request before anything of it is read. */
import type { Authenticator } from "../../protocol/auth/authenticator.ts";
import { ERROR_CODES } from "../../protocol/errors.ts";
import { errorResponse } from "../../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../../protocol/limits.ts";
import { jsonResponse } from "../../transports/http_response.ts";
import type { HttpHandler } from "../../transports/streamable_http_server.ts";
import type { AuthInfo } from "../../transports/transport.ts";
import { SERVICE_UNAVAILABLE } from "../../transports/http_status.ts";
import type { Core } from "../core.ts";
import { inTime } from "../in_time.ts";

/**
 * Puts an authenticator before an HTTP handler (MCP 2026-07-28, Authorization § Token Handling). When it cannot say who calls,
 * nobody is let in; the time for it is the limit `verifyTimeout`.
 *
 * @param authenticator Says who calls.
 * @param answer Answers requests of verified callers.
 * @param core Where failures are reported, bounds, and what looks after the time.
 */
export function authenticated(
  authenticator: Authenticator,
  answer: HttpHandler,
  { report, limits, running }: Pick<Core, "report" | "limits" | "running">,
): HttpHandler {
  return async (request, _caller, signal) => {
    let caller: AuthInfo | Response;
    try {
      const found = authenticator.authenticate(request, (warning) => void report(warning)) as Promise<AuthInfo | Response>;
      caller = await (found instanceof Promise ? inTime(found, running, limits.verifyTimeout, () => late(limits)) : found);
      // What is set for web pages later cannot be set on every response.
      if ("status" in caller) return new Response(caller.body, caller);
      if (typeof caller.principal !== "string" || caller.principal === "" || !Array.isArray(caller.scopes)) {
        throw new TypeError("auth.authenticate: Expected a Response, or a caller with a principal and scopes");
      }
    } catch (error) {
      return unavailable(report(error), limits);
    }
    return await answer(request, caller, signal);
  };
}

function late({ verifyTimeout }: ResolvedLimits): Error {
  return new Error(`Letting a caller in: auth took longer than ${verifyTimeout} ms (limit verifyTimeout)`);
}

function unavailable(errorId: string, limits: ResolvedLimits): Response {
  const message = "Service unavailable: the caller cannot be verified now";
  return jsonResponse(errorResponse(undefined, ERROR_CODES.internal_error, message, { errorId }), limits, SERVICE_UNAVAILABLE);
}
