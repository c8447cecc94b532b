/** Starts a server as a child process, speaks to it over its standard streams, and ends it. */
import { TransportError } from "../protocol/errors.ts";
import { shownLine } from "../protocol/shown.ts";
import { WATCH_INTERVAL } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import { createByteTail } from "./byte_tail.ts";
import type { ByteTail } from "./byte_tail.ts";
import { checkCommand } from "./check_command.ts";
import { connectPipe } from "./connect_pipe.ts";
import { spawnProcess, standardError } from "./process.ts";
import { reportTo } from "../protocol/report_to.ts";
import type { ChildExit, ChildProcess } from "./spawned_child.ts";
import { strayWords } from "./stray_words.ts";
import type { StrayWords } from "./stray_words.ts";
import { createTextLines } from "./text_lines.ts";
import type { Transport } from "./transport.ts";
import { endsWithin } from "./ends_within.ts";

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
  /**
   * What becomes of stderr: it goes to ours, which is the default, is dropped, or is given to a function line by line. It is
   * always read, and its tail is in the error of a server that exits.
   */
  readonly stderr?: "inherit" | "null" | ((line: string) => void) | undefined;
}

/** Options of {@linkcode connectStdio}. */
export interface ConnectStdioOptions {
  /** Bounds. */
  readonly limits: ResolvedLimits;
  /** Told about lines on stdout that hold no message, and about messages that belong to no call. */
  readonly onError?: ((error: unknown) => void) | undefined;
  /** Holds what the server wrote to its standard output that is no message, for whoever else wants to quote it. */
  readonly stray?: StrayWords | undefined;
}

/**
 * Starts a server and connects to its standard streams (MCP 2026-07-28, stdio). When the server exits, open exchanges
 * reject with a `TransportError` "server_exited", whose data is `{ code, signal, stderr }`.
 *
 * @param command What to start.
 * @param options Bounds, and who hears of stray faults.
 * @returns The carrier. `close` closes stdin, waits `stopGrace` milliseconds, sends TERM to the process group and what has
 * left it, waits, and sends KILL. A process that does not end even then is told to `onError`, and to calls that are still open.
 * @throws {TransportError} "unreachable" when the command cannot be started.
 * @throws {TypeError} For what is no text among arguments and variables, and for arguments of a Windows script that its shell could
 * misread.
 */
export async function connectStdio(command: Command, options: ConnectStdioOptions): Promise<Transport> {
  checkCommand(command);
  const { limits, stray = { words: undefined } } = options;
  stray.words = undefined;
  const onError = (error: unknown): void => {
    stray.words ??= strayWords(error);
    return options.onError?.(error);
  };
  const child = await spawnProcess(command, limits);
  const tail = createByteTail(limits.stderrTail);
  const sink = stderrSink(command.stderr ?? "inherit", limits.frame, onError);
  child.onStderr((chunk) => {
    tail.add(chunk);
    sink.push(chunk);
  });
  child.drained.then(sink.end);
  let stopping: Promise<TransportError | undefined> | undefined;
  const stop = (): Promise<TransportError | undefined> => {
    stopping ??= child.stop().then((ended) => {
      sink.end();
      if (ended) return undefined;
      const fault = survived(command.command, child.pid, limits.stopGrace);
      reportTo(onError, fault);
      return fault;
    });
    return stopping;
  };
  const transport = connectPipe(child.pipe, limits, {
    onError,
    close: async () => void await stop(),
    explain: (cause) => explainEnd({ command: command.command, child, tail, stop, stray, cause }),
  });
  child.exited.then(async () => {
    // A descendant that keeps stdout open must not hide that the server has gone.
    if (!await endsWithin(child.drained, limits.stopGrace)) child.pipe.abort();
  });
  return transport;
}

interface End {
  readonly command: string;
  readonly child: ChildProcess;
  readonly tail: ByteTail;
  readonly stop: () => Promise<TransportError | undefined>;
  readonly stray: StrayWords;
  readonly cause: unknown;
}

/** Says why there is nothing more to read: a server that has closed its output is ended if it does not exit by itself. */
async function explainEnd({ command, child, tail, stop, stray, cause }: End): Promise<TransportError> {
  let exit: ChildExit | undefined;
  child.exited.then((known) => exit = known);
  const stopped = stop();
  await Promise.race([child.exited, stopped]);
  if (exit === undefined || child.forced) {
    const fault = await stopped;
    const found = `it closed its standard output${fault === undefined ? "" : ", and its process does not end"}`;
    return new TransportError("closed", `Reading from "${command}": ${found}`, { cause: fault ?? cause });
  }
  // Its last words may still be on their way.
  await endsWithin(child.drained, WATCH_INTERVAL);
  const how = exit.signal === null ? `it exited with code ${exit.code}` : `it was ended by ${exit.signal}`;
  const stderr = tail.text();
  const data = { code: exit.code, signal: exit.signal, stderr };
  const words = [how, stray.words, lastWords(stderr)].filter((one) => one !== undefined).join("; ");
  return new TransportError("server_exited", `Speaking with "${command}": ${words}`, { data, cause });
}

/** The last line that is not blank usually says why a program ended. */
function lastWords(stderr: string): string | undefined {
  const text = stderr.trimEnd();
  const line = text.slice(Math.max(text.lastIndexOf("\n"), text.lastIndexOf("\r")) + 1).trim();
  return line === "" ? undefined : `the last line of its standard error: ${shownLine(line)}`;
}

function survived(command: string, pid: number, grace: number): TransportError {
  const text = `Ending "${command}": process ${pid} or one that it started still runs after KILL (limit stopGrace)`;
  return new TransportError("limit", text, { data: { limit: "stopGrace", value: grace, pid } });
}

interface Sink {
  readonly push: (chunk: Uint8Array) => void;
  readonly end: () => void;
}

function stderrSink(target: NonNullable<Command["stderr"]>, maxLength: number, onError: ConnectStdioOptions["onError"]): Sink {
  const nothing = (): void => undefined;
  if (target === "null") return { push: nothing, end: nothing };
  if (target === "inherit") return { push: standardError(), end: nothing };
  return createTextLines(maxLength, (line) => {
    try {
      const told: unknown = target(line);
      if (told instanceof Promise) told.catch((error) => reportTo(onError, error));
    } catch (error) {
      reportTo(onError, error);
    }
  });
}
