/** Bytes in and out as calls, the form in which lines are read and written. */
import type { ByteChannel } from "./transport.ts";

/** A byte channel seen from one end. */
export interface BytePipe {
  /**
   * Reads until the end. A promise that `onChunk` returns holds the next chunk back.
   *
   * @returns Resolves at the end of the bytes, rejects when reading fails.
   */
  read(onChunk: (chunk: Uint8Array) => Promise<void> | undefined): Promise<void>;
  /** Writes bytes; resolves once the channel has taken them, rejects when it never will. */
  write(bytes: Uint8Array): Promise<void>;
  /** Ends the writing side, after what was written. */
  closeWriting(): Promise<void>;
  /** Ends both sides at once: waiting reads end, waiting writes reject. */
  abort(): void;
}

/**
 * Opens a channel of two web streams.
 *
 * @param bytes Both streams are locked from now on.
 */
export function openPipe(bytes: ByteChannel): BytePipe {
  const reader = bytes.readable.getReader();
  const writer = bytes.writable.getWriter();
  // The failure is told to those that wait for a write.
  writer.closed.catch(() => undefined);
  writer.ready.catch(() => undefined);
  return {
    async read(onChunk) {
      for (;;) {
        const { done, value } = await reader.read();
        if (done) return;
        const wait = onChunk(value);
        if (wait !== undefined) await wait;
      }
    },
    write: (bytes) => writer.write(bytes),
    closeWriting: () => writer.close(),
    abort() {
      reader.cancel().catch(() => undefined);
      writer.abort().catch(() => undefined);
    },
  };
}
