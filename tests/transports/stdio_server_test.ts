/** Tests of `transports/stdio_server.ts` and `server/stdio.ts`, with real processes. */
import assert from "node:assert/strict";
import { until } from "../until.ts";

const PROGRAM = new URL("./programs/server.ts", import.meta.url).href;

/** Runs the program; `text` goes to stdin, which is then closed unless `keepOpen`. */
function run(mode = "serve") {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", PROGRAM, mode],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  const out: string[] = [];
  const err: string[] = [];
  const reading = Promise.all([drain(child.stdout, out), drain(child.stderr, err)]);
  return {
    child,
    out: () => out.join(""),
    err: () => err.join(""),
    write: (text: string) => input.write(new TextEncoder().encode(text)),
    closeInput: () => input.close(),
    async ended() {
      const status = await child.status;
      await reading;
      return status;
    },
  };
}

async function drain(from: ReadableStream<Uint8Array>, into: string[]): Promise<void> {
  for await (const text of from.pipeThrough(new TextDecoderStream())) into.push(text);
}

const line = (id: number, method = "x") => `${JSON.stringify({ jsonrpc: "2.0", id, method })}\n`;

Deno.test("serveStdio() keeps stdout for messages, and lets console write to stderr (M-STDIO-003, M-STDIO-006)", async () => {
  const server = run();
  await server.write(line(1, "log"));
  await until(() => server.out().includes("\n"));
  await server.closeInput();
  assert.deepEqual([(await server.ended()).code, JSON.parse(server.out()).id], [0, 1]);
  for (const name of ["log", "info", "debug", "warn", "error", "dir", "table", "group", "count", "write"]) {
    assert.ok(server.err().includes(`noise-${name}`), name);
  }
});

Deno.test("serveStdio() answers a last line without a newline, as a shell without one writes it", async () => {
  for (const text of [line(1) + line(2).trimEnd(), line(2, "later").trimEnd()]) {
    const server = run();
    await server.write(text);
    await server.closeInput();
    assert.equal((await server.ended()).code, 0);
    assert.equal(server.out().trimEnd().split("\n").map((one) => JSON.parse(one).id).at(-1), 2);
  }
  const half = run();
  await half.write(line(2).slice(0, 20));
  await half.closeInput();
  assert.deepEqual([(await half.ended()).code, JSON.parse(half.out()).error.code], [0, -32700]);
});

Deno.test("serveStdio() ends with code 0 at the end of stdin, with a call in flight that is told (B005, M-STDIO-015)", async () => {
  const server = run("timer");
  await server.write(line(1, "hang") + line(2));
  await until(() => server.out().includes("\n"));
  await server.closeInput();
  assert.equal((await server.ended()).code, 0);
  assert.match(server.err(), /gone 1\n/);
  assert.match(server.err(), /served\n/);
  assert.deepEqual(server.out().trimEnd().split("\n").map((one) => JSON.parse(one).id), [2]);
});

Deno.test({
  name: "serveStdio() survives a client that no longer reads, and ends (B006)",
  ignore: Deno.build.os === "windows",
  async fn() {
    const script =
      `(printf '%s\\n' '${line(1).trim()}'; sleep 0.3; printf '%s\\n' '${line(2).trim()}'; sleep 0.3; printf '%s\\n' '${
        line(3).trim()
      }') | ` +
      `(${Deno.execPath()} run -A --quiet --no-check ${PROGRAM}; echo "code $?" >&2) | head -n 1`;
    const output = await new Deno.Command("sh", { args: ["-c", script], stderr: "piped" }).output();
    const err = new TextDecoder().decode(output.stderr);
    assert.match(err, /code 0/);
    assert.doesNotMatch(err, /[Uu]ncaught|EPIPE/);
    assert.equal(JSON.parse(new TextDecoder().decode(output.stdout)).id, 1);
  },
});

Deno.test("serveStdio() answers a bad line on stdout, and serves on (B032)", async () => {
  const server = run();
  await server.write(`{\n\n${line(1)}`);
  await until(() => server.out().split("\n").length === 3);
  await server.closeInput();
  await server.ended();
  const [error, answer] = server.out().trimEnd().split("\n").map((one) => JSON.parse(one));
  assert.deepEqual([error.error.code, "id" in error, answer.id], [-32700, false, 1]);
});

