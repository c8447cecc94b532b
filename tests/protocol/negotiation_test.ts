import assert from "node:assert/strict";
import type { Dialect } from "../../protocol/dialect.ts";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import { nextStep } from "../../protocol/negotiation.ts";
import type { ProbeAnswer } from "../../protocol/negotiation.ts";
import type { JsonValue } from "../../protocol/types.ts";

const current = DIALECTS[0] as Dialect;
const newer: Dialect = { ...current, version: "2099-01-01" };
const handshake: Dialect = { ...current, version: "2001-01-01", hasRequest: (method) => method === "initialize" };
const all = [newer, current, handshake];

const result = (supportedVersions: JsonValue): ProbeAnswer => ({ type: "result", result: { supportedVersions } });
const error = (code: number, data?: JsonValue): ProbeAnswer => ({
  type: "error",
  error: data === undefined ? { code, message: "no" } : { code, message: "no", data },
});

Deno.test("nextStep agrees on the newest version that the peer supports (M-DISC-007)", () => {
  const step = nextStep(result(["2026-07-28", "2099-01-01"]), [newer], all);
  assert.equal(step.type === "agreed" && step.dialect.version, "2099-01-01");
  const older = nextStep(result(["2026-07-28"]), [newer], all);
  assert.equal(older.type === "agreed" && older.dialect.version, "2026-07-28");
});

Deno.test("nextStep repeats with a common version after -32022 (M-VER-004, M-HTTP-032)", () => {
  const step = nextStep(error(-32022, { supported: ["2026-07-28"], requested: "2099-01-01" }), [newer], all);
  assert.equal(step.type === "repeat" && step.dialect.version, "2026-07-28");
});

Deno.test("nextStep repeats a version once when the refusal lists it, and then gives up (M-VER-004, M-VER-005)", () => {
  const refusal = error(-32022, { supported: ["2026-07-28"], requested: "2026-07-28" });
  const again = nextStep(refusal, [current], [current]);
  assert.equal(again.type === "repeat" && again.dialect, current);
  const step = nextStep(refusal, [current, current], [current]);
  assert.deepEqual(step, { type: "incompatible", supported: ["2026-07-28"], seen: "it supports other versions" });
});

Deno.test("nextStep finds nothing common in strange versions (M-VER-005)", () => {
  for (const answer of [result(["9999-01-01"]), error(-32022, { supported: ["9999-01-01"] })]) {
    const step = nextStep(answer, [current], [current]);
    assert.deepEqual(step.type === "incompatible" && step.supported, ["9999-01-01"]);
  }
  for (const data of [undefined, null, [], { supported: "2026-07-28" }, { supported: [1] }]) {
    const step = nextStep(error(-32022, data), [current], [current]);
    assert.deepEqual(step.type === "incompatible" && step.supported, []);
  }
});

Deno.test("nextStep takes refusals without a modern error for a handshake peer (M-HTTP-031, M-HTTP-033, B076)", () => {
  const refusals: ProbeAnswer[] = [
    error(-32601),
    error(-32602),
    error(-32700),
    { type: "refusal", status: 400 },
    { type: "refusal", status: 404 },
    { type: "refusal", status: 405 },
    { type: "silence" },
    { type: "result", result: { protocolVersion: "2001-01-01" } },
  ];
  for (const answer of refusals) {
    const step = nextStep(answer, [newer], all);
    assert.deepEqual(step.type === "handshake" && step.dialects.map(({ version }) => version), ["2001-01-01"]);
    assert.equal(nextStep(answer, [current], [current]).type, "incompatible");
  }
});

Deno.test("nextStep reports what says nothing about the revision (B076)", () => {
  const neutral: ProbeAnswer[] = [
    error(-32020),
    error(-32021, { requiredCapabilities: {} }),
    ...[200, 302, 401, 403, 407, 408, 429, 500, 503].map((status): ProbeAnswer => ({ type: "refusal", status })),
  ];
  for (const answer of neutral) assert.deepEqual(nextStep(answer, [newer], all), { type: "report" });
});

Deno.test("nextStep shakes hands only in versions that the peer lists", () => {
  const listed = nextStep(result(["2001-01-01"]), [newer], all);
  assert.equal(listed.type, "handshake");
  const other = nextStep(result(["2001-02-02"]), [newer], all);
  assert.equal(other.type, "incompatible");
});
