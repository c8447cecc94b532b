/** Asks an authorization server for one JSON object: bounded in time and size, without redirects. */
import { createUtf8Reader } from "../../protocol/utf8_reader.ts";
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { AUTHORIZATION_LIMITS, TOKEN_LIMITS } from "../../protocol/limits.ts";
import { unreachableCause } from "../../protocol/shown.ts";

/** Sends a request, as the platform does. */
export type Fetch = typeof globalThis.fetch;

/** What is asked. */
export interface JsonQuestion {
  /** The method; GET by default. */
  readonly method?: string;
  /** Its headers, whose values appear in no error. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Its body. */
  readonly body?: string;
}

/**
 * Reads one JSON object.
 *
 * @param url The address; what follows its path stays out of errors.
 * @param fetch Sends the request, and need not heed its signal; the platform's by default.
 * @param init Method, headers and body; GET by default.
 * @throws {Error} For another status than 200, a redirect, too many bytes, too much time, and what is not a JSON object in UTF-8. Neither its
 * message nor its cause holds what was sent or received.
 */
export async function remoteJson(url: string, fetch: Fetch | undefined, init: JsonQuestion = {}): Promise<JsonObject> {
  const { origin, pathname } = new URL(url);
  const fail = (found: string): Error => new Error(`${init.method ?? "GET"} ${origin}${pathname}: ${found}`);
  const { requestTimeout } = TOKEN_LIMITS;
  const send = fetch ?? globalThis.fetch;
  const late = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  const patience = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      late.abort();
      reject(late.signal.reason);
    }, requestTimeout);
  });
  let answer: Answer;
  try {
    answer = await Promise.race([ask(url, send, init, late.signal), patience]);
  } catch (cause) {
    // What another `fetch` than the platform's throws may quote headers and bodies.
    const why = send === globalThis.fetch ? unreachableCause(cause, Object.values(init.headers ?? {})) : "";
    throw fail(late.signal.aborted ? `no answer within ${requestTimeout} ms` : `the server cannot be reached${why}`);
  } finally {
    clearTimeout(timer);
  }
  const { status, text, damaged } = answer;
  if (status !== 200) throw fail(`the server answered ${status}`);
  if (text === undefined) throw fail(`the answer is larger than ${AUTHORIZATION_LIMITS.documentBytes} bytes`);
  // RFC 8259 § 8.1: what is replaced in a name or a key would be another one.
  if (damaged === true) throw fail("the answer is not UTF-8");
  const document = parse(text);
  if (!isJsonObject(document)) throw fail("the answer is not a JSON object");
  return document;
}

/** A status, and the text of a body that goes with 200 and is not too large. */
interface Answer {
  readonly status: number;
  readonly text?: string | undefined;
  /** Was it no UTF-8? */
  readonly damaged?: boolean;
}

async function ask(url: string, send: Fetch, init: JsonQuestion, signal: AbortSignal): Promise<Answer> {
  const { status, body } = await send(url, { ...init, redirect: "manual", signal });
  if (status === 200 && !signal.aborted) return { status, ...await readText(body, signal) };
  // Nobody waits for what is not read.
  body?.cancel().catch(() => undefined);
  return { status };
}

/** The text of a body; undefined when it is too large. */
async function readText(body: Response["body"], signal: AbortSignal): Promise<Omit<Answer, "status">> {
  if (body === null) return { text: "" };
  const reader = body.getReader();
  const cancel = (): void => void reader.cancel().catch(() => undefined);
  signal.addEventListener("abort", cancel, { once: true });
  const utf8 = createUtf8Reader();
  let text = "";
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > AUTHORIZATION_LIMITS.documentBytes) {
      cancel();
      return {};
    }
    text += utf8.push(next.value);
  }
  text += utf8.end();
  return { text, damaged: utf8.damaged };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
