/** The answers to the methods that only the handshake revisions have; loaded with the first message in one of them. */
import { isLogLevel, LOG_LEVELS } from "../protocol/log_level.ts";
import type { Handshake, ResultFrame } from "../protocol/dialect.ts";
import { ERROR_CODES, ProtocolError } from "../protocol/errors.ts";
import { ownMember } from "../protocol/json.ts";
import { prepareResult } from "../protocol/json_rpc.ts";
import type { HandshakeState } from "../protocol/lifecycle.ts";
import { SUBSCRIBED_LENGTH, TEMPLATE_LIMITS } from "../protocol/limits.ts";
import type { JsonObject, ServerCapabilities } from "../protocol/types.ts";
import type { Session } from "../transports/transport.ts";
import type { Core, Exchange } from "./core.ts";
import { keptHello } from "./kept_hello.ts";
import { oncePerDialect } from "./once_per_dialect.ts";
import type { IsVisible } from "./access/is_visible.ts";

/** A method that only handshake revisions have. */
export type HandshakeMethod = "initialize" | "ping" | "logging/setLevel" | "resources/subscribe" | "resources/unsubscribe";

/** What the answers of one server are made from. */
export type HandshakeParts = Pick<Core, "dialects" | "info" | "options" | "frames">;

/** Answers one of these methods. */
export type HandshakeAnswer = (exchange: Exchange) => JsonObject;

/**
 * Makes the answers of one server to the methods that only the handshake revisions have. Its dialects are loaded.
 *
 * @param core What the server's parts share.
 * @param capabilities What it declares.
 * @param isVisible Says which resources a caller may see.
 */
export function handshakeAnswers(
  core: HandshakeParts,
  capabilities: ServerCapabilities,
  isVisible: IsVisible,
): Readonly<Record<HandshakeMethod, HandshakeAnswer>> {
  const done = emptyResults(core);
  return {
    "initialize": initialize(core, capabilities),
    "ping": done,
    "logging/setLevel": (exchange) => (setLevel(exchange), done(exchange)),
    "resources/subscribe": (exchange) => (subscribe(exchange, isVisible), done(exchange)),
    "resources/unsubscribe": (exchange) => (unsubscribe(exchange), done(exchange)),
  };
}

/** Every answer to `initialize` is written once: for connections that last, and for those that do not. */
function initialize({ info, options }: HandshakeParts, capabilities: ServerCapabilities): HandshakeAnswer {
  const welcome = ({ writeWelcome }: Handshake, lasting: boolean): JsonObject =>
    prepareResult(writeWelcome({
      serverInfo: info,
      capabilities: capabilities as JsonObject,
      instructions: options.instructions,
      extensions: options.extensions?.inHandshake,
      lasting,
    }));
  const written = oncePerDialect((dialect) => {
    const handshake = dialect.handshake as Handshake;
    return { handshake, lasting: welcome(handshake, true), single: welcome(handshake, false) };
  });
  return (exchange) => {
    const { dialect, core } = exchange;
    const { session } = exchange.info.connection;
    const { handshake, lasting, single } = written(dialect);
    const hello = handshake.readHello(exchange.request.params);
    if (!hello.ok) throw new ProtocolError(hello.error.code, hello.error.message, { data: hello.error.data });
    if (session === undefined) return single;
    if (session.state !== undefined) {
      throw new ProtocolError(ERROR_CODES.invalid_request, "Invalid request: the session was initialized before");
    }
    session.update({ version: dialect.version, ...keptHello(hello.value), initialized: false, subscriptions: [] });
    core.sessions.join(session);
    return lasting;
  };
}

/** The level holds for the session. Where there is none it is checked and then forgotten: each answer has the initial one. */
function setLevel(exchange: Exchange): void {
  const level = ownMember(exchange.request.params, "level");
  if (!isLogLevel(level)) throw ProtocolError.invalidParams(`Invalid params: level must be one of ${LOG_LEVELS.join(", ")}`);
  const { session } = exchange.info.connection;
  if (session?.state !== undefined) session.update({ ...session.state, logLevel: level });
}

/** A resource that the caller may not see looks like one that never changes. */
function subscribe(exchange: Exchange, isVisible: IsVisible): void {
  const { session, state } = lasting(exchange);
  const uri = uriOf(exchange);
  if (state.subscriptions.includes(uri) || !isVisible(uri, exchange)) return;
  const limit = exchange.core.limits.subscriptionUris;
  const seen = state.subscriptions.length + 1;
  if (seen > limit) {
    const message = `Invalid params: the session would name ${seen} resources, at most ${limit} (limit subscriptionUris)`;
    throw ProtocolError.invalidParams(message, { data: { limit, seen } });
  }
  const subscriptions = [...state.subscriptions, uri];
  checkLength("the list of resources of the session", subscriptions.join("").length, SUBSCRIBED_LENGTH);
  session.update({ ...state, subscriptions });
}

function unsubscribe(exchange: Exchange): void {
  const { session, state } = lasting(exchange);
  const uri = uriOf(exchange);
  if (!state.subscriptions.includes(uri)) return;
  session.update({ ...state, subscriptions: state.subscriptions.filter((one) => one !== uri) });
}

function uriOf(exchange: Exchange): string {
  const uri = ownMember(exchange.request.params, "uri");
  if (typeof uri !== "string") throw ProtocolError.invalidParams("Invalid params: uri must be a string");
  checkLength("uri", uri.length, TEMPLATE_LIMITS.uriLength);
  return uri;
}

/** What a session keeps must not be as large as a request may be: there are many sessions. */
function checkLength(what: string, seen: number, limit: number): void {
  if (seen <= limit) return;
  throw ProtocolError.invalidParams(`Invalid params: ${what} has ${seen} characters, at most ${limit}`, {
    data: { limit, seen },
  });
}

function lasting(exchange: Exchange): { readonly session: Session; readonly state: HandshakeState } {
  const { session } = exchange.info.connection;
  if (session?.state !== undefined) return { session, state: session.state };
  const message = `Method not found: ${exchange.request.method} needs a session, which the server does not offer here`;
  throw new ProtocolError(ERROR_CODES.method_not_found, message, { reason: "method_not_found" });
}

/** The answer that says no more than that something is done. */
function emptyResults({ frames }: HandshakeParts): HandshakeAnswer {
  const written = oncePerDialect((dialect) => prepareResult(dialect.writeResult("ping", {}, frames.get(dialect) as ResultFrame)));
  return ({ dialect }) => written(dialect);
}
