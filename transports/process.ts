/** Child processes and our own standard streams; the only file that knows processes. */
import { TransportError } from "../protocol/errors.ts";
import type { ResolvedLimits } from "../protocol/limits.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { childEnvironment } from "./child_environment.ts";
import type { EnvironmentOptions, Variables, VariableSource } from "./child_environment.ts";
import { meantCommand } from "./meant_command.ts";
import { NodePipe } from "./node_pipe.ts";
import type { NodeReadable, NodeWritable, NodeWrite } from "./node_pipe.ts";
import { TREE_VARIABLE, treeValue } from "./process_tree.ts";
import type { ProcessFiles } from "./process_tree.ts";
import { SpawnedChild } from "./spawned_child.ts";
import type { ChildProcess, NodeChild, ProcessControl, Signalled } from "./spawned_child.ts";
import { windowsCommand } from "./windows_command.ts";

/** A command to start. */
export interface SpawnCommand extends EnvironmentOptions {
  /** A path, or a name that is looked up in PATH. No shell reads it. */
  readonly command: string;
  /** Its arguments. */
  readonly args?: readonly string[] | undefined;
  /** Working directory; ours by default. */
  readonly cwd?: string | URL | undefined;
}

/** Our own standard streams. */
export interface StandardStreams {
  /** Standard input and output. Neither end of it closes them. */
  readonly pipe: BytePipe;
  /** A console that writes to standard error alone. */
  errorConsole(): object;
  /** Sends what others write to `process.stdout` to standard error; the result ends that. */
  guardOutput(): () => void;
}

/**
 * Starts a command as the leader of its own process group (on Windows: as a plain child), so that it can be ended with
 * all its descendants.
 *
 * @throws {TransportError} "unreachable" when it cannot be started.
 * @throws {TypeError} For arguments of a Windows script that its shell could misread.
 */
export async function spawnProcess(command: SpawnCommand, limits: Pick<ResolvedLimits, "stopGrace">): Promise<ChildProcess> {
  const windows = self().platform === "win32";
  const control: ProcessControl = {
    signal,
    files: windows ? undefined : processFiles(),
    endTree: windows ? taskkill : undefined,
  };
  const tree = globalThis.crypto.randomUUID();
  const env = childEnvironment(ownVariables(), command, windows);
  // Only where it can be looked for.
  if (control.files !== undefined) env[TREE_VARIABLE] = treeValue(ownVariables().get(TREE_VARIABLE), tree);
  const { file, args, verbatim } = windows
    ? findOnWindows(command, env)
    : { file: command.command, args: command.args ?? [], verbatim: false };
  let child: NodeChild;
  try {
    child = builtin<NodeChildProcess>("node:child_process").spawn(file, args, {
      cwd: command.cwd,
      env,
      detached: !windows,
      windowsHide: true,
      windowsVerbatimArguments: verbatim,
      stdio: ["pipe", "pipe", "pipe"],
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", () => resolve());
      child.once("error", reject);
    });
  } catch (cause) {
    const why = (cause as { readonly code?: unknown } | null)?.code;
    const found = why === "ENOENT"
      ? `there is no such command or working directory${meantCommand(command.command)}`
      : `the system refused it (${String(why ?? cause)})`;
    throw new TransportError("unreachable", `Starting "${command.command}": ${found}`, { cause });
  }
  return new SpawnedChild(child, { control, grace: limits.stopGrace, tree });
}

/** Gives what writes to our own standard error and does not wait. When nobody reads it, what is written is lost. */
export function standardError(): (chunk: Uint8Array) => void {
  const { stderr } = self();
  // An error that has no listener ends the program.
  stderr.off("error", ignore);
  stderr.on("error", ignore);
  return (chunk) => void stderr.write(chunk);
}

