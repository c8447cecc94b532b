/** Tests of `client/sent_in_time.ts`. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import { DeadlineWatch } from "../../client/deadline_watch.ts";
import { sentInTime } from "../../client/sent_in_time.ts";
import { oldSite } from "./old_site.ts";
import { deferred } from "./scripted.ts";

const NEVER = new Promise<void>(() => undefined);
const terms = (watch: DeadlineWatch, timeout: number) => ({ method: "notifications/x", timeout, watch });

Deno.test("sentInTime waits for the carrier, and gives what it throws", async () => {
  const watch = new DeadlineWatch();
  await sentInTime(Promise.resolve(), terms(watch, 1000));
  const fault = new Error("no");
  await assert.rejects(sentInTime(Promise.reject(fault), terms(watch, 1000)), fault);
});

Deno.test("sentInTime ends by its time, its signal and the end of the connection", async () => {
  const watch = new DeadlineWatch();
  await assert.rejects(sentInTime(NEVER, terms(watch, 5)), {
    reason: "timeout",
    message: "Sending notifications/x: the server has not taken it within 5 ms (limit requestTimeout)",
    data: { limit: "requestTimeout" },
  });
  const abort = new AbortController();
  const waiting = sentInTime(NEVER, { ...terms(watch, 60_000), signal: abort.signal });
  abort.abort(new Error("enough"));
  await assert.rejects(waiting, { message: "enough" });
  await assert.rejects(sentInTime(NEVER, { ...terms(watch, 60_000), signal: abort.signal }), { message: "enough" });
  const open = sentInTime(NEVER, terms(watch, 60_000));
  watch.failAll(new Error("closed"));
  await assert.rejects(open, { message: "closed" });
});

Deno.test("connect does not wait for ever for a server that never takes notifications/initialized", async () => {
  const end = deferred();
  const site = oldSite(async ({ message: { method } }) => {
    if (method === "notifications/initialized") await end.promise;
    return undefined;
  });
  try {
    const options = { protocol: "2025-11-25" } as const;
    await assert.rejects(connect(site.url, { ...options, limits: { requestTimeout: 100 } }), { reason: "timeout" });
    const abort = new AbortController();
    const connecting = connect(site.url, { ...options, signal: abort.signal });
    while (site.methods().length < 4) await new Promise((resolve) => setTimeout(resolve, 5));
    abort.abort(new Error("enough"));
    await assert.rejects(connecting, { message: "enough" });
  } finally {
    end.resolve();
    await site.close();
  }
});
