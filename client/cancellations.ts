/** Tells a server of calls that were given up. */
import { TransportError } from "../protocol/errors.ts";
import { MESSAGES_UNDER_WAY } from "../protocol/limits.ts";
import type { JsonRpcNotification, RequestId } from "../protocol/types.ts";

/** What cancellations need. */
export interface CancellationsOptions {
  /** Sends a notice. */
  readonly send: (notice: JsonRpcNotification) => Promise<void>;
  /** Is the connection closed? Nothing is told then. */
  readonly closed: () => boolean;
  /** Told when a notice could not be sent. */
  readonly report: (error: unknown) => void;
}

/** The notices of calls that were given up (MCP 2025-11-25, Cancellation). */
export class Cancellations {
  readonly #options: CancellationsOptions;
  #underWay = 0;

  /** Tells nothing yet. */
  constructor(options: CancellationsOptions) {
    this.#options = options;
  }

  /** Tells of one call. While {@linkcode MESSAGES_UNDER_WAY} notices are still under way, further ones are dropped. */
  tell(requestId: RequestId, error: unknown): void {
    const { send, closed, report } = this.#options;
    if (closed() || this.#underWay >= MESSAGES_UNDER_WAY) return;
    const params = error instanceof TransportError ? { requestId, reason: error.message } : { requestId };
    this.#underWay++;
    send({ jsonrpc: "2.0", method: "notifications/cancelled", params })
      .catch((fault) => closed() || report(fault))
      .finally(() => this.#underWay--);
  }
}
