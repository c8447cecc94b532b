/** Tests of `transports/spawned_child.ts`, with real children and a platform that can do less. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { SpawnedChild } from "../../transports/spawned_child.ts";
import type { NodeChild, ProcessControl } from "../../transports/spawned_child.ts";

const POSIX = Deno.build.os !== "windows";

/** A child of `sh`, and what was done to it. */
async function start(script: string, control: ProcessControl, overrides: Partial<NodeChild> = {}) {
  const real = spawn("sh", ["-c", script], { detached: true, stdio: ["pipe", "pipe", "pipe"] });
  await once(real, "spawn");
  await once(real.stdout, "readable");
  const node = Object.assign(real as unknown as NodeChild, overrides);
  const child = new SpawnedChild(node, { control, grace: 60, tree: crypto.randomUUID() });
  return {
    child,
    async kill() {
      // The program need not wait for a child that does not end.
      real.ref();
      Deno.kill(-(real.pid as number), "SIGKILL");
      await child.exited;
    },
  };
}

Deno.test({
  name: "stop() says that a child has not ended when nothing ends it, in bounded time",
  ignore: !POSIX,
  async fn() {
    const sent: (string | number)[] = [];
    const kills: string[] = [];
    const control: ProcessControl = {
      signal(_pid, signal) {
        sent.push(signal);
        return "refused";
      },
    };
    const { child, kill } = await start("echo; trap '' TERM; while :; do sleep 0.05; done", control, {
      kill: (signal) => kills.push(signal) > 0,
    });
    assert.equal(await child.stop(), false);
    assert.equal(await child.stop(), false);
    assert.equal(child.forced, true);
    assert.equal(sent[0], "SIGTERM");
    assert.equal(sent.filter((signal) => signal === "SIGTERM").length, 1);
    assert.deepEqual([kills[0], kills.at(-1), kills.indexOf("SIGKILL")], ["SIGTERM", "SIGKILL", 1]);
    await kill();
  },
});

Deno.test({
  name: "stop() ends the child itself where its group may not be signalled",
  ignore: !POSIX,
  async fn() {
    const { child } = await start("echo; trap '' TERM; while :; do sleep 0.05; done & wait; while :; do sleep 0.05; done", {
      signal: () => "refused",
    });
    assert.equal(await child.stop(), true);
    assert.deepEqual(await child.exited, { code: null, signal: "SIGKILL" });
    Deno.kill(-child.pid, "SIGKILL");
  },
});

Deno.test({
  name: "stop() sends no signal to a child that ends with its input (M-STDIO-012, M-STDIO-013)",
  ignore: !POSIX,
  async fn() {
    const sent: (string | number)[] = [];
    const { child } = await start("echo; cat >/dev/null; exit 5", {
      signal(_pid, signal) {
        sent.push(signal);
        return "gone";
      },
    });
    assert.equal(await child.stop(), true);
    assert.deepEqual(await child.exited, { code: 5, signal: null });
    assert.equal(child.forced, false);
    assert.deepEqual(sent.filter((signal) => signal !== 0), []);
  },
});

Deno.test({
  name: "stop() ends the tree at once where there are no groups, and the child itself when that fails",
  ignore: !POSIX,
  async fn() {
    const asked: number[] = [];
    const first = await start("echo; sleep 60", {
      signal: () => "refused",
      endTree(pid) {
        asked.push(pid);
        Deno.kill(-pid, "SIGKILL");
        return Promise.resolve();
      },
    });
    assert.equal(await first.child.stop(), true);
    assert.deepEqual(asked, [first.child.pid]);
    const second = await start("echo; exec sleep 60", {
      signal: () => "refused",
      endTree: () => Promise.reject(new Error("no")),
    });
    assert.equal(await second.child.stop(), true);
    assert.equal((await second.child.exited).signal, "SIGKILL");
  },
});
