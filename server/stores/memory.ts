/** The bus of a single process. */
import type { EventBus } from "./event_bus.ts";

/** Makes a bus that reaches the listeners of this process. */
export function memoryBus(): EventBus {
  const topics = new Map<string, Set<(event: unknown) => void>>();
  return {
    publish(topic, event): Promise<void> {
      for (const listener of topics.get(topic) ?? []) listener(event);
      return Promise.resolve();
    },
    subscribe(topic, listener): () => void {
      const listeners = topics.get(topic) ?? new Set();
      topics.set(topic, listeners);
      const own = (event: unknown): void => listener(event);
      listeners.add(own);
      return () => {
        listeners.delete(own);
        if (listeners.size === 0 && topics.get(topic) === listeners) topics.delete(topic);
      };
    },
  };
}
