/** Tests of `transports/process_tree.ts`. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { descendants, isRunning, TREE_VARIABLE, treeMembers, treeValue } from "../../transports/process_tree.ts";
import type { ProcessFiles } from "../../transports/process_tree.ts";
import { until } from "../until.ts";

/** What Linux would show of processes: number, parent, group, state, name, environment. */
type Shown = readonly [pid: number, parent: number, group: number, state?: string, name?: string, environ?: string];

function shown(processes: readonly Shown[]): ProcessFiles {
  const stat = ([pid, parent, group, state = "S", name = "x"]: Shown) =>
    `${pid} (${name}) ${state} ${parent} ${group} ${group} 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0 ${1000 + pid} 1 2 3\n`;
  const texts = new Map<string, string>();
  for (const one of processes) {
    const [pid, , , , , environ] = one;
    texts.set(`/proc/${pid}/stat`, stat(one));
    if (environ !== undefined) texts.set(`/proc/${pid}/environ`, environ);
    texts.set(
      `/proc/${pid}/task/${pid}/children`,
      processes.filter((child) => child[1] === pid).map(([child]) => `${child} `).join(""),
    );
  }
  const fail = (path: string): never => {
    throw new Error(`ENOENT ${path}`);
  };
  return {
    entries(path) {
      if (path === "/proc") return ["self", "uptime", ...processes.map(([pid]) => String(pid))];
      const pid = /^\/proc\/(\d+)\/task$/.exec(path)?.[1];
      return pid !== undefined && texts.has(`/proc/${pid}/stat`) ? [pid] : fail(path);
    },
    text: (path) => texts.get(path) ?? fail(path),
  };
}

const numbers = (marks: readonly { readonly pid: number }[]) => marks.map(({ pid }) => pid).sort((one, other) => one - other);

Deno.test("descendants() follows children of children, in whatever group, and leaves the dead out", () => {
  const files = shown([[10, 1, 10], [11, 10, 10], [12, 11, 12], [13, 12, 12, "Z"], [14, 1, 14], [15, 10, 10, "S", "a) S 1 (b"]]);
  assert.deepEqual(numbers(descendants(files, 10)), [11, 12, 15]);
  assert.deepEqual(descendants(files, 12), []);
  assert.deepEqual(descendants(files, 99), []);
});

Deno.test("treeMembers() finds the group, and who names the tree in its environment", async () => {
  const files = shown([
    [10, 1, 10],
    [11, 1, 10, "Z"],
    [12, 1, 12, "S", ") Z 1 10 (", `A=b\0${TREE_VARIABLE}=outer:tree-1\0`],
    [13, 1, 13, "S", "x", `${TREE_VARIABLE}=tree-2\0`],
    [14, 1, 14],
  ]);
  assert.deepEqual(numbers(await treeMembers(files, "tree-1", 10)), [10, 12]);
  const many = shown(Array.from({ length: 1000 }, (_, n): Shown => [n + 2, 1, n % 2 === 0 ? 7 : 8]));
  assert.equal((await treeMembers(many, "tree-1", 7)).length, 500);
});

Deno.test("isRunning() tells a process from a later one with the same number", () => {
  const files = shown([[10, 1, 10], [11, 1, 10, "Z"]]);
  assert.equal(isRunning(files, { pid: 10, group: 10, started: "1010" }), true);
  assert.equal(isRunning(files, { pid: 10, group: 10, started: "1011" }), false);
  assert.equal(isRunning(files, { pid: 11, group: 10, started: "1011" }), false);
  assert.equal(isRunning(files, { pid: 12, group: 10, started: "1012" }), false);
});

Deno.test("treeValue() names the trees that a tree lies in, within a bound, and drops what it cannot have written", () => {
  assert.equal(treeValue(undefined, "c"), "c");
  assert.equal(treeValue("a:b", "c"), "a:b:c");
  assert.equal(treeValue("a b::../:d", "c"), "d:c");
  const deep = Array.from({ length: 100 }, (_, n) => `t${n}`).join(":");
  assert.deepEqual(treeValue(deep, "c").split(":").length, 16);
  assert.ok(treeValue(deep, "c").endsWith("t99:c"));
});

Deno.test({
  name: "descendants() and treeMembers() read what Linux shows of real processes",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const files: ProcessFiles = { entries: (path) => readdirSync(path), text: (path) => readFileSync(path, "latin1") };
    const tree = crypto.randomUUID();
    const child = new Deno.Command("sh", {
      args: ["-c", "setsid sleep 60 & sleep 60 & wait"],
      env: { [TREE_VARIABLE]: tree },
      detached: true,
    }).spawn();
    await until(() => descendants(files, child.pid).length === 2);
    const below = descendants(files, child.pid);
    await until(() => descendants(files, child.pid).some(({ group }) => group !== child.pid));
    assert.equal((await treeMembers(files, tree, child.pid)).length, 3);
    // Without the environment only the group is found.
    assert.equal((await treeMembers(files, crypto.randomUUID(), child.pid)).length, 2);
    for (const { pid } of below) Deno.kill(pid, "SIGKILL");
    await child.status;
    await until(() => !below.some((one) => isRunning(files, one)));
    assert.deepEqual(await treeMembers(files, tree, child.pid), []);
  },
});
