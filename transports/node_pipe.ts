/** Bytes over two streams of Node, those of a child or our own. */
import type { BytePipe } from "./byte_pipe.ts";

/** A byte channel of a readable and a writable stream of Node. */
export class NodePipe implements BytePipe {
  readonly #in: NodeReadable;
  readonly #out: NodeWritable;
  readonly #write: NodeWrite;
  readonly #waiting = new Set<(error: unknown) => void>();
  #failure: { readonly error: unknown } | undefined;
  #stopReading: (() => void) | undefined;

  /**
   * Listens to the streams; nothing is read yet.
   *
   * @param input Where bytes come from.
   * @param output Where bytes go.
   * @param write How they are written; with the method of `output` by default.
   */
  constructor(input: NodeReadable, output: NodeWritable, write: NodeWrite = (bytes, done) => void output.write(bytes, done)) {
    this.#in = input;
    this.#out = output;
    this.#write = write;
    // A stream's error without a listener ends the program. Errors are told by the write that meets them.
    output.on("error", this.fail);
    output.on("close", this.#onClose);
  }

  /** Reads until the end; a chunk whose promise is pending holds the next one back. */
  read(onChunk: (chunk: Uint8Array) => Promise<void> | undefined): Promise<void> {
    const stream = this.#in;
    return new Promise((resolve, reject) => {
      let busy: Promise<void> | undefined;
      const stop = (finish: () => void): void => {
        stream.off("data", onData);
        stream.off("end", onEnd);
        stream.off("close", onEnd);
        this.#stopReading = undefined;
        // What is being worked on comes before the end.
        if (busy === undefined) finish();
        else busy.then(finish, finish);
      };
      const onEnd = (): void => stop(resolve);
      const fail = (error: unknown): void => stop(() => reject(error));
      const onData = (piece: Uint8Array): void => {
        // Buffers of Node are searched and cut more slowly than arrays.
        const chunk = new Uint8Array(piece.buffer, piece.byteOffset, piece.length);
        const wait = busy === undefined ? onChunk(chunk) : busy.then(() => onChunk(chunk));
        if (wait === undefined) return;
        stream.pause();
        const mine = busy = wait.then(() => {
          if (busy !== mine) return;
          busy = undefined;
          if (this.#stopReading !== undefined) stream.resume();
        });
        mine.catch(fail);
      };
      this.#stopReading = onEnd;
      if (stream.readableEnded === true || stream.destroyed === true) return resolve();
      stream.on("error", fail);
      stream.on("end", onEnd);
      stream.on("close", onEnd);
      stream.ref?.();
      stream.on("data", onData);
      stream.resume();
    });
  }

  /** Writes; resolves when the stream has taken the bytes, and rejects when it has failed. */
  write(bytes: Uint8Array): Promise<void> {
    if (this.#failure !== undefined) return Promise.reject(this.#failure.error);
    return new Promise((resolve, reject) => {
      this.#waiting.add(reject);
      this.#write(bytes, (error) => {
        this.#waiting.delete(reject);
        if (error === undefined || error === null) resolve();
        else reject(error);
      });
    });
  }

  /** Ends the writing end after what was written. Never rejects. */
  closeWriting(): Promise<void> {
    if (this.#failure !== undefined) return Promise.resolve();
    return new Promise((resolve) => {
      this.#waiting.add(() => resolve());
      this.#out.end(resolve);
    });
  }

  /** Destroys both streams. */
  abort(): void {
    this.#stopReading?.();
    this.#in.destroy();
    this.#out.destroy();
    this.fail(new Error("The stream is closed"));
  }

  /** Leaves both streams open, and lets the program end although nobody reads. */
  release(): void {
    this.#stopReading?.();
    this.#in.pause();
    this.#in.unref?.();
    this.fail(new Error("The stream is no longer used"));
    this.#out.off("error", this.fail);
    this.#out.off("close", this.#onClose);
    // Without a listener an error that comes later would end the program.
    this.#out.off("error", ignore);
    this.#out.on("error", ignore);
  }

  readonly #onClose = (): void => this.fail(new Error("The stream is closed"));

  /** Rejects every write that waits, and every later one, with the first error that was given. */
  readonly fail = (error: unknown): void => {
    this.#failure ??= { error };
    for (const reject of this.#waiting) reject(error);
    this.#waiting.clear();
  };
}

/** Writes one chunk; `done` is called when it was taken or failed. */
export type NodeWrite = (bytes: Uint8Array, done: (error?: unknown) => void) => void;

const ignore = (): void => undefined;

/** The part of Node's event emitters that is used; described here so that no declaration needs Node's types. */
export interface Emitter {
  /** Calls a listener at every event. */
  on(event: string, listener: (value: never) => void): unknown;
  /** Calls a listener at the next event. */
  once(event: string, listener: (...values: never[]) => void): unknown;
  /** Takes a listener away. */
  off(event: string, listener: (value: never) => void): unknown;
}

/** The part of Node's readable streams that is used. */
export interface NodeReadable extends Emitter {
  /** Holds the data back. */
  pause(): unknown;
  /** Lets the data flow. */
  resume(): unknown;
  /** Ends the stream at once. */
  destroy(): unknown;
  /** Lets the program end although the stream is open. */
  unref?(): unknown;
  /** Keeps the program running while the stream is open. */
  ref?(): unknown;
  /** The last data has been read. */
  readonly readableEnded?: boolean;
  /** The stream has been ended at once. */
  readonly destroyed?: boolean;
}

/** The part of Node's writable streams that is used. */
export interface NodeWritable extends Emitter {
  /** Writes; `done` is called when the chunk was taken or failed. False asks to wait for "drain". */
  write(chunk: Uint8Array | string, done?: (error?: unknown) => void): boolean;
  /** Ends the stream after what was written. */
  end(done?: () => void): unknown;
  /** Ends the stream at once. */
  destroy(): unknown;
}
