/** The methods that only the handshake revisions have, and what their clients tell about themselves. */
import { isLogLevel, LOG_LEVELS } from "../protocol/log_level.ts";
import type { Dialect, Handshake, ResultFrame } from "../protocol/dialect.ts";
import { ERROR_CODES, ProtocolError } from "../protocol/errors.ts";
import { ownMember } from "../protocol/json.ts";
import { prepareResult } from "../protocol/json_rpc.ts";
import type { HandshakeState } from "../protocol/lifecycle.ts";
import { SUBSCRIBED_LENGTH, TEMPLATE_LIMITS } from "../protocol/limits.ts";
import type { JsonObject, LogLevel, ServerCapabilities } from "../protocol/types.ts";
import type { Session } from "../transports/transport.ts";
import type { Core, Exchange, Method } from "./core.ts";
import { keptHello } from "./kept_hello.ts";
import type { IsVisible } from "./visible.ts";

/** From which level on a handshake client gets log messages before it has set one; the choice is the server's. */
export const INITIAL_LOG_LEVEL: LogLevel = "info";

/** The methods of the handshake revisions; dialects without a handshake have none of them. */
export function handshakeMethods(
  core: HandshakeParts,
  capabilities: ServerCapabilities,
  isVisible: IsVisible,
): [string, Method][] {
  const empty = emptyResults(core);
  const done = (exchange: Exchange): JsonObject => empty.get(exchange.dialect) as JsonObject;
  return [
    ["initialize", initialize(core, capabilities)],
    ["ping", { runsHandler: false, answer: done }],
    ["logging/setLevel", { runsHandler: false, answer: (exchange) => (setLevel(exchange), done(exchange)) }],
    ...(capabilities.resources === undefined ? [] : [
      ["resources/subscribe", { runsHandler: false, answer: (exchange) => (subscribe(exchange, isVisible), done(exchange)) }],
      ["resources/unsubscribe", { runsHandler: false, answer: (exchange) => (unsubscribe(exchange), done(exchange)) }],
    ] satisfies [string, Method][]),
  ];
}

/** `notifications/initialized`: from now on the server may ask and tell. It means nothing before `initialize`. */
export function noteInitialized(session: Session): void {
  const { state } = session;
  if (state !== undefined && !state.initialized) session.update({ ...state, initialized: true });
}

type HandshakeParts = Pick<Core, "dialects" | "info" | "options" | "frames">;

/** Every answer to `initialize` is written when the server is defined: for connections that last, and for those that do not. */
function initialize({ dialects, info, options }: HandshakeParts, capabilities: ServerCapabilities): Method {
  const welcome = ({ writeWelcome }: Handshake, lasting: boolean): JsonObject =>
    prepareResult(writeWelcome({
      serverInfo: info,
      capabilities: capabilities as JsonObject,
      instructions: options.instructions,
      extensions: options.extensions?.inHandshake,
      lasting,
    }));
  const answers = new Map<Dialect, { readonly lasting: JsonObject; readonly single: JsonObject }>();
  for (const dialect of dialects) {
    const { handshake } = dialect;
    if (handshake === undefined) continue;
    answers.set(dialect, { lasting: welcome(handshake, true), single: welcome(handshake, false) });
  }
  return {
    runsHandler: false,
    answer(exchange): JsonObject {
      const { dialect, core } = exchange;
      const { session } = exchange.info.connection;
      const hello = (dialect.handshake as Handshake).readHello(exchange.request.params);
      if (!hello.ok) throw new ProtocolError(hello.error.code, hello.error.message, { data: hello.error.data });
      const written = answers.get(dialect) as { readonly lasting: JsonObject; readonly single: JsonObject };
      if (session === undefined) return written.single;
      if (session.state !== undefined) {
        throw new ProtocolError(ERROR_CODES.invalid_request, "Invalid request: the session was initialized before");
      }
      session.update({ version: dialect.version, ...keptHello(hello.value), initialized: false, subscriptions: [] });
      core.sessions.join(session);
      return written.lasting;
    },
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

function emptyResults({ dialects, frames }: HandshakeParts): ReadonlyMap<Dialect, JsonObject> {
  return new Map(
    dialects.map((dialect) => [dialect, prepareResult(dialect.writeResult("ping", {}, frames.get(dialect) as ResultFrame))]),
  );
}
