/** Answers that repeat the credentials of their request, as careless servers do, without them: errors tell of such answers. */
import type { SentSecrets } from "./sent_secrets.ts";

/** What errors tell of an answer beside its body. */
const TOLD_HEADERS = ["www-authenticate", "content-type", "location"] as const;

/** Bodies with messages of MCP: they are read as such, and not quoted. */
const MESSAGES = /^(?:application\/json|text\/event-stream)\s*(?:;|$)/i;

/**
 * Takes out what was secret in requests. Answers of success that hold messages are left as they are.
 *
 * @param response The answer.
 * @param secrets The credentials that were sent.
 */
export function withoutEcho(response: Response, secrets: SentSecrets): Response {
  if (response.ok && MESSAGES.test(response.headers.get("content-type") ?? "")) return response;
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
      const text = clean(held + charactersOf(chunk));
      const end = Math.max(0, text.length - longest + 1);
      held = text.slice(end);
      if (end > 0) controller.enqueue(bytesOf(text.slice(0, end)));
    },
    flush: (controller) => {
      if (held !== "") controller.enqueue(bytesOf(held));
    },
  });
}

// One character stands for one byte, whatever the bytes mean: credentials are ASCII.

function charactersOf(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(text, (character) => character.charCodeAt(0));
}
