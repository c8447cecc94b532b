import assert from "node:assert/strict";
import { callTimes, metaEntries } from "../../client/request_settings.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import type { RequestOptions } from "../../client/mod.ts";

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

Deno.test("callTimes takes its times from the limits and from the call", () => {
  const limits = resolveLimits({ requestTimeout: 5, requestTotalTimeout: 7 });
  const watch = { heldFor: 0 };
  assert.equal(callTimes({}, limits, watch).timeout, 5);
  assert.equal(callTimes({ timeout: 9 }, limits, watch).timeout, 9);
  for (const odd of [0, -1, NaN]) {
    assert.throws(() => callTimes({ timeout: odd }, limits, watch), /^TypeError: options\.timeout: /);
    assert.throws(() => callTimes({ totalTimeout: odd }, limits, watch), /^TypeError: options\.totalTimeout: /);
  }
});

Deno.test("callTimes puts the end off by what the watch is held for from then on", () => {
  const watch = { heldFor: 1000 };
  const times = callTimes({ totalTimeout: 500 }, resolveLimits(undefined), watch);
  const end = times.deadline;
  assert.ok(end <= performance.now() + 500);
  watch.heldFor += 250;
  assert.equal(times.deadline, end + 250);
});

Deno.test("metaEntries refuses keys that are not a program's to use (M-META-002, M-META-003, M-META-005, M-META-006)", () => {
  const refused = [
    "com..example/x",
    "1a/x",
    "a-/x",
    "com.example/-x",
    "-x",
    "",
    "io.modelcontextprotocol/protocolVersion",
    "com.mcp.tools/x",
    "progressToken",
  ];
  for (const key of refused) assert.throws(() => metaEntries({ meta: { [key]: 1 } }), /^TypeError: options\.meta: /, key);
  const accepted = ["com.example/", "com.example/a_b-c.d", "plain", "baggage", "com.example.mcp/x"];
  const meta = Object.fromEntries(accepted.map((key) => [key, 1]));
  assert.deepEqual(metaEntries({ meta }), meta);
  assert.equal(metaEntries({}), undefined);
});

Deno.test("metaEntries refuses malformed trace context (M-META-020)", () => {
  const refused: RequestOptions[] = [
    { trace: { traceparent: "00-x" } },
    { meta: { traceparent: "ff-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01" } },
    { meta: { traceparent: 5 } },
    ...["a", "a=", "A=1", "a=1,a=2", "a=b=c", "=1", Array.from({ length: 33 }, (_, i) => `k${i}=v`).join(",")].map((
      tracestate,
    ) => ({
      trace: { traceparent: TRACEPARENT, tracestate },
    })),
  ];
  for (const options of refused) assert.throws(() => metaEntries(options), /^TypeError: options\.(meta|trace)\.trace/);
  for (const tracestate of ["", "rojo=00f067aa0ba902b7", "a=1, b=2 ,,c@d=x y"]) {
    assert.deepEqual(metaEntries({ trace: { traceparent: TRACEPARENT, tracestate } }), { traceparent: TRACEPARENT, tracestate });
  }
});
