/** Reads messages from the lines of a pipe. */
import { ERROR_CODES, TransportError } from "../protocol/errors.ts";
import { createLineReader } from "../protocol/framing/lines.ts";
import { parseMessage } from "../protocol/json_rpc.ts";
import type { JsonRpcErrorObject, ReadMessage } from "../protocol/json_rpc.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import type { BytePipe } from "./byte_pipe.ts";

/** Who takes what was read. A promise that comes back holds the next line back. */
export interface LineHandlers {
  /** One message. */
  onMessage(message: JsonRpcMessage): Promise<void> | undefined;
  /** A line that holds no message; `read` says why, with the id when there is one. */
  onBad(text: string, read: ReadMessage & { readonly ok: false }): Promise<void> | undefined;
  /** A line that could not be read as text: as a local error, and as an answer. */
  onUnreadable(fault: TransportError, error: JsonRpcErrorObject): Promise<void> | undefined;
}

/** The bounds of a reading end. */
export type LineReaderLimits = Pick<ResolvedLimits, "frame" | "jsonDepth" | "jsonElements">;

/**
 * Reads a pipe to its end. Blank lines mean nothing.
 *
 * @returns Resolves at the end of the bytes, rejects when reading fails.
 */
export async function readLines(pipe: BytePipe, limits: LineReaderLimits, handlers: LineHandlers): Promise<void> {
  let found: (() => Promise<void> | undefined)[] = [];
  const reader = createLineReader({
    maxBytes: limits.frame,
    onLine: (text) => found.push(() => take(text, limits, handlers)),
    onOverlong: (seen) => found.push(() => overlong(limits.frame, seen, handlers)),
    onInvalidUtf8: () => found.push(() => invalidUtf8(handlers)),
  });
  const work = (): Promise<void> | undefined => {
    const steps = found;
    found = [];
    return steps.length === 0 ? undefined : run(steps, 0);
  };
  await pipe.read((chunk) => {
    reader.push(chunk);
    return work();
  });
  reader.end();
  await work();
}

/** Runs steps in order, without a promise as long as none of them asks to wait. */
function run(steps: readonly (() => Promise<void> | undefined)[], from: number): Promise<void> | undefined {
  for (let at = from; at < steps.length; at++) {
    const wait = steps[at]?.();
    if (wait !== undefined) return wait.then(() => run(steps, at + 1));
  }
  return undefined;
}

function take(text: string, limits: LineReaderLimits, handlers: LineHandlers): Promise<void> | undefined {
  const read = parseMessage(text, limits);
  return read.ok ? handlers.onMessage(read.message) : handlers.onBad(text, read);
}

function overlong(limit: number, seen: number, handlers: LineHandlers): Promise<void> | undefined {
  const found = `the line is longer than ${limit} bytes (limit frame)`;
  return handlers.onUnreadable(
    new TransportError("limit", `Read a message: ${found}`, { data: { limit: "frame", value: limit, seen } }),
    { code: ERROR_CODES.invalid_request, message: `Invalid request: ${found}`, data: { limit: "frame", value: limit } },
  );
}

function invalidUtf8(handlers: LineHandlers): Promise<void> | undefined {
  return handlers.onUnreadable(
    new TransportError("not_mcp", "Read a message: the line is not UTF-8"),
    { code: ERROR_CODES.parse_error, message: "Parse error: the line is not UTF-8" },
  );
}
