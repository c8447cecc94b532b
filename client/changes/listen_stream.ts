/** One `subscriptions/listen` request: its acknowledgement, its changes, its end. */
import { changeOfMethod } from "../../protocol/changes.ts";
import { isMcpError, TransportError } from "../../protocol/errors.ts";
import { isJsonObject, ownMember } from "../../protocol/json.ts";
import { httpStatusOf, isRequest, isResponse, withHttpStatus } from "../../protocol/json_rpc.ts";
import { META, metaOf } from "../../protocol/meta.ts";
import { peerError } from "../../protocol/peer_error.ts";
import type {
  JsonObject,
  JsonRpcMessage,
  JsonRpcNotification,
  JsonRpcResponse,
  RequestId,
  SubscriptionFilter,
} from "../../protocol/types.ts";
import type { Connection } from "../connection.ts";
import type { Deadline } from "../waits/deadline_watch.ts";
import type { ListenRequest, ListenSink } from "./listen_types.ts";
import type { ChangeEvent } from "./subscription_types.ts";

/** The method that opens a change stream. */
export const LISTEN = "subscriptions/listen";

/**
 * Opens a change stream (MCP 2026-07-28, Subscriptions).
 *
 * @returns The filter that the server agreed to.
 * @throws {ProtocolError} When the server refuses.
 * @throws {TransportError} "closed" when the stream ends, and "timeout" when nothing comes, before the acknowledgement.
 */
export function openListen(connection: Connection, request: ListenRequest, sink: ListenSink): Promise<SubscriptionFilter> {
  if (request.signal.aborted) return Promise.reject(request.signal.reason);
  return new Promise((resolve, reject) => {
    void new ListenStream(connection, request, sink, resolve, reject).run();
  });
}

class ListenStream implements Deadline {
  due: number;
  readonly #connection: Connection;
  readonly #request: ListenRequest;
  readonly #sink: ListenSink;
  readonly #resolve: (accepted: SubscriptionFilter) => void;
  readonly #reject: (error: unknown) => void;
  readonly #abort = new AbortController();
  #state: "opening" | "open" | "over" = "opening";

  constructor(
    connection: Connection,
    request: ListenRequest,
    sink: ListenSink,
    resolve: (accepted: SubscriptionFilter) => void,
    reject: (error: unknown) => void,
  ) {
    this.#connection = connection;
    this.#request = request;
    this.#sink = sink;
    this.#resolve = resolve;
    this.#reject = reject;
    this.due = performance.now() + request.timeout;
  }

  /** Never rejects. */
  async run(): Promise<void> {
    this.#connection.watch.add(this);
    this.#request.signal.addEventListener("abort", this.#onAbort);
    try {
      const params = { notifications: this.#request.filter as JsonObject };
      const { id, messages } = this.#connection.stream(LISTEN, params, this.#abort.signal);
      for await (const message of messages) {
        if (this.#state === "over") return;
        if (isResponse(message)) return this.#answered(message, id);
        this.#notified(message, id);
        // The notification may have ended the stream.
        if ((this.#state as string) === "over") return;
      }
      this.#lost(new TransportError("closed", this.#text("the connection was lost")));
    } catch (error) {
      this.#lost(isMcpError(error) ? error : new TransportError("closed", this.#text("the connection failed"), { cause: error }));
    }
  }

  onDue(): void {
    const text = `Opening a change stream: no acknowledgement within ${this.#request.timeout} ms (limit requestTimeout)`;
    this.fail(new TransportError("timeout", text, { data: { limit: "requestTimeout" } }));
  }

  fail(error: unknown): void {
    if (this.#state === "over") return;
    const opening = this.#state === "opening";
    this.#finish();
    if (opening) this.#reject(error);
    this.#abort.abort(error);
  }

  readonly #onAbort = (): void => this.fail(this.#request.signal.reason);

  #notified(message: Exclude<JsonRpcMessage, JsonRpcResponse>, id: RequestId): void {
    if (isRequest(message)) return this.#connection.stray(message);
    const { method, params = {} } = message;
    const subscription = metaOf(params)[META.subscriptionId];
    if (subscription !== undefined && subscription !== id) return;
    switch (method) {
      case "notifications/subscriptions/acknowledged":
        return this.#acknowledged(params);
      case "notifications/cancelled":
        if (ownMember(params, "requestId") === id) this.#ended();
        return;
      default: {
        const event = changeOf(message, this.#connection);
        if (event === undefined) return this.#connection.stray(message);
        // Whoever reads the event must not find in the cache what it made stale.
        this.#connection.changed(message);
        this.#sink.push(event);
      }
    }
  }

  #acknowledged(params: JsonObject): void {
    if (this.#state !== "opening") return;
    this.#state = "open";
    this.#connection.watch.delete(this);
    this.#sink.accepted?.();
    const accepted = ownMember(params, "notifications");
    this.#resolve(isJsonObject(accepted) ? accepted : {});
  }

  #answered(response: JsonRpcResponse, id: RequestId): void {
    if ("error" in response) return this.#lost(withHttpStatus(peerError(response.error), httpStatusOf(response)));
    if (response.id !== id) return this.#lost(new TransportError("not_mcp", this.#text("a response with another id came")));
    this.#ended();
  }

  /** The server ended it on purpose. */
  #ended(): void {
    if (this.#state === "opening") {
      return this.#lost(new TransportError("closed", "Opening a change stream: the server ended it before its acknowledgement"));
    }
    this.#finish();
    this.#sink.end({ by: "server" });
  }

  #lost(error: Error): void {
    if (this.#state === "over") return;
    this.#connection.cleaned(error);
    const opening = this.#state === "opening";
    this.#finish();
    if (opening) this.#reject(error);
    else this.#sink.end({ by: "fault", error });
  }

  #finish(): void {
    this.#state = "over";
    this.#connection.watch.delete(this);
    this.#request.signal.removeEventListener("abort", this.#onAbort);
  }

  #text(found: string): string {
    return `${this.#state === "opening" ? "Opening" : "Reading"} a change stream: ${found}`;
  }
}

/** The event that a notification stands for; undefined when it is none. */
function changeOf({ method, params = {} }: JsonRpcNotification, connection: Connection): ChangeEvent | undefined {
  const type = changeOfMethod(method);
  if (type !== undefined && type !== "resourceUpdated") return { type };
  if (type === "resourceUpdated") {
    const uri = ownMember(params, "uri");
    return typeof uri === "string" ? { type, uri } : undefined;
  }
  return connection.dialect.hasNotification(method, "server") ? undefined : { type: "notification", method, params };
}
