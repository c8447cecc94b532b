/** A connection that lasts, for carriers that hold it in memory: channels, processes, HTTP sessions. */
import type { JsonRpcNotification, JsonRpcRequest } from "../protocol/types.ts";
import type { HandshakeState, Session } from "./transport.ts";

/** Options of {@linkcode createSession}. */
export interface SessionOptions {
  /**
   * Sends what belongs to no request; `everywhere` says that every instance of the session sends it. What it throws is
   * swallowed: the session's end tells everyone.
   */
  readonly send: (message: JsonRpcNotification | JsonRpcRequest, everywhere: boolean) => Promise<void> | void;
  /** Names the session on every instance; absent when there is no other instance. */
  readonly key?: string | undefined;
  /** What an earlier instance agreed on. */
  readonly state?: HandshakeState | undefined;
  /** Told of every new state. */
  readonly onUpdate?: ((state: HandshakeState) => void) | undefined;
}

/** A session with its end, which belongs to the carrier. */
export interface OpenSession extends Session {
  /** Has it ended? */
  readonly ended: boolean;
  /** Ends the session: listeners are called once, and nothing more is sent. A second call does nothing. */
  end(): void;
}

/** Makes a session. */
export function createSession(options: SessionOptions): OpenSession {
  return new MemorySession(options);
}

class MemorySession implements OpenSession {
  readonly key: string | undefined;
  readonly #options: SessionOptions;
  readonly #listeners = new Set<() => void>();
  #state: HandshakeState | undefined;
  #ended = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.key = options.key;
    this.#state = options.state;
  }

  get state(): HandshakeState | undefined {
    return this.#state;
  }

  get ended(): boolean {
    return this.#ended;
  }

  update(state: HandshakeState): void {
    this.#state = state;
    this.#options.onUpdate?.(state);
  }

  async send(message: JsonRpcNotification | JsonRpcRequest, everywhere = false): Promise<void> {
    if (this.#ended) return;
    try {
      await this.#options.send(message, everywhere);
    } catch {
      // The carrier is going; its end tells everyone.
    }
  }

  onEnd(listener: () => void): () => void {
    if (this.#ended) {
      queueMicrotask(listener);
      return () => undefined;
    }
    const own = (): void => listener();
    this.#listeners.add(own);
    return () => this.#listeners.delete(own);
  }

  end(): void {
    if (this.#ended) return;
    this.#ended = true;
    const listeners = [...this.#listeners];
    this.#listeners.clear();
    for (const listener of listeners) {
      try {
        listener();
      } catch {
        // A listener's fault is its own.
      }
    }
  }
}
