/** The ways over which the soak runs. */
import { connect, lines } from "@causeway/mcp/client";
import type { Client, ConnectOptions, ProtocolVersion } from "@causeway/mcp/client";
import type { Random } from "../fuzz/random.ts";
import { abuseHttp, noisy } from "./abuse.ts";
import type { LaneOptions } from "./lane.ts";
import { soakServer } from "./server.ts";

/** Everything that the soak runs against. */
export interface SoakSite {
  /** The lanes. */
  readonly lanes: readonly LaneOptions[];
  /** The heap of the children that last, in bytes. */
  childHeaps(): Promise<readonly number[]>;
  /** Ends servers and children. */
  close(): Promise<void>;
}

const OPTIONS: ConnectOptions = {
  inputs: { form: () => ({ action: "accept", content: { yes: true } }) },
  // Faults that belong to no call are meant to happen here.
  onError: () => undefined,
};

/** Starts two HTTP servers, one with sessions, and a child over stdio whose bytes are tampered with. */
export function openSite(random: Random): SoakSite {
  const [open, plain] = [soakServer(true), soakServer(false)];
  const listening = [open, plain].map(({ fetch }) =>
    Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, fetch)
  );
  const [withSessions = "", without = ""] = listening.map(({ addr }) => `http://127.0.0.1:${addr.port}/mcp`);
  const http = (url: string, protocol: ProtocolVersion) => (): Promise<Client> => connect(url, { ...OPTIONS, protocol });
  const children = [new TamperedChild(random), new TamperedChild(random)] as const;
  const endSession = async ({ server }: Client): Promise<void> => {
    if (server.sessionId === undefined) return;
    const headers = { "mcp-session-id": server.sessionId, "mcp-protocol-version": server.protocolVersion };
    await (await fetch(withSessions, { method: "DELETE", headers })).body?.cancel();
  };
  const abuse = (url: string) => (random: Random): Promise<void> => abuseHttp(url, random);
  const lane = (name: string, weight: number, connect: () => Promise<Client>, more: Partial<LaneOptions> = {}): LaneOptions => ({
    name,
    weight,
    connect,
    talksBack: true,
    hangUpEvery: 150,
    ...more,
  });
  const command = (protocol: ProtocolVersion) => (): Promise<Client> => connect(COMMAND, { ...OPTIONS, protocol });
  return {
    lanes: [
      lane("HTTP, 2026-07-28", 25, http(withSessions, "2026-07-28"), { abuse: abuse(withSessions) }),
      lane("HTTP, 2026-07-28, a server without sessions", 10, http(without, "2026-07-28"), { abuse: abuse(without) }),
      lane("HTTP, 2025-11-25, in sessions", 20, http(withSessions, "2025-11-25"), { abuse: abuse(withSessions), endSession }),
      lane("HTTP, 2025-06-18, in sessions", 5, http(withSessions, "2025-06-18"), { endSession }),
      lane("HTTP, 2025-11-25, without sessions", 10, http(without, "2025-11-25"), { talksBack: false }),
      lane("stdio, 2026-07-28", 10, command("2026-07-28"), { hangUpEvery: 1500 }),
      lane("stdio, 2025-11-25", 5, command("2025-11-25"), { hangUpEvery: 1500 }),
      lane("stdio with noise, 2026-07-28", 10, () => children[0].connect("2026-07-28"), { hangUpEvery: undefined }),
      lane("stdio with noise, 2025-11-25", 5, () => children[1].connect("2025-11-25"), { hangUpEvery: undefined }),
    ],
    childHeaps: () => Promise.all(children.map((child) => child.heap())),
    async close() {
      for (const child of children) await child.close();
      await Promise.all([open.close(), plain.close(), ...listening.map((one) => one.shutdown())]);
    },
  };
}

const PROGRAM = new URL("./stdio.ts", import.meta.url).pathname;
const COMMAND = {
  command: Deno.execPath(),
  args: ["run", "--quiet", "-A", "--v8-flags=--expose-gc", PROGRAM],
  inheritEnv: ["XDG_CACHE_HOME", "DENO_DIR"],
  stderr: "inherit",
} as const;

/** A child that lasts for the whole soak, with one client over a channel of bytes that somebody else writes into, too. */
class TamperedChild {
  readonly #random: Random;
  #child: Deno.ChildProcess | undefined;
  #client: Client | undefined;

  constructor(random: Random) {
    this.#random = random;
  }

  /** Starts the child the first time. */
  async connect(protocol: ProtocolVersion): Promise<Client> {
    if (this.#client === undefined) {
      const { command, args } = COMMAND;
      this.#child = new Deno.Command(command, { args: [...args], stdin: "piped", stdout: "piped", stderr: "inherit" }).spawn();
      const { stdout: readable, stdin: writable } = this.#child;
      this.#client = await connect(lines(noisy({ readable, writable }, this.#random)), { ...OPTIONS, protocol });
    }
    return this.#client;
  }

  async heap(): Promise<number> {
    const result = await this.#client?.callTool("heap");
    return (result?.structuredContent as { bytes: number } | undefined)?.bytes ?? 0;
  }

  async close(): Promise<void> {
    await this.#client?.close();
    await this.#child?.status;
  }
}
