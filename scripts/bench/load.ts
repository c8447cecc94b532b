/** Puts load on an HTTP server for a while: with wrk where it is installed, otherwise with a program of this folder. */
import { CORES, pinned } from "./pin.ts";
import type { BenchRequest } from "./request.ts";

/** What a round of load came to. */
export interface LoadResult {
  /** Answers that came back in full. */
  readonly requests: number;
  /** How long it took. */
  readonly seconds: number;
}

/** Connections that are kept busy at the same time. */
const CONNECTIONS = 16;

/**
 * Sends the request over and over for that many seconds; `apart` keeps off the core of servers that share one. Throws when an
 * answer is not 200, a connection breaks, or fewer answers than `least` come.
 */
export async function load(url: string, request: BenchRequest, seconds: number, least = 1, apart = false): Promise<LoadResult> {
  const output = await hasWrk() ? await runWrk(url, request, seconds, apart) : await runOwn(url, request, seconds, apart);
  const result = JSON.parse(output.slice(output.indexOf('{"requests"'))) as LoadResult & { readonly errors: number };
  if (result.errors > 0 || result.requests < least) {
    throw new Error(`${url}: ${result.errors} of ${result.requests} requests failed`);
  }
  return result;
}

/** Whether wrk makes the load. */
export async function hasWrk(): Promise<boolean> {
  try {
    await new Deno.Command("wrk", { args: ["-v"], stdout: "null", stderr: "null" }).output();
    return true;
  } catch {
    return false;
  }
}

async function runWrk(url: string, request: BenchRequest, seconds: number, apart: boolean): Promise<string> {
  const script = await Deno.makeTempFile({ suffix: ".lua" });
  try {
    const headers = Object.entries(request.headers).map(([name, value]) => `wrk.headers[${lua(name)}] = ${lua(value)}`);
    await Deno.writeTextFile(
      script,
      [
        `wrk.method = "POST"`,
        `wrk.body = ${lua(request.body)}`,
        ...headers,
        `function done(summary, latency, requests)`,
        `  local e = summary.errors`,
        `  local errors = e.connect + e.read + e.write + e.status + e.timeout`,
        `  io.write(string.format('{"requests":%d,"seconds":%f,"errors":%d}\\n', summary.requests, summary.duration / 1e6, errors))`,
        `end`,
      ].join("\n"),
    );
    const args = ["-t1", `-c${CONNECTIONS}`, `-d${Math.max(1, Math.round(seconds))}s`, "--timeout", "20s", "-s", script, url];
    return await run("wrk", args, apart);
  } finally {
    await Deno.remove(script);
  }
}

function runOwn(url: string, request: BenchRequest, seconds: number, apart: boolean): Promise<string> {
  const program = new URL("./programs/load.ts", import.meta.url).pathname;
  const job = JSON.stringify({ url, headers: request.headers, body: request.body, seconds, connections: CONNECTIONS });
  return run(Deno.execPath(), ["run", "-A", "--cached-only", program, job], apart);
}

async function run(program: string, given: string[], apart: boolean): Promise<string> {
  const [command, args] = apart ? await pinned(CORES.load, program, given) : [program, given];
  const { success, stdout } = await new Deno.Command(command, { args, stdout: "piped", stderr: "inherit" }).output();
  if (!success) throw new Error(`${program}: ended with an error`);
  return new TextDecoder().decode(stdout);
}

/** JSON's escapes are Lua's, but for those that ASCII text without control characters never needs. */
function lua(text: string): string {
  return JSON.stringify(text);
}
