/** UTF-8, read: bytes in, text out, and whether the bytes were what they had to be. */

/** A reader that is fed. */
export interface Utf8Reader {
  /** Was anything replaced? Whoever begins something new may take it back. */
  damaged: boolean;
  /** Takes the next bytes, cut anywhere; they are not kept beyond the call. Gives their text, with U+FFFD for what is no UTF-8. */
  push(chunk: Uint8Array): string;
  /** Says that no more bytes come, and gives what is left. */
  end(): string;
}

/** What stands for a character that is not UTF-8 where it is marked: half of a surrogate pair, which no UTF-8 gives. */
const MARK = "\udfff";

/**
 * Creates a reader. A byte order mark at the start is dropped. Bytes are decoded a second time only where their text holds U+FFFD,
 * which may have been there before.
 *
 * @param marks Leaves half of a surrogate pair, instead of U+FFFD, where something was replaced: the text is not well-formed there.
 */
export function createUtf8Reader(marks: boolean = false): Utf8Reader {
  // Deno's decoder drops a byte order mark at the start of any chunk, not only of the stream: it is dropped by hand.
  const decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  let started = false;
  /** Where the last chunk ended within a character, what there is of it. */
  let begun = NOTHING;
  const reader: Utf8Reader = {
    damaged: false,
    push(chunk) {
      let text = decoder.decode(chunk, STREAM);
      if (text.includes("\uFFFD") && !isUtf8(begun, chunk)) {
        reader.damaged = true;
        if (marks) text = marked(begun, chunk);
      }
      begun = lastCharacter(begun, chunk);
      if (started || text === "") return text;
      started = true;
      return text.startsWith("\ufeff") ? text.slice(1) : text;
    },
    end() {
      const text = decoder.decode();
      // All that can be left is the beginning of a character.
      reader.damaged ||= text !== "";
      return marks ? text.replaceAll("\uFFFD", MARK) : text;
    },
  };
  return reader;
}

const STREAM = { stream: true };
const NOTHING = new Uint8Array();

function isUtf8(...chunks: readonly Uint8Array[]): boolean {
  const strict = new TextDecoder("utf-8", { fatal: true });
  try {
    for (const chunk of chunks) strict.decode(chunk, STREAM);
    return true;
  } catch {
    return false;
  }
}

/** The text of a chunk, with marks. */
function marked(begun: Uint8Array, chunk: Uint8Array): string {
  // Of a whole character the text was given before.
  const rest = lossy(begun, STREAM) === "" ? begun : NOTHING;
  const bytes = new Uint8Array([...rest, ...chunk]);
  let text = "";
  let from = 0;
  for (let at = 0; at < bytes.length; at++) {
    // U+FFFD itself: whatever comes before, its first byte begins a character.
    if (bytes[at] !== 0xef || bytes[at + 1] !== 0xbf || bytes[at + 2] !== 0xbd) continue;
    text += `${lossy(bytes.subarray(from, at)).replaceAll("\uFFFD", MARK)}\uFFFD`;
    from = at + 3;
  }
  return text + lossy(bytes.subarray(from), STREAM).replaceAll("\uFFFD", MARK);
}

function lossy(bytes: Uint8Array, options?: TextDecodeOptions): string {
  return new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, options);
}

/** The bytes of the last character, whole or not, from its lead byte on; none when it is of ASCII. */
function lastCharacter(begun: Uint8Array, chunk: Uint8Array): typeof NOTHING {
  const least = Math.max(0, chunk.length - 4);
  for (let at = chunk.length - 1; at >= least; at--) {
    const byte = chunk[at] as number;
    if (byte < 0x80) return NOTHING;
    if (byte >= 0xc0) return chunk.slice(at);
  }
  // A character has four bytes at most.
  return begun.length + chunk.length > 4 ? NOTHING : new Uint8Array([...begun, ...chunk]);
}