/** Gives our own standard streams, for one who serves on them. Nothing is read before `pipe.read`. */
export function standardStreams(): StandardStreams {
  const { stdout, stderr } = self();
  standardError();
  const write = stdout.write;
  const [input, output] = [ownSocket(0), ownSocket(1)];
  const streams = new NodePipe(
    input ?? self().stdin,
    output ?? stdout,
    output === undefined ? denoWrite() ?? ((bytes, done) => void write.call(stdout, bytes, done)) : undefined,
  );
  return {
    pipe: {
      read: (onChunk) => streams.read(onChunk),
      write: (bytes) => streams.write(bytes),
      closeWriting: () => Promise.resolve(),
      abort() {
        streams.release();
        for (const socket of [input, output]) if (socket?.writableLength === 0) socket._handle?.setBlocking?.(true);
      },
    },
    errorConsole: () => {
      const { Console } = builtin<{ readonly Console: new (out: unknown, error: unknown) => object }>("node:console");
      return new Console(stderr, stderr);
    },
    guardOutput: () => {
      const guarded = (...all: Parameters<NodeWritable["write"]>): boolean => stderr.write(...all);
      stdout.write = guarded;
      return () => {
        if (stdout.write === guarded) stdout.write = write;
      };
    },
  };
}

/** The number of the process that started us, as it is now; undefined where the platform does not tell. */
export function parentProcess(): number | undefined {
  try {
    // On Windows the number stays the same when the parent has gone.
    return self().platform === "win32" ? undefined : self().ppid;
  } catch {
    return undefined;
  }
}

/** Our own descriptors that have been opened as sockets; the system tells of each descriptor once. */
const SOCKETS = new Map<number, OwnSocket>();

/**
 * One of our own descriptors as a socket; undefined for files and terminals. Deno's own streams leave every read and write to
 * another thread, which takes longer than all that is done with a message here. Its sockets neither wait nor change threads.
 */
function ownSocket(fd: 0 | 1): OwnSocket | undefined {
  const { Deno } = globalThis as { readonly Deno?: unknown };
  if (Deno === undefined || self().platform === "win32") return undefined;
  const known = SOCKETS.get(fd);
  known?._handle?.setBlocking?.(false);
  if (known !== undefined) return known;
  try {
    const socket = new (builtin<NodeNet>("node:net").Socket)({ fd, readable: fd === 0, writable: fd === 1 });
    // The number of a closed descriptor goes to the next file that is opened, and the console would write there.
    socket._destroy = (error, done) => done(error);
    socket.unref();
    SOCKETS.set(fd, socket);
    return socket;
  } catch {
    return undefined;
  }
}

/** Deno's stream of Node waits within the call, so that a peer that reads nothing would stop the whole program. */
function denoWrite(): NodeWrite | undefined {
  const { Deno } = globalThis as { Deno?: { readonly stdout?: { write(bytes: Uint8Array): Promise<number> } } };
  const stdout = Deno?.stdout;
  if (stdout === undefined) return undefined;
  const writeAll = async (bytes: Uint8Array): Promise<void> => {
    for (let at = 0; at < bytes.length;) at += await stdout.write(at === 0 ? bytes : bytes.subarray(at));
  };
  return (bytes, done) => void writeAll(bytes).then(() => done(), done);
}

const ignore = (): void => undefined;

// The parts of Node's modules that are used, described here so that no declaration needs their types.

interface NodeChildProcess {
  spawn(command: string, args: readonly string[], options: object): NodeChild;
}

interface NodeProcess {
  readonly platform: string;
  readonly env: Variables;
  readonly ppid: number;
  readonly stdin: NodeReadable;
  readonly stdout: NodeWritable & { write: NodeWritable["write"] };
  readonly stderr: NodeWritable;
  cwd(): string;
  kill(pid: number, signal: string | number): unknown;
}

interface NodeNet {
  readonly Socket: new (options: { readonly fd: number; readonly readable: boolean; readonly writable: boolean }) => OwnSocket;
}

