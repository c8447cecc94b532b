/** The server that is soaked. */
import { defineServer, prompt, resource, tool } from "@causeway/mcp/server";
import type { Server } from "@causeway/mcp/server";

/** The resource whose changes are told. */
export const CHANGING = "app://items/changing";

const echo = tool({
  name: "echo",
  args: { text: { type: "string", required: true }, n: { type: "integer", required: true } },
  handler: ({ text, n }) => ({ text, n }),
});

const count = tool({
  name: "count",
  args: { to: { type: "integer", required: true } },
  async handler({ to }, ctx) {
    for (let step = 1; step <= to; step++) await ctx.progress(step, to);
    return { to };
  },
});

const wait = tool({
  name: "wait",
  args: { ms: { type: "integer", required: true } },
  async handler({ ms }, ctx) {
    await new Promise<void>((resolve) => {
      const end = (): void => {
        clearTimeout(timer);
        ctx.signal.removeEventListener("abort", end);
        resolve();
      };
      const timer = setTimeout(end, ms);
      ctx.signal.addEventListener("abort", end);
      if (ctx.signal.aborted) end();
    });
    return "waited";
  },
});

const fail = tool({
  name: "fail",
  handler() {
    throw new Error("This tool fails on purpose");
  },
});

const confirm = tool({
  name: "confirm",
  args: { n: { type: "integer", required: true } },
  async handler({ n }, ctx) {
    const answer = await ctx.elicit(`Is it ${n}?`, { yes: { type: "boolean", required: true } });
    return { n, yes: answer.action === "accept" && answer.content.yes };
  },
});

const big = tool({
  name: "big",
  args: { size: { type: "integer", required: true } },
  handler: ({ size }) => "é".repeat(size),
});

const touch = tool({
  name: "touch",
  async handler(_args, ctx) {
    await ctx.notify.resourceUpdated(CHANGING);
    return "touched";
  },
});

/** Returns what is in use after everything that can go has gone. */
const heap = tool({ name: "heap", handler: async () => ({ bytes: await heapInUse() }) });

const item = resource({ uri: "app://items/{id}", name: "item", read: ({ id }) => ({ id }) });
const hello = prompt({
  name: "hello",
  arguments: { name: { required: true } },
  complete: { name: (value) => [`${value}a`, `${value}b`] },
  render: ({ name }) => `Hello, ${name}`,
});

/** Makes the server. */
export function soakServer(sessions: boolean): Server {
  return defineServer({
    name: "soak",
    version: "1.0.0",
    tools: [echo, count, wait, fail, confirm, big, touch, heap],
    resources: [item],
    prompts: [hello],
    sessions,
    stateKeys: ["a key that is long enough for this"],
    limits: { sessions: 200, sessionsPerPrincipal: 200, sessionIdle: 3000, handlers: 64, requestBodyTimeout: 2000 },
  });
}

/** Collects garbage, and gives the bytes of the heap that are left. Needs `--v8-flags=--expose-gc`. */
export async function heapInUse(): Promise<number> {
  const { gc } = globalThis as { gc?: () => void };
  if (gc === undefined) throw new Error("Run with --v8-flags=--expose-gc");
  let least = Infinity;
  for (let round = 0; round < 5; round++) {
    gc();
    least = Math.min(least, Deno.memoryUsage().heapUsed);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  return least;
}
