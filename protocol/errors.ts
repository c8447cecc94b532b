/** The errors of this package and the one table of JSON-RPC error codes. */
import type { JsonValue } from "./json.ts";
import type { InputRequests, InputResponses } from "./types.ts";

/** Options that every error takes. */
export interface ErrorOptionsWithData {
  /** Facts for the program that catches the error; of a `ProtocolError` they cross the wire. */
  readonly data?: unknown;
  /** What led to the error; stays local. */
  readonly cause?: unknown;
}

/**
 * Error codes by reason (JSON-RPC 2.0 § 5.1; MCP 2026-07-28, Basic § Error codes). Codes that differ between
 * revisions are answered by the dialect.
 */
export const ERROR_CODES = {
  /** The text is not JSON. */
  parse_error: -32700,
  /** The JSON is not a message. */
  invalid_request: -32600,
  /** Nobody answers the method here. */
  method_not_found: -32601,
  /** The params have the wrong shape, or name what is not there. */
  invalid_params: -32602,
  /** The receiver failed. */
  internal_error: -32603,
  /** A header is missing, or says another thing than the body. */
  header_mismatch: -32020,
  /** The client did not declare a capability that the request needs. */
  missing_capability: -32021,
  /** The revision is not spoken here. */
  unsupported_version: -32022,
} as const;

/** Why a message is refused, before a revision turns it into a code. */
export type ErrorReason =
  | "parse_error"
  | "invalid_request"
  | "method_not_found"
  | "invalid_params"
  | "internal_error"
  | "header_mismatch"
  | "missing_capability"
  | "unsupported_version"
  | "resource_not_found";

/**
 * A JSON-RPC error: the peer sent it, or a handler throws it on purpose. It crosses the wire as it is. The status of an HTTP
 * answer that held it is told by `httpStatusOf` of `@causeway/mcp/protocol`.
 */
export class ProtocolError extends Error {
  /** Tells this error from others, across copies of the package. */
  readonly kind = "protocol" as const;
  /** The JSON-RPC error code. */
  readonly code: number;
  /** The error's `data`. */
  readonly data: JsonValue | undefined;
  /** Set when the code depends on the revision in use; the dialect then decides. */
  readonly reason: ErrorReason | undefined;

  /**
   * Makes an error that crosses the wire.
   *
   * @param code A JSON-RPC error code; own codes lie outside -32768 to -32000.
   * @param message One sentence for the peer's developer.
   * @param options `data` is sent, `cause` is not; `reason` lets the revision choose the code.
   */
  constructor(code: number, message: string, options: ErrorOptionsWithData & { readonly reason?: ErrorReason | undefined } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ProtocolError";
    this.code = code;
    this.data = options.data as JsonValue | undefined;
    this.reason = options.reason;
  }

  /** Params of the wrong shape: -32602. */
  static invalidParams(message: string, options?: ErrorOptionsWithData): ProtocolError {
    return new ProtocolError(ERROR_CODES.invalid_params, message, options);
  }

  /** "No such resource": -32602 or -32002, as the revision has it; `data.uri` names it. */
  static resourceNotFound(uri: string): ProtocolError {
    return new ProtocolError(ERROR_CODES.invalid_params, "Resource not found", { data: { uri }, reason: "resource_not_found" });
  }
}

/** Why a connection could not be used. */
export type TransportReason = "closed" | "unreachable" | "timeout" | "limit" | "session_lost" | "server_exited" | "not_mcp";

/** The connection failed: -32001 for a timeout, -32000 for the rest. Never crosses the wire, never holds a token. */
export class TransportError extends Error {
  /** Tells this error from others, across copies of the package. */
  readonly kind = "transport" as const;
  /** -32001 for a timeout, -32000 otherwise. */
  readonly code: -32000 | -32001;
  /** Why the connection could not be used. */
  readonly reason: TransportReason;
  /** "limit": `{ limit, value, seen }`. "server_exited": exit code or signal, tail of stderr. "not_mcp": the HTTP status. */
  readonly data: JsonValue | undefined;

  /** Makes a local error of the given reason. */
  constructor(reason: TransportReason, message: string, options: ErrorOptionsWithData = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "TransportError";
    this.reason = reason;
    this.code = reason === "timeout" ? -32001 : -32000;
    this.data = options.data as JsonValue | undefined;
  }
}

/** Where authorization failed. */
export type AuthorizationReason =
  | "unauthorized"
  | "insufficient_scope"
  | "discovery_failed"
  | "issuer_mismatch"
  | "resource_mismatch"
  | "registration_failed"
  | "denied"
  | "timeout"
  | "token_request_failed";

