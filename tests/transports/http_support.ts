/** A scripted endpoint on loopback, and a client's carrier of it. */
import { resolveLimits } from "../../protocol/limits.ts";
import type { Limits } from "../../protocol/limits.ts";
import { connectStreamableHttp } from "../../transports/streamable_http_client.ts";
import type { StreamableHttpOptions } from "../../transports/streamable_http_client.ts";
import type { Transport } from "../../transports/transport.ts";
import { collect, request } from "./support.ts";

/** One HTTP request that came in. */
export interface Seen {
  readonly method: string;
  readonly headers: Headers;
  /** The JSON body; empty without one. */
  readonly body: { readonly id?: number; readonly method?: string };
}

/** A carrier, and what is known of the endpoint that it talks to. */
export interface Scripted {
  readonly transport: Transport;
  readonly url: string;
  readonly seen: Seen[];
  readonly errors: unknown[];
  /** The requests of a method. */
  of(method: string): Seen[];
}

/** The answer to a request; `count` is its number among those of its HTTP method, from 0. */
export type Script = (seen: Seen, count: number) => Response | Promise<Response>;

/** Runs a carrier against an endpoint that answers like this. */
export async function scripted(
  script: Script,
  run: (setup: Scripted) => Promise<void>,
  options: Partial<StreamableHttpOptions> & { readonly change?: Limits } = {},
): Promise<void> {
  const seen: Seen[] = [];
  const errors: unknown[] = [];
  const of = (method: string): Seen[] => seen.filter((one) => one.method === method);
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {}, onError: () => new Response() },
    async (raw) => {
      const text = await raw.text();
      const one: Seen = { method: raw.method, headers: raw.headers, body: text === "" ? {} : JSON.parse(text) };
      seen.push(one);
      return script(one, of(raw.method).length - 1);
    },
  );
  const url = `http://127.0.0.1:${server.addr.port}/mcp`;
  const { change, ...rest } = options;
  const limits = resolveLimits({ streamRetryDelay: 2, ...change });
  const transport = connectStreamableHttp(url, { limits, onError: (error) => errors.push(error), ...rest });
  try {
    await run({ transport, url, seen, errors, of });
  } finally {
    await transport.close();
    await server.shutdown();
  }
}

/** A JSON answer. */
export function json(value: unknown, headers: Record<string, string> = {}, status = 200): Response {
  return new Response(JSON.stringify(value), { status, headers: { "content-type": "application/json", ...headers } });
}

/** The answer to a request. */
export function result(id: unknown, value: object = {}): object {
  return { jsonrpc: "2.0", id, result: value };
}

/** A notification. */
export function notification(method: string, params: object = {}): object {
  return { jsonrpc: "2.0", method, params };
}

/** One event with a message. */
export function event(message: object, id?: string): string {
  return `${id === undefined ? "" : `id: ${id}\n`}data: ${JSON.stringify(message)}\n\n`;
}

/** An event stream that is sent, and then ends, breaks off, or stays open until its reader goes. */
export function stream(
  text: string,
  then: "end" | "break" | "open" = "end",
  closed?: () => void,
  headers: Record<string, string> = {},
): Response {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      controller.enqueue(new TextEncoder().encode(text === "" ? ":\n\n" : text));
      if (then === "end") controller.close();
      // Late, so that what was sent has left.
      if (then === "break") timer = setTimeout(() => controller.error(new Error("cut")), 5);
    },
    cancel() {
      clearTimeout(timer);
      closed?.();
    },
  });
  return new Response(body, { headers: { "content-type": "text/event-stream", ...headers } });
}

/** Opens a session and agrees on headers, as a client does after `initialize`. */
export async function handshake(transport: Transport, id = 1): Promise<void> {
  await collect(transport.exchange(request(id, "initialize"), { opensSession: true }));
  transport.agreed?.(VERSION_HEADERS);
}

/** What a handshake of these tests agrees on. */
export const VERSION_HEADERS = [["mcp-protocol-version", "2025-11-25"]] as const;
