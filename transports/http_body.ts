/** The body of an HTTP request: bounded in size and time, strict UTF-8. */
import { ERROR_CODES } from "../protocol/errors.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";

/** The text of a body, or why there is none. */
export type Body =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly status: number; readonly sentence: string; readonly code: number };

/**
 * Reads a body as text.
 *
 * @param request The request.
 * @param limits `requestBody` bytes and `requestBodyTimeout` milliseconds.
 */
export async function readBody(request: Request, limits: ResolvedLimits): Promise<Body> {
  const { requestBody } = limits;
  const length = request.headers.get("content-length");
  if (length !== null && Number(length) > requestBody) return tooLarge(requestBody);
  if (request.body === null) return decode(new Uint8Array());
  const bytes = length === null ? await readBounded(request.body, limits) : await readWhole(request, limits);
  return bytes instanceof Uint8Array ? decode(bytes) : bytes;
}

/** Turns of the microtask queue in which a body that has arrived is read; a timer costs more than the reading. */
const TURNS = 8;

/** A body of known size: the HTTP server keeps it to that size. */
async function readWhole(request: Request, limits: ResolvedLimits): Promise<Uint8Array | Body> {
  let settled = false;
  const reading = request.arrayBuffer().then(
    (buffer) => buffer.byteLength > limits.requestBody ? tooLarge(limits.requestBody) : new Uint8Array(buffer),
    broken,
  );
  reading.finally(() => settled = true);
  for (let turn = 0; turn < TURNS && !settled; turn++) await undefined;
  if (settled) return reading;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Body>((resolve) => {
    timer = setTimeout(() => resolve(slow(limits.requestBodyTimeout)), limits.requestBodyTimeout);
  });
  const first = await Promise.race([reading, late]);
  clearTimeout(timer);
  return first;
}

async function readBounded(body: ReadableStream<Uint8Array>, limits: ResolvedLimits): Promise<Uint8Array | Body> {
  const reader = body.getReader();
  const chunks: Uint8Array[] = [];
  let size = 0;
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    reader.cancel().catch(() => undefined);
  }, limits.requestBodyTimeout);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (late) return slow(limits.requestBodyTimeout);
      if (done) break;
      size += value.length;
      if (size > limits.requestBody) {
        reader.cancel().catch(() => undefined);
        return tooLarge(limits.requestBody);
      }
      chunks.push(value);
    }
  } catch {
    return late ? slow(limits.requestBodyTimeout) : broken();
  } finally {
    clearTimeout(timer);
  }
  return join(chunks, size);
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

function decode(bytes: Uint8Array): Body {
  try {
    return { ok: true, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes) };
  } catch {
    return { ok: false, status: 400, sentence: "Parse error: the body is not UTF-8", code: ERROR_CODES.parse_error };
  }
}

/** RFC 9110 § 15.5.14. */
function tooLarge(limit: number): Body {
  const sentence = `Content too large: the body is larger than ${limit} bytes (limit requestBody)`;
  return { ok: false, status: 413, sentence, code: ERROR_CODES.invalid_request };
}

/** RFC 9110 § 15.5.9. */
function slow(limit: number): Body {
  const sentence = `Request timeout: the body took longer than ${limit} ms (limit requestBodyTimeout)`;
  return { ok: false, status: 408, sentence, code: ERROR_CODES.invalid_request };
}

function broken(): Body {
  return { ok: false, status: 400, sentence: "Parse error: the body ended early", code: ERROR_CODES.parse_error };
}
