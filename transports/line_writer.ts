/** Writes messages as lines, in the order of the calls, as fast as the channel takes them. */
import { TransportError } from "../protocol/errors.ts";
import { encodeLine } from "../protocol/framing/lines.ts";
import { messageText } from "../protocol/json_rpc.ts";
import { WAITING_LINES } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { JsonRpcMessage } from "../protocol/types.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { Lane } from "./lane.ts";
import { endsWithin } from "./ends_within.ts";

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
  readonly #lines = new Lane<Line>();
  /** What is being written. */
  #batch: readonly Line[] = [];
  #unwritten = 0;
  #waiting = 0;
  #failure: { readonly error: unknown } | undefined;
  #onIdle: (() => void) | undefined;
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
    return new Promise<void>((resolve, reject) => {
      const line: Line = { bytes, resolve, reject };
      if (this.#batch.length > 0) this.#lines.push(line);
      else this.#write([line], bytes);
    });
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
      if (this.#batch.length > 0) await new Promise<void>((resolve) => this.#onIdle = resolve);
      if (this.#failure === undefined) await this.#pipe.closeWriting();
    })().catch(() => undefined);
    await endsWithin(ended, this.#limits.stopGrace);
    this.fail(new TransportError("closed", "Writing a message: the connection is closed"));
  }

  fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = { error };
    clearTimeout(this.#watch);
    this.#unwritten = 0;
    this.#waiting = 0;
    for (const line of this.#batch) line.reject(error);
    for (let line = this.#lines.shift(); line !== undefined; line = this.#lines.shift()) line.reject(error);
    this.#batch = [];
    this.#onProgress?.();
    this.#onIdle?.();
  }

  /** A small line costs far more memory than its bytes. */
  get #full(): boolean {
    return this.#unwritten > this.#limits.frame || this.#waiting > WAITING_LINES;
  }

  #write(batch: readonly Line[], bytes: Uint8Array): void {
    this.#batch = batch;
    this.#watch ??= this.#watchWriting();
    this.#pipe.write(bytes).then(this.#onTaken, this.#onBroken);
  }

  /** Writes what has come meanwhile, several lines at a time. */
  #writeNext(): void {
    const batch: Line[] = [];
    let size = 0;
    for (let line = this.#lines.shift(); line !== undefined; line = size < BATCH_BYTES ? this.#lines.shift() : undefined) {
      batch.push(line);
      size += line.bytes.length;
    }
    if (batch.length > 0) return this.#write(batch, batch.length === 1 ? (batch[0] as Line).bytes : concat(batch, size));
    this.#batch = batch;
    this.#onIdle?.();
  }

  readonly #onTaken = (): void => {
    if (this.#failure !== undefined) return;
    this.#written++;
    this.#waiting -= this.#batch.length;
    for (const line of this.#batch) {
      this.#unwritten -= line.bytes.length;
      line.resolve();
    }
    this.#onProgress?.();
    this.#writeNext();
  };

  readonly #onBroken = (cause: unknown): void =>
    this.#break(new TransportError("closed", "Writing a message: the connection is closed", { cause }));

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
      if (this.#failure !== undefined || this.#batch.length === 0) return;
      if (this.#written !== before) {
        this.#watch = this.#watchWriting();
        return;
      }
      const data = { limit: "stalledReader", value: limit, seen: limit };
      const error = new TransportError("limit", `Writing to the peer: it took nothing for ${limit} ms (limit stalledReader)`, {
        data,
      });
      this.#break(error);
    }, limit);
  }
}

/** Small lines go out together, up to the size of a pipe's buffer. */
const BATCH_BYTES = 65_536;

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
  return new TransportError("limit", `Writing a message: it has ${seen} bytes, the limit frame is ${limit}`, { data });
}

function concat(lines: readonly Line[], size: number): Uint8Array {
  const all = new Uint8Array(size);
  let at = 0;
  for (const { bytes } of lines) {
    all.set(bytes, at);
    at += bytes.length;
  }
  return all;
}
