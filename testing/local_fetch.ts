/** HTTP without a socket: a `fetch` that asks a server in this process. */
import { createEventReader } from "../protocol/framing/sse_reader.ts";
import { resolveLimits } from "../protocol/limits.ts";
import type { AuthInfo } from "../transports/transport.ts";
import type { WireLog } from "./wire_log.ts";

/** A server that answers HTTP requests. */
export interface Responding {
  /** Answers a request whose caller is verified. */
  respond(request: Request, options: { readonly auth?: AuthInfo<unknown> | undefined }): Promise<Response>;
}

/** Makes a `fetch` that asks one server, whatever the address, and keeps the messages of requests and answers. */
export function localFetch(server: Responding, auth: AuthInfo<unknown> | undefined, log: WireLog): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    request.signal.throwIfAborted();
    if (request.body !== null) log.addText("client", await request.clone().text());
    const response = await abortable(server.respond(request, { auth }), request.signal);
    if (response.body === null) return response;
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    const tap = isStream ? eventTap(log) : textTap(log);
    const { status, statusText, headers } = response;
    return new Response(tapped(response.body, request.signal, tap), { status, statusText, headers });
  };
}

/** As over a network, an abort ends the wait, and the answer comes to nobody. */
function abortable(work: Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason);
    signal.addEventListener("abort", onAbort);
    work.then((response) => {
      if (signal.aborted) response.body?.cancel().catch(() => undefined);
      resolve(response);
    }, reject).finally(() => signal.removeEventListener("abort", onAbort));
  });
}

interface Tap {
  push(chunk: Uint8Array): void;
  end(): void;
}

function tapped(body: ReadableStream<Uint8Array>, signal: AbortSignal, tap: Tap): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream<Uint8Array>({
    start(controller) {
      const onAbort = (): void => {
        controller.error(signal.reason);
        reader.cancel(signal.reason).catch(() => undefined);
      };
      signal.addEventListener("abort", onAbort);
      const over = (): void => signal.removeEventListener("abort", onAbort);
      reader.closed.then(over, over);
    },
    async pull(controller) {
      const { done, value } = await reader.read();
      if (signal.aborted) return;
      if (done) {
        tap.end();
        return controller.close();
      }
      tap.push(value);
      controller.enqueue(value);
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
}

function textTap(log: WireLog): Tap {
  const decoder = new TextDecoder();
  let text = "";
  return {
    push: (chunk) => void (text += decoder.decode(chunk, { stream: true })),
    end: () => log.addText("server", text + decoder.decode()),
  };
}

function eventTap(log: WireLog): Tap {
  return createEventReader({
    maxBytes: resolveLimits(undefined).sseEvent,
    onEvent: ({ data }) => log.addText("server", data),
    onOverlong: () => undefined,
  });
}
