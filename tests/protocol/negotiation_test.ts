/** Tests of the negotiation: the next step after each answer to a probe. */
import assert from "node:assert/strict";
import type { Dialect } from "../../protocol/dialect.ts";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import { nextStep } from "../../protocol/negotiation.ts";
import type { ProbeAnswer } from "../../protocol/negotiation.ts";
import type { JsonValue } from "../../protocol/types.ts";

const current = DIALECTS[0] as Dialect;
const newer: Dialect = { ...current, version: "2099-01-01" };
const [, latest, oldest] = DIALECTS as readonly [Dialect, Dialect, Dialect];
const handshake: Dialect = { ...latest, version: "2001-01-01" };
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
    // A server of another revision may mean anything by that code.
    assert.equal(nextStep(error(-32022, data), [current], all).type, "handshake");
  }
});

Deno.test("nextStep shakes hands after -32022 only when a handshake version is listed and allowed (M-VER-005)", () => {
  const listed = error(-32022, { supported: ["2001-01-01"], requested: "2099-01-01" });
  const step = nextStep(listed, [newer], all);
  assert.deepEqual(step.type === "handshake" && step.dialects.map(({ version }) => version), ["2001-01-01"]);
  assert.equal(nextStep(listed, [newer], [newer, current]).type, "incompatible");
  assert.equal(nextStep(error(-32022, { supported: ["9999-01-01"] }), [newer], all).type, "incompatible");
});

Deno.test("nextStep takes -32020 for a modern answer only where there are headers", () => {
  const mismatch = { type: "error", error: { code: -32020, message: "no" } } as const;
  assert.deepEqual(nextStep(mismatch, [newer], all), { type: "report" });
  assert.equal(nextStep({ ...mismatch, headerless: true }, [newer], all).type, "handshake");
});

Deno.test("nextStep starts a server that has gone again only for a handshake", () => {
  assert.equal(nextStep({ type: "exit" }, [newer], all).type, "handshake");
  assert.deepEqual(nextStep({ type: "exit" }, [newer], [newer, current]), { type: "report" });
});

Deno.test("nextStep names the versions that a refusal of any code lists", () => {
  const step = nextStep(error(-32602, { supported: ["2001-01-01"] }), [current], [current]);
  assert.deepEqual(step.type === "incompatible" && step.supported, ["2001-01-01"]);
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

const every = [current, latest, oldest];
const versionsOf = (step: ReturnType<typeof nextStep>): unknown =>
  step.type === "handshake" ? step.dialects.map(({ version }) => version) : step.type;

Deno.test("nextStep shakes hands in the common revisions, newest first, when a result lists only such (M-DISC-007)", () => {
  assert.deepEqual(versionsOf(nextStep(result(["2025-06-18", "2025-11-25"]), [current], every)), ["2025-11-25", "2025-06-18"]);
  assert.deepEqual(versionsOf(nextStep(result(["2025-06-18"]), [current], every)), ["2025-06-18"]);
  assert.equal(nextStep(result(["2025-11-25", "2026-07-28"]), [current], every).type, "agreed");
  const step = nextStep(result(["2025-06-18"]), [current], [current, latest]);
  assert.deepEqual(step, { type: "incompatible", supported: ["2025-06-18"], seen: "it supports other versions" });
});

Deno.test("nextStep never shakes hands with a peer that supports a common stateless revision (M-STDIO-021, B076)", () => {
  const supported = ["2026-07-28", "2025-11-25"];
  const step = nextStep(error(-32022, { supported, requested: "2099-01-01" }), [newer], [newer, ...every]);
  assert.equal(step.type === "repeat" && step.dialect, current);
  assert.deepEqual(nextStep(error(-32020), [current], every), { type: "report" });
  assert.deepEqual(nextStep(error(-32021, { requiredCapabilities: {} }), [current], every), { type: "report" });
});

Deno.test("nextStep shakes hands after -32022 in the revisions that it lists, and after one without a list in any (M-VER-005)", () => {
  const listing = error(-32022, { supported: ["2025-06-18"], requested: "2026-07-28" });
  assert.deepEqual(versionsOf(nextStep(listing, [current], every)), ["2025-06-18"]);
  assert.equal(nextStep(listing, [current], [current, latest]).type, "incompatible");
  for (const data of [undefined, null, "x", { supported: 1 }]) {
    assert.deepEqual(versionsOf(nextStep(error(-32022, data), [current], every)), ["2025-11-25", "2025-06-18"]);
  }
});

Deno.test("nextStep shakes hands after every answer that no stateless peer gives (M-HTTP-031, M-HTTP-033, B076)", () => {
  const answers: ProbeAnswer[] = [
    ...[-32601, -32602, -32600, -32603, -32700, -32000, 0, 1].map((code) => error(code)),
    ...[400, 402, 404, 405, 406, 410, 415, 422].map((status): ProbeAnswer => ({ type: "refusal", status })),
    { type: "result", result: {} },
    { type: "result", result: { supportedVersions: "2026-07-28" } },
    { type: "result", result: { tools: [] } },
    { type: "silence" },
    { type: "exit" },
    { type: "error", error: { code: -32020, message: "no" }, headerless: true },
  ];
  for (const answer of answers) {
    assert.deepEqual(versionsOf(nextStep(answer, [current], every)), ["2025-11-25", "2025-06-18"], JSON.stringify(answer));
  }
});

Deno.test("nextStep names what a peer supports when only a handshake would do, and none is allowed (M-VER-005)", () => {
  const step = nextStep(error(-32602, { supported: ["2025-11-25"], requested: "2026-07-28" }), [current], [current]);
  assert.deepEqual(step, { type: "incompatible", supported: ["2025-11-25"], seen: "it answered with error -32602" });
  assert.deepEqual(nextStep({ type: "exit" }, [current], [current]), { type: "report" });
});

Deno.test("nextStep draws nothing from an error that comes with a fault of the server, unless it is one of the revision's (B076)", () => {
  for (const status of [401, 403, 407, 408, 429, 500, 503]) {
    assert.deepEqual(nextStep({ ...error(-32603), status } as ProbeAnswer, [newer], all), { type: "report" });
    const refusal = { ...error(-32022, { supported: ["2026-07-28"] }), status } as ProbeAnswer;
    assert.equal(nextStep(refusal, [newer], all).type, "repeat");
  }
  for (const status of [200, 400, 404]) {
    assert.equal(nextStep({ ...error(-32603), status } as ProbeAnswer, [newer], all).type, "handshake");
  }
});
