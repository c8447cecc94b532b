/** Tests of `transports/stdio_client.ts` and `transports/process.ts`, with real processes. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import type { Limits } from "../../protocol/limits.ts";
import { connectStdio } from "../../transports/stdio_client.ts";
import type { Command } from "../../transports/stdio_client.ts";
import { until } from "../until.ts";
import { collect, rejection, request, resultOf } from "./support.ts";

const PROGRAM = new URL("./programs/server.ts", import.meta.url).href;
const POSIX = Deno.build.os !== "windows";

function start(command: Partial<Command>, limits: Limits = {}, onError?: (error: unknown) => void) {
  return connectStdio({ command: Deno.execPath(), stderr: "null", ...command }, { limits: resolveLimits(limits), onError });
}

/** A server of this package; `lines` gets its stderr. */
async function startServer(mode = "serve", command: Partial<Command> = {}, limits: Limits = {}) {
  const lines: string[] = [];
  const transport = await start({
    args: ["run", "-A", "--quiet", "--no-check", PROGRAM, mode],
    inheritEnv: ["DENO_DIR", "HOME", "XDG_CACHE_HOME", "LOCALAPPDATA"],
    stderr: (line) => lines.push(line),
    ...command,
  }, limits);
  return { transport, lines };
}

const shell = (script: string, command: Partial<Command> = {}, limits: Limits = {}, onError?: (error: unknown) => void) =>
  start({ command: "sh", args: ["-c", script], ...command }, limits, onError);

Deno.test("connectStdio() calls a server of ours, and ends it by closing stdin (M-STDIO-012, M-STDIO-013)", async () => {
  const { transport, lines } = await startServer("slow");
  const all = await Promise.all(Array.from({ length: 20 }, (_, id) => collect(transport.exchange(request(id), {}))));
  assert.deepEqual(all.map(([one]) => (one as { id: number }).id), Array.from({ length: 20 }, (_, id) => id));
  const open = rejection(collect(transport.exchange(request(99, "hang"), {})));
  await transport.close();
  await transport.close();
  assert.equal((await open).reason, "closed");
  assert.deepEqual(lines, ["gone 99", "served"]);
  assert.equal((await rejection(collect(transport.exchange(request(100), {})))).reason, "closed");
});

Deno.test({
  name: "connectStdio() reads the last line of a server that exits without a newline like any other",
  ignore: !POSIX,
  async fn() {
    const errors: unknown[] = [];
    const transport = await shell(
      `read line; printf '{"jsonrpc":"2.0","id":1,"result":{"a":1}}'`,
      {},
      {},
      (error) => errors.push(error),
    );
    assert.deepEqual((await collect(transport.exchange(request(1), {}))).map(resultOf), [{ a: 1 }]);
    assert.equal((await rejection(collect(transport.exchange(request(2), {})))).name, "TransportError");
    assert.deepEqual(errors, []);
    await transport.close();
  },
});

Deno.test("connectStdio() gives the child a small safe environment, and what is asked for (M-STDIO-004)", async () => {
  Deno.env.set("CAUSEWAY_TEST_SECRET", "x");
  Deno.env.set("CAUSEWAY_TEST_WANTED", "y");
  try {
    const { transport } = await startServer("serve", {
      env: { EXTRA: "z" },
      inheritEnv: ["DENO_DIR", "CAUSEWAY_TEST_WANTED"],
      cwd: new URL(".", import.meta.url),
    });
    const result = resultOf((await collect(transport.exchange(request(1, "env"), {})))[0]);
    const env = result.env as Record<string, string>;
    assert.deepEqual([env.CAUSEWAY_TEST_SECRET, env.CAUSEWAY_TEST_WANTED, env.EXTRA], [undefined, "y", "z"]);
    assert.equal(env.PATH, Deno.env.get("PATH"));
    assert.match(String(result.cwd), /tests.transports$/);
    await transport.close();
  } finally {
    Deno.env.delete("CAUSEWAY_TEST_SECRET");
    Deno.env.delete("CAUSEWAY_TEST_WANTED");
  }
});

Deno.test("connectStdio() says that a command is missing (B006)", async () => {
  for (const command of ["/nowhere/no-such-server", "no-such-server-at-all"]) {
    const error = await rejection(start({ command }));
    assert.equal(error.reason, "unreachable");
    assert.ok(error.message.includes(command));
  }
});

Deno.test({
  name:
    "connectStdio() rejects what is open with the exit code and the last words of a server that exits (B006, B086, M-STDIO-018, limit stderrTail)",
  ignore: !POSIX,
  async fn() {
    const transport = await shell("echo first >&2; read line; printf boom >&2; exit 3", {}, { stderrTail: 6 });
    const error = await rejection(collect(transport.exchange(request(1), {})));
    assert.equal(error.reason, "server_exited");
    assert.match(error.message, /exited with code 3; the last line of its standard error: boom$/);
    assert.deepEqual(error.data, { code: 3, signal: null, stderr: "t\nboom" });
    assert.equal((await rejection(collect(transport.exchange(request(2), {})))).reason, "closed");
    await transport.close();
    const dead = await shell("exit 7");
    const silent = await rejection(collect(dead.exchange(request(1), {})));
    assert.deepEqual(silent.data, { code: 7, signal: null, stderr: "" });
    assert.match(silent.message, /exited with code 7$/);
    await dead.close();
  },
});

