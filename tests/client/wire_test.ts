/** Tests of `client/wire.ts`. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import type { Transport } from "../../client/mod.ts";
import { Wire } from "../../client/wire.ts";
import { MESSAGES_UNDER_WAY } from "../../protocol/limits.ts";
import { until } from "../until.ts";
import { oldSite } from "./old_site.ts";
import { deferred } from "./scripted.ts";

function carrier(closed: string[], name: string): Transport {
  return {
    exchange: () => {
      throw new Error("nothing is sent");
    },
    send: () => Promise.resolve(),
    incoming: (async function* () {})(),
    close: () => {
      closed.push(name);
      return Promise.resolve();
    },
  };
}

function wireOf(transport: Transport, reopen: () => Promise<Transport>): Wire {
  return new Wire({
    transport,
    reopen,
    stray: () => undefined,
    report: (error) => assert.fail(String(error)),
  });
}

Deno.test("Wire ends a second carrier that is there only after the end", async () => {
  const closed: string[] = [];
  const second = deferred<Transport>();
  const wire = wireOf(carrier(closed, "first"), () => second.promise);
  const restarting = wire.restart();
  await wire.close(new Error("closed"));
  second.resolve(carrier(closed, "second"));
  await assert.rejects(restarting, { message: "closed" });
  assert.deepEqual(closed, ["first", "first", "second"]);
});

Deno.test("Wire opens no second carrier after the end, and one at most before", async () => {
  const closed: string[] = [];
  let opened = 0;
  const open = () => Promise.resolve(carrier(closed, `reopened ${++opened}`));
  const ended = wireOf(carrier(closed, "first"), open);
  await ended.close(new Error("closed"));
  await assert.rejects(ended.restart(), { message: "closed" });
  assert.equal(opened, 0);
  const wire = wireOf(carrier(closed, "other"), open);
  await wire.restart();
  await wire.restart();
  assert.equal(opened, 1);
  await wire.close(new Error("closed"));
  assert.deepEqual(closed, ["first", "other", "reopened 1"]);
});

Deno.test("Wire gives up a message without an answer that the carrier does not take in time, and says so", async () => {
  const given: AbortSignal[] = [];
  const silent: Transport = {
    ...carrier([], "first"),
    send: (_message, options) => {
      if (options?.signal !== undefined) given.push(options.signal);
      return new Promise(() => undefined);
    },
  };
  const wire = wireOf(silent, () => Promise.reject(new Error("not opened again")));
  await assert.rejects(wire.send({ jsonrpc: "2.0", method: "notifications/x" }, { headers: [], timeout: 5 }), {
    reason: "timeout",
    message: "Sending notifications/x: the server has not taken it within 5 ms (limit requestTimeout)",
    data: { limit: "requestTimeout" },
  });
  assert.deepEqual(given.map(({ aborted }) => aborted), [true]);
});

/** Connects over a `fetch` that never answers these messages; tells how many of them are open. */
async function onSilentSite(
  silent: (message: { method?: string }) => boolean,
  run: (url: string, fetch: typeof globalThis.fetch, open: { now: number; most: number; all: number }) => Promise<void>,
): Promise<void> {
  const site = oldSite(() => undefined, { sessions: true });
  const open = { now: 0, most: 0, all: 0 };
  const quiet: typeof fetch = async (input, init) => {
    if (init?.method !== "POST") return await fetch(input, init);
    const body = await new Response(init.body ?? null).text();
    if (!silent(JSON.parse(body))) return await fetch(input, { ...init, body });
    open.all++;
    open.most = Math.max(open.most, ++open.now);
    return await new Promise((_resolve, reject) => {
      const onAbort = (): void => {
        open.now--;
        reject(init?.signal?.reason);
      };
      if (init?.signal?.aborted === true) onAbort();
      else init?.signal?.addEventListener("abort", onAbort);
    });
  };
  try {
    await run(site.url, quiet, open);
  } finally {
    await site.close();
  }
}

Deno.test("connect gives up notices of cancelled calls that the server never takes, and has so many open at most", async () => {
  const silent = ({ method }: { method?: string }): boolean => method === "tools/call" || method === "notifications/cancelled";
  await onSilentSite(silent, async (url, fetch, open) => {
    const faults: unknown[] = [];
    const onError = (error: unknown): void => void faults.push(error);
    const client = await connect(url, { protocol: "2025-11-25", fetch, onError, limits: { requestTimeout: 50 } });
    const calls = Array.from({ length: 200 }, () => client.callTool("x", {}, { timeout: 5 }));
    await Promise.allSettled(calls);
    assert.equal(open.now, MESSAGES_UNDER_WAY);
    await until(() => open.now === 0);
    assert.equal(open.all, 200 + MESSAGES_UNDER_WAY);
    assert.ok(faults.every((fault) => (fault as { reason?: string }).reason === "timeout"));
    await client.close();
  });
});

Deno.test("notify gives its POST up with its time, and has so many open at most", async () => {
  await onSilentSite(({ method }) => method === "notifications/own", async (url, fetch, open) => {
    const client = await connect(url, { protocol: "2025-11-25", fetch, limits: { requestTimeout: 50 } });
    const sent = Array.from({ length: MESSAGES_UNDER_WAY + 36 }, () => client.notify("notifications/own"));
    const ends = await Promise.allSettled(sent);
    assert.ok(ends.every((end) => end.status === "rejected" && end.reason.reason === "timeout"));
    assert.equal(open.most, MESSAGES_UNDER_WAY);
    assert.equal(open.now, 0);
    await client.close();
  });
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
    await until(() => site.methods().length >= 4);
    abort.abort(new Error("enough"));
    await assert.rejects(connecting, { message: "enough" });
  } finally {
    end.resolve();
    await site.close();
  }
});
