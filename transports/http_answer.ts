/** Reads the bodies of HTTP answers as text, within a bound. */
import { TransportError } from "../protocol/errors.ts";
import { createUtf8Reader } from "../protocol/utf8_reader.ts";

/**
 * Reads a whole body.
 *
 * @param where The endpoint, for errors.
 * @param response The answer.
 * @param limit `responseBody`, in bytes.
 * @param signal Ends the reading, as if the body had ended: an aborted fetch does not always end a read that waits.
 * @returns Its text, and whether bytes of it had to be replaced because they are no UTF-8.
 * @throws {TransportError} "limit" when there is more; nothing more is read then. "closed" when the body breaks off.
 */
export async function readAnswer(where: string, response: Response, limit: number, signal?: AbortSignal): Promise<AnswerText> {
  const announced = Number(response.headers.get("content-length") ?? 0);
  if (announced > limit) {
    response.body?.cancel().catch(() => undefined);
    throw tooLarge(where, limit, announced);
  }
  const answer = await readUpTo(where, response, limit, signal);
  if (answer.seen > limit) throw tooLarge(where, limit, answer.seen);
  return answer;
}

/** A body as text. */
export interface AnswerText {
  /** The text, with U+FFFD for what is no UTF-8. */
  readonly text: string;
  /** Was anything replaced? Such a text is no JSON (RFC 8259 § 8.1). */
  readonly damaged: boolean;
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
): Promise<AnswerText & { readonly seen: number }> {
  if (response.body === null) return { text: "", damaged: false, seen: 0 };
  const utf8 = createUtf8Reader();
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
      parts.push(utf8.push(value));
      if (seen > limit) break;
    }
  } catch (cause) {
    throw new TransportError("closed", `Reading the answer of ${where}: it broke off after ${seen} bytes`, { cause });
  } finally {
    signal?.removeEventListener("abort", cancel);
    cancel();
  }
  parts.push(utf8.end());
  return { text: parts.join(""), damaged: utf8.damaged, seen };
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
