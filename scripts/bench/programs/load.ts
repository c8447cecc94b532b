/** Load without wrk: keeps sockets busy with one request each, and prints what came back as one JSON line. */

interface Job {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  readonly seconds: number;
  readonly connections: number;
}

const job = JSON.parse(Deno.args[0] ?? "{}") as Job;
const { hostname, port, pathname } = new URL(job.url);
const payload = new TextEncoder().encode(job.body);
const head = [
  `POST ${pathname} HTTP/1.1`,
  `Host: ${hostname}:${port}`,
  ...Object.entries(job.headers).map(([name, value]) => `${name}: ${value}`),
  `Content-Length: ${payload.byteLength}`,
].join("\r\n");
const request = new Uint8Array([...new TextEncoder().encode(`${head}\r\n\r\n`), ...payload]);

const started = performance.now();
const end = started + job.seconds * 1_000;
const counts = await Promise.all(Array.from({ length: job.connections }, connection));
const [requests, errors] = counts.reduce(([all, bad], [r, e]) => [all + r, bad + e], [0, 0]);
const seconds = (performance.now() - started) / 1_000;
Deno.stdout.writeSync(new TextEncoder().encode(`${JSON.stringify({ requests, seconds, errors })}\n`));

/** One connection: a request, its whole answer, the next request. */
async function connection(): Promise<[requests: number, errors: number]> {
  const socket = await Deno.connect({ hostname, port: Number(port) });
  const buffer = new Uint8Array(1024 * 1024);
  let requests = 0;
  let errors = 0;
  while (performance.now() < end) {
    await writeAll(socket);
    const status = await readAnswer(socket, buffer);
    requests++;
    if (status !== 200) errors++;
    if (status === 0) break;
  }
  socket.close();
  return [requests, errors];
}

async function writeAll(socket: Deno.TcpConn): Promise<void> {
  for (let at = 0; at < request.byteLength;) at += await socket.write(request.subarray(at));
}

/** Reads one answer; its status, or 0 when it was cut or has no length. */
async function readAnswer(socket: Deno.TcpConn, buffer: Uint8Array): Promise<number> {
  let filled = 0;
  let total = Infinity;
  let status = 0;
  while (filled < total) {
    const read = await socket.read(buffer.subarray(filled));
    if (read === null || filled + read > buffer.byteLength) return 0;
    filled += read;
    if (total !== Infinity) continue;
    const text = new TextDecoder("latin1").decode(buffer.subarray(0, filled));
    const headEnd = text.indexOf("\r\n\r\n");
    if (headEnd < 0) continue;
    const length = /\r\ncontent-length: (\d+)/i.exec(text.slice(0, headEnd))?.[1];
    if (length === undefined) return 0;
    total = headEnd + 4 + Number(length);
    status = Number(text.slice(9, 12));
  }
  return status;
}
