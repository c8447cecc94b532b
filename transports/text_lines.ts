/** Cuts a stream of text that somebody wrote for people into lines. */

/** A splitter that is fed. */
export interface TextLines {
  /** Takes the next bytes, cut anywhere. */
  push(chunk: Uint8Array): void;
  /** No more bytes come: what stands after the last line end is a line, too. A second call does nothing. */
  end(): void;
}

/**
 * Makes a splitter. A line ends with LF or CR LF. What is not UTF-8 is replaced, and a line that is longer than `maxLength` is
 * given in pieces: nothing is lost, and nothing piles up.
 *
 * @param maxLength Characters of a line, or of a piece of one.
 * @param onLine Takes each line without its end. Must not throw.
 */
export function createTextLines(maxLength: number, onLine: (line: string) => void): TextLines {
  const decoder = new TextDecoder("utf-8");
  let parts: string[] = [];
  let length = 0;
  let cut = false;
  const finish = (): void => {
    const line = parts.join("");
    parts = [];
    length = 0;
    // A piece that ends where the line does was the last one.
    if (!(cut && line === "")) onLine(line.endsWith("\r") ? line.slice(0, -1) : line);
    cut = false;
  };
  const hold = (text: string): void => {
    let rest = text;
    while (length + rest.length > maxLength) {
      const room = maxLength - length;
      parts.push(rest.slice(0, room));
      rest = rest.slice(room);
      onLine(parts.join(""));
      parts = [];
      length = 0;
      cut = true;
    }
    if (rest === "") return;
    parts.push(rest);
    length += rest.length;
  };
  const take = (text: string): void => {
    let start = 0;
    for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", start)) {
      hold(text.slice(start, at));
      finish();
      start = at + 1;
    }
    hold(text.slice(start));
  };
  return {
    push: (chunk) => take(decoder.decode(chunk, { stream: true })),
    end() {
      take(decoder.decode());
      if (length > 0) finish();
    },
  };
}
