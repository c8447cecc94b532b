/** A bus in the memory of one process. */
import type { EventBus } from "./event_bus.ts";

/**
 * Makes a bus that reaches the listeners of this process. What a listener throws rejects `publish`, after the others
 * have heard of the event.
 */
export function memoryBus(): EventBus {
  const topics = new Map<string, Set<(event: unknown) => void>>();
  return {
    publish(topic, event): Promise<void> {
      const faults: unknown[] = [];
      for (const listener of topics.get(topic) ?? []) {
        try {
          listener(event);
        } catch (error) {
          faults.push(error);
        }
      }
      return faults.length === 0 ? Promise.resolve() : Promise.reject(faults[0]);
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
