/** Tests that thousands of calls leave nothing behind, in a process of their own with its own heap. */
import assert from "node:assert/strict";

interface Left {
  readonly listeners: number;
  readonly failed: number;
  readonly early: number;
  readonly late: number;
  readonly peers: number;
  readonly timers: number;
  readonly warnings: number;
}

const SLACK = 512 * 1024;

Deno.test("5,000 calls that share a signal leave no listener, timer, socket or memory, over HTTP and stdio (B089)", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--no-check", "--v8-flags=--expose-gc", new URL("programs/many_calls.ts", import.meta.url).href],
  }).output();
  assert.equal(code, 0, new TextDecoder().decode(stderr));
  const left = JSON.parse(new TextDecoder().decode(stdout)) as { readonly [way: string]: Left };
  for (const [way, { listeners, failed, early, late, peers, timers, warnings }] of Object.entries(left)) {
    assert.deepEqual([listeners, failed, warnings], [0, 500, 0], way);
    // One may be the connection's own.
    assert.ok(timers <= 1, `${way}: ${timers} timers`);
    assert.ok(late < early * 1.1 + SLACK, `${way}: ${early} bytes after 1,000 calls, ${late} after 5,000`);
    // A call that is given up takes its connection along.
    assert.ok(peers <= 5000 / 30 + 20, `${way}: ${peers} connections`);
  }
});
