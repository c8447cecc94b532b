/** Starts a server as a child process, speaks to it over its standard streams, and ends it. */
import { TransportError } from "../protocol/errors.ts";
import { createLineReader } from "../protocol/framing/lines.ts";
import { WATCH_INTERVAL } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { connectPipe } from "./byte_stream.ts";
import { spawnProcess, standardStreams } from "./process.ts";
import type { ChildExit, ChildProcess } from "./process.ts";
import { reportTo } from "./report.ts";
import type { Transport } from "./transport.ts";
import { within } from "./within.ts";

/** A child process to start. */
export interface Command {
  /** A path, or a name that is looked up in PATH. No shell reads it. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[] | undefined;
  /** Added to a small safe environment. */
  readonly env?: { readonly [name: string]: string } | undefined;
  /** Inherit these (or, with true, all) variables. */
  readonly inheritEnv?: boolean | readonly string[] | undefined;
  /** Working directory; ours by default. */
  readonly cwd?: string | URL | undefined;
  /** What becomes of stderr; "inherit" by default. Always drained, its tail is in the error of a server that exits. */
  readonly stderr?: "inherit" | "null" | ((line: string) => void) | undefined;
}

/** Options of {@linkcode connectStdio}. */
export interface ConnectStdioOptions {
  /** Bounds. */
  readonly limits: ResolvedLimits;
  /** Told about lines on stdout that hold no message, and about messages that belong to no call. */
  readonly onError?: ((error: unknown) => void) | undefined;
}

/**
 * Starts a server and connects to its standard streams (MCP 2026-07-28, stdio). When the server exits, open exchanges
 * reject with a `TransportError` "server_exited", whose data is `{ code, signal, stderr }`.
 *
 * @param command What to start.
 * @param options Bounds, and who hears of stray faults.
 * @returns The carrier. `close` closes stdin, waits `stopGrace` milliseconds, sends TERM to the process group, waits,
 * and sends KILL.
 * @throws {TransportError} "unreachable" when the command cannot be started.
 */
export async function connectStdio(command: Command, options: ConnectStdioOptions): Promise<Transport> {
  const { limits, onError } = options;
  const child = await spawnProcess(command, limits);
  const tail = keepTail(limits.stderrTail);
  const forward = stderrSink(command.stderr ?? "inherit", limits.stderrTail, onError);
  child.onStderr((chunk) => {
    tail.add(chunk);
    forward(chunk);
  });
  const transport = connectPipe(child.pipe, limits, {
    onError,
    close: () => child.stop(),
    explain: (cause) => explainEnd(command.command, child, tail, limits, cause),
  });
  // A descendant that keeps stdout open must not hide that the server has gone.
  child.exited.then(async () => {
    if (!await within(child.drained, limits.stopGrace)) await child.stop();
  });
  return transport;
}

async function explainEnd(
  command: string,
  child: ChildProcess,
  tail: Tail,
  limits: ResolvedLimits,
  cause: unknown,
): Promise<TransportError> {
  let exit: ChildExit | undefined;
  child.exited.then((known) => exit = known);
  await within(child.exited, limits.stopGrace);
  if (exit === undefined) return new TransportError("closed", `Read from "${command}": it closed its standard output`, { cause });
  // Its last words may still be on their way.
  await within(child.drained, WATCH_INTERVAL);
  const how = exit.signal === null ? `it exited with code ${exit.code}` : `it was ended by ${exit.signal}`;
  const data = { code: exit.code, signal: exit.signal, stderr: tail.text() };
  return new TransportError("server_exited", `Speak with "${command}": ${how}`, { data, cause });
}

interface Tail {
  add(chunk: Uint8Array): void;
  text(): string;
}

/** Keeps the last bytes of a stream. */
function keepTail(limit: number): Tail {
  const chunks: Uint8Array[] = [];
  let kept = 0;
  return {
    add(chunk) {
      // Longer chunks than the limit would keep their whole memory alive.
      const part = chunk.length > limit ? chunk.slice(chunk.length - limit) : chunk;
      chunks.push(part);
      kept += part.length;
      while (chunks.length > 0 && kept - (chunks[0] as Uint8Array).length >= limit) kept -= (chunks.shift() as Uint8Array).length;
    },
    text() {
      const decoder = new TextDecoder();
      const parts = chunks.map((chunk, index) =>
        decoder.decode(index === 0 ? chunk.subarray(Math.max(0, kept - limit)) : chunk, { stream: true })
      );
      return parts.join("") + decoder.decode();
    },
  };
}

function stderrSink(
  sink: NonNullable<Command["stderr"]>,
  limit: number,
  onError: ConnectStdioOptions["onError"],
): (chunk: Uint8Array) => void {
  if (sink === "null") return () => undefined;
  if (sink === "inherit") {
    const { writeError } = standardStreams();
    return writeError;
  }
  const onLine = (line: string): void => {
    try {
      sink(line);
    } catch (error) {
      reportTo(onError, error);
    }
  };
  const reader = createLineReader({ maxBytes: limit, onLine, onOverlong: () => undefined, onInvalidUtf8: () => undefined });
  return (chunk) => reader.push(chunk);
}
