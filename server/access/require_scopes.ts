/** Scopes of single components: what a caller's token must allow before a tool, resource or prompt is used. */
import { printChallenge } from "../../protocol/auth/print_challenge.ts";
import { saysYes } from "../../protocol/auth/says_yes.ts";
import { coversScopes } from "../../protocol/auth/scopes.ts";
import { ERROR_CODES, ProtocolError } from "../../protocol/errors.ts";
import { withChallenge, withHttpStatus } from "../../protocol/json_rpc.ts";
import type { ComponentOptions } from "../components/component.ts";
import type { Exchange } from "../core.ts";

const FORBIDDEN = 403;

/**
 * Refuses a caller that lacks scopes of a component; all of them are named at once (MCP 2026-07-28, Authorization § Runtime
 * Insufficient Scope Errors). Over HTTP a caller that nobody has verified has none. Whoever starts the process or holds the server as
 * a value is not asked for scopes, unless a caller was named to the server.
 *
 * @throws {ProtocolError} What becomes a 403 with a challenge.
 */
export function requireScopes(exchange: Exchange, options: Pick<ComponentOptions, "scopes">): void {
  if (options.scopes !== undefined && lacks(exchange, options.scopes)) throw insufficient(exchange, options.scopes);
}

/** Does the caller lack some of these scopes? */
export function lacks({ info, core }: Exchange, needed: readonly string[]): boolean {
  const { principal, connection } = info;
  if (needed.length === 0) return false;
  if (principal === undefined) return connection.transport === "http";
  return !saysYes((core.options.auth?.covers ?? coversScopes)(principal.scopes, needed));
}

/** The refusal that names these scopes. */
export function insufficient({ core }: Exchange, needed: readonly string[]): ProtocolError {
  const message = `Forbidden: the access token lacks scopes; needed are ${needed.join(", ")}`;
  const error = new ProtocolError(ERROR_CODES.invalid_request, message, {
    data: { reason: "insufficient_scope", scopes: needed },
  });
  const challenge = core.options.auth?.stepUp?.(needed) ??
    printChallenge("Bearer", { error: "insufficient_scope", scope: needed.join(" ") });
  return withChallenge(withHttpStatus(error, FORBIDDEN), challenge);
}
