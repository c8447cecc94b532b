/** A server that takes part in the bench, in a process of its own. */
import { type Child, startChild } from "./child.ts";
import { CORES, pinned } from "./pin.ts";
import type { BenchRequest } from "./request.ts";

/** A server that takes part. */
export interface Contender {
  /** Its process. */
  readonly child: Child;
  /** What it is asked. */
  readonly request: BenchRequest;
  /** Its endpoint. */
  readonly url: string;
}

/** Starts a contender; `shared` on the core that it shares with another one. */
export type Start = (shared: boolean) => Promise<Contender>;

/** How a contender is started. */
export interface ContenderOptions {
  /** Is it to keep to the core that it shares with another one? */
  readonly shared: boolean;
  /** Additional environment variables. */
  readonly env?: Readonly<Record<string, string>>;
  /** The folder of another checkout of this package, whose program is started. */
  readonly checkout?: string | undefined;
}

/** Starts a server, and makes sure that it answers rightly. */
export async function startContender(
  name: string,
  file: string,
  request: BenchRequest,
  { shared, env = {}, checkout }: ContenderOptions,
): Promise<Contender> {
  const command = shared ? { command: await pinned(CORES.servers, Deno.execPath(), []) } : {};
  const child = startChild(name, file, { env, checkout, ...command });
  try {
    const { port } = JSON.parse(await child.line()) as { readonly port: number };
    const url = `http://127.0.0.1:${port}/mcp`;
    const fault = request.check(await ask(url, request));
    if (fault !== undefined) throw new Error(`${name}: ${fault}`);
    return { child, request, url };
  } catch (error) {
    await child.stop();
    throw error;
  }
}

/** Sends the request once. */
export async function ask(url: string, request: BenchRequest): Promise<unknown> {
  const response = await fetch(url, { method: "POST", headers: request.headers, body: request.body });
  return await response.json();
}
