/** Server-sent events, written (WHATWG HTML § 9.2). */

/** An event of a stream. */
export interface StreamEvent {
  /** The event's type; absent means `message`. */
  readonly event?: string;
  /** The event's id, if it has one of its own. */
  readonly id?: string;
  /** The data lines, joined by LF; may be empty. */
  readonly data: string;
  /** The data is not what was sent: bytes of it were no UTF-8, and are replaced by U+FFFD. */
  readonly damaged?: true;
}

/** What an event has beside its data. */
export interface EncodeEventOptions {
  /** The event's type. `message` when absent. */
  readonly event?: string | undefined;
  /** The event's id. None when absent. */
  readonly id?: string | undefined;
}

/** A comment, which readers ignore: keeps intermediaries from closing a quiet stream. */
export const COMMENT = ": keep-alive\n\n";

/**
 * Writes an event.
 *
 * @param data The data; each of its lines becomes a data line, so that readers get every line end as LF.
 * @param options The event's type and id.
 * @returns The event with its blank line.
 * @throws {TypeError} When the type or the id holds a line end, or the id a NUL.
 */
export function encodeEvent(data: string, options: EncodeEventOptions = {}): string {
  const { event, id } = options;
  let text = "";
  if (event !== undefined) text += `event: ${oneLine(event, "type")}\n`;
  if (id !== undefined) text += `id: ${oneLine(id, "id")}\n`;
  for (const line of data.split(/\r\n|\r|\n/)) text += `data: ${line}\n`;
  return `${text}\n`;
}

function oneLine(value: string, name: string): string {
  if (/[\r\n\0]/.test(value)) throw new TypeError(`Writing an event: Expected one line as the ${name}, found a line end or NUL`);
  return value;
}
