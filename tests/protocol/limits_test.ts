/** Tests of the bounds. */
import assert from "node:assert/strict";
import { COMPLETION_VALUES, DEEPEST_JSON, LONGEST_TIMER, resolveLimits } from "../../protocol/limits.ts";
import type { LimitOptions } from "../../protocol/limits.ts";

Deno.test("resolveLimits without options gives the default preset", () => {
  assert.deepEqual(resolveLimits(undefined), resolveLimits("default"));
  assert.deepEqual(resolveLimits({}), resolveLimits("default"));
});

Deno.test("resolveLimits gives what the documentation of the bounds says", () => {
  const limits = resolveLimits("default");
  const { requestTimeout, handlers, requestBody, frame, jsonDepth, jsonElements, pageSize, requestState } = limits;
  assert.deepEqual(
    { requestTimeout, handlers, requestBody, frame, jsonDepth, jsonElements, pageSize, requestState },
    {
      requestTimeout: 30_000,
      handlers: 32,
      requestBody: 4_194_304,
      frame: 8_388_608,
      jsonDepth: 64,
      jsonElements: 200_000,
      pageSize: 100,
      requestState: 65_536,
    },
  );
});

Deno.test("resolveLimits lets no bound of the gateway preset be larger than that of the default", () => {
  const limits = resolveLimits("default");
  for (const [name, value] of Object.entries(resolveLimits("gateway"))) {
    assert.ok(value <= limits[name as keyof typeof limits], name);
  }
});

Deno.test("resolveLimits changes single bounds of a preset and keeps the others", () => {
  assert.deepEqual(resolveLimits({ jsonDepth: 8 }), { ...resolveLimits("default"), jsonDepth: 8 });
  assert.deepEqual(resolveLimits({ preset: "gateway", jsonDepth: 8 }), { ...resolveLimits("gateway"), jsonDepth: 8 });
});

Deno.test("resolveLimits leaves a bound that is undefined at the preset's value", () => {
  assert.deepEqual(resolveLimits({ jsonDepth: undefined, preset: undefined }), resolveLimits("default"));
});

Deno.test("resolveLimits refuses an unknown preset", () => {
  for (const preset of ["none", "", "constructor", "__proto__"]) {
    assert.throws(() => resolveLimits(preset as LimitOptions), { name: "TypeError", message: /^limits\.preset: / });
    assert.throws(() => resolveLimits({ preset } as LimitOptions), { name: "TypeError", message: /^limits\.preset: / });
  }
});

Deno.test("resolveLimits refuses an unknown bound by its name, names of built-ins included (B038)", () => {
  for (const name of ["requestTimeOut", "constructor", "toString"]) {
    assert.throws(() => resolveLimits({ [name]: 1 } as LimitOptions), { message: `limits.${name}: Unknown limit` });
  }
});

Deno.test("resolveLimits refuses values that are no safe integers", () => {
  for (const value of [-1, 1.5, NaN, Infinity, 2 ** 53, "10", null, true]) {
    assert.throws(
      () => resolveLimits({ jsonDepth: value } as LimitOptions),
      /^TypeError: limits\.jsonDepth: Expected an integer/,
    );
  }
});

Deno.test("resolveLimits allows zero only where something can still pass", () => {
  assert.equal(resolveLimits({ handlerQueue: 0 }).handlerQueue, 0);
  assert.equal(resolveLimits({ subscriptions: 0 }).subscriptions, 0);
  for (const name of ["requestBody", "jsonDepth", "handlers", "frame", "pageSize"]) {
    assert.throws(() => resolveLimits({ [name]: 0 } as LimitOptions), /at least 1, received 0/);
  }
});

Deno.test("COMPLETION_VALUES is the maximum of the specification (M-COMP-004)", () => {
  assert.equal(COMPLETION_VALUES, 100);
});

Deno.test("resolveLimits takes no nesting that would need more stack than there is (B040)", () => {
  assert.equal(resolveLimits({ jsonDepth: DEEPEST_JSON }).jsonDepth, DEEPEST_JSON);
  assert.throws(() => resolveLimits({ jsonDepth: DEEPEST_JSON + 1 }), {
    message: `limits.jsonDepth: Expected at most ${DEEPEST_JSON}, received ${DEEPEST_JSON + 1}`,
  });
});

Deno.test("LONGEST_TIMER is the most that a timer counts (HTML, Timers)", () => {
  assert.equal(LONGEST_TIMER, 2 ** 31 - 1);
});
