/** Tests of `rateLimit`. */
import assert from "node:assert/strict";
import { RATE_CALLERS } from "../../../protocol/limits.ts";
import type { Call } from "../../../server/middleware/middleware_types.ts";
import { prompt } from "../../../server/components/prompt.ts";
import { rateLimit } from "../../../server/middleware/rate_limit.ts";
import { tool } from "../../../server/components/tool.ts";
import { answerOf, errorOf, httpRequest, request, resultOf, serverOf, toolCall } from "../calls.ts";
import { onEveryWay } from "../eras.ts";

const COMPONENTS = {
  tools: [tool({ name: "a", handler: () => "done" })],
  prompts: [prompt({ name: "p", arguments: { x: {} }, complete: { x: () => ["one"] }, render: () => "" })],
};

/** Runs a test on a clock that stands still until it is moved. */
async function withClock(test: (move: (ms: number) => void) => Promise<void>): Promise<void> {
  const real = performance.now;
  let now = 1_000;
  performance.now = () => now;
  try {
    await test((ms) => {
      now += ms;
    });
  } finally {
    performance.now = real;
  }
}

onEveryWay(
  "rateLimit refuses above the rate, naming the limit (M-TOOL-049, M-COMP-011, M-COMP-016)",
  () => serverOf(COMPONENTS, { use: [rateLimit({ perMinute: 4 })] }),
  async (way) => {
    const complete = { ref: { type: "ref/prompt", name: "p" }, argument: { name: "x", value: "" } };
    const methods = [["completion/complete", complete], ["tools/call", { name: "a" }], [
      "completion/complete",
      complete,
    ]] as const;
    // A connection that shakes hands has spent one request on it.
    const first = way.name.endsWith("on a channel") ? [] : [["tools/list", {}]] as const;
    for (const [method, params] of [...first, ...methods]) assert.ok("result" in await way.call(method, params), method);
    for (const [method, params] of [...methods]) {
      const { error } = await way.call(method, params);
      assert.equal(error.code, -32603);
      assert.match(error.message, /^Rate limited: at most 4 requests in a minute \(limit perMinute\), try again in \d+ ms$/);
      assert.deepEqual([error.data.reason, error.data.limit, error.data.value], ["rate_limited", "perMinute", 4]);
      assert.ok(error.data.retryAfterMs > 0 && error.data.retryAfterMs <= 15_000);
    }
  },
);

Deno.test("rateLimit lets through again what has filled up, on a clock of its own, and no more than the rate at once", () =>
  withClock(async (move) => {
    const server = serverOf(COMPONENTS, { use: [rateLimit({ perMinute: 2 })] });
    const outcomes = async (n: number): Promise<string> => {
      let found = "";
      for (let i = 0; i < n; i++) {
        const { response } = await answerOf(server, toolCall("a"));
        found += response !== undefined && "result" in response ? "y" : "n";
      }
      return found;
    };
    assert.equal(await outcomes(3), "yyn");
    assert.equal((await errorOf(server, toolCall("a"))).data?.retryAfterMs, 30_000);
    move(29_999);
    assert.equal(await outcomes(1), "n");
    move(1);
    assert.equal(await outcomes(2), "yn");
    move(3_600_000);
    assert.equal(await outcomes(3), "yyn");
  }));

Deno.test("rateLimit keeps principals apart, and counts everybody together who is none", async () => {
  const server = serverOf(COMPONENTS, { use: [rateLimit({ perMinute: 1 })] });
  const status = async (principal: string | undefined): Promise<boolean> => {
    const auth = principal === undefined ? undefined : { principal, scopes: [], claims: {} };
    const response = await server.respond(httpRequest(toolCall("a")), { auth });
    return "result" in await response.json();
  };
  assert.deepEqual([await status("ada"), await status("bob"), await status(undefined)], [true, true, true]);
  assert.deepEqual([await status("ada"), await status("bob"), await status(undefined)], [false, false, false]);
  assert.ok(await status("anonymous"), "a principal cannot take the place of the anonymous");
});

Deno.test("rateLimit asks `by` who the caller is", async () => {
  const use = [rateLimit({ perMinute: 1, by: ({ headers }) => headers.get("x-tenant") ?? "" })];
  const server = serverOf(COMPONENTS, { use });
  const call = async (tenant: string): Promise<boolean> =>
    "result" in await (await server.fetch(httpRequest(request("tools/list"), { "x-tenant": tenant }))).json();
  assert.deepEqual([await call("a"), await call("b"), await call("a"), await call("b")], [true, true, false, false]);
});

Deno.test("rateLimit remembers so many callers; beyond, new names share one allowance and win nothing", () =>
  withClock(async (move) => {
    let caller = "";
    const limit = rateLimit({ perMinute: 1, by: () => caller });
    const passes = async (name: string): Promise<boolean> => {
      caller = name;
      try {
        await limit({ method: "tools/list", params: {}, info: {} } as unknown as Call, () => Promise.resolve({}));
        return true;
      } catch {
        return false;
      }
    };
    for (let i = 0; i < RATE_CALLERS; i++) assert.ok(await passes(`caller ${i}`));
    assert.deepEqual([await passes("new 1"), await passes("new 2"), await passes("caller 0")], [true, false, false]);
    move(60_000);
    assert.deepEqual([await passes("new 3"), await passes("new 3"), await passes("new 4")], [true, false, true]);
  }));

Deno.test("rateLimit counts every round of a request, and servers that share it", async () => {
  const limit = rateLimit({ perMinute: 2 });
  const [one, two] = [serverOf(COMPONENTS, { use: [limit] }), serverOf(COMPONENTS, { use: [limit] })];
  await resultOf(one, toolCall("a"));
  await resultOf(two, toolCall("a"));
  assert.equal((await errorOf(one, toolCall("a"))).data?.reason, "rate_limited");
});

Deno.test("rateLimit refuses a rate that is none at definition", () => {
  for (const perMinute of [0, -1, 1.5, NaN, Infinity, "5"]) {
    assert.throws(
      () => rateLimit({ perMinute: perMinute as number }),
      /^TypeError: rateLimit\.perMinute: Expected a positive integer/,
    );
  }
  assert.throws(() => rateLimit({ perMinute: 1, by: "ip" as never }), /^TypeError: rateLimit\.by: Expected a function/);
});
