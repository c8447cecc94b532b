import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import { DeadlineWatch } from "../../client/waits/deadline_watch.ts";
import { inTime } from "../../client/in_time.ts";
import { oldSite } from "./old_site.ts";
import { countListeners, deferred } from "./scripted.ts";
import { rpcError, site, visit } from "./site.ts";

const LONG = { requestTimeout: 60_000 };

Deno.test("inTime ends with the work, the signal, the time or the watch, whichever comes first, and leaves no listener", async () => {
  const endless = new Promise<never>(() => undefined);
  const watch = new DeadlineWatch();
  const abort = new AbortController();
  const listeners = countListeners(abort.signal);
  const call = (timeout: number, total: number) => {
    const times = { timeout, deadline: performance.now() + total, total };
    return { method: "x/y", options: { signal: abort.signal }, times };
  };
  let left = 0;
  const wait = (timeout: number, total: number, work: Promise<number> = endless) =>
    inTime(work, watch, call(timeout, total), () => void left++);
  assert.equal(await wait(60_000, 60_000, Promise.resolve(7)), 7);
  assert.equal(left, 0);
  await assert.rejects(wait(1, 60_000), { reason: "timeout", data: { limit: "requestTimeout" } });
  await assert.rejects(wait(60_000, 1), { reason: "timeout", data: { limit: "requestTotalTimeout" } });
  const given = wait(60_000, 60_000);
  abort.abort(new RangeError("Enough"));
  await assert.rejects(given, /^RangeError: Enough/);
  await assert.rejects(wait(60_000, 60_000), /^RangeError: Enough/);
  assert.deepEqual([left, listeners()], [4, 0]);
  const ended = inTime(endless, watch, { ...call(60_000, 60_000), options: {} });
  watch.failAll(new RangeError("Closed"));
  await assert.rejects(ended, /^RangeError: Closed/);
});

Deno.test("a call waits for another session no longer than it may take", async () => {
  const renewed = deferred<undefined>();
  let count = 0;
  const place = oldSite(({ message }) => message.method === "initialize" && count++ > 0 ? renewed.promise : undefined, {
    sessions: true,
  });
  const client = await connect(place.url, { limits: LONG });
  place.forget();
  const patient = client.callTool("patient");
  await assert.rejects(client.callTool("x", {}, { timeout: 50 }), { reason: "timeout", data: { limit: "requestTimeout" } });
  await assert.rejects(client.callTool("x", {}, { totalTimeout: 50 }), {
    reason: "timeout",
    data: { limit: "requestTotalTimeout" },
  });
  renewed.resolve(undefined);
  await patient;
  await client.close();
  await place.close();
});

Deno.test("a call waits for its turn to set a level no longer than it may take, and sets none afterwards", async () => {
  const first = deferred<Record<string, never>>();
  const levels: unknown[] = [];
  const place = oldSite(({ message: { method, params } }) => {
    if (method !== "logging/setLevel") return undefined;
    levels.push(params?.level);
    return levels.length === 1 ? first.promise : {};
  }, { sessions: true, capabilities: { logging: {}, tools: {} } });
  const client = await connect(place.url, { limits: LONG });
  const patient = client.callTool("x", {}, { logLevel: "info" });
  await assert.rejects(client.callTool("x", {}, { logLevel: "debug", totalTimeout: 50 }), { reason: "timeout" });
  await assert.rejects(client.request("logging/setLevel", { level: "alert" }, { timeout: 50 }), { reason: "timeout" });
  first.resolve({});
  await patient;
  await client.callTool("x", {}, { logLevel: "error" });
  assert.deepEqual(levels, ["info", "error"]);
  await client.close();
  await place.close();
});

Deno.test("a call waits for another revision no longer than it may take", async () => {
  const asked = deferred();
  let count = 0;
  const place = site((posted) => {
    const { method } = posted.message;
    if (method === "server/discover") return count++ === 0 ? undefined : asked.promise.then(() => undefined);
    return rpcError(posted, 400, -32022, { supported: ["2025-11-25"] });
  });
  await visit(place, { limits: { ...LONG, probeTimeout: 60_000 } }, async (client) => {
    await assert.rejects(client.callTool("x", {}, { totalTimeout: 50 }), { reason: "timeout" });
    asked.resolve();
  });
});
