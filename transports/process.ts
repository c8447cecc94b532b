/** Child processes and our own standard streams; the only file that knows processes. */
import { TransportError } from "../protocol/errors.ts";
import { WATCH_INTERVAL } from "../protocol/limits.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { childEnvironment } from "./child_environment.ts";
import type { EnvironmentOptions, Variables } from "./child_environment.ts";
import { NodePipe } from "./node_pipe.ts";
import type { Emitter, NodeReadable, NodeWritable } from "./node_pipe.ts";
import { within } from "./within.ts";

/** A command to start. */
export interface SpawnCommand extends EnvironmentOptions {
  /** A path, or a name that is looked up in PATH. No shell reads it. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[] | undefined;
  /** Working directory; ours by default. */
  readonly cwd?: string | URL | undefined;
}

/** How a child ended. */
export interface ChildExit {
  /** The exit code; null when a signal ended it. */
  readonly code: number | null;
  /** The signal's name. */
  readonly signal: string | null;
}

/** A child that runs. */
export interface ChildProcess {
  /** Its standard output and input. */
  readonly pipe: BytePipe;
  /** Resolves when the process itself has ended, whatever its descendants do. */
  readonly exited: Promise<ChildExit>;
  /** Resolves when its output has been read to the end as well; a descendant may keep it open. */
  readonly drained: Promise<void>;
  /** Reads standard error until its end; it must be read, or the child may stall. */
  onStderr(listener: (chunk: Uint8Array) => void): void;
  /**
   * Closes its standard input, waits, sends TERM to its process group, waits, sends KILL (MCP 2026-07-28, stdio § Shutdown).
   * Every wait is `stopGrace` milliseconds at most.
   */
  stop(): Promise<void>;
}

/** Our own standard streams. */
export interface StandardStreams {
  /** Standard input and output. Neither end of it closes them. */
  readonly pipe: BytePipe;
  /** Writes to standard error and does not wait. */
  writeError(chunk: Uint8Array | string): void;
  /** A console that writes to standard error alone. */
  errorConsole(): object;
}

/**
 * Starts a command as the leader of its own process group (on Windows: as a plain child), so that it can be ended with
 * all its descendants.
 *
 * @throws {TransportError} "unreachable" when it cannot be started.
 */
export async function spawnProcess(command: SpawnCommand, limits: Pick<ResolvedLimits, "stopGrace">): Promise<ChildProcess> {
  const windows = self().platform === "win32";
  let child: NodeChild;
  try {
    child = builtin<NodeChildProcess>("node:child_process").spawn(command.command, command.args ?? [], {
      cwd: command.cwd,
      env: childEnvironment(self().env, command, windows),
      detached: !windows,
      windowsHide: true,
      stdio: ["pipe", "pipe", "pipe"],
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", () => resolve());
      child.once("error", reject);
    });
  } catch (cause) {
    const why = (cause as { readonly code?: unknown } | null)?.code;
    const found = why === "ENOENT"
      ? "there is no such command or working directory"
      : `the system refused it (${String(why ?? cause)})`;
    throw new TransportError("unreachable", `Start "${command.command}": ${found}`, { cause });
  }
  return new Child(child, windows, limits.stopGrace);
}

/** Gives our own standard streams. Nothing is read before `pipe.read`. */
export function standardStreams(): StandardStreams {
  const { stdin, stdout, stderr } = self();
  const streams = new NodePipe(stdin, stdout);
  return {
    pipe: {
      read: (onChunk) => streams.read(onChunk),
      write: (bytes) => streams.write(bytes),
      closeWriting: () => Promise.resolve(),
      abort: () => streams.release(),
    },
    writeError: (chunk) => void stderr.write(chunk),
    errorConsole: () => {
      const { Console } = builtin<{ readonly Console: new (out: unknown, error: unknown) => object }>("node:console");
      return new Console(stderr, stderr);
    },
  };
}

// The parts of Node's modules that are used, described here so that no declaration needs their types.

interface NodeChild extends Emitter {
  readonly pid?: number | undefined;
  readonly stdin: NodeWritable;
  readonly stdout: NodeReadable;
  readonly stderr: NodeReadable;
  kill(signal: string): boolean;
}

interface NodeChildProcess {
  spawn(command: string, args: readonly string[], options: object): NodeChild;
}

interface NodeProcess {
  readonly platform: string;
  readonly env: Variables;
  readonly stdin: NodeReadable;
  readonly stdout: NodeWritable;
  readonly stderr: NodeWritable;
  kill(pid: number, signal: string | number): unknown;
}

function self(): NodeProcess {
  return builtin<NodeProcess>("node:process");
}

function builtin<T>(name: string): T {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const module = process?.getBuiltinModule?.(name);
  if (module === undefined) throw new TypeError(`Load ${name}: this platform has no processes`);
  return module as T;
}

class Child implements ChildProcess {
  readonly pipe: NodePipe;
  readonly exited: Promise<ChildExit>;
  readonly drained: Promise<void>;
  readonly #child: NodeChild;
  readonly #windows: boolean;
  readonly #grace: number;
  #hasExited = false;
  #stopping: Promise<void> | undefined;

  constructor(child: NodeChild, windows: boolean, grace: number) {
    this.#child = child;
    this.#windows = windows;
    this.#grace = grace;
    this.pipe = new NodePipe(child.stdout, child.stdin);
    child.on("error", () => undefined);
    child.stderr.on("error", () => undefined);
    this.drained = new Promise((resolve) => child.once("close", () => resolve()));
    this.exited = new Promise((resolve) => {
      child.once("exit", (code: number | null, signal: string | null) => {
        this.#hasExited = true;
        this.pipe.fail(new Error("The process has ended"));
        resolve({ code, signal });
      });
    });
  }

  onStderr(listener: (chunk: Uint8Array) => void): void {
    this.#child.stderr.on("data", listener);
  }

  stop(): Promise<void> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<void> {
    this.pipe.closeWriting().catch(() => undefined);
    await within(this.exited, this.#grace);
    if (this.#signal("SIGTERM")) await this.#gone();
    if (this.#signal("SIGKILL")) await within(this.exited, this.#grace);
    this.pipe.abort();
    this.#child.stderr.destroy();
  }

  /** Signals the whole group, which may outlive its leader. Says whether there was anyone to signal. */
  #signal(signal: string | number): boolean {
    const pid = this.#child.pid;
    try {
      if (this.#windows || pid === undefined) throw new TypeError("No process group");
      self().kill(-pid, signal);
      return true;
    } catch (error) {
      if ((error as { readonly code?: unknown }).code === "ESRCH") return false;
    }
    // Without the right to signal a group (Deno's --allow-run of single programs), the process itself must do.
    if (this.#hasExited || typeof signal === "number") return !this.#hasExited;
    try {
      return this.#child.kill(signal);
    } catch {
      return false;
    }
  }

  /** Waits until the group is empty, for the grace time at most. */
  async #gone(): Promise<void> {
    if (!await within(this.exited, this.#grace)) return;
    const rounds = Math.ceil(this.#grace / WATCH_INTERVAL);
    for (let round = 0; round < rounds && this.#signal(0); round++) {
      await new Promise((resolve) => setTimeout(resolve, WATCH_INTERVAL));
    }
  }
}
