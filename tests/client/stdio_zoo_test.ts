/** Servers over stdio that meet the probe in every odd way, as real processes. */
import assert from "node:assert/strict";
import { connect, TransportError } from "../../client/mod.ts";
import type { ConnectOptions } from "../../client/mod.ts";
import type { Command } from "../../client/mod.ts";

const PROGRAM = new URL("./programs/zoo.ts", import.meta.url).pathname;

interface Visit {
  /** What the processes received, in order. */
  readonly seen: readonly string[];
  /** What was reported. */
  readonly faults: readonly unknown[];
}

/** Connects to a process of that kind, calls a tool, and ends it. */
async function visit(way: string, options: ConnectOptions = {}): Promise<Visit> {
  const seen: string[] = [];
  const faults: unknown[] = [];
  const command: Command = {
    command: Deno.execPath(),
    args: ["run", "--no-config", "--no-check", PROGRAM, way],
    inheritEnv: true,
    stderr: (line) => void seen.push(line),
  };
  await using client = await connect(command, { onError: (error) => void faults.push(error), ...options });
  assert.equal(client.server.protocolVersion, "2025-11-25");
  assert.equal(client.server.era, "legacy");
  assert.equal(client.server.info?.name, "zoo");
  assert.deepEqual(client.server.capabilities, { tools: {} });
  assert.equal(await client.tools.feed?.({}), "fed");
  return { seen, faults };
}

const KEPT = ["server/discover", "initialize", "notifications/initialized", "tools/call"];
/** Time enough for a process to start, and too little to wait in vain for long. */
const SHORT = { limits: { probeTimeout: 2_000 } };

for (const way of ["-32601", "-32602", "-32600", "-32020", "-32000", "no id", "other shape", "no result"]) {
  Deno.test(`connect keeps a process that answers the probe with ${way} and shakes hands with it (M-VER-019, L-LIFE-001)`, async () => {
    // A probe that nobody answers would take longer than the whole test may.
    const { seen } = await visit(way, { limits: { probeTimeout: 600_000 } });
    assert.deepEqual(seen, KEPT);
  });
}

Deno.test("connect keeps a process that is silent on the probe, and does not cancel it (L-LIFE-005)", async () => {
  const { seen, faults } = await visit("silence", SHORT);
  assert.deepEqual([seen, faults], [KEPT, []]);
});

Deno.test("connect drops the answer to a probe that comes too late", async () => {
  const { seen, faults } = await visit("late", SHORT);
  assert.deepEqual([seen, faults], [KEPT, []]);
});

Deno.test("connect starts a process again that was confused by the probe", async () => {
  const { seen, faults } = await visit("garbage", SHORT);
  assert.deepEqual(seen, ["server/discover", "initialize", "notifications/initialized", "tools/call"]);
  assert.ok(faults.some((error) => error instanceof TransportError && error.reason === "not_mcp"));
});

Deno.test("connect starts a process again that exits on the probe, once", async () => {
  assert.deepEqual((await visit("exit")).seen, KEPT);
  assert.deepEqual((await visit("error and exit")).seen.filter((line) => line !== "initialize"), [
    "server/discover",
    "notifications/initialized",
    "tools/call",
  ]);
});

Deno.test("connect is not disturbed by a banner", async () => {
  const { seen } = await visit("banner", SHORT);
  assert.deepEqual(seen, KEPT);
});

Deno.test("connect sends initialize at once when only handshake revisions are allowed (L-LIFE-002)", async () => {
  for (const way of ["exit", "silence"]) {
    const { seen } = await visit(way, { protocol: ["2025-11-25", "2025-06-18"] });
    assert.deepEqual(seen, KEPT.slice(1));
  }
});

Deno.test("connect reports a process that exits when it may not shake hands", async () => {
  const command = {
    command: Deno.execPath(),
    args: ["run", "--no-config", "--no-check", PROGRAM, "exit"],
    inheritEnv: true,
    stderr: "null" as const,
  };
  await using client = await connect(command, { protocol: "2026-07-28" });
  await assert.rejects(client.discover(), { kind: "transport", reason: "server_exited" });
});

Deno.test("connect reports a process that never stays, after its second start", async () => {
  const command = { command: Deno.execPath(), args: ["eval", "Deno.exit(7)"], inheritEnv: true, stderr: "null" as const };
  await assert.rejects(connect(command), (error) => {
    assert.ok(error instanceof TransportError);
    assert.equal(error.reason, "server_exited");
    assert.equal((error.data as { code: number }).code, 7);
    return true;
  });
});
