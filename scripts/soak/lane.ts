/** One client of the soak, with everything that may happen to it. */
import { isMcpError, TransportError } from "@causeway/mcp/client";
import type { Client } from "@causeway/mcp/client";
import type { Random } from "../fuzz/random.ts";
import { CHANGING } from "./server.ts";

/** How a lane reaches its server, and what it may do there. */
export interface LaneOptions {
  /** Its name. */
  readonly name: string;
  /** Its part of all requests. */
  readonly weight: number;
  /** Connects. */
  readonly connect: () => Promise<Client>;
  /** Can the server ask, and tell of changes? */
  readonly talksBack: boolean;
  /** How many requests between two hang-ups, on average; absent for a client that lasts, which is closed by somebody else. */
  readonly hangUpEvery?: number | undefined;
  /** Ends the session from outside, where there is one. */
  readonly endSession?: ((client: Client) => Promise<void>) | undefined;
  /** Bad input from outside, where it can be sent. */
  readonly abuse?: ((random: Random) => Promise<void>) | undefined;
}

/** What became of requests, by kind. */
export type Tally = Map<string, number>;

/** Milliseconds after which a request counts as unanswered. */
const PATIENCE = 30_000;
const AT_ONCE = 4;

/** Sends so many requests, several at once, with faults in between. Throws at what must not happen. */
export async function runLane(options: LaneOptions, requests: number, random: Random, tally: Tally): Promise<void> {
  const lane = new Lane(options, random, tally);
  await lane.open();
  try {
    for (let left = requests; left > 0; left -= AT_ONCE) await lane.burst(Math.min(AT_ONCE, left));
  } finally {
    await lane.close();
  }
}

type Act = (client: Client) => Promise<string>;

class Lane {
  readonly #options: LaneOptions;
  readonly #random: Random;
  readonly #tally: Tally;
  #client: Client | undefined;
  /** The session was ended, or the client is being closed: calls may fail for that. */
  #disturbed = false;
  #number = 0;

  constructor(options: LaneOptions, random: Random, tally: Tally) {
    this.#options = options;
    this.#random = random;
    this.#tally = tally;
  }

  async open(): Promise<void> {
    this.#client = await inTime(this.#options.connect(), `${this.#options.name}: connecting`);
    this.#disturbed = false;
  }

  async close(): Promise<void> {
    const client = this.#client;
    this.#client = undefined;
    if (client !== undefined && this.#options.hangUpEvery !== undefined) {
      await inTime(client.close(), `${this.#options.name}: closing`);
    }
  }

