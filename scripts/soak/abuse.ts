/** Bad input over HTTP and stdio: bodies that are none, clients that stop in the middle, readers that do not read. */
import type { ByteChannel } from "@causeway/mcp/client";
import { anyDialect, writtenCall } from "../fuzz/messages.ts";
import { mutateJson, mutateText, randomText } from "../fuzz/random.ts";
import type { Random } from "../fuzz/random.ts";

/** Methods after which something stays in the server's connection. */
const LASTING = /subscri/;

const TYPES = { "content-type": "application/json", accept: "application/json, text/event-stream" } as const;

/** Sends one bad thing to an endpoint. Throws when the server is at fault. */
export async function abuseHttp(url: string, random: Random): Promise<void> {
  switch (random.below(4)) {
    case 0:
      return await malformed(url, random);
    case 1:
      return await halfBody(url, random);
    case 2:
      return await slowReader(url, random);
    default:
      return await goneAtOnce(url, random);
  }
}

async function malformed(url: string, random: Random): Promise<void> {
  const { message, headers } = writtenCall(random, anyDialect(random));
  const text = JSON.stringify(mutateJson(random, message, 2));
  const abort = new AbortController();
  const response = await fetch(url, {
    method: "POST",
    headers: [...Object.entries(TYPES), ...headers.map(([name, value]): [string, string] => [name, value])],
    body: random.oneIn(2) ? mutateText(random, text, 3) : text,
    signal: abort.signal,
  });
  // Capacity (503) is no fault; a stream of changes does not end by itself.
  if (response.status >= 500 && response.status !== 503) throw new Error(`A malformed body was answered with ${response.status}`);
  if (response.headers.get("content-type")?.startsWith("text/event-stream") === true) {
    await response.body?.cancel();
    abort.abort();
  } else {
    await response.arrayBuffer();
  }
}

/** The client goes when half of its body is sent. */
async function halfBody(url: string, random: Random): Promise<void> {
  const abort = new AbortController();
  const body = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"jsonrpc":"2.0","id":1,')),
    pull: () => new Promise((resolve) => setTimeout(resolve, 5)),
  });
  const timer = setTimeout(() => abort.abort(), 1 + random.below(10));
  const sent = fetch(url, { method: "POST", headers: TYPES, body, signal: abort.signal });
  await sent.then((response) => response.body?.cancel(), () => undefined);
  clearTimeout(timer);
}

/** A long answer of which little is read. */
async function slowReader(url: string, random: Random): Promise<void> {
  const abort = new AbortController();
  const response = await fetch(url, { ...callOf("big", { size: 300_000 }), signal: abort.signal });
  const reader = response.body?.getReader();
  await reader?.read();
  await new Promise((resolve) => setTimeout(resolve, random.below(10)));
  await reader?.cancel().catch(() => undefined);
  abort.abort();
}

/** The client goes before it has an answer. */
async function goneAtOnce(url: string, random: Random): Promise<void> {
  const abort = new AbortController();
  const timer = setTimeout(() => abort.abort(), random.below(5));
  await fetch(url, { ...callOf("wait", { ms: 30 }), signal: abort.signal }).then(
    (response) => response.body?.cancel(),
    () => undefined,
  );
  clearTimeout(timer);
}

function callOf(name: string, args: object): RequestInit {
  const version = "2025-11-25";
  const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: { name, arguments: args } });
  return { method: "POST", headers: { ...TYPES, "mcp-protocol-version": version }, body };
}

/** A channel that writes lines of its own between those of its user: noise, half messages, messages that nobody sent. */
export function noisy(bytes: ByteChannel, random: Random): ByteChannel {
  const encoder = new TextEncoder();
  const noise = (): Uint8Array => {
    const { message } = writtenCall(random, anyDialect(random));
    // What lasts would pile up, as it may: nobody is there to end it.
    if (LASTING.test(message.method)) return encoder.encode("noise\n");
    const text = random.oneIn(3)
      ? randomText(random, 30)
      : mutateText(random, JSON.stringify({ ...message, id: -1 - random.below(99) }), 3);
    return encoder.encode(`${text.replace(/[\r\n]/g, " ")}\n`);
  };
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      if (random.oneIn(8)) controller.enqueue(noise());
      controller.enqueue(chunk);
    },
  });
  readable.pipeTo(bytes.writable).catch(() => undefined);
  return { readable: bytes.readable, writable };
}
