/** Kills clients and servers at random moments, and looks for what is left of them. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import { connectStdio } from "../../transports/stdio_client.ts";
import type { Transport } from "../../transports/transport.ts";
import { createRandom } from "../protocol/random.ts";
import type { Random } from "../protocol/random.ts";
import { collect, request } from "./support.ts";

const program = (name: string): string => new URL(`./programs/${name}.ts`, import.meta.url).pathname;

/** Milliseconds within which every call is settled: a second more than all steps of ending a server take. */
const STOP_GRACE = 200;
const DEADLINE = 30_000;

/** Calls in all ways until `isOver`, or until a call fails. Gives how each call ended. */
export async function keepCalling(transport: Transport, isOver: () => boolean): Promise<string[]> {
  const calls: Promise<string>[] = [];
  let failed = false;
  const call = (id: number, method: string, params = {}): Promise<string> => {
    const work = collect(transport.exchange(request(id, method, params), {})).then(
      () => "answered",
      (error) => {
        failed = true;
        return String(error.reason);
      },
    );
    calls.push(work);
    return work;
  };
  let id = 0;
  for (let n = 0; n < 5; n++) void call(id++, "hang");
  while (!failed && !isOver()) {
    void call(id++, "slow");
    void call(id++, "echo", { pad: "a".repeat(200_000) });
    await call(id++, "echo");
  }
  return await Promise.all(calls);
}

/**
 * Kills a client, or a server, at a random moment, again and again.
 *
 * @param times How often.
 * @param seed Where chance begins.
 */
export async function killAtRandom(times: number, seed: number): Promise<void> {
  const random = createRandom(seed);
  for (let round = 0; round < times; round++) {
    const tree = `kills-${crypto.randomUUID()}`;
    const what = `round ${round} of seed ${seed}`;
    if (round % 2 === 0) await killClient(random, tree);
    else await killServer(random, tree, what);
    await nobodyLeft(tree, what);
  }
}

async function killClient(random: Random, tree: string): Promise<void> {
  const client = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", program("killed_client"), program("family"), tree],
    env: { KILLS: tree },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  // At any moment from before it runs; in half of the rounds while calls are under way.
  const output = client.stdout.getReader();
  if (random.below(2) === 0) await output.read();
  await pause(random.below(250));
  client.kill("SIGKILL");
  await client.status;
  await output.cancel();
}

async function killServer(random: Random, tree: string, what: string): Promise<void> {
  const started = Promise.withResolvers<number>();
  const faults: unknown[] = [];
  const transport = await connectStdio({
    command: Deno.execPath(),
    args: ["run", "-A", "--quiet", "--no-check", program("family"), "wild"],
    env: { KILLS: tree },
    inheritEnv: true,
    stderr: (line) => started.resolve(Number(line)),
  }, { limits: resolveLimits({ stopGrace: STOP_GRACE }), onError: (error) => faults.push(error) });
  const calls = keepCalling(transport, () => false);
  const pid = await started.promise;
  await pause(random.below(150));
  Deno.kill(pid, "SIGKILL");
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`Calls are not settled in ${what}`)), DEADLINE);
  });
  const ends = await Promise.race([calls, late]).finally(() => clearTimeout(timer));
  assert.deepEqual(new Set(ends.filter((end) => end !== "answered")), new Set(["server_exited"]), what);
  assert.ok(ends.filter((end) => end === "server_exited").length >= 5, what);
  await transport.close();
  // The last line may be cut. Nothing else goes wrong, the end of the server above all.
  assert.deepEqual(faults.filter((fault) => (fault as { reason?: string }).reason !== "not_mcp"), [], what);
}

/** Everything that was started has the tree's name in its environment. */
async function nobodyLeft(tree: string, what: string): Promise<void> {
  const until = performance.now() + DEADLINE;
  for (;;) {
    const left = members(tree);
    if (left.length === 0) return;
    assert.ok(performance.now() < until, `Left over in ${what}: ${left.join(", ")}`);
    await pause(20);
  }
}

function members(tree: string): string[] {
  const found: string[] = [];
  for (const { name } of Deno.readDirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      if (Deno.readTextFileSync(`/proc/${name}/environ`).includes(tree)) {
        found.push(`${name} ${Deno.readTextFileSync(`/proc/${name}/cmdline`).replaceAll("\0", " ")}`);
      }
    } catch {
      // It has ended, or is not ours.
    }
  }
  return found;
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