  /** Some requests at once, and perhaps something bad meanwhile. */
  async burst(count: number): Promise<void> {
    const random = this.#random;
    const { hangUpEvery, endSession, abuse } = this.#options;
    const client = this.#client as Client;
    const hangsUp = hangUpEvery !== undefined && random.oneIn(Math.ceil(hangUpEvery / AT_ONCE));
    const endsSession = endSession !== undefined && random.oneIn(25);
    this.#disturbed = hangsUp || endsSession;
    const acts = Array.from({ length: count }, () => this.#run(this.#choose(), client));
    const faults: Promise<unknown>[] = [];
    if (abuse !== undefined && random.oneIn(4)) faults.push(inTime(abuse(random), `${this.#options.name}: bad input`));
    if (endsSession) faults.push(inTime(endSession(client), `${this.#options.name}: ending the session`));
    if (hangsUp) faults.push(this.close());
    await Promise.all([...acts, ...faults]);
    if (hangsUp) await this.open();
    this.#disturbed = false;
  }

  async #run(act: Act, client: Client): Promise<void> {
    const name = this.#options.name;
    let outcome: string;
    try {
      outcome = await inTime(act(client), `${name}: a request`);
    } catch (error) {
      if (!this.#disturbed || !isMcpError(error)) throw new Error(`${name}: ${describe(error)}`, { cause: error });
      outcome = `disturbed: ${error instanceof TransportError ? error.reason : error.kind}`;
    }
    this.#tally.set(outcome, (this.#tally.get(outcome) ?? 0) + 1);
  }

  #choose(): Act {
    const random = this.#random;
    const kind = random.below(100);
    if (kind < 34) return this.#echo();
    if (kind < 42) return async (client) => told("list", (await client.listTools()).length === 8);
    if (kind < 48) return async (client) => told("read", (await client.readResource("app://items/7")).contents.length === 1);
    if (kind < 52) {
      return async (client) => told("prompt", (await client.getPrompt("hello", { name: "x" })).messages.length === 1);
    }
    if (kind < 55) return complete;
    if (kind < 63) return count;
    if (kind < 67) return big(random.below(4000));
    if (kind < 70) return fails;
    if (kind < 73) return refused;
    if (kind < 86) return aborts(random.below(8));
    if (kind < 92) return timesOut(1 + random.below(10));
    if (!this.#options.talksBack) return this.#echo();
    return kind < 97 ? confirms(random.below(1000)) : watches;
  }

  #echo(): Act {
    const n = this.#number++;
    const text = "é\n".repeat(this.#random.below(40));
    return async (client) => {
      const { structuredContent } = await client.callTool("echo", { text, n });
      const { n: echoed, text: back } = structuredContent as { n: number; text: string };
      return told("echo", echoed === n && back === text);
    };
  }
}

function told(kind: string, right: boolean): string {
  if (!right) throw new Error(`${kind}: another answer than expected`);
  return kind;
}

async function complete(client: Client): Promise<string> {
  const { values } = await client.complete({ prompt: "hello" }, { name: "name", value: "x" });
  return told("complete", values.length === 2);
}

async function count(client: Client): Promise<string> {
  const steps: number[] = [];
  await client.callTool("count", { to: 4 }, { onProgress: ({ progress }) => steps.push(progress) });
  return told("progress", steps.every((step, at) => at === 0 || step > (steps[at - 1] as number)));
}

function big(size: number): Act {
  return async (client) => {
    const { content } = await client.callTool("big", { size });
    const [block] = content;
    return told("big", block?.type === "text" && block.text.length === size);
  };
}

async function fails(client: Client): Promise<string> {
  const outcome = await client.callTool("fail").then(() => undefined, (error) => error);
  if (isMcpError(outcome) && outcome.kind === "protocol" && outcome.code === -32603) return "failed in its handler";
  throw outcome ?? new Error("A handler that throws was answered with a result");
}

async function refused(client: Client): Promise<string> {
  const outcome = await client.callTool("no_such_tool").then(() => undefined, (error) => error);
  if (isMcpError(outcome) && outcome.kind === "protocol") return "refused";
  throw outcome ?? new Error("An unknown tool was called");
}

function aborts(ms: number): Act {
  return async (client) => {
    const abort = new AbortController();
    const reason = new Error("enough");
    const timer = setTimeout(() => abort.abort(reason), ms);
    try {
      await client.callTool("wait", { ms: 40 }, { signal: abort.signal });
      return "answered before its abort";
    } catch (error) {
      if (error === reason) return "aborted";
      throw error;
    } finally {
      clearTimeout(timer);
    }
  };
}

function timesOut(timeout: number): Act {
  return async (client) => {
    try {
      await client.callTool("wait", { ms: 60 }, { timeout });
      return "answered before its timeout";
    } catch (error) {
      if (error instanceof TransportError && error.reason === "timeout") return "timed out";
      throw error;
    }
  };
}

function confirms(n: number): Act {
  return async (client) => {
    const { structuredContent } = await client.callTool("confirm", { n });
    const { n: asked, yes } = structuredContent as { n: number; yes: boolean };
    return told("asked", asked === n && yes);
  };
}

/** Opens a stream of changes, hears of one, and leaves. */
async function watches(client: Client): Promise<string> {
  const watch = client.watch({ resourceSubscriptions: [CHANGING] });
  let touched: Promise<unknown> | undefined;
  try {
    await watch.open();
    touched = client.callTool("touch").catch((error) => error);
    for (;;) {
      const { value } = await watch.next();
      if (value?.type === "closed") throw new TransportError("closed", "The stream of changes was closed");
      if (value?.type === "resourceUpdated") break;
      // After a gap the change may be one of those that were missed.
      if (value?.type === "gap") return "gap";
    }
    return "change";
  } finally {
    await Promise.all([touched, watch.close()]);
  }
}

async function inTime<T>(work: Promise<T>, what: string): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`${what} was not over after ${PATIENCE} ms`)), PATIENCE);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

function describe(error: unknown): string {
  return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
}
