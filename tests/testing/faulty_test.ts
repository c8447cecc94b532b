import assert from "node:assert/strict";
import { connect, TransportError } from "@causeway/mcp/client";
import type { Client } from "@causeway/mcp/client";
import { defineServer, tool } from "@causeway/mcp/server";
import type { Server } from "@causeway/mcp/server";
import { faulty } from "@causeway/mcp/testing";
import type { Faults } from "@causeway/mcp/testing";
import { connectInMemory } from "@causeway/mcp/transports";
import type { Transport } from "@causeway/mcp/transports";
import { CARRIERS, overChannel, overLines } from "./carriers.ts";

const echo = tool({ name: "echo", args: { text: { type: "string", required: true } }, handler: ({ text }) => text });
const count = tool({
  name: "count",
  async handler(_args, ctx) {
    for (let step = 1; step <= 5; step++) await ctx.progress(step, 5);
    return "counted";
  },
});

function made(): Server {
  return defineServer({ name: "faults", version: "1.0.0", tools: [echo, count] });
}

/** A pinned client sends nothing of its own, so that all faults hit the calls of the test. */
function open(transport: Transport): Promise<Client> {
  return connect(transport, { protocol: "2026-07-28" });
}

Deno.test("faulty drops: a call ends with its timeout, and the next one may arrive", async (t) => {
  const ways: Readonly<Record<string, (server: Server, faults: Faults) => Transport>> = {
    "a carrier": (server, faults) => faulty(connectInMemory(server), faults),
    "a channel": (server, faults) => overChannel(server, (channel) => faulty(channel, faults)),
    lines: (server, faults) => overLines(server, (bytes) => faulty(bytes, faults)),
  };
  for (const [name, way] of Object.entries(ways)) {
    for (const side of ["in", "out"] as const) {
      await t.step(`${name}, ${side}`, async () => {
        const client = await open(way(made(), { drop: 1, way: side }));
        await assert.rejects(client.callTool("echo", { text: "x" }, { timeout: 60 }), (error) => {
          assert.ok(error instanceof TransportError);
          assert.equal(error.reason, "timeout");
          return true;
        });
        await client.close();
      });
    }
  }
});

Deno.test("faulty is repeatable: the same seed drops the same calls, another seed others", async () => {
  const lost = async (seed: number): Promise<string> => {
    const client = await open(faulty(connectInMemory(made()), { drop: 0.3, seed, way: "out" }));
    let pattern = "";
    for (let call = 0; call < 24; call++) {
      const answered = client.callTool("echo", { text: "x" }, { timeout: 60 });
      pattern += await answered.then(() => ".", () => "!");
    }
    await client.close();
    return pattern;
  };
  const [first, again, other] = await Promise.all([lost(3), lost(3), lost(4)]);
  assert.equal(first, again);
  assert.notEqual(first, other);
  assert.match(first, /!/);
  assert.match(first, /\./);
});

Deno.test("faulty duplicates: a call still has one answer, and progress does not repeat", async () => {
  for (const way of Object.values(duplicating())) {
    const client = await open(way);
    const steps: number[] = [];
    await client.callTool("count", {}, { onProgress: ({ progress }) => steps.push(progress) });
    assert.deepEqual(steps, [1, 2, 3, 4, 5]);
    assert.equal((await client.callTool("echo", { text: "x" })).content.length, 1);
    await client.close();
  }
});

function duplicating(): Readonly<Record<string, Transport>> {
  const faults: Faults = { duplicate: 1, way: "in" };
  return {
    carrier: faulty(connectInMemory(made()), faults),
    channel: overChannel(made(), (channel) => faulty(channel, faults)),
  };
}