/** Facts of a failed authorization. */
export interface AuthorizationFacts {
  /** The HTTP status, when the MCP server answered. */
  readonly status?: number | undefined;
  /** What its challenge said. */
  readonly challenge?:
    | {
      /** The scopes that are wanted, separated by spaces. */
      readonly scope?: string | undefined;
      /** The error code (RFC 6750 § 3.1). */
      readonly error?: string | undefined;
      /** What the server says about it, on one line and not too long. */
      readonly errorDescription?: string | undefined;
      /** Where the resource's metadata is. */
      readonly resourceMetadata?: string | undefined;
    }
    | undefined;
  /** Every step of discovery: URL, status, why it was left. */
  readonly trace?: readonly { readonly url: string; readonly status?: number | undefined; readonly note: string }[] | undefined;
}

/** Authorization did not succeed. Never holds a token. */
export class AuthorizationError extends Error {
  /** Tells this error from others, across copies of the package. */
  readonly kind = "authorization" as const;
  /** Where it failed. */
  readonly reason: AuthorizationReason;
  /** The HTTP status, when the MCP server answered. */
  readonly status: number | undefined;
  /** What its challenge said. */
  readonly challenge: AuthorizationFacts["challenge"];
  /** Every step of discovery: URL, status, why it was left. */
  readonly trace: NonNullable<AuthorizationFacts["trace"]>;

  /** Makes a local error of the given reason. */
  constructor(reason: AuthorizationReason, message: string, options: ErrorOptionsWithData & AuthorizationFacts = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "AuthorizationError";
    this.reason = reason;
    this.status = options.status;
    this.challenge = options.challenge;
    this.trace = options.trace ?? [];
  }
}

/**
 * Server: throw it in a tool to tell the model something (`isError`); in resources, prompts and completion the client gets an error
 * with its message, without its data. Client: `client.tools.x()` throws it for such a result.
 */
export class ToolError extends Error {
  /** Tells this error from others, across copies of the package. */
  readonly kind = "tool" as const;
  /** Becomes, or came from, `structuredContent`. */
  readonly data: unknown;

  /** Makes an error whose message is shown to the model. */
  constructor(message: string, options: ErrorOptionsWithData = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.name = "ToolError";
    this.data = options.data;
  }
}

/** Why a call that needs input did not get it. */
export type InputRequiredReason = "no_handler" | "handler_failed" | "rounds" | "timeout";

/** What an {@linkcode InputRequiredError} holds. */
export interface InputRequiredFacts<R> extends ErrorOptionsWithData {
  /** The questions of the server, by key. */
  readonly requests: InputRequests;
  /** The opaque state that goes back with the answers. */
  readonly requestState?: string | undefined;
  /** Sends the answers and goes on with the same call. */
  readonly resume: (responses: InputResponses) => Promise<R>;
}

/** A call stopped because it needs input. Holds the questions and the way on. */
export class InputRequiredError<R = unknown> extends Error {
  /** Tells this error from others, across copies of the package. */
  readonly kind = "input_required" as const;
  /** Why the input was not given. */
  readonly reason: InputRequiredReason;
  /** The questions of the server, by key. */
  readonly requests: InputRequests;
  /** The opaque state that goes back with the answers. */
  readonly requestState: string | undefined;
  readonly #resume: (responses: InputResponses) => Promise<R>;

  /** Makes an error that holds the pending questions; `cause` holds what a handler threw. */
  constructor(reason: InputRequiredReason, message: string, facts: InputRequiredFacts<R>) {
    super(message, facts.cause === undefined ? undefined : { cause: facts.cause });
    this.name = "InputRequiredError";
    this.reason = reason;
    this.requests = facts.requests;
    this.requestState = facts.requestState;
    this.#resume = facts.resume;
  }

  /**
   * Sends the answers and goes on with the same call.
   *
   * @param responses Answers by the keys of {@linkcode InputRequiredError.requests}.
   * @returns The result of the call.
   * @throws {InputRequiredError} When the server asks again.
   */
  resume(responses: InputResponses): Promise<R> {
    return this.#resume(responses);
  }
}

/** Every error of this package. Mistakes of the calling program are `TypeError`s that name the path. */
export type McpError = ProtocolError | TransportError | AuthorizationError | ToolError | InputRequiredError;

const KINDS: ReadonlySet<unknown> = new Set(["protocol", "transport", "authorization", "tool", "input_required"]);

/** Is it an error of this package? Asks `kind`, so it holds across two copies of the package. */
export function isMcpError(value: unknown): value is McpError {
  return value instanceof Error && "kind" in value && KINDS.has(value.kind);
}
