/** A child process that runs: its pipe, its end, and how it is ended with all that it has started. */
import { WATCH_INTERVAL } from "../protocol/limits.ts";
import type { BytePipe } from "./byte_pipe.ts";
import { NodePipe } from "./node_pipe.ts";
import type { Emitter, NodeReadable, NodeWritable } from "./node_pipe.ts";
import { descendants, isRunning, treeMembers } from "./process_tree.ts";
import type { ProcessFiles, ProcessMark } from "./process_tree.ts";
import { endsWithin } from "./ends_within.ts";

/** How a child ended. */
export interface ChildExit {
  /** The exit code; null when a signal ended it. */
  readonly code: number | null;
  /** The signal's name. */
  readonly signal: string | null;
}

/** A child that runs. */
export interface ChildProcess {
  /** Its number. */
  readonly pid: number;
  /** Its standard output and input. */
  readonly pipe: BytePipe;
  /** Resolves when the process itself has ended, whatever its descendants do. */
  readonly exited: Promise<ChildExit>;
  /** Resolves when its output has been read to the end as well; a descendant may keep it open. */
  readonly drained: Promise<void>;
  /** Whether it was signalled because it did not end by itself. */
  readonly forced: boolean;
  /** Reads standard error until its end; it must be read, or the child may stall. */
  onStderr(listener: (chunk: Uint8Array) => void): void;
  /**
   * Closes its standard input, waits, sends TERM to all that is left of the process and what it has started, waits, sends KILL
   * (MCP 2026-07-28, stdio § Shutdown). Every wait is `stopGrace` milliseconds at most, the last one a second at least.
   *
   * @returns Whether all have ended, as far as that can be told.
   */
  stop(): Promise<boolean>;
}

/** The part of Node's child processes that is used; described here so that no declaration needs Node's types. */
export interface NodeChild extends Emitter {
  /** Its number. */
  readonly pid?: number | undefined;
  /** Its standard input. */
  readonly stdin: NodeWritable;
  /** Its standard output. */
  readonly stdout: NodeReadable;
  /** Its standard error. */
  readonly stderr: NodeReadable;
  /** Has it been signalled? */
  killed?: boolean;
  /** Signals the process alone. */
  kill(signal: string): boolean;
  /** Lets the program end although it still runs. */
  unref(): unknown;
}

/** What became of a signal. */
export type Signalled = "sent" | "gone" | "refused";

/** What the platform can do to processes. */
export interface ProcessControl {
  /** Signals a process, or with a negative number a process group; the signal 0 only asks. */
  signal(pid: number, signal: string | 0): Signalled;
  /** Ends a process and its descendants at once; on platforms without process groups. */
  readonly endTree?: ((pid: number) => Promise<void>) | undefined;
  /** Where the platform shows processes, and lets us look. */
  readonly files?: ProcessFiles | undefined;
}

/** What a {@linkcode SpawnedChild} is told. */
export interface SpawnedChildOptions {
  /** What can be done to processes. */
  readonly control: ProcessControl;
  /** Milliseconds between two steps of ending it. */
  readonly grace: number;
  /** Names the tree of processes in the environment of its members. */
  readonly tree: string;
}

/** The system needs a moment even to end what is killed; with less, every end would look like a failure. */
const KILL_WAITS = 20;

/** A child process of Node. */
export class SpawnedChild implements ChildProcess {
  /** Its standard output and input. */
  readonly pipe: NodePipe;
  /** Resolves when the process itself has ended. */
  readonly exited: Promise<ChildExit>;
  /** Resolves when its output has been read to the end as well. */
  readonly drained: Promise<void>;
  /** Its number. */
  readonly pid: number;
  readonly #child: NodeChild;
  readonly #options: SpawnedChildOptions;
  readonly #strays = new Map<number, ProcessMark>();
  #hasExited = false;
  #forced = false;
  #stopping: Promise<boolean> | undefined;

