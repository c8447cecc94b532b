/** Keeps the last bytes of a stream. */

/** The end of what a stream has carried. */
export interface ByteTail {
  /** Takes the next bytes; they are copied. */
  add(chunk: Uint8Array): void;
  /** What is kept, as text; what is not UTF-8 is replaced. */
  text(): string;
}

const FIRST_CAPACITY = 1024;

/**
 * Keeps the last bytes of a stream. Memory stays within `limit`, and work is linear in the bytes.
 *
 * @param limit How many; none with zero.
 */
export function createByteTail(limit: number): ByteTail {
  let ring = new Uint8Array(Math.min(limit, FIRST_CAPACITY));
  let next = 0;
  let kept = 0;
  const grow = (needed: number): void => {
    const larger = new Uint8Array(Math.min(limit, Math.max(needed, 2 * ring.length)));
    // As long as it can grow, nothing has been overwritten.
    larger.set(ring.subarray(0, kept));
    ring = larger;
    next = kept;
  };
  return {
    add(chunk) {
      if (limit === 0) return;
      const part = chunk.length > limit ? chunk.subarray(chunk.length - limit) : chunk;
      if (kept + part.length > ring.length && ring.length < limit) grow(kept + part.length);
      const first = Math.min(part.length, ring.length - next);
      ring.set(part.subarray(0, first), next);
      ring.set(part.subarray(first), 0);
      next = (next + part.length) % ring.length;
      kept = Math.min(ring.length, kept + part.length);
    },
    text() {
      const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
      if (kept < ring.length) return decoder.decode(ring.subarray(0, kept));
      return decoder.decode(ring.subarray(next), { stream: true }) + decoder.decode(ring.subarray(0, next));
    },
  };
}
