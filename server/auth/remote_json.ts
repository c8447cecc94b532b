/** Asks an authorization server for one JSON object: bounded in time and size, without redirects. */
import { isJsonObject } from "../../protocol/json.ts";
import type { JsonObject } from "../../protocol/json.ts";
import { AUTHORIZATION_LIMITS, TOKEN_LIMITS } from "../../protocol/limits.ts";
import { unreachableCause } from "../../protocol/shown.ts";

/** Sends a request, as the platform does. */
export type Fetch = typeof globalThis.fetch;

/**
 * Reads one JSON object.
 *
 * @param url The address; what follows its path stays out of errors.
 * @param fetch Sends the request.
 * @param init Method, headers and body; GET by default.
 * @throws {Error} For another status than 200, a redirect, too many bytes, too much time, and what is no JSON object. Neither its
 * message nor its cause holds what was sent or received.
 */
export async function remoteJson(url: string, fetch: Fetch, init: RequestInit = {}): Promise<JsonObject> {
  const { origin, pathname } = new URL(url);
  const fail = (found: string): Error => new Error(`${init.method ?? "GET"} ${origin}${pathname}: ${found}`);
  const { requestTimeout } = TOKEN_LIMITS;
  const late = new AbortController();
  const timer = setTimeout(() => late.abort(), requestTimeout);
  let text: string | undefined;
  let status: number;
  try {
    const response = await fetch(url, { ...init, redirect: "manual", signal: late.signal });
    status = response.status;
    if (status === 200) text = await readText(response);
    else await response.body?.cancel();
  } catch (cause) {
    // What another `fetch` than the platform's throws may quote headers and bodies.
    const why = fetch === globalThis.fetch ? unreachableCause(cause) : "";
    throw fail(late.signal.aborted ? `no answer within ${requestTimeout} ms` : `the server cannot be reached${why}`);
  } finally {
    clearTimeout(timer);
  }
  if (status !== 200) throw fail(`the server answered ${status}`);
  if (text === undefined) throw fail(`the answer is larger than ${AUTHORIZATION_LIMITS.documentBytes} bytes`);
  const document = parse(text);
  if (!isJsonObject(document)) throw fail("the answer is no JSON object");
  return document;
}

/** The text of a body; undefined when it is too large. */
async function readText({ body }: Response): Promise<string | undefined> {
  if (body === null) return "";
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let size = 0;
  for (let next = await reader.read(); !next.done; next = await reader.read()) {
    size += next.value.length;
    if (size > AUTHORIZATION_LIMITS.documentBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(next.value, { stream: true });
  }
  return text + decoder.decode();
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