/** A socket that does not close its descriptor. */
interface OwnSocket extends NodeReadable, NodeWritable {
  readonly writableLength: number;
  readonly _handle?: { setBlocking?(on: boolean): unknown } | null;
  _destroy: (error: unknown, done: (error: unknown) => void) => void;
  unref(): unknown;
}

interface NodeFiles {
  readdirSync(path: string): readonly string[];
  readFileSync(path: string, encoding: "latin1"): string;
  statSync(path: string): { isFile(): boolean };
}

function self(): NodeProcess {
  return builtin<NodeProcess>("node:process");
}

function builtin<T>(name: string): T {
  const { process } = globalThis as { readonly process?: { getBuiltinModule?(name: string): unknown } };
  const module = process?.getBuiltinModule?.(name);
  if (module === undefined) throw new TypeError(`Loading ${name}: this platform has no processes`);
  return module as T;
}

/** A permission of Deno. */
interface Permission {
  readonly name: "env" | "read" | "run";
  readonly variable?: string;
  readonly path?: string;
  readonly command?: string;
}

/** Says whether Deno grants something without asking, which would hold the whole program up; others do not ask. */
function isGranted(descriptor: Permission): boolean {
  const { Deno } = globalThis as { Deno?: { permissions?: { querySync?(descriptor: object): { readonly state: string } } } };
  if (Deno?.permissions?.querySync === undefined) return true;
  return Deno.permissions.querySync(descriptor).state === "granted";
}

function ownVariables(): VariableSource {
  const { env } = self();
  return {
    get: (name) => isGranted({ name: "env", variable: name }) ? env[name] : undefined,
    ask: (name) => env[name],
    names: () => Object.keys(env),
  };
}

function signal(pid: number, name: string | 0): Signalled {
  // The right to start some programs is not the right to signal others.
  if (name !== 0 && !isGranted({ name: "run" })) return "refused";
  try {
    self().kill(pid, name);
    return "sent";
  } catch (error) {
    return (error as { readonly code?: unknown }).code === "ESRCH" ? "gone" : "refused";
  }
}

function processFiles(): ProcessFiles | undefined {
  if (self().platform !== "linux" || !isGranted({ name: "read", path: "/proc" })) return undefined;
  const { readdirSync, readFileSync } = builtin<NodeFiles>("node:fs");
  const files: ProcessFiles = { entries: (path) => readdirSync(path), text: (path) => readFileSync(path, "latin1") };
  try {
    // Reading is not enough for Deno, which wants all rights for files that tell about processes.
    files.text("/proc/self/stat");
    return files;
  } catch {
    return undefined;
  }
}

function findOnWindows(command: SpawnCommand, env: Record<string, string>): ReturnType<typeof windowsCommand> {
  const value = (wanted: string): string | undefined => Object.entries(env).find(([name]) => name.toUpperCase() === wanted)?.[1];
  const { statSync } = builtin<NodeFiles>("node:fs");
  return windowsCommand(command.command, command.args ?? [], {
    path: value("PATH") ?? "",
    pathExt: value("PATHEXT"),
    systemRoot: value("SYSTEMROOT"),
    directory: directoryOf(command.cwd),
    isFile(path) {
      try {
        return isGranted({ name: "read", path }) && statSync(path).isFile();
      } catch {
        return false;
      }
    },
  });
}

function directoryOf(cwd: string | URL | undefined): string {
  if (cwd === undefined) return self().cwd();
  return typeof cwd === "string" ? cwd : builtin<{ fileURLToPath(url: URL): string }>("node:url").fileURLToPath(cwd);
}

async function taskkill(pid: number): Promise<void> {
  if (!isGranted({ name: "run", command: "taskkill" })) return;
  const killer = builtin<NodeChildProcess>("node:child_process").spawn("taskkill", ["/T", "/F", "/PID", String(pid)], {
    windowsHide: true,
    stdio: "ignore",
  });
  await new Promise<void>((resolve) => {
    killer.once("exit", () => resolve());
    killer.once("error", () => resolve());
  });
}
