/** Reads the bodies of HTTP answers as text, within a bound. */
import { TransportError } from "../protocol/errors.ts";

/**
 * Reads a whole body.
 *
 * @param where The endpoint, for errors.
 * @param response The answer.
 * @param limit `responseBody`, in bytes.
 * @param signal Ends the reading, as if the body had ended: an aborted fetch does not always end a read that waits.
 * @throws {TransportError} "limit" when there is more; nothing more is read then. "closed" when the body breaks off.
 */
export async function readAnswer(where: string, response: Response, limit: number, signal?: AbortSignal): Promise<string> {
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > limit) {
    response.body?.cancel().catch(() => undefined);
    throw tooLarge(where, limit, announced);
  }
  const { text, seen } = await readUpTo(where, response, limit, signal);
  if (seen > limit) throw tooLarge(where, limit, seen);
  return text;
}

/**
 * Reads the beginning of a body; the rest is given up.
 *
 * @param where The endpoint, for errors.
 * @param response The answer.
 * @param limit How many bytes are enough.
 * @param signal Ends the reading, as if the body had ended.
 * @returns The text of what was read, and its number of bytes, which is more than `limit` when there was more.
 */
export async function readUpTo(
  where: string,
  response: Response,
  limit: number,
  signal?: AbortSignal,
): Promise<{ text: string; seen: number }> {
  if (response.body === null) return { text: "", seen: 0 };
  const decoder = new TextDecoder();
  const parts: string[] = [];
  let seen = 0;
  const reader = response.body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal?.addEventListener("abort", cancel);
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      seen += value.length;
      parts.push(decoder.decode(value, { stream: true }));
      if (seen > limit) break;
    }
  } catch (cause) {
    throw new TransportError("closed", `Reading the answer of ${where}: it broke off after ${seen} bytes`, { cause });
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
  parts.push(decoder.decode());
  return { text: parts.join(""), seen };
}

/** The media type of an answer without its parameters, in lower case (RFC 9110 § 8.3.1). */
export function mediaTypeOf(response: Response): string {
  return (response.headers.get("content-type") ?? "").split(";", 1)[0]?.trim().toLowerCase() ?? "";
}

function tooLarge(where: string, limit: number, seen: number): TransportError {
  const data = { limit: "responseBody", value: limit, seen };
  return new TransportError(
    "limit",
    `Reading the answer of ${where}: ${seen} bytes or more, the limit responseBody is ${limit}`,
    {
      data,
    },
  );
}
