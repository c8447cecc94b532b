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

/** Starts `official_server_http.ts`, runs `use` with its URL and its stderr, and ends it. */
export async function withOfficialHttp(use: (url: string, stderr: Watched) => Promise<void>): Promise<void> {
  const { command, args } = peerCommand("official_server_http.ts");
  const child = new Deno.Command(command, { args: [...args], stdin: "piped", stdout: "piped", stderr: "piped" }).spawn();
  const stderr = watched();
  const drained = child.stderr.pipeThrough(new TextDecoderStream()).pipeTo(new WritableStream({ write: stderr.add }));
  const reader = child.stdout.getReader();
  try {
    const { value } = await reader.read();
    const { port } = JSON.parse(new TextDecoder().decode(value)) as { readonly port: number };
    await use(`http://127.0.0.1:${port}/mcp`, stderr);
  } finally {
    await reader.cancel();
    await child.stdin.close();
    await ended(child);
    await drained;
  }
}

/** One line of `official_client.ts`. */
export interface Seen {
  readonly step: string;
  readonly value?: unknown;
  readonly params?: unknown;
  readonly error?: { readonly kind: string; readonly message: string; readonly code?: unknown; readonly data?: unknown };
}

/** Runs `official_client.ts` to its end; what it saw by step, and what was written to stderr by it and its server. */
export async function runOfficialClient(
  ...target: readonly string[]
): Promise<{ readonly seen: ReadonlyMap<string, Seen>; readonly stderr: string; readonly code: number }> {
  const { command, args } = peerCommand("official_client.ts", ...target);
  const child = new Deno.Command(command, { args: [...args], stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
  const [stdout, stderr, { code }] = await Promise.all([text(child.stdout), text(child.stderr), ended(child, 60_000)]);
  const lines = stdout.split("\n").filter((line) => line !== "").map((line) => JSON.parse(line) as Seen);
  return { seen: new Map(lines.map((line) => [line.step, line])), stderr, code };
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
