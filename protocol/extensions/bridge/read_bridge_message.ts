/** Reads one message of the bridge, within bounds. */
import { ERROR_CODES } from "../../errors.ts";
import { isJsonObject, ownMember } from "../../json.ts";
import type { JsonObject, JsonValue } from "../../json.ts";
import { isRequest, isResponse, readMessage } from "../../json_rpc.ts";
import { BRIDGE_LIMITS } from "../../limits.ts";
import { shown } from "../../shown.ts";
import type { JsonRpcResponse, RequestId } from "../../types.ts";
import { paramsCheck, resultCheck } from "./bridge_methods.ts";
import type { BridgeError, BridgeSide, HostMessage, ViewMessage } from "./bridge_types.ts";
import { plainCopy } from "./plain_copy.ts";
import type { CopyBounds } from "./plain_copy.ts";

/** What is known of the bridge when a message comes. */
export interface BridgeReading extends Partial<CopyBounds> {
  /** The ids of requests of the side that sends, that wait for an answer. */
  readonly open?: { has(id: RequestId): boolean } | undefined;
  /** The methods of requests of the other side that wait for an answer of this one, by id. */
  readonly asked?: { get(id: RequestId): string | undefined } | undefined;
}

/** A message that is sound, or what is wrong with it. With an id the sender gets the error as the answer; else nobody does. */
export type ReadBridge<Message> =
  | { readonly ok: true; readonly message: Message }
  | { readonly ok: false; readonly id: RequestId | undefined; readonly error: BridgeError };

/** The `reason` in the data of an error about params (MCP Apps § Requests). */
export const INVALID_BRIDGE_PARAMS = "invalid_bridge_params";

/**
 * Reads one message that a side sent through `postMessage`: bounds, JSON-RPC, whether that side sends such a message, and its
 * params. `ui/message` gives its content as a list, however it was sent; what JSON cannot carry is refused.
 *
 * @param value What came; nothing is believed about it.
 * @param from The side that sent it.
 * @param reading What is known of the bridge.
 * @returns A copy of the message, or what is wrong with it. Never throws.
 */
export function readBridgeMessage(value: unknown, from: "view", reading?: BridgeReading): ReadBridge<ViewMessage>;
/** The same for a message of the host. */
export function readBridgeMessage(value: unknown, from: "host", reading?: BridgeReading): ReadBridge<HostMessage>;
/** The same for either side. */
export function readBridgeMessage(
  value: unknown,
  from: BridgeSide,
  reading?: BridgeReading,
): ReadBridge<ViewMessage | HostMessage>;
export function readBridgeMessage(
  value: unknown,
  from: BridgeSide,
  reading: BridgeReading = {},
): ReadBridge<ViewMessage | HostMessage> {
  const { open, asked, ...bounds } = reading;
  const copy = plainCopy(value, { ...BRIDGE_LIMITS, ...bounds });
  if (!copy.ok) {
    return refuse(requestIdOf(value, open), ERROR_CODES.invalid_request, `Reading a message of the ${from}: ${copy.fault}`);
  }
  const read = readMessage(copy.value);
  if (!read.ok) {
    return refuse(read.kind === "request" ? requestIdOf(copy.value, open) : undefined, read.error.code, read.error.message);
  }
  const { message } = read;
  if (isResponse(message)) return readAnswer(message, from, asked);
  if (!isRequest(message)) return readCall(message, from, "notification", undefined);
  const { id } = message;
  if (typeof id === "string" && id.length > BRIDGE_LIMITS.idLength) {
    return refuse(
      undefined,
      ERROR_CODES.invalid_request,
      `Reading ${shown(message.method)}: its id is longer than ${BRIDGE_LIMITS.idLength}`,
    );
  }
  // An error with that id would look like the answer to the request that is open.
  if (open?.has(id) === true) {
    return refuse(undefined, ERROR_CODES.invalid_request, `Reading ${shown(message.method)}: its id is that of an open request`);
  }
  return readCall(message, from, "request", id);
}

function readCall(
  { method, params = {} }: { readonly method: string; readonly params?: JsonObject | undefined },
  from: BridgeSide,
  kind: "request" | "notification",
  id: RequestId | undefined,
): ReadBridge<ViewMessage | HostMessage> {
  const check = paramsCheck(from, kind, method);
  if (check === undefined) {
    return refuse(id, ERROR_CODES.method_not_found, `Reading ${shown(method)}: it is not a ${kind} of the ${from}`);
  }
  const normal = method === "ui/message" ? withContentList(params) : params;
  const fault = check(normal);
  if (fault !== undefined) {
    return refuse(id, ERROR_CODES.invalid_params, `Reading ${method}: ${fault}`, { reason: INVALID_BRIDGE_PARAMS });
  }
  const message = id === undefined ? { kind, method, params: normal } : { kind, id, method, params: normal };
  return { ok: true, message: message as unknown as ViewMessage | HostMessage };
}

function readAnswer(
  message: JsonRpcResponse,
  from: BridgeSide,
  asked: BridgeReading["asked"],
): ReadBridge<ViewMessage | HostMessage> {
  const { id } = message;
  const method = id === undefined ? undefined : asked?.get(id);
  if (id === undefined || method === undefined) {
    return refuse(undefined, ERROR_CODES.invalid_request, `Reading an answer of the ${from}: nothing was asked with that id`);
  }
  if ("error" in message) return { ok: true, message: { kind: "response", id, method, error: message.error } };
  const fault = resultCheck(method)(message.result);
  if (fault === undefined) return { ok: true, message: { kind: "response", id, method, result: message.result } };
  const error = { code: ERROR_CODES.invalid_request, message: `Reading the answer to ${method}: ${fault}` };
  return { ok: true, message: { kind: "response", id, method, error } };
}

/** The text of the specification shows one object where its schema has a list. */
function withContentList(params: JsonObject): JsonObject {
  const content = ownMember(params, "content");
  return isJsonObject(content) ? { ...params, content: [content] } : params;
}

/** The id of a request that cannot be read as a whole, where it can be answered. */
function requestIdOf(value: unknown, open: BridgeReading["open"]): RequestId | undefined {
  try {
    if (!isJsonObject(value) || typeof ownMember(value, "method") !== "string") return undefined;
    const id = ownMember(value, "id");
    const isSound = Number.isSafeInteger(id) || (typeof id === "string" && id.length <= BRIDGE_LIMITS.idLength);
    return isSound && open?.has(id as RequestId) !== true ? id as RequestId : undefined;
  } catch {
    return undefined;
  }
}

function refuse(
  id: RequestId | undefined,
  code: number,
  message: string,
  data?: JsonValue,
): { ok: false; id: RequestId | undefined; error: BridgeError } {
  return { ok: false, id, error: data === undefined ? { code, message } : { code, message, data } };
}
