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
  /** Takes a line that is not UTF-8, with U+FFFD in place of what could not be read. */
  readonly onInvalidUtf8: (readable: string) => void;
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
  const held = createBuffer(maxBytes);
  let skipping = false;

  const finish = (bytes: Uint8Array): void => {
    const line = bytes[bytes.length - 1] === CR ? bytes.subarray(0, -1) : bytes;
    if (line.length > maxBytes) return onOverlong(line.length);
    let text: string;
    try {
      text = decoder.decode(line);
    } catch {
      return onInvalidUtf8(new TextDecoder().decode(line));
    }
    if (text.trim() !== "") onLine(text);
  };
  /** Takes the end of a line; what is held belongs to its start. One byte more than the bound may be the CR of its end. */
  const close = (part: Uint8Array): void => {
    const length = held.length() + part.length;
    if (length === part.length) return finish(part);
    const bytes = length > maxBytes + 1 ? undefined : held.add(part);
    held.clear();
    if (bytes === undefined) onOverlong(length);
    else finish(bytes);
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
      const length = held.length() + rest.length;
      if (length <= maxBytes + 1) return void held.add(rest);
      held.clear();
      skipping = true;
      onOverlong(length);
    },
    end(): void {
      if (!skipping && held.length() > 0) close(new Uint8Array(0));
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

/** Bytes that are collected: each is copied a constant number of times, and never more than twice the bound is held. */
interface Buffer {
  length(): number;
  /** Adds bytes; returns all that are held, valid until the next call. */
  add(part: Uint8Array): Uint8Array;
  clear(): void;
}

function createBuffer(maxBytes: number): Buffer {
  let bytes = new Uint8Array(0);
  let length = 0;
  return {
    length: () => length,
    add(part) {
      const needed = length + part.length;
      if (needed > bytes.length) {
        const doubled = Math.min(Math.max(2 * bytes.length, FIRST_CAPACITY), maxBytes + 1);
        const grown = new Uint8Array(Math.max(needed, doubled));
        grown.set(bytes.subarray(0, length));
        bytes = grown;
      }
      bytes.set(part, length);
      length = needed;
      return bytes.subarray(0, length);
    },
    clear() {
      bytes = new Uint8Array(0);
      length = 0;
    },
  };
}
