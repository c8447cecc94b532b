/** Writes messages as lines, in the order of the calls, as fast as the channel takes them. */
import { TransportError } from "../protocol/errors.ts";
import { encodeLine } from "../protocol/framing/lines.ts";
import { messageText } from "../protocol/json_rpc.ts";
import { WAITING_LINES } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { within } from "./within.ts";

/** A writing end. */
export interface LineWriter {
  /**
   * Writes one message.
   *
   * @returns Resolves once the channel has taken it.
   * @throws {TransportError} "limit" when it is longer than `frame` bytes; "closed" when the channel is gone.
   */
  send(message: JsonRpcMessage): Promise<void>;
  /**
   * Waits while more than `frame` bytes or very many lines are unwritten, or until the channel is gone. Undefined when there is
   * no need to.
   */
  drained(): Promise<void> | undefined;
  /** Ends writing after what was sent, within `stopGrace` milliseconds. Never rejects. */
  close(): Promise<void>;
  /** The channel is gone: what waits rejects with this. */
  fail(error: unknown): void;
}

/** The bounds of a writing end. */
export type LineWriterLimits = Pick<ResolvedLimits, "frame" | "stalledReader" | "stopGrace">;

/**
 * Makes the writing end of a channel.
 *
 * @param pipe Where lines go.
 * @param limits The bounds.
 * @param onFault Told, once, that nothing can be written any more: "closed" when a write failed, "limit" when the peer took
 * nothing for `stalledReader` milliseconds. What waits is rejected with the same error afterwards.
 */
export function createLineWriter(
  pipe: BytePipe,
  limits: LineWriterLimits,
  onFault: (error: TransportError) => void,
): LineWriter {
  return new Writer(pipe, limits, onFault);
}

interface Line {
  readonly bytes: Uint8Array;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

class Writer implements LineWriter {
  readonly #pipe: BytePipe;
  readonly #limits: LineWriterLimits;
  readonly #onFault: (error: TransportError) => void;
  #lines: Line[] = [];
  #batch: readonly Line[] = [];
  #unwritten = 0;
  #waiting = 0;
  #writing: Promise<void> | undefined;
  #failure: { readonly error: unknown } | undefined;
  #onProgress: (() => void) | undefined;
  #written = 0;
  #watch: ReturnType<typeof setTimeout> | undefined;

  constructor(pipe: BytePipe, limits: LineWriterLimits, onFault: (error: TransportError) => void) {
    this.#pipe = pipe;
    this.#limits = limits;
    this.#onFault = onFault;
  }

  send(message: JsonRpcMessage): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    let bytes: Uint8Array;
    try {
      bytes = frame(message, this.#limits.frame);
    } catch (error) {
      return Promise.reject(error);
    }
    this.#unwritten += bytes.length;
    this.#waiting++;
    const sent = new Promise<void>((resolve, reject) => this.#lines.push({ bytes, resolve, reject }));
    this.#writing ??= this.#write();
    return sent;
  }

  drained(): Promise<void> | undefined {
    if (!this.#full) return undefined;
    return new Promise((resolve) => {
      this.#onProgress = () => {
        if (this.#full) return;
        this.#onProgress = undefined;
        resolve();
      };
    });
  }

  async close(): Promise<void> {
    const ended = (async () => {
      await this.#writing;
      if (this.#failure === undefined) await this.#pipe.closeWriting();
    })().catch(() => undefined);
    await within(ended, this.#limits.stopGrace);
    this.fail(new TransportError("closed", "Write a message: the connection is closed"));
  }

  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    clearTimeout(this.#watch);
    this.#unwritten = 0;
    this.#waiting = 0;
    for (const line of [...this.#batch, ...this.#lines]) line.reject(error);
    this.#batch = [];
    this.#lines = [];
    this.#onProgress?.();
  }

  /** A small line costs far more memory than its bytes. */
  get #full(): boolean {
    return this.#unwritten > this.#limits.frame || this.#waiting > WAITING_LINES;
  }

  /** Writes all that waits, and all that comes meanwhile, several lines at a time. */
  async #write(): Promise<void> {
    while (this.#lines.length > 0) {
      const lines = this.#lines;
      this.#lines = [];
      this.#batch = lines;
      for (let at = 0; at < lines.length && this.#failure === undefined;) {
        const end = batchEnd(lines, at);
        await this.#writeBatch(lines.slice(at, end));
        at = end;
      }
      this.#batch = [];
    }
    this.#writing = undefined;
  }

  #break(error: TransportError): void {
    if (this.#failure === undefined) this.#onFault(error);
    this.fail(error);
  }

  /** One timer looks at many writes: it ends when a whole period went by without any. */
  #watchWriting(): ReturnType<typeof setTimeout> {
    const limit = this.#limits.stalledReader;
    const before = this.#written;
    return setTimeout(() => {
      this.#watch = undefined;
      if (this.#failure !== undefined || this.#writing === undefined) return;
      if (this.#written !== before) {
        this.#watch = this.#watchWriting();
        return;
      }
      const data = { limit: "stalledReader", value: limit, seen: limit };
      const error = new TransportError("limit", `Write to the peer: it took nothing for ${limit} ms (limit stalledReader)`, {
        data,
      });
      this.#break(error);
    }, limit);
  }

  async #writeBatch(batch: readonly Line[]): Promise<void> {
    const bytes = batch.length === 1 ? (batch[0] as Line).bytes : concat(batch);
    this.#watch ??= this.#watchWriting();
    try {
      await this.#pipe.write(bytes);
    } catch (cause) {
      this.#break(new TransportError("closed", "Write a message: the connection is closed", { cause }));
    }
    if (this.#failure !== undefined) return;
    this.#written++;
    this.#unwritten -= bytes.length;
    this.#waiting -= batch.length;
    for (const line of batch) line.resolve();
    this.#onProgress?.();
  }
}

/** Small lines go out together, up to the size of a pipe's buffer. */
const BATCH_BYTES = 65_536;

function batchEnd(lines: readonly Line[], from: number): number {
  let end = from;
  let bytes = 0;
  do bytes += lines[end++]?.bytes.length ?? 0; while (end < lines.length && bytes < BATCH_BYTES);
  return end;
}

function frame(message: JsonRpcMessage, limit: number): Uint8Array {
  const text = messageText(message);
  // A code unit is at least one byte of UTF-8.
  if (text.length > limit) throw tooLong(limit, text.length);
  const bytes = new TextEncoder().encode(encodeLine(text));
  if (bytes.length - 1 > limit) throw tooLong(limit, bytes.length - 1);
  return bytes;
}

function tooLong(limit: number, seen: number): TransportError {
  const data = { limit: "frame", value: limit, seen };
  return new TransportError("limit", `Write a message: it has ${seen} bytes, the limit frame is ${limit}`, { data });
}

function concat(lines: readonly Line[]): Uint8Array {
  const all = new Uint8Array(lines.reduce((sum, line) => sum + line.bytes.length, 0));
  let at = 0;
  for (const { bytes } of lines) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}
