/** The contract of the bus that carries changes between instances. */

/** Carries changes between instances. */
export interface EventBus {
  /** Hands an event to every listener of a topic, on every instance that shares the bus. */
  publish(topic: string, event: unknown): Promise<void>;
  /** Listens to a topic; the returned function stops it. */
  subscribe(topic: string, listener: (event: unknown) => void): () => void;
}