Deno.test("faulty delays and reorders: every call is answered, and progress never goes back", async () => {
  const faults: Faults = { reorder: 0.5, delay: { chance: 0.5, ms: 5 }, seed: 11 };
  for (const transport of [faulty(connectInMemory(made()), faults), overChannel(made(), (channel) => faulty(channel, faults))]) {
    const client = await open(transport);
    const steps: number[] = [];
    const calls = Array.from({ length: 10 }, (_, at) => client.callTool("echo", { text: String(at) }));
    const answers = await Promise.all(calls);
    assert.deepEqual(answers.map(({ content }) => content[0]), answers.map((_, at) => ({ type: "text", text: String(at) })));
    await client.callTool("count", {}, { onProgress: ({ progress }) => steps.push(progress) });
    assert.deepEqual(steps, [...steps].sort((a, b) => a - b));
    await client.close();
  }
});

Deno.test("faulty truncates: an answer without its response is an error at once", async () => {
  const client = await open(faulty(connectInMemory(made()), { truncate: 1, way: "in" }));
  await assert.rejects(client.callTool("echo", { text: "x" }), /the stream ended without it/);
  await client.close();
});

Deno.test("faulty cuts lines after every number of bytes, both ways: every call is answered or fails at once", async () => {
  const text = "é🦊";
  const whole = await bytesOf(text);
  assert.ok(whole.in > 50 && whole.out > 50);
  for (const way of ["in", "out"] as const) {
    for (let cutAfterBytes = 0; cutAfterBytes <= whole[way]; cutAfterBytes++) {
      const client = await open(overLines(made(), (bytes) => faulty(bytes, { cutAfterBytes, way })));
      const outcome = await client.callTool("echo", { text }).then(() => "answered", (error) => (error as TransportError).reason);
      // What is left at the cut may be a whole line that lacks only its end.
      const least = way === "in" ? whole[way] - 1 : whole[way];
      assert.equal(outcome, cutAfterBytes >= least ? "answered" : "closed", `${way} ${cutAfterBytes} of ${whole[way]}`);
      await client.close();
    }
  }
});

async function bytesOf(text: string): Promise<{ in: number; out: number }> {
  const seen = { in: 0, out: 0 };
  const counted = (way: "in" | "out"): TransformStream<Uint8Array, Uint8Array> =>
    new TransformStream({
      transform(chunk, controller) {
        seen[way] += chunk.length;
        controller.enqueue(chunk);
      },
    });
  const client = await open(overLines(made(), ({ readable, writable }) => {
    const out = counted("out");
    void out.readable.pipeTo(writable).catch(() => undefined);
    return { readable: readable.pipeThrough(counted("in")), writable: out.writable };
  }));
  await client.callTool("echo", { text });
  await client.close();
  return seen;
}

Deno.test("faulty cuts a carrier: open and later calls fail with the same error", async () => {
  const client = await open(faulty(connectInMemory(made()), { cutAfterBytes: 10, way: "in" }));
  const first = client.callTool("echo", { text: "x" });
  await assert.rejects(first, /it was cut after 10 bytes/);
  await assert.rejects(client.callTool("echo", { text: "y" }), /it was cut after 10 bytes/);
  await client.close();
});

Deno.test("faulty refuses plans that make no sense", () => {
  const transport = CARRIERS["in memory"]?.(made()) as Transport;
  const plans: readonly (readonly [Faults, RegExp])[] = [
    [{ drop: 2 }, /^faults\.drop: Expected a number from 0 to 1$/],
    [{ reorder: Number.NaN }, /^faults\.reorder/],
    [{ delay: { chance: -1, ms: 1 } }, /^faults\.delay\.chance/],
    [{ delay: { chance: 1, ms: 0.5 } }, /^faults\.delay\.ms: Expected an integer of at least 0$/],
    [{ cutAfterBytes: -1 }, /^faults\.cutAfterBytes/],
    [{ seed: 1.5 }, /^faults\.seed/],
    [{ way: "up" as "in" }, /^faults\.way: Expected "in" or "out"$/],
  ];
  for (const [faults, expected] of plans) {
    assert.throws(() => faulty(transport, faults), (error) => {
      assert.ok(error instanceof TypeError);
      assert.match(error.message, expected);
      return true;
    });
  }
});
