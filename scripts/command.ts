/** Runs a program as the leader of its own process group and ends the whole group. */

import { spawn } from "node:child_process";
import process from "node:process";
import { write } from "./print.ts";

/** How a program is run. */
export interface CommandOptions {
  /** Variables added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
  /** Working directory; the repository by default. */
  readonly cwd?: string;
  /** The group is ended after this many milliseconds; never by default. */
  readonly timeout?: number;
  /** Passes the output on as it comes, too. */
  readonly forward?: boolean;
}

/** What a program left behind. */
export interface CommandResult {
  readonly code: number;
  /** Standard output and standard error, in the order of arrival. */
  readonly output: string;
  readonly timedOut: boolean;
}

/** A running program. */
export interface RunningCommand {
  /** Resolves with what the program left once it and its pipes have ended. */
  readonly result: Promise<CommandResult>;
  /** Everything written so far. */
  output(): string;
  /** Ends the program and all it started. */
  stop(): void;
}

/** The folder of the repository, without a slash at its end. */
export const ROOT: string = new URL("..", import.meta.url).pathname.replace(/\/$/, "");

/** Starts `command` in a process group of its own; its standard input is empty. */
export function startCommand(command: readonly string[], options: CommandOptions = {}): RunningCommand {
  const [program, ...args] = command;
  if (program === undefined) throw new TypeError("Cannot start a program: the command is empty");
  const env = { ...process.env, ...options.env };
  const child = spawn(program, args, { cwd: options.cwd ?? ROOT, env, stdio: ["ignore", "pipe", "pipe"], detached: true });
  const forget = endWithUs(child.pid);
  let output = "";
  let timedOut = false;
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (options.forward) write(text);
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    output += text;
    if (options.forward) write(text, "stderr");
  });
  const timer = options.timeout === undefined ? undefined : setTimeout(() => {
    timedOut = true;
    killGroup(child.pid);
  }, options.timeout);
  const result = new Promise<CommandResult>((resolve) => {
    const finish = (code: number): void => {
      clearTimeout(timer);
      killGroup(child.pid);
      forget();
      resolve({ code, output, timedOut });
    };
    child.on("error", (error) => {
      output += `${error.message}\n`;
      finish(127);
    });
    child.on("close", (code) => finish(code ?? 1));
  });
  return { result, output: () => output, stop: () => killGroup(child.pid) };
}

/** Runs `command` to its end. */
export function runCommand(command: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return startCommand(command, options).result;
}

/** Runs Deno with `args` to its end. */
export function runDeno(args: readonly string[], options: CommandOptions = {}): Promise<CommandResult> {
  return runCommand([Deno.execPath(), ...args], options);
}

/** `text` without terminal colours. */
export function plainText(text: string): string {
  // deno-lint-ignore no-control-regex -- the escape character begins every colour sequence
  return text.replace(/\x1b\[[0-9;]*m/g, "");
}

const groups = new Set<number>();

/** Ends the group too when this process is interrupted; gives the function that takes it off the list. */
function endWithUs(pid: number | undefined): () => void {
  if (pid === undefined) return () => {};
  if (groups.size === 0) { for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, interrupted); }
  groups.add(pid);
  return () => {
    groups.delete(pid);
    if (groups.size === 0) { for (const signal of ["SIGINT", "SIGTERM"] as const) process.off(signal, interrupted); }
  };
}

function interrupted(): void {
  for (const pid of groups) killGroup(pid);
  process.exit(130);
}

function killGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, "SIGKILL");
  } catch {
    // The group has ended already.
  }
}
