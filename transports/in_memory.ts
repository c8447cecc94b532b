/** A client and a server in one process: messages are copied, without JSON text in between. */
import type { JsonRpcMessage, JsonRpcNotification, JsonRpcRequest, JsonRpcResponse } from "../protocol/types.ts";
import { checkOptions } from "../protocol/unknown_option.ts";
import { closedError } from "./closed_error.ts";
import { copiedMessage } from "./copied_message.ts";
import { MemoryExchange } from "./memory_exchange.ts";
import type { InMemoryOptions, MemoryOwner } from "./memory_owner.ts";
import { createSession } from "./session.ts";
import { checkServed, settingsOf } from "./served_settings.ts";
import { StrayMessages } from "./stray_messages.ts";
import type { Connection, ExchangeOptions, Served, Transport } from "./transport.ts";

export type { InMemoryOptions } from "./memory_owner.ts";

/**
 * Reaches a server in this process. No JSON text is written, though what arrives is what would be read from it: neither side
 * sees what the other one does with a message afterwards.
 *
 * @param server The server.
 * @param options Who is calling, a bound, and who hears of items that are left out.
 * @throws {TypeError} For what is not a server, for malformed options, and for one that nobody reads.
 */
export function connectInMemory(server: Served, options: InMemoryOptions = {}): Transport {
  checkServed(server, "connectInMemory.server");
  checkOptions(options, "connectInMemory", "principal limits onError");
  return new InMemory(server, options);
}

class InMemory implements Transport, MemoryOwner {
  readonly endsWithStream = true;
  readonly incoming = new StrayMessages({
    bound: () => settingsOf(this.server).limits.subscriptionBuffer,
    refuse: (response) => this.send(response),
    onDrop: () => undefined,
  });
  readonly server: Served;
  readonly options: InMemoryOptions;
  readonly session = createSession({ send: (message) => this.incoming.take(copiedMessage(message)) });
  readonly connection: Connection = Object.freeze({ transport: "memory", session: this.session });
  readonly open = new Set<MemoryExchange>();
  closed = false;

  constructor(server: Served, options: InMemoryOptions) {
    this.server = server;
    this.options = options;
  }

  exchange(request: JsonRpcRequest, options: ExchangeOptions): AsyncIterable<JsonRpcMessage> {
    return new MemoryExchange(this, request, options);
  }

  async send(message: JsonRpcNotification | JsonRpcResponse): Promise<void> {
    if (this.closed) throw closedError();
    const sent = new MemoryExchange(this, undefined, {});
    this.open.add(sent);
    try {
      await this.server.handle(copiedMessage(message), sent);
    } catch {
      // Nothing is answered to a notification, a failure neither (JSON-RPC 2.0 § 4.1).
    } finally {
      // Listeners stay until the connection goes: a notification may begin something that lasts.
      if (!sent.listening) this.open.delete(sent);
    }
  }

  close(): Promise<void> {
    if (this.closed) return Promise.resolve();
    this.closed = true;
    for (const exchange of [...this.open]) exchange.disconnect();
    this.session.end();
    this.incoming.end();
    return Promise.resolve();
  }
}