  /**
   * Takes over a child that has just been started as the leader of its own process group.
   *
   * @param child The child.
   * @param options What can be done to it, and how long each step may take.
   */
  constructor(child: NodeChild, options: SpawnedChildOptions) {
    this.#child = child;
    this.#options = options;
    this.pid = child.pid ?? 0;
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

  /** Whether it was signalled because it did not end by itself. */
  get forced(): boolean {
    return this.#forced;
  }

  /** Reads standard error until its end. */
  onStderr(listener: (chunk: Uint8Array) => void): void {
    this.#child.stderr.on("data", listener);
  }

  /** Ends it and all that it has started; resolves with whether that worked. */
  stop(): Promise<boolean> {
    this.#stopping ??= this.#stop();
    return this.#stopping;
  }

  async #stop(): Promise<boolean> {
    const { grace } = this.#options;
    const { endTree } = this.#options.control;
    // As long as the leader runs, the parents of what left its group can be told.
    this.#lookBelow();
    this.pipe.closeWriting().catch(() => undefined);
    await endsWithin(this.exited, grace);
    let ended: boolean;
    if (endTree === undefined) {
      ended = await this.#end("SIGTERM", grace) || await this.#end("SIGKILL", Math.max(grace, KILL_WAITS * WATCH_INTERVAL));
    } else {
      if (!this.#hasExited) await this.#endWithTree(endTree);
      ended = this.#hasExited;
    }
    this.pipe.abort();
    this.#child.stderr.destroy();
    if (!ended) this.#child.unref();
    return ended;
  }

  /** Signals all that are left, and waits until nobody is; what turns up meanwhile is signalled, too. */
  async #end(signal: "SIGTERM" | "SIGKILL", wait: number): Promise<boolean> {
    const until = performance.now() + wait;
    const signalled = new Set<string>();
    for (let first = true;; first = false) {
      // Nobody survives KILL; members of a group that still count then are dead.
      if (!await this.#isLeft(signal === "SIGTERM" || first)) return true;
      this.#signalGroup(signal, signalled);
      this.#signalStrays(signal, signalled);
      const left = until - performance.now();
      if (left <= 0) return false;
      await this.#pause(Math.min(left, WATCH_INTERVAL));
    }
  }

  async #endWithTree(endTree: (pid: number) => Promise<void>): Promise<void> {
    const wait = Math.max(this.#options.grace, KILL_WAITS * WATCH_INTERVAL);
    this.#forced = true;
    await endsWithin(endTree(this.pid).catch(() => undefined), wait);
    if (!this.#hasExited) this.#signalLeader("SIGKILL");
    await endsWithin(this.exited, wait);
  }

  /**
   * Says whether anyone runs. Where the platform shows no processes, the group can be asked, in which the dead that nobody has
   * waited for still count.
   */
  async #isLeft(askGroup: boolean): Promise<boolean> {
    const { control, tree } = this.#options;
    const { files } = control;
    this.#lookBelow();
    if (files === undefined) return !this.#hasExited || (askGroup && control.signal(-this.pid, 0) === "sent");
    for (const one of await treeMembers(files, tree, this.pid)) this.#strays.set(one.pid, one);
    for (const one of this.#strays.values()) if (!isRunning(files, one)) this.#strays.delete(one.pid);
    return !this.#hasExited || this.#strays.size > 0;
  }

  #lookBelow(): void {
    const { files } = this.#options.control;
    if (files === undefined || this.#hasExited) return;
    for (const one of descendants(files, this.pid)) this.#strays.set(one.pid, one);
  }

  /** Signals the whole group, which may outlive its leader; TERM is sent once, KILL again and again. */
  #signalGroup(signal: "SIGTERM" | "SIGKILL", signalled: Set<string>): void {
    if (signal === "SIGTERM" && signalled.has("group")) return;
    signalled.add("group");
    if (!this.#hasExited) this.#forced = true;
    // Without the right to signal a group (Deno's --allow-run of single programs), the process itself must do.
    if (this.#options.control.signal(-this.pid, signal) === "refused" && !this.#hasExited) this.#signalLeader(signal);
  }

  #signalStrays(signal: "SIGTERM" | "SIGKILL", signalled: Set<string>): void {
    const { control } = this.#options;
    const { files } = control;
    if (files === undefined) return;
    for (const one of this.#strays.values()) {
      const key = `${one.pid} ${one.started}`;
      // Members of the group have had the signal already. Many programs take a second TERM for impatience.
      if (one.group === this.pid || (signal === "SIGTERM" && signalled.has(key)) || !isRunning(files, one)) continue;
      signalled.add(key);
      control.signal(one.pid, signal);
    }
  }

  #signalLeader(signal: string): void {
    try {
      // Deno ignores a second signal to a child that counts as killed.
      this.#child.killed = false;
      this.#child.kill(signal);
    } catch {
      // It has ended, or may not be signalled: the wait that follows tells which.
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    if (this.#hasExited) await new Promise((resolve) => setTimeout(resolve, milliseconds));
    else await endsWithin(this.exited, milliseconds);
  }
}
