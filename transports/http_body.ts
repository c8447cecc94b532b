/** The body of an HTTP request: bounded in size and time, strict UTF-8. */
import { ERROR_CODES } from "../protocol/errors.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";

/** Why there is no body, and what the client is told. */
export interface BodyFault {
  /** The HTTP status. */
  readonly status: number;
  /** One sentence. */
  readonly sentence: string;
  /** The JSON-RPC code. */
  readonly code: number;
  /** Is the rest of the body unread, so that the connection is of no further use? */
  readonly unread?: true;
}

/** Two decoders of UTF-8; they keep nothing between two bodies. */
export interface Utf8Decoders {
  /** Replaces what is broken. */
  readonly lossy: TextDecoder;
  /** Throws for what is broken. */
  readonly strict: TextDecoder;
}

/** Makes the decoders of one server. */
export function utf8Decoders(): Utf8Decoders {
  return { lossy: new TextDecoder(), strict: new TextDecoder("utf-8", { fatal: true }) };
}

/**
 * Reads a body as text.
 *
 * @param request The request.
 * @param length Its Content-Length.
 * @param decoders The decoders of the server.
 * @param limits `requestBody` bytes and `requestBodyTimeout` milliseconds.
 * @returns The text, or why there is none.
 */
export async function readBody(
  request: Request,
  length: string | null,
  decoders: Utf8Decoders,
  limits: ResolvedLimits,
): Promise<string | BodyFault> {
  const { requestBody } = limits;
  if (length === null) {
    const bytes = await readUnknown(request.body, limits);
    return bytes instanceof Uint8Array ? decode(bytes, decoders) : bytes;
  }
  if (Number(length) > requestBody) {
    if (Number(length) > LINGER * requestBody) return { ...tooLarge(requestBody), unread: true };
    await readUnknown(request.body, limits);
    return tooLarge(requestBody);
  }
  return await new Reading(request).inTime(decoders, limits);
}

/** May a body be read at once, because it is of known size and within the limit? */
export function isReadAtOnce(length: string | null, limits: ResolvedLimits): boolean {
  return length !== null && Number(length) <= limits.requestBody;
}

/**
 * A refused body of at most so many times the limit is read and thrown away, so that a client that writes before it reads
 * sees the refusal, and may go on with its connection. A larger one costs it the connection (RFC 9110 § 15.5.14).
 */
const LINGER = 2;

/** Turns of the microtask queue in which a body that has arrived is read; a timer costs more than the reading. */
export const READING_TURNS = 8;

/**
 * A body of known size that is being read: the HTTP server keeps it to that size. Its stream is not touched, which would
 * double the work.
 */
export class Reading {
  /** Has it been read, or broken off? */
  settled = false;
  #bytes: Uint8Array | undefined;
  readonly #done: Promise<void>;

  /** Begins to read. */
  constructor(request: Request) {
    this.#done = request.arrayBuffer().then((bytes) => {
      this.#bytes = new Uint8Array(bytes);
      this.settled = true;
    }, () => {
      this.settled = true;
    });
  }

  /** The text of a body that has been read, or why there is none. */
  text(decoders: Utf8Decoders, { requestBody }: ResolvedLimits): string | BodyFault {
    const bytes = this.#bytes;
    if (bytes === undefined) return broken();
    return bytes.byteLength > requestBody ? tooLarge(requestBody) : decode(bytes, decoders);
  }

  /** Waits for the end of the body, at most `requestBodyTimeout` milliseconds. */
  async inTime(decoders: Utf8Decoders, limits: ResolvedLimits): Promise<string | BodyFault> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<void>((resolve) => timer = setTimeout(resolve, limits.requestBodyTimeout));
    await Promise.race([this.#done, late]);
    clearTimeout(timer);
    return this.settled ? this.text(decoders, limits) : slow(limits.requestBodyTimeout);
  }
}

/** A body of unknown size is counted while it is read. */
async function readUnknown(body: ReadableStream<Uint8Array> | null, limits: ResolvedLimits): Promise<Uint8Array | BodyFault> {
  if (body === null) return new Uint8Array();
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let late = false;
  const unwatch = afterTurns(limits.requestBodyTimeout, () => {
    late = true;
    reader.cancel().catch(() => undefined);
  });
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (late) return slow(limits.requestBodyTimeout);
      if (done) break;
      size += value.length;
      if (size <= limits.requestBody) {
        chunks.push(value);
        continue;
      }
      chunks.length = 0;
      if (size <= LINGER * limits.requestBody) continue;
      reader.cancel().catch(() => undefined);
      return { ...tooLarge(limits.requestBody), unread: true };
    }
  } catch {
    return late ? slow(limits.requestBodyTimeout) : broken();
  } finally {
    unwatch();
  }
  return size > limits.requestBody ? tooLarge(limits.requestBody) : join(chunks, size);
}

/**
 * Calls back in so many milliseconds, unless it is taken back; without a timer when that happens within some turns. Deno takes
 * milliseconds to load timers at the first use of their functions.
 */
function afterTurns(milliseconds: number, act: () => void): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let over = false;
  void (async () => {
    for (let turn = 0; turn < READING_TURNS && !over; turn++) await undefined;
    if (!over) timer = setTimeout(act, milliseconds);
  })();
  return () => {
    over = true;
    if (timer !== undefined) clearTimeout(timer);
  };
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  if (chunks.length === 1) return chunks[0] as Uint8Array;
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return bytes;
}

/**
 * Decodes strictly. The lossy decoder is four times as fast, and its text holds a replacement character when something
 * was broken; only then the strict one decides whether the character was there before.
 */
function decode(bytes: Uint8Array | ArrayBuffer, decoders: Utf8Decoders): string | BodyFault {
  const text = decoders.lossy.decode(bytes);
  if (!text.includes("\uFFFD")) return text;
  try {
    return decoders.strict.decode(bytes);
  } catch {
    return { status: 400, sentence: "Parse error: the body is not UTF-8", code: ERROR_CODES.parse_error };
  }
}

/** RFC 9110 § 15.5.14. */
function tooLarge(limit: number): BodyFault {
  const sentence = `Content too large: the body is larger than ${limit} bytes (limit requestBody)`;
  return { status: 413, sentence, code: ERROR_CODES.invalid_request };
}

/** RFC 9110 § 15.5.9: the rest of the body may never come. */
function slow(limit: number): BodyFault {
  const sentence = `Request timeout: the body took longer than ${limit} ms (limit requestBodyTimeout)`;
  return { status: 408, sentence, code: ERROR_CODES.invalid_request, unread: true };
}

function broken(): BodyFault {
  return { status: 400, sentence: "Parse error: the body ended early", code: ERROR_CODES.parse_error };
}
