/** What a server sends beside progress and responses: log messages, changes, requests of its own. */
import type { Dialect } from "../protocol/dialect.ts";
import { TransportError } from "../protocol/errors.ts";
import { ownMember } from "../protocol/json.ts";
import { isRequest, isResponse } from "../protocol/json_rpc.ts";
import { rarely } from "../protocol/rarely.ts";
import type { Rarely } from "../protocol/rarely.ts";
import { shown } from "../protocol/shown.ts";
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcResponse, LogLevel } from "../protocol/types.ts";
import type { ConnectionSettings } from "./connection_settings.ts";
import type { Origin } from "./exchange.ts";
import { ServerRequests } from "./server_requests.ts";

/** What an inbox needs. */
export interface InboxOptions {
  /** Who takes log messages, and who answers requests. */
  readonly settings: Pick<ConnectionSettings, "inputs" | "capabilities" | "limits" | "onLog">;
  /** The dialect in use. */
  readonly dialect: () => Dialect;
  /** Sends an answer. */
  readonly send: (response: JsonRpcResponse) => Promise<void>;
  /** Takes notifications of changes that come in a session. */
  readonly takeChange: (notification: JsonRpcNotification) => void;
  /** Told of every other notification that no change stream has brought. */
  readonly onStray: (notification: JsonRpcNotification) => void;
  /** Told of what nobody takes. */
  readonly report: (error: unknown) => void;
}

/** Sorts what belongs to no call. */
export class Inbox {
  /** The server's requests. */
  readonly requests: ServerRequests;
  readonly #options: InboxOptions;
  /** Requests that the revision does not have. */
  readonly #foreign: Rarely;

  /** Holds nothing. */
  constructor(options: InboxOptions) {
    const { settings: { inputs, capabilities, limits }, send, report } = options;
    this.#options = options;
    this.#foreign = rarely(report);
    this.requests = new ServerRequests({ inputs, capabilities, limits, send, report });
  }

  /**
   * Takes a message that is neither progress nor a response; `origin` is the call on whose stream it came. A promise that comes
   * back asks whoever brings messages to wait for it.
   */
  take(message: JsonRpcMessage, origin?: Origin): Promise<void> | undefined {
    if (isResponse(message)) return undefined;
    const dialect = this.#options.dialect();
    if (isRequest(message)) {
      if (dialect.handshake !== undefined) return this.requests.take(message, dialect, origin);
      // A client of a stateless revision never answers (MCP 2026-07-28, Basic § Message patterns).
      const text = `Receiving a request of the server: revision ${dialect.version} has no ${shown(message.method)}`;
      this.#foreign((soFar) => new TransportError("not_mcp", text + soFar));
    } else {
      this.#notified(message, dialect);
    }
    return undefined;
  }

  #notified(message: JsonRpcNotification, dialect: Dialect): void {
    if (message.method === "notifications/message") return this.#log(message);
    if (dialect.handshake === undefined) return this.#options.onStray(message);
    if (message.method === "notifications/cancelled") this.requests.cancel(ownMember(message.params ?? {}, "requestId"));
    else this.#options.takeChange(message);
  }

  #log({ params = {} }: JsonRpcNotification): void {
    const { settings: { onLog }, report } = this.#options;
    const { level, data, logger } = params;
    if (onLog === undefined || typeof level !== "string" || data === undefined) return;
    try {
      const told: unknown = onLog({ level: level as LogLevel, data, ...(typeof logger === "string" ? { logger } : {}) });
      if (told instanceof Promise) told.catch(report);
    } catch (error) {
      report(error);
    }
  }
}
