/** Starts a program of the bench as a process of its own, and reads the processor time it has used. */

/** A running program. */
export interface Child {
  /** What it is called in tables. */
  readonly name: string;
  /** Its process id. */
  readonly pid: number;
  /** The next line that it prints; rejects when it ends before. */
  line(): Promise<string>;
  /** Gives it a line. */
  send(line: string): Promise<void>;
  /** Ends it and waits until it is gone. */
  stop(): Promise<void>;
}

/** How a program is started. */
export interface ChildOptions {
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The command with its arguments, in place of Deno's own; what the program needs follows. */
  readonly command?: readonly [command: string, args: readonly string[]];
  /** The folder of another checkout of this package, whose program is started; this checkout by default. */
  readonly checkout?: string | undefined;
}

/** Starts `programs/<file>`. */
export function startChild(name: string, file: string, { env, command: given, checkout }: ChildOptions = {}): Child {
  const [command, first] = given ?? [Deno.execPath(), []];
  const folder = checkout === undefined ? new URL("./programs", import.meta.url).pathname : `${checkout}/scripts/bench/programs`;
  const child = new Deno.Command(command, {
    args: [...first, "run", "-A", "--cached-only", `${folder}/${file}`],
    ...(checkout === undefined ? {} : { cwd: checkout }),
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  const writer = child.stdin.getWriter();
  let rest = "";
  return {
    name,
    pid: child.pid,
    async line() {
      for (let end = rest.indexOf("\n"); end < 0; end = rest.indexOf("\n")) {
        const { done, value } = await reader.read();
        if (done) throw new Error(`${name}: ended without an answer`);
        rest += value;
      }
      const end = rest.indexOf("\n");
      const line = rest.slice(0, end);
      rest = rest.slice(end + 1);
      return line;
    },
    send: (line) => writer.write(new TextEncoder().encode(`${line}\n`)),
    async stop() {
      await writer.close().catch(() => {});
      const timer = setTimeout(() => child.kill("SIGKILL"), 2_000);
      await child.status;
      clearTimeout(timer);
      await reader.cancel();
    },
  };
}

/** Clock ticks a second in `/proc/<pid>/stat`; the kernel reports 100 on every Linux that Deno runs on. */
const TICKS = 100;

/** Processor seconds used so far by a process with all its threads, and by its child processes. */
export function cpuSeconds(pid: number): number {
  let ticks = 0;
  for (const member of [pid, ...descendants(pid)]) {
    const stat = readStat(member);
    if (stat !== undefined) ticks += stat.own;
  }
  return ticks / TICKS;
}

/** Processor seconds of the children of this process that have ended. */
export function endedChildrenSeconds(): number {
  return (readStat("self")?.ended ?? 0) / TICKS;
}

interface Stat {
  readonly ppid: number;
  /** Ticks in user and system mode, all threads. */
  readonly own: number;
  /** The same of children that have ended. */
  readonly ended: number;
}

function descendants(root: number): number[] {
  const parents = new Map<number, number>();
  for (const entry of Deno.readDirSync("/proc")) {
    const pid = Number(entry.name);
    const stat = Number.isInteger(pid) ? readStat(pid) : undefined;
    if (stat !== undefined) parents.set(pid, stat.ppid);
  }
  const found: number[] = [];
  for (const pid of parents.keys()) {
    for (let up = parents.get(pid); up !== undefined; up = parents.get(up)) {
      if (up === root) found.push(pid);
    }
  }
  return found;
}

function readStat(pid: number | "self"): Stat | undefined {
  try {
    // The second field is the name in parentheses and may hold spaces: what counts begins after the last one.
    const text = Deno.readTextFileSync(`/proc/${pid}/stat`);
    const [, ppid = NaN, , , , , , , , , , user = 0, system = 0, endedUser = 0, endedSystem = 0] = text
      .slice(text.lastIndexOf(")") + 2).split(" ").map(Number);
    return { ppid, own: user + system, ended: endedUser + endedSystem };
  } catch {
    return undefined;
  }
}
