/** Tests of calls whose time is over while a part of the program is loading. */
import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import type { Client, JsonObject } from "../../../client/mod.ts";
import { DeadlineWatch } from "../../../client/waits/deadline_watch.ts";
import { LATER_PARTS } from "../../../client/input/run_rounds.ts";
import type { RequestOptions } from "../../../client/options.ts";
import { untilOver } from "../../../client/input/until_over.ts";
import type { TimedCall } from "../../../client/input/until_over.ts";
import { ask, FORM, formOf, rounds } from "../asking.ts";
import { countListeners } from "../scripted.ts";

const METHOD = { method: "tools/call" };
const OVER = { kind: "transport", reason: "timeout", data: { limit: "requestTotalTimeout" } };

/** Times of a call that has as many milliseconds left. */
function timed(watch: DeadlineWatch, options: RequestOptions, ms: number): TimedCall {
  return { connection: { watch }, call: METHOD, options, times: { timeout: ms, deadline: performance.now() + ms, total: ms } };
}

/** Runs something while the parts that are loaded later are never there. */
async function whileLoading(run: (client: Client) => Promise<void>, asked: JsonObject = ask({ a: FORM })): Promise<void> {
  const part = LATER_PARTS as { loaded: unknown; loading: unknown };
  const { loaded, loading } = part;
  const client = await connect(rounds(asked), { inputs: formOf({ city: "x" }) });
  Object.assign(part, { loaded: undefined, loading: new Promise(() => undefined) });
  try {
    await run(client);
  } finally {
    Object.assign(part, { loaded, loading });
    await client.close();
  }
}

Deno.test("a call keeps its total time while what answers its first question is loading (limit requestTotalTimeout)", async () => {
  await whileLoading(async (client) => {
    await assert.rejects(client.callTool("x", {}, { totalTimeout: 20 }), OVER);
  });
});

Deno.test("a call ends with its client while what answers its first question is loading", async () => {
  await whileLoading(async (client) => {
    const call = client.callTool("x");
    setTimeout(() => void client.close(), 20);
    await assert.rejects(call, { kind: "transport", reason: "closed" });
  });
});

Deno.test("untilOver gives what is there, and what comes in time, and leaves nothing behind", async () => {
  const watch = new DeadlineWatch();
  const { signal } = new AbortController();
  const listeners = countListeners(signal);
  assert.equal(untilOver(1, timed(watch, { signal }, 1000)), 1);
  assert.equal(await untilOver(Promise.resolve(2), timed(watch, { signal }, 1000)), 2);
  await assert.rejects(async () => await untilOver(Promise.reject(new Error("x")), timed(watch, { signal }, 1000)), {
    message: "x",
  });
  await Promise.resolve();
  assert.equal(listeners(), 0);
});

Deno.test("untilOver ends with the signal, and with the time", async () => {
  const watch = new DeadlineWatch();
  const never = new Promise<never>(() => undefined);
  await assert.rejects(
    async () => await untilOver(never, timed(watch, { signal: AbortSignal.abort(new Error("given up")) }, 1000)),
    { message: "given up" },
  );
  await assert.rejects(async () => await untilOver(never, timed(watch, {}, 5)), OVER);
});