Deno.test("serveStdio() can be ended by a signal, and puts the console back", async () => {
  const program = `
    import { serveStdio } from "${new URL("../../server/stdio.ts", import.meta.url).href}";
    const before = console.log;
    const abort = new AbortController();
    const served = serveStdio({ handle: () => Promise.resolve(undefined) }, { signal: abort.signal });
    const during = console.log;
    abort.abort();
    await served;
    console.log(before === console.log, before === during);`;
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", program],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const output = await child.output();
  await child.stdin.close().catch(() => undefined);
  assert.deepEqual([output.code, new TextDecoder().decode(output.stdout)], [0, "true false\n"]);
});

Deno.test({
  name: "serveStdio() ends when its parent is gone, though somebody else holds its input open (B005, M-STDIO-015)",
  ignore: Deno.build.os !== "linux",
  async fn() {
    const server = `${Deno.execPath()} run -A --quiet --no-check ${PROGRAM} timer`;
    // The server's parent is the inner shell; its input is held open by a process that is none of its relatives.
    const script = `dir=$(mktemp -d); mkfifo "$dir/in"; sleep 60 <>"$dir/in" >/dev/null 2>&1 & holder=$!
      sh -c '${server} <"$0/in" & printf "%s\\n%s\\n" "$1" "$2" >"$0/in"; echo "shell $$"; wait' \\
        "$dir" '${line(1, "hang").trim()}' '${line(2).trim()}'
      rm -r "$dir"; echo "holder $holder"`;
    const child = new Deno.Command("sh", { args: ["-c", script], stdin: "null", stdout: "piped", stderr: "piped" }).spawn();
    const [out, err]: [string[], string[]] = [[], []];
    const reading = Promise.all([drain(child.stdout, out), drain(child.stderr, err)]);
    const shell = () => /shell (\d+)/.exec(out.join(""))?.[1];
    await until(() => out.join("").includes('"id":2') && shell() !== undefined);
    Deno.kill(Number(shell()), "SIGKILL");
    await child.status;
    await reading;
    Deno.kill(Number(/holder (\d+)/.exec(out.join(""))?.[1]), "SIGKILL");
    assert.match(err.join(""), /gone 1\nserved\n$/);
  },
});

/** Serves till the first message twice, which it answers, and then writes much to its console. */
const TWICE = `
  import { serveStdio } from "${new URL("../../server/stdio.ts", import.meta.url).href}";
  for (let round = 0; round < 2; round++) {
    const abort = new AbortController();
    const handle = ({ id }) => {
      setTimeout(() => abort.abort());
      return Promise.resolve({ jsonrpc: "2.0", id, result: { round } });
    };
    await serveStdio({ handle }, { signal: abort.signal });
    console.error("over");
  }
  console.log("x".repeat(300_000));`;

Deno.test("serveStdio() leaves its descriptors open and blocking, and can serve on them again", async () => {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["eval", TWICE],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  const told = child.stderr.pipeThrough(new TextDecoderStream()).getReader();
  const output = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  for (const round of [0, 1]) {
    await input.write(new TextEncoder().encode(line(round)));
    const { value } = await output.read();
    assert.deepEqual(JSON.parse(value ?? "").result, { round });
    assert.equal((await told.read()).value, "over\n");
  }
  // Nobody reads for a while: what does not fit in the pipe must wait for us, and neither fail nor be lost.
  await new Promise((resolve) => setTimeout(resolve, 300));
  let length = 0;
  for (let step = await output.read(); !step.done; step = await output.read()) length += step.value.length;
  assert.deepEqual([(await child.status).code, length], [0, 300_001]);
  await input.close().catch(() => undefined);
  await told.cancel();
});

Deno.test("serveStdio() serves files as well as pipes", async () => {
  const folder = await Deno.makeTempDir();
  try {
    await Deno.writeTextFile(`${folder}/in`, line(1) + line(2));
    const script =
      `${Deno.execPath()} run -A --quiet --no-check ${PROGRAM} serve < ${folder}/in > ${folder}/out 2> ${folder}/err`;
    if (Deno.build.os === "windows") return;
    assert.equal((await new Deno.Command("sh", { args: ["-c", script] }).output()).code, 0);
    const ids = (await Deno.readTextFile(`${folder}/out`)).trimEnd().split("\n").map((one) => JSON.parse(one).id);
    assert.deepEqual(ids.toSorted(), [1, 2]);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
