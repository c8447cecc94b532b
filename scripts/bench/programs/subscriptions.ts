/**
 * Opens many change streams in one process and prints what each takes of the heap, or how long one event takes to reach all.
 * The argument is `bare` (responses that do nothing), `ours` (the same over HTTP), or `event` (in process).
 */
import { defineServer, resource } from "@causeway/mcp/server";
import { REVISION } from "../request.ts";

const URI = "app://level";
const encoder = new TextEncoder();
const params = {
  notifications: { resourceSubscriptions: [URI] },
  _meta: { "io.modelcontextprotocol/protocolVersion": REVISION, "io.modelcontextprotocol/clientCapabilities": {} },
};
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "subscriptions/listen", params });
const head = [
  "POST /mcp HTTP/1.1",
  "host: 127.0.0.1",
  "accept: application/json, text/event-stream",
  "content-type: application/json",
  `content-length: ${body.length}`,
  `mcp-protocol-version: ${REVISION}`,
  "mcp-method: subscriptions/listen",
];
const request = encoder.encode(`${head.join("\r\n")}\r\n\r\n${body}`);

function makeServer(streams: number) {
  return defineServer({
    name: "bench",
    version: "1.0.0",
    resources: [resource({ uri: URI, name: "level", read: () => "1" })],
    limits: { subscriptions: streams, subscriptionsPerPrincipal: streams },
  });
}

async function bare(request: Request): Promise<Response> {
  await request.arrayBuffer();
  const stream = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(encoder.encode(": hello\n\n")) });
  return new Response(stream, { headers: { "content-type": "text/event-stream" } });
}

/** The heap that one stream takes, connection included. */
async function heapOfStream(handler: (request: Request) => Promise<Response>, streams: number): Promise<number> {
  const gc = (globalThis as { readonly gc?: () => void }).gc as () => void;
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => handler(request));
  const connections: Deno.Conn[] = new Array(streams);
  const buffer = new Uint8Array(4_096);
  let before = 0;
  // The first tenth makes everything that is made once.
  for (let at = 0; at < streams; at++) {
    if (at === streams / 10) {
      gc();
      before = Deno.memoryUsage().heapUsed;
    }
    const connection = connections[at] = await Deno.connect({ hostname: "127.0.0.1", port: http.addr.port });
    await connection.write(request);
    // The head, and the first event.
    for (let text = ""; !/\r\n\r\n.*\n\n/s.test(text);) {
      text += new TextDecoder().decode(buffer.subarray(0, await connection.read(buffer) ?? 0));
    }
  }
  gc();
  return (Deno.memoryUsage().heapUsed - before) / (streams * 0.9);
}

/** Milliseconds, the median of nine, until all of so many listeners in the process have one event. */
async function timeOfEvent(streams: number): Promise<number> {
  const server = makeServer(streams);
  const listeners: AsyncIterator<unknown>[] = [];
  for (let id = 0; id < streams; id++) {
    const info = { connection: { transport: "memory" as const }, onDisconnect: () => () => {} };
    const answer = await server.handle({ jsonrpc: "2.0", id, method: "subscriptions/listen", params }, info as never);
    const listener = (answer as AsyncIterable<unknown>)[Symbol.asyncIterator]();
    await listener.next();
    listeners.push(listener);
  }
  const times: number[] = [];
  for (let round = 0; round < 9; round++) {
    const all = Promise.all(listeners.map((listener) => listener.next()));
    const started = performance.now();
    await server.notify.resourceUpdated(URI);
    await all;
    times.push(performance.now() - started);
  }
  return times.sort((a, b) => a - b)[4] as number;
}

const STREAMS = 1_000;
const LISTENERS = 10_000;
const value = Deno.args[0] === "event"
  ? await timeOfEvent(LISTENERS)
  : await heapOfStream(Deno.args[0] === "bare" ? bare : makeServer(STREAMS).fetch, STREAMS);
await Deno.stdout.write(encoder.encode(`${JSON.stringify(value)}\n`));
Deno.exit();
