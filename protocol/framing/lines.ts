/** Newline-delimited messages: bytes in, lines out, within a bound (MCP 2026-07-28, stdio). */

/** What a line reader does with what it finds. The functions must not throw. */
export interface LineReaderOptions {
  /** Bytes of one line, without its end. */
  readonly maxBytes: number;
  /** Takes a line without its end and without a byte order mark; lines of nothing but white space are left out. */
  readonly onLine: (line: string) => void;
  /**
   * Is told, once, of a line that grows too long, as soon as it does; the rest of the line is dropped, and reading goes on
   * after its end.
   */
  readonly onOverlong: (seenBytes: number) => void;
  /** Is told of a line that is no UTF-8; the line is dropped. */
  readonly onInvalidUtf8: () => void;
}

/** A reader that is fed. */
export interface LineReader {
  /** Takes the next bytes, cut anywhere; they are not kept beyond the call. */
  push(chunk: Uint8Array): void;
  /** Says that no more bytes come: what stands after the last newline is a line, too. */
  end(): void;
}

const LF = 0x0a;
const CR = 0x0d;
const FIRST_CAPACITY = 1024;

/**
 * Creates a reader of lines. A line ends with LF or CR LF. Memory stays within twice `maxBytes`, and work is linear in the bytes.
 *
 * @param options The bound, and what is done with lines.
 * @returns The reader.
 */
export function createLineReader(options: LineReaderOptions): LineReader {
  const { maxBytes, onLine, onOverlong, onInvalidUtf8 } = options;
  // A decoder that is not in the middle of a stream drops a byte order mark at the start (RFC 8259 § 8.1 lets readers do so).
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let held = new Uint8Array(0);
  let length = 0;
  let skipping = false;

  const hold = (part: Uint8Array): void => {
    const needed = length + part.length;
    if (needed > held.length) {
      const grown = new Uint8Array(Math.min(Math.max(needed, 2 * held.length, FIRST_CAPACITY), Math.max(needed, maxBytes + 1)));
      grown.set(held.subarray(0, length));
      held = grown;
    }
    held.set(part, length);
    length = needed;
  };
  const skip = (seenBytes: number): void => {
    release();
    skipping = true;
    onOverlong(seenBytes);
  };
  const release = (): void => {
    held = new Uint8Array(0);
    length = 0;
  };
  const finish = (bytes: Uint8Array): void => {
    const line = bytes[bytes.length - 1] === CR ? bytes.subarray(0, -1) : bytes;
    if (line.length > maxBytes) return onOverlong(line.length);
    let text: string;
    try {
      text = decoder.decode(line);
    } catch {
      return onInvalidUtf8();
    }
    if (text.trim() !== "") onLine(text);
  };
  /** Takes the end of a line; what is held belongs to its start. */
  const close = (part: Uint8Array): void => {
    if (length === 0) return finish(part);
    // One byte more may be the CR of the line's end.
    if (length + part.length > maxBytes + 1) {
      const seenBytes = length + part.length;
      release();
      return onOverlong(seenBytes);
    }
    hold(part);
    const bytes = held.subarray(0, length);
    release();
    finish(bytes);
  };

  return {
    push(chunk: Uint8Array): void {
      let start = 0;
      for (let at = chunk.indexOf(LF); at >= 0; at = chunk.indexOf(LF, start)) {
        const part = chunk.subarray(start, at);
        start = at + 1;
        if (skipping) skipping = false;
        else close(part);
      }
      const rest = chunk.subarray(start);
      if (skipping || rest.length === 0) return;
      if (length + rest.length > maxBytes + 1) skip(length + rest.length);
      else hold(rest);
    },
    end(): void {
      if (!skipping && length > 0) close(new Uint8Array(0));
      skipping = false;
    },
  };
}

/**
 * Writes a line.
 *
 * @param text One message as JSON, which holds no raw line end.
 * @returns The text with its newline.
 * @throws {TypeError} When the text holds a line end.
 */
export function encodeLine(text: string): string {
  if (text.includes("\n") || text.includes("\r")) {
    throw new TypeError("Writing a line: Expected text without a line end, found one");
  }
  return `${text}\n`;
}
