/** Reads messages from the lines of a pipe. */
import { ERROR_CODES, TransportError } from "../protocol/errors.ts";
import { createLineReader } from "../protocol/framing/lines.ts";
import { parseMessage } from "../protocol/json_rpc.ts";
import type { JsonRpcErrorObject, ReadMessage } from "../protocol/json_rpc.ts";
import { READING_TURN } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { damagedMessage } from "./damaged_message.ts";

/** Who takes what was read. A promise that comes back holds the next line back. */
export interface LineHandlers {
  /** One message; with `last` the end of the bytes ended its line. */
  onMessage(message: JsonRpcMessage, last: boolean): Promise<void | boolean> | undefined;
  /** A line that holds no message; `read` says why, with the id when there is one. */
  onBad(text: string, read: ReadMessage & { readonly ok: false }): Promise<void> | undefined;
  /**
   * A line whose id cannot be told, because it is too long or damaged: as a local error, and as an answer. `isMessage` says
   * whether somebody may wait for what it held; a damaged line of something else is no more than noise. `kind`: what it was
   * meant to be, if that shows.
   */
  onUnreadable(fault: TransportError, error: JsonRpcErrorObject, isMessage: boolean, kind?: Kind): Promise<void> | undefined;
}

type Kind = (ReadMessage & { readonly ok: false })["kind"];

/** The bounds of a reading end. */
export type LineReaderLimits = Pick<ResolvedLimits, "frame" | "jsonDepth" | "jsonElements">;

/**
 * Reads a pipe to its end. What stands after the last newline is a line too. Blank lines mean nothing.
 *
 * @returns Resolves at the end of the bytes, rejects when reading fails.
 */
export async function readLines(pipe: BytePipe, limits: LineReaderLimits, handlers: LineHandlers): Promise<void> {
  let wait: Promise<void | boolean> | undefined;
  /** What stands behind a line that is waited for, and came with it. */
  let held: Step[] = [];
  let ended = false;
  let busy = 0;
  const step = (work: Step): void => {
    if (wait === undefined) wait = work();
    else held.push(work);
  };
  const reader = createLineReader({
    maxBytes: limits.frame,
    onLine: (text) => step(() => take(text, limits, handlers, ended)),
    onOverlong: (seen) => step(() => overlong(limits.frame, seen, handlers)),
    onInvalidUtf8: (text) => step(() => damaged(text, limits, handlers, ended)),
  });
  const rest = (): Promise<void> | undefined => {
    if (wait === undefined) return undefined;
    const [first, steps] = [wait, held];
    wait = undefined;
    held = [];
    return first.then(() => run(steps, 0));
  };
  await pipe.read((chunk) => {
    const began = performance.now();
    reader.push(chunk);
    busy += performance.now() - began;
    if (busy < READING_TURN) return rest();
    // Bytes that are there already come without a turn for timers: a peer that writes on and on would keep deadlines from passing.
    busy = 0;
    return Promise.resolve(rest()).then(() => new Promise((resolve) => setTimeout(resolve, 0)));
  });
  ended = true;
  reader.end();
  await rest();
}

/** Deals with one line; a promise that comes back holds the next one back. */
type Step = () => Promise<void | boolean> | undefined;

/** Runs steps in order, without a promise as long as none of them asks to wait. */
function run(steps: readonly Step[], from: number): Promise<void> | undefined {
  for (let at = from; at < steps.length; at++) {
    const wait = steps[at]?.();
    if (wait !== undefined) return wait.then(() => run(steps, at + 1));
  }
  return undefined;
}

function take(
  text: string,
  limits: LineReaderLimits,
  handlers: LineHandlers,
  last: boolean,
): Promise<void | boolean> | undefined {
  const read = parseMessage(text, limits);
  return read.ok ? handlers.onMessage(read.message, last) : handlers.onBad(text, read);
}

function overlong(limit: number, seen: number, handlers: LineHandlers): Promise<void> | undefined {
  const found = `the line is longer than ${limit} bytes (limit frame)`;
  return handlers.onUnreadable(
    new TransportError("limit", `Reading a message: ${found}`, { data: { limit: "frame", value: limit, seen } }),
    { code: ERROR_CODES.invalid_request, message: `Invalid request: ${found}`, data: { limit: "frame", value: limit } },
    true,
  );
}

/** A line that is not UTF-8 is refused, though its id is taken from what can be read, so that nobody waits for it in vain. */
function damaged(text: string, limits: LineReaderLimits, handlers: LineHandlers, cut: boolean): Promise<void> | undefined {
  const read = damagedMessage(parseMessage(text, limits), "line");
  const { id, kind, error } = read;
  if (id !== undefined || kind === "notification") return handlers.onBad(text, read);
  // What was cut off by the end of the stream is told by that end.
  const isMessage = !cut && /^\s*\{/.test(text) && text.includes('"jsonrpc"');
  return handlers.onUnreadable(new TransportError("not_mcp", "Reading a message: the line is not UTF-8"), error, isMessage, kind);
}
