/** Servers whose requests are counted, stores, and clocks for tests of the client's cache. */
import { defineServer, prompt, resource, tool } from "../../../server/mod.ts";
import type { CacheHint, CacheStore, JsonRpcRequest } from "../../../client/mod.ts";
import type { MessageInfo, Served } from "../../../transports/transport.ts";

/** A server and the requests that reached it. */
export interface Counted extends Served {
  /** Every request but the `server/discover` of connecting, in order. */
  readonly requests: JsonRpcRequest[];
  /** How many of them have a method. */
  count(method: string): number;
}

/** Counts the requests of a server; `hold` is waited for before it answers one. */
export function counted(server: Served, hold: (request: JsonRpcRequest) => Promise<void> | undefined = () => undefined): Counted {
  const requests: JsonRpcRequest[] = [];
  let connecting = true;
  return {
    requests,
    count: (method) => requests.filter((request) => request.method === method).length,
    handle: async (message, info: MessageInfo) => {
      if ("method" in message && "id" in message) {
        if (!connecting) {
          requests.push(message);
          await hold(message);
        }
        connecting = false;
      }
      return await server.handle(message, info);
    },
  };
}

/** A real server: 5 tools on pages of 2, a prompt, a resource and a template, all with one hint. */
export function hinted(hint: CacheHint = { ttlMs: 60_000 }): ReturnType<typeof defineServer> {
  let reads = 0;
  return defineServer({
    name: "hinted",
    version: "1.0.0",
    tools: ["a", "b", "c", "d", "e"].map((name) => tool({ name, handler: () => name })),
    resources: [
      resource({ uri: "mem://x/one", name: "one", read: () => `read ${++reads}` }),
      resource({ uri: "mem://y/{name}", name: "any", read: ({ name }) => `${name} ${++reads}` }),
    ],
    prompts: [prompt({ name: "p", render: () => "p" })],
    pageSize: 2,
    cache: { discover: hint, tools: hint, prompts: hint, resources: hint, templates: hint, read: hint },
  });
}

/** A store that keeps what is done to it; each operation takes a turn of the event loop when it is slow. */
export interface SpiedStore extends CacheStore {
  /** What is in it. */
  readonly values: Map<string, unknown>;
  /** Every key, value and time that was set. */
  readonly sets: (readonly [key: string, value: unknown, ttlMs: number])[];
}

/** Makes such a store. */
export function spied(slow = false): SpiedStore {
  const values = new Map<string, unknown>();
  const sets: (readonly [string, unknown, number])[] = [];
  const turn = async (): Promise<void> => {
    if (slow) await new Promise((resolve) => setTimeout(resolve, 0));
  };
  return {
    values,
    sets,
    get: async (key) => {
      await turn();
      return values.get(key);
    },
    set: async (key, value, ttlMs) => {
      await turn();
      sets.push([key, value, ttlMs]);
      values.set(key, value);
    },
    delete: async (key) => {
      await turn();
      values.delete(key);
    },
  };
}

/** Runs with both clocks in hand: each may be moved. */
export async function withClocks(
  run: (move: { wall(ms: number): void; steady(ms: number): void }) => Promise<void>,
): Promise<void> {
  const now = Date.now;
  const steady = performance.now;
  const at = { wall: now(), steady: Math.ceil(steady.call(performance)) };
  Date.now = () => at.wall;
  performance.now = () => at.steady;
  try {
    await run({ wall: (ms) => void (at.wall += ms), steady: (ms) => void (at.steady += ms) });
  } finally {
    Date.now = now;
    performance.now = steady;
  }
}
