/** What a server sends beside progress and responses: log messages, changes, requests of its own. */
import type { Dialect } from "../protocol/dialect.ts";
import { ERROR_CODES, TransportError } from "../protocol/errors.ts";
import { ownMember } from "../protocol/json.ts";
import { errorResponse, isRequest, isResponse } from "../protocol/json_rpc.ts";
import { onDemand } from "../protocol/on_demand.ts";
import { rarely } from "../protocol/rarely.ts";
import type { Rarely } from "../protocol/rarely.ts";
import { shown } from "../protocol/shown.ts";
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse, LogLevel } from "../protocol/types.ts";
import type { ConnectionSettings } from "./connection_settings.ts";
import type { Origin } from "./exchange.ts";
import type { ServerRequests } from "./input/server_requests.ts";

const ANSWERING = onDemand(() => import("./input/server_requests.ts"));

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
  /** Told of every other notification that did not come on a change stream. */
  readonly onStray: (notification: JsonRpcNotification) => void;
  /** Told of what nobody takes. */
  readonly report: (error: unknown) => void;
}

/** Sorts what belongs to no call. */
export class Inbox {
  readonly #options: InboxOptions;
  /** Requests that the revision does not have. */
  readonly #foreign: Rarely;
  #requests: ServerRequests | undefined;
  /** The first request of the server came, and what answers it is loaded. */
  #loading: Promise<ServerRequests> | undefined;
  #ended = false;

  /** Holds nothing. */
  constructor(options: InboxOptions) {
    this.#options = options;
    this.#foreign = rarely(options.report);
  }

  /** The server's requests; undefined before the first one. */
  get requests(): ServerRequests | undefined {
    return this.#requests;
  }

  /**
   * Takes a message that is neither progress nor a response; `origin` is the call on whose stream it came. A promise that comes
   * back asks whoever brings messages to wait for it.
   */
  take(message: JsonRpcMessage, origin?: Origin): Promise<void> | undefined {
    if (isResponse(message)) return undefined;
    const dialect = this.#options.dialect();
    if (isRequest(message)) {
      if (dialect.handshake !== undefined) return this.#ask(message, dialect, origin);
      // A client of a stateless revision never answers (MCP 2026-07-28, Basic § Message patterns).
      const text = `Receiving a request of the server: revision ${dialect.version} has no ${shown(message.method)}`;
      this.#foreign((soFar) => new TransportError("not_mcp", text + soFar));
    } else {
      this.#notified(message, dialect);
    }
    return undefined;
  }

  /** Ends all requests of the server without an answer. With `forever`, later ones are not taken. */
  abortAll(error: unknown, forever: boolean): void {
    this.#ended ||= forever;
    this.#tell((requests) => requests.abortAll(error, forever));
  }

  #ask(message: JsonRpcRequest, dialect: Dialect, origin: Origin | undefined): Promise<void> | undefined {
    if (this.#ended) return undefined;
    if (this.#requests !== undefined) return this.#requests.take(message, dialect, origin);
    const { send, report } = this.#options;
    return this.#load(dialect).then(
      (requests) => this.#ended ? undefined : requests.take(message, dialect, origin),
      (error) => {
        report(error);
        const text = `Internal error: the client failed to answer ${message.method}`;
        send(errorResponse(message.id, ERROR_CODES.internal_error, text)).catch(report);
      },
    );
  }

  /** Most servers ask nothing. */
  #load(dialect: Dialect): Promise<ServerRequests> {
    if (this.#loading !== undefined) return this.#loading;
    const { settings: { inputs, capabilities, limits }, send, report } = this.#options;
    const loading = this.#loading = Promise.all([ANSWERING.load(), dialect.load?.()]).then(([parts]) =>
      new parts.ServerRequests({ inputs, capabilities, limits, send, report })
    );
    // Registered first: requests that came meanwhile follow at once, in their order, before anything new.
    loading.then((requests) => this.#requests = requests, () => this.#loading = undefined);
    return loading;
  }

  /** Tells whoever answers, after what came before. */
  #tell(what: (requests: ServerRequests) => void): void {
    if (this.#requests !== undefined) what(this.#requests);
    else this.#loading?.then(what, () => undefined);
  }

  #notified(message: JsonRpcNotification, dialect: Dialect): void {
    if (message.method === "notifications/message") return this.#log(message);
    if (dialect.handshake === undefined) return this.#options.onStray(message);
    if (message.method !== "notifications/cancelled") return this.#options.takeChange(message);
    this.#tell((requests) => requests.cancel(ownMember(message.params ?? {}, "requestId")));
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
