/** JSON-RPC 2.0: the three kinds of messages. */
import type { JsonObject, JsonValue } from "../json.ts";

/**
 * A JSON-RPC request id, unique among the open requests of its sender (JSON-RPC 2.0 § 4; never null in MCP 2026-07-28, Basic §
 * Requests).
 */
export type RequestId = string | number;

/** A JSON-RPC request (MCP 2026-07-28, Basic § Requests). */
export interface JsonRpcRequest {
  /** The version of JSON-RPC. */
  readonly jsonrpc: "2.0";
  /** Names the request; the response repeats it. */
  readonly id: RequestId;
  /** What is asked, such as "tools/call". */
  readonly method: string;
  /** Its params, by name. */
  readonly params?: JsonObject | undefined;
}

/** A JSON-RPC notification, which nobody answers (MCP 2026-07-28, Basic § Notifications). */
export interface JsonRpcNotification {
  /** The version of JSON-RPC. */
  readonly jsonrpc: "2.0";
  /** What is told, such as "notifications/progress". */
  readonly method: string;
  /** Its params, by name. */
  readonly params?: JsonObject | undefined;
}

/**
 * A JSON-RPC response: a result, or an error, whose `id` is absent when the request's could not be read (MCP 2026-07-28, Basic
 * § Responses).
 */
export type JsonRpcResponse =
  | { readonly jsonrpc: "2.0"; readonly id: RequestId; readonly result: JsonObject }
  | {
    readonly jsonrpc: "2.0";
    readonly id?: RequestId;
    readonly error: { readonly code: number; readonly message: string; readonly data?: JsonValue };
  };

/** Any JSON-RPC message: a request has `id` and `method`, a notification only `method`, a response no `method`. */
export type JsonRpcMessage = JsonRpcRequest | JsonRpcNotification | JsonRpcResponse;
