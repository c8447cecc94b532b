/** Message → answer: classifies a request, finds its method and runs it. */
import { classify } from "../protocol/classification.ts";
import type { Dialect } from "../protocol/dialect.ts";
import { ERROR_CODES } from "../protocol/errors.ts";
import { isJsonObject, ownMember } from "../protocol/json.ts";
import { errorResponse, isRequest, isResponse, withHttpStatus } from "../protocol/json_rpc.ts";
import type { JsonObject, JsonRpcMessage, RequestId } from "../protocol/types.ts";
import type { MessageInfo, PromptHandler, Session } from "../transports/transport.ts";
import { SERVICE_UNAVAILABLE } from "../transports/http_status.ts";
import type { Core, Method } from "./core.ts";
import { RunningExchange } from "./requests/exchange.ts";
import type { Answer } from "./requests/exchange.ts";
import { answersHandshakes, loadHandshakes, noteInitialized } from "./handshake.ts";
import type { Mail } from "./session_mail.ts";
import { closingError } from "./requests/shutdown.ts";

/**
 * Makes the handler that answers messages, at once where nothing is waited for: a promise more per request costs a
 * twentieth of the throughput. It neither throws nor rejects.
 *
 * @param core What the server's parts share.
 */
export function createHandler(core: Core): PromptHandler {
  // What was asked last, so that a request is looked up once.
  let method: Method | undefined;
  const knows = (dialect: Dialect, name: string): boolean => (method = core.methods.get(dialect)?.get(name)) !== undefined;
  const handle: PromptHandler = (message, info) => {
    const { session, transport } = info.connection;
    if (session !== undefined && loading !== undefined) return later(message, info);
    if (!isRequest(message)) {
      const taken = receive(core, message, info);
      if (!taken && session?.state !== undefined) core.mail.post(session, message);
      return undefined;
    }
    const known = session === undefined ? undefined : { state: session.state, lasting: true };
    const classified = classify(message, info.headers, core.dialects, knows, known);
    if (!classified.ok) {
      if ("unloaded" in classified) return later(message, info);
      const { code, message: sentence, data } = classified.error;
      return withHttpStatus(errorResponse(message.id, code, sentence, data), classified.status);
    }
    if (core.closed) return closing(message.id);
    const { dialect } = classified;
    if (dialect.handshake !== undefined && !answersHandshakes()) return later(message, info);
    const exchange = new RunningExchange(core, classified, info, method as Method);
    if (session === undefined) return transport === "http" ? exchange.run() : runTracked(core, exchange, info);
    if (session.state !== undefined && dialect.handshake !== undefined) core.sessions.join(session);
    return runTracked(core, exchange, info);
  };
  let loading: Promise<void> | undefined;
  // What comes in a session meanwhile is handled afterwards, in the order it came.
  const later = (message: JsonRpcMessage, info: MessageInfo): Promise<Answer> => {
    if (loading === undefined) {
      loading = loadHandshakes(core.dialects);
      const over = (): void => loading = undefined;
      // The first to hear of it: those that wait follow at once, before anything new.
      loading.then(over, over);
    }
    return loading.then(() => handle(message, info), (error) => notLoaded(core, message, error));
  };
  return handle;
}

function notLoaded(core: Core, message: JsonRpcMessage, error: unknown): JsonRpcMessage | undefined {
  if (!isRequest(message)) {
    core.report(error);
    return undefined;
  }
  const { id, method, params = {} } = message;
  return errorResponse(id, ERROR_CODES.internal_error, "Internal error", { errorId: core.report(error, { method, params }) });
}

function closing(id: RequestId): JsonRpcMessage {
  const { code, message, data } = closingError("it takes no new requests");
  return withHttpStatus(errorResponse(id, code, message, data), SERVICE_UNAVAILABLE);
}

/**
 * In a session, and on a duplex connection, a request can be cancelled by its id, and ids in flight are unique
 * (MCP 2026-07-28, Basic § Requests). What other instances are told about a running request is heard meanwhile.
 */
function runTracked(core: Core, exchange: RunningExchange, info: MessageInfo): Answer | Promise<Answer> {
  const owner = ownerOf(info);
  let inFlight = core.inFlight.get(owner);
  if (inFlight === undefined) core.inFlight.set(owner, inFlight = new Map());
  const id = exchange.request.id;
  if (inFlight.has(id)) {
    return errorResponse(id, ERROR_CODES.invalid_request, "Invalid request: the id belongs to a request in flight");
  }
  const running = exchange.run();
  if (exchange.done) return running;
  const own = inFlight;
  own.set(id, exchange);
  const closeMail = info.connection.session === undefined
    ? undefined
    : core.mail.open(info.connection.session, (mail) => void receive(core, mail, info));
  const settled = exchange.onSettled;
  exchange.onSettled = () => {
    settled?.();
    own.delete(id);
    closeMail?.();
  };
  return running;
}

/** A session is one owner, whatever its requests came over. */
function ownerOf({ connection }: MessageInfo): object {
  return connection.session ?? connection;
}

/** Takes in what is not a request; false when nobody waits for it here, but another instance may. */
function receive(core: Core, message: Mail, info: MessageInfo): boolean {
  const { session } = info.connection;
  if (isResponse(message)) return session === undefined || (core.questions?.answer(session, message) ?? false);
  const params = isJsonObject(message.params) ? message.params : {};
  switch (message.method) {
    case "notifications/cancelled":
      return cancelled(core, params, info);
    case "notifications/progress":
      return session === undefined || progressed(core, params, session);
    case "notifications/initialized":
      if (session !== undefined) noteInitialized(session);
      return true;
    default:
      return true;
  }
}

/** A cancellation of an unknown or finished request is ignored, as is a malformed one (MCP 2026-07-28, Cancellation). */
function cancelled(core: Core, params: JsonObject, info: MessageInfo): boolean {
  const id = ownMember(params, "requestId");
  if (typeof id !== "string" && typeof id !== "number") return true;
  const exchange = core.inFlight.get(ownerOf(info))?.get(id);
  if (exchange === undefined) return false;
  const reason = ownMember(params, "reason");
  const told = typeof reason === "string" ? `The client cancelled the request: ${reason}` : "The client cancelled the request";
  exchange.cancel(new DOMException(told, "AbortError"));
  return true;
}

/** A client reports progress on a question; the token of a question is its id. */
function progressed(core: Core, params: JsonObject, session: Session): boolean {
  const token = ownMember(params, "progressToken");
  return (typeof token !== "string" && typeof token !== "number") ||
    (core.questions?.progress(session, token, ownMember(params, "progress")) ?? false);
}
