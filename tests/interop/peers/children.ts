/** Runs the peers as child programs, so that nothing of theirs is left in the process of the tests. */

/** A command for `connect`, or for `Deno.Command` with its `command` taken out. */
export interface PeerCommand {
  readonly command: string;
  readonly args: readonly string[];
  readonly inheritEnv: true;
}

/** How a program of this folder is started; it loads nothing that is not cached. */
export function peerCommand(file: string, ...args: readonly string[]): PeerCommand {
  const program = new URL(file, import.meta.url).pathname;
  return { command: Deno.execPath(), args: ["run", "-A", "--cached-only", program, ...args], inheritEnv: true };
}

/** How a package's own program is started, in the version that the import map names. */
export async function packageCommand(name: string, ...args: readonly string[]): Promise<PeerCommand> {
  const { imports } = JSON.parse(await Deno.readTextFile(new URL("../../../deno.json", import.meta.url))) as {
    readonly imports: { readonly [name: string]: string };
  };
  const specifier = imports[name];
  if (specifier === undefined) throw new TypeError(`Starting ${name}: The import map has no such package`);
  return { command: Deno.execPath(), args: ["run", "-A", "--cached-only", specifier, ...args], inheritEnv: true };
}

/** Text that comes in pieces, and waiting for something in it. */
export interface Watched {
  /** Adds a piece. */
  add(piece: string): void;
  /** Resolves as soon as the text holds `part`. */
  saw(part: string): Promise<void>;
}

/** Starts watching. */
export function watched(): Watched {
  let all = "";
  const waiting = new Map<string, PromiseWithResolvers<void>>();
  const check = (): void => {
    for (const [part, { resolve }] of waiting) if (all.includes(part)) resolve();
  };
  return {
    add(piece) {
      all += piece;
      check();
    },
    saw(part) {
      const entry = waiting.get(part) ?? Promise.withResolvers<void>();
      waiting.set(part, entry);
      check();
      return entry.promise;
    },
  };
}

/** Starts a program that prints its port, runs `use` with its URL and its stderr, and ends it by the end of its input. */
export async function withHttpPeer(
  { command, args }: PeerCommand,
  use: (url: string, stderr: Watched) => Promise<void>,
): Promise<void> {
  const child = new Deno.Command(command, { args: [...args], stdin: "piped", stdout: "piped", stderr: "piped" }).spawn();
  const stderr = watched();
  const drained = child.stderr.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: stderr.add }));
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  try {
    let written = "";
    let port: string | undefined;
    while (port === undefined) {
      const { value, done } = await reader.read();
      if (done) throw new Error(`The peer prints no port: ${written}`);
      written += value;
      port = /^\{"port":(\d+)\}$/m.exec(written)?.[1];
    }
    await use(`http://127.0.0.1:${port}/mcp`, stderr);
  } finally {
    await reader.cancel();
    await child.stdin.close();
    await ended(child);
    await drained;
  }
}

/** A port that was free a moment ago, for programs that take none that the system chooses. */
export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  return port;
}

/** Starts a package's program that listens on `$PORT`, runs `use` with its URL once it has written `ready`, and kills it. */
export async function withPackageHttp(
  { command, args }: PeerCommand,
  ready: string,
  use: (url: string) => Promise<void>,
): Promise<void> {
  const port = freePort();
  const env = { PORT: String(port) };
  const child = new Deno.Command(command, { args: [...args], env, stdin: "null", stdout: "null", stderr: "piped" }).spawn();
  const stderr = watched();
  const drained = child.stderr.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: stderr.add }));
  try {
    await Promise.race([stderr.saw(ready), child.status.then(() => Promise.reject(new Error("The peer ended at once")))]);
    await use(`http://127.0.0.1:${port}/mcp`);
  } finally {
    child.kill("SIGKILL");
    await child.status;
    await drained;
  }
}

/** One line of a client. */
export interface Seen {
  readonly step: string;
  readonly value?: unknown;
  readonly params?: unknown;
  readonly error?: { readonly kind: string; readonly message: string; readonly code?: unknown; readonly data?: unknown };
}

/** Runs a client of this folder to its end; what it saw by step, and what was written to stderr by it and its server. */
export async function runClient(
  command: PeerCommand,
): Promise<{ readonly seen: ReadonlyMap<string, Seen>; readonly stderr: string; readonly code: number }> {
  const { stdout, stderr, code } = await runPeer(command);
  const lines = stdout.split("\n").filter((line) => line.startsWith('{"step"')).map((line) => JSON.parse(line) as Seen);
  return { seen: new Map(lines.map((line) => [line.step, line])), stderr, code };
}

/** Runs a program to its end, for a minute at most unless told otherwise. */
export async function runPeer(
  { command, args }: Pick<PeerCommand, "command" | "args">,
  patience = 60_000,
): Promise<{ readonly stdout: string; readonly stderr: string; readonly code: number }> {
  const child = new Deno.Command(command, { args: [...args], stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  const [stdout, stderr, { code }] = await Promise.all([text(child.stdout), text(child.stderr), ended(child, patience)]);
  return { stdout, stderr, code };
}

/** Waits for the end of a child; after the time it is killed, which shows in its status. */
async function ended(child: Deno.ChildProcess, patience = 10_000): Promise<Deno.CommandStatus> {
  const timer = setTimeout(() => child.kill("SIGKILL"), patience);
  const status = await child.status;
  clearTimeout(timer);
  return status;
}

async function text(stream: ReadableStream<Uint8Array>): Promise<string> {
  return await new Response(stream).text();
}