Deno.test({
  name:
    "connectStdio() rejects every open call when the server is killed, and when it closes its output (B086, M-STDIO-016, M-STDIO-018)",
  ignore: !POSIX,
  async fn() {
    const killed = await shell("read line; read line; read line; kill -9 $$");
    const calls = [1, 2, 3].map((id) => rejection(collect(killed.exchange(request(id), {}))));
    assert.deepEqual((await Promise.all(calls)).map((error) => (error.data as { signal: string }).signal), [
      "SIGKILL",
      "SIGKILL",
      "SIGKILL",
    ]);
    await killed.close();
    const silent = await shell("exec >&-; sleep 30", {}, { stopGrace: 100 });
    assert.equal((await rejection(collect(silent.exchange(request(1), {})))).reason, "closed");
    await silent.close();
  },
});

Deno.test({
  name: "connectStdio() takes stderr for no failure, and noise on stdout for no end (B003, M-STDIO-005)",
  ignore: !POSIX,
  async fn() {
    const errors: unknown[] = [];
    const lines: string[] = [];
    const script =
      'echo ERROR >&2; printf "é\\r\\nhalf" >&2; echo noise; read line; echo \'{"jsonrpc":"2.0","id":1,"result":{}}\'; read line';
    const transport = await shell(script, { stderr: (line) => lines.push(line) }, {}, (error) => errors.push(error));
    assert.equal((await collect(transport.exchange(request(1), {}))).length, 1);
    assert.equal(errors.length, 1);
    await transport.close();
    assert.deepEqual(lines.slice(0, 2), ["ERROR", "é"]);
  },
});

Deno.test({
  name: "connectStdio() ends a stubborn server and its descendants by force (M-STDIO-014, limit stopGrace)",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const { transport } = await startServer("stubborn", {}, { stopGrace: 200 });
    await collect(transport.exchange(request(1), {}));
    await transport.close();
    const pids: number[] = [];
    const script =
      'trap "" TERM; (trap "" TERM; echo "pid $BASHPID$(sh -c \'echo $PPID\')" >&2; sleep 60) & echo "pid $!" >&2; wait; sleep 60';
    const family = await shell(script, {
      stderr: (line) => pids.push(...Array.from(line.matchAll(/\d+/g), (match) => Number(match[0]))),
    }, { stopGrace: 100 });
    await until(() => pids.length >= 2);
    await family.close();
    // KILL is sent; the system may still be at work.
    await until(() => !pids.some(alive));
  },
});

Deno.test({
  name: "connectStdio() ends descendants that a server leaves behind",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const pids: number[] = [];
    const transport = await shell('sleep 60 & echo "$!" >&2; read line; exit 4', { stderr: (line) => pids.push(Number(line)) }, {
      stopGrace: 100,
    });
    const error = await rejection(collect(transport.exchange(request(1), {})));
    assert.equal(error.reason, "server_exited");
    await transport.close();
    assert.equal(pids.length, 1);
    await until(() => !pids.some(alive));
  },
});

Deno.test({
  name: "connectStdio() does not hang when the server takes no input (B009)",
  ignore: !POSIX,
  async fn() {
    const transport = await shell("sleep 60", {}, { stopGrace: 50 });
    const calls = Array.from(
      { length: 8 },
      (_, id) => rejection(collect(transport.exchange(request(id, "x", { pad: "a".repeat(100_000) }), {}))),
    );
    await new Promise((resolve) => setTimeout(resolve, 10));
    await transport.close();
    assert.deepEqual((await Promise.all(calls)).map((error) => error.reason), new Array(8).fill("closed"));
  },
});

Deno.test({
  name: "connectStdio() reads the same answer wherever a pipe cuts it (B001)",
  ignore: !POSIX,
  async fn() {
    const program = `
      const answer = new TextEncoder().encode('{"jsonrpc":"2.0","id":1,"result":{"name":"é→🦊"}}\\n');
      for await (const _ of Deno.stdin.readable) {
        for (const byte of answer) { Deno.stdout.writeSync(new Uint8Array([byte])); await new Promise((r) => setTimeout(r, 0)); }
      }`;
    const transport = await start({ args: ["eval", program], inheritEnv: ["DENO_DIR", "HOME"] });
    assert.deepEqual(resultOf((await collect(transport.exchange(request(1), {})))[0]), { name: "é→🦊" });
    await transport.close();
  },
});

