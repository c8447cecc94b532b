/** Takes credentials out of an answer. */
import type { SentSecrets } from "./sent_secrets.ts";

/** What errors tell of an answer beside its body. */
const TOLD_HEADERS = ["www-authenticate", "content-type", "location"] as const;

/**
 * Takes out what was secret in requests.
 *
 * @param response The answer.
 * @param secrets The credentials that were sent.
 */
export function cleanedAnswer(response: Response, secrets: SentSecrets): Response {
  const { longest, clean } = secrets.cleaner;
  // What a browser hides of a redirect has neither headers nor a body.
  if (longest === 0 || response.type === "opaqueredirect") return response;
  const headers = new Headers(response.headers);
  let changed = response.body !== null;
  for (const name of TOLD_HEADERS) {
    const value = headers.get(name);
    if (value === null || clean(value) === value) continue;
    headers.set(name, clean(value));
    changed = true;
  }
  if (!changed) return response;
  const body = response.body?.pipeThrough(cleaning(clean, longest)) ?? null;
  // It tells of the body as it was sent.
  if (body !== null) headers.delete("content-length");
  return new Response(body, { status: response.status, statusText: response.statusText, headers });
}

/** Cleans a body part by part; what may be the beginning of a secret waits for the next part. */
function cleaning(clean: (text: string) => string, longest: number): TransformStream<Uint8Array, Uint8Array<ArrayBuffer>> {
  let held = "";
  return new TransformStream({
    transform: (chunk, controller) => {
      held += charactersOf(chunk);
      // However small the parts are, each character is looked at twice at most.
      if (held.length < 2 * longest) return;
      const text = clean(held);
      const end = Math.max(0, text.length - longest + 1);
      held = text.slice(end);
      if (end > 0) controller.enqueue(bytesOf(text.slice(0, end)));
    },
    flush: (controller) => {
      if (held !== "") controller.enqueue(bytesOf(clean(held)));
    },
  });
}

// One character stands for one byte, whatever the bytes mean: credentials are ASCII.

/** As many as a function takes arguments everywhere. */
const AT_ONCE = 8192;

function charactersOf(bytes: Uint8Array): string {
  let text = "";
  for (let at = 0; at < bytes.length; at += AT_ONCE) text += String.fromCharCode(...bytes.subarray(at, at + AT_ONCE));
  return text;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length);
  for (let at = 0; at < text.length; at++) bytes[at] = text.charCodeAt(at);
  return bytes;
}