Deno.test({
  name: "connectStdio() ends what has left the process group, also after the server has gone (M-STDIO-014)",
  ignore: Deno.build.os !== "linux",
  async fn() {
    // A session of its own; one whose parent has gone; one that ignores TERM.
    const family = `setsid sh -c 'echo $$ >&2; exec sleep 60' &
      (setsid sh -c 'echo $$ >&2; exec sleep 60' &)
      setsid sh -c 'trap "" TERM; echo $$ >&2; while :; do sleep 0.05; done' &`;
    for (const end of ["read line", "kill -9 $$", 'trap "" TERM; while :; do sleep 0.05; done']) {
      const pids: number[] = [];
      const faults: unknown[] = [];
      const transport = await shell(
        `${family} while :; do read word || break; [ "$word" = go ] && break; done; ${end}`,
        { stderr: (line) => pids.push(Number(line)) },
        { stopGrace: 300 },
        (error) => faults.push(error),
      );
      await until(() => pids.length === 3);
      await transport.send({ jsonrpc: "2.0", method: "x" });
      await transport.close();
      assert.deepEqual(pids.filter(alive), [], end);
      assert.deepEqual(faults, [], end);
    }
  },
});

Deno.test({
  name: "connectStdio() tells open calls of a server that goes while a descendant keeps its output open (B006, M-STDIO-018)",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const pids: number[] = [];
    const transport = await shell(
      `setsid sh -c 'trap "" TERM; echo $$ >&2; while :; do sleep 0.05; done' & read line; exit 4`,
      { stderr: (line) => pids.push(Number(line)) },
      { stopGrace: 100 },
    );
    const error = await rejection(collect(transport.exchange(request(1), {})));
    assert.deepEqual([error.reason, (error.data as { code: number }).code], ["server_exited", 4]);
    await transport.close();
    assert.deepEqual(pids.filter(alive), []);
  },
});

Deno.test({
  name: "connectStdio() gives stderr line by line, whatever is in it, to the end (M-STDIO-004)",
  ignore: !POSIX,
  async fn() {
    const lines: string[] = [];
    const faults: unknown[] = [];
    const transport = await shell(
      `printf 'a\\n\\nb\\351\\r\\nlast' >&2; read line; exit 1`,
      {
        stderr(line) {
          lines.push(line);
          if (line === "a") throw new Error("sink");
          if (line === "") return Promise.reject(new Error("late")) as unknown as void;
        },
      },
      { stderrTail: 0 },
      (error) => faults.push(error),
    );
    const error = await rejection(collect(transport.exchange(request(1), {})));
    await transport.close();
    assert.deepEqual(lines, ["a", "", "b\uFFFD", "last"]);
    assert.deepEqual(faults.map((fault) => (fault as Error).message), ["sink", "late"]);
    assert.equal((error.data as { stderr: string }).stderr, "");
  },
});

Deno.test({
  name: "connectStdio() reads all of stderr, so that a server with much to say does not stall (B009)",
  ignore: !POSIX,
  async fn() {
    for (const stderr of ["null", () => undefined] as const) {
      const transport = await shell(
        `head -c 4000000 /dev/zero | tr '\\0' a >&2; read line; printf '{"jsonrpc":"2.0","id":1,"result":{}}\\n'; read line; exit 2`,
        { stderr },
        { stderrTail: 1000 },
      );
      assert.equal((await collect(transport.exchange(request(1), {}))).length, 1);
      const error = await rejection(collect(transport.exchange(request(2), {})));
      assert.deepEqual(error.data, { code: 2, signal: null, stderr: "a".repeat(1000) });
      await transport.close();
    }
  },
});

Deno.test({
  name: "connectStdio() passes stderr on to ours, and lives on when nobody reads that (B006, M-STDIO-004)",
  ignore: !POSIX,
  async fn() {
    const program = new URL("./programs/inherit_client.ts", import.meta.url).pathname;
    const run = (reader: string) => {
      const client = `${Deno.execPath()} run -A --quiet --no-check ${program}`;
      return new Deno.Command("sh", { args: ["-c", `{ ${client} 2>&1 >&3 | ${reader} >&2; } 3>&1`] }).output();
    };
    const decoder = new TextDecoder();
    const read = await run("cat");
    assert.deepEqual([decoder.decode(read.stdout), decoder.decode(read.stderr).split("\n").length], ["alive\n", 21]);
    assert.equal(decoder.decode((await run("head -n 1")).stdout), "alive\n");
  },
});

Deno.test({
  name: "connectStdio() rejects the call whose answer is not UTF-8, and no other (B001, B002)",
  ignore: !POSIX,
  async fn() {
    const transport = await shell(
      `read a; read b; printf '{"jsonrpc":"2.0","id":1,"result":{"t":"\\351"}}\\n{"jsonrpc":"2.0","id":2,"result":{}}\\n'; read c`,
    );
    const [damaged, whole] = [
      rejection(collect(transport.exchange(request(1), {}))),
      collect(transport.exchange(request(2), {})),
    ];
    assert.equal((await damaged).reason, "not_mcp");
    assert.match((await damaged).message, /UTF-8/);
    assert.equal((await whole).length, 1);
    await transport.close();
  },
});

/** Says whether a process runs; a dead one that nobody has waited for does not. */
function alive(pid: number): boolean {
  try {
    const stat = Deno.readTextFileSync(`/proc/${pid}/stat`);
    return stat.slice(stat.lastIndexOf(")") + 2, stat.lastIndexOf(")") + 3) !== "Z";
  } catch {
    return false;
  }
}
