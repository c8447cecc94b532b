/** The cases of `cases/CASES.tsv` that concern stdio, each in both roles, with real processes and pipes. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import type { Limits } from "../../protocol/limits.ts";
import { connectStdio } from "../../transports/stdio_client.ts";
import { until } from "../until.ts";
import { collect, rejection, request, resultOf } from "./support.ts";

const POSIX = Deno.build.os !== "windows";
const program = (name: string): string => new URL(`./programs/${name}.ts`, import.meta.url).pathname;
const encoder = new TextEncoder();
const response = (id: number, result: object = {}) => `${JSON.stringify({ jsonrpc: "2.0", id, result })}\n`;
const line = (id: number, method = "x", params: object = {}) => `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
const BOM = "\uFEFF";

/** A client of ours, and a server that writes what a request tells it to. */
async function rawServer(limits: Limits = {}) {
  const faults: unknown[] = [];
  const said: string[] = [];
  const transport = await connectStdio({
    command: Deno.execPath(),
    args: ["run", "-A", "--quiet", "--no-check", program("raw_server")],
    inheritEnv: true,
    stderr: (one) => said.push(one),
  }, { limits: resolveLimits(limits), onError: (error) => faults.push(error) });
  const call = (id: number, write: readonly (string | number | null)[] = [], method = "write") =>
    collect(transport.exchange(request(id, method, { write: [...write] }), {}));
  return { transport, faults, said, call };
}

/** A server of ours, and the raw ends of its pipes. */
function ourServer(mode = "echo", flags: readonly string[] = []) {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--quiet", "--no-check", ...flags, program("server"), mode],
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const input = child.stdin.getWriter();
  const texts = { out: "", err: "" };
  const read = async (from: ReadableStream<Uint8Array>, name: "out" | "err"): Promise<void> => {
    for await (const text of from.pipeThrough(new TextDecoderStream())) texts[name] += text;
  };
  const reading = Promise.all([read(child.stdout, "out"), read(child.stderr, "err")]);
  const answers = () => texts.out.split("\n").slice(0, -1).map((one) => JSON.parse(one));
  return {
    write: (data: string | Uint8Array) => input.write(typeof data === "string" ? encoder.encode(data) : data),
    answers,
    err: () => texts.err,
    answered: (count: number) => until(() => answers().length >= count),
    async end() {
      await input.close();
      const { code } = await child.status;
      await reading;
      return code;
    },
  };
}

/** The id of every answer, with the code of those that are errors. */
const brief = (answers: readonly { id?: unknown; error?: { code: number } }[]) =>
  answers.map(({ id, error }) => error === undefined ? id : [id, error.code]);

Deno.test("B001: a client and a server over stdio read text that is cut within characters", async () => {
  const tools = [{ name: "é→🦊", inputSchema: { type: "object" } }];
  const bytes = [...encoder.encode(response(1, { tools }))].flatMap((byte) => [byte, null]);
  const client = await rawServer();
  assert.deepEqual(resultOf((await client.call(1, bytes))[0]), { tools });
  await client.transport.close();
  assert.deepEqual(client.faults, []);
  const server = ourServer();
  for (const byte of encoder.encode(line(1, "tools/call", { text: "漢字🦊" }))) await server.write(Uint8Array.of(byte));
  await server.answered(1);
  assert.equal(await server.end(), 0);
  assert.deepEqual(server.answers()[0].result, { text: "漢字🦊" });
});

Deno.test("B002: a client and a server over stdio read messages after a byte order mark, at the start and later", async () => {
  const client = await rawServer();
  const calls = [client.call(1), client.call(2, [`${BOM}${response(1)}`, `${BOM}${response(2)}`])];
  assert.deepEqual((await Promise.all(calls)).map((all) => all.length), [1, 1]);
  await client.transport.close();
  assert.deepEqual(client.faults, []);
  const server = ourServer();
  await server.write(`${BOM}${line(1)}${BOM}${line(2)}`);
  await server.answered(2);
  await server.end();
  assert.deepEqual(brief(server.answers()), [1, 2]);
});

Deno.test("B002: a damaged line over stdio leaves nobody waiting", async () => {
  const client = await rawServer();
  const damaged = ['{"jsonrpc":"2.0","id":1,"result":{"text":"', 0xff, '"}}\n'];
  const error = await rejection(Promise.all([client.call(1, damaged), client.call(2)]));
  assert.equal(error.reason, "not_mcp");
  await client.transport.close();
  const server = ourServer();
  await server.write('{"jsonrpc":"2.0","id":1,"method":"x","params":{"text":"');
  await server.write(Uint8Array.of(0xff));
  await server.write(`"}}\n${line(2)}`);
  await server.answered(2);
  await server.end();
  assert.deepEqual(brief(server.answers()), [[1, -32700], 2]);
});

Deno.test("B003: noise and blank lines over stdio disturb neither a client nor a server", async () => {
  const noise = 'INFO ready\r\n\r\n{"level":"info","msg":"x"}\nnull\n17\n"text"\n{"jsonrpc":"2.0"}\n{"half":\n';
  const client = await rawServer();
  const calls = [client.call(1), client.call(2, [noise, response(1).replace("\n", "\r"), null, "\n", response(2)])];
  assert.deepEqual((await Promise.all(calls)).map((all) => all.length), [1, 1]);
  await client.transport.close();
  assert.equal(client.faults.length, 7);
  const server = ourServer();
  await server.write(noise + line(1).replace("\n", "\r"));
  await server.write(`\n${line(2)}`);
  await server.answered(9);
  assert.equal(await server.end(), 0);
  // Each bad line is answered once, blank ones are not.
  assert.deepEqual(brief(server.answers()), [
    [undefined, -32700],
    ...new Array(5).fill([undefined, -32600]),
    [undefined, -32700],
    1,
    2,
  ]);
});

Deno.test("B004: a client over stdio gives up a line without an end at the limit, with its name, and serves other calls", async () => {
  const [client, other] = await Promise.all([rawServer({ frame: 1 << 20 }), rawServer()]);
  const error = await rejection(client.call(1, [], "fill"));
  assert.equal(error.reason, "limit");
  assert.match(error.message, /1048576 bytes \(limit frame\)/);
  assert.equal((await other.call(1, [response(1)])).length, 1);
  await until(() => client.said.includes("filled"));
  assert.equal((await client.call(2, [response(2)])).length, 1);
  await Promise.all([client.transport.close(), other.transport.close()]);
});

Deno.test("B004: a server over stdio holds no more of a line than the limit, names it, and serves on", async () => {
  const server = ourServer("meter", ["--v8-flags=--expose-gc"]);
  await server.write(line(1));
  await server.answered(1);
  for (let n = 0; n < 64; n++) await server.write(new Uint8Array(1 << 20).fill(97));
  await server.answered(2);
  await server.write(`\n${line(3)}`);
  await server.answered(3);
  await server.end();
  assert.deepEqual(brief(server.answers()), [1, [undefined, -32600], 3]);
  assert.match(server.answers()[1].error.message, /limit frame/);
  // The limit is 8 MiB; twice as much may be held while it is reached, and the chunks of the pipe come on top.
  const peak = Number(/peak (\d+)/.exec(server.err())?.[1]);
  assert.ok(peak > 0 && peak < 32 << 20, `held ${peak} bytes`);
});

Deno.test("B004: a message of 32 MiB passes over stdio in both directions where the limit allows it", async () => {
  const pad = "a".repeat(32 << 20);
  const transport = await connectStdio({
    command: Deno.execPath(),
    args: ["run", "-A", "--quiet", "--no-check", program("server"), "roomy"],
    inheritEnv: true,
  }, { limits: resolveLimits({ frame: 40 << 20 }) });
  const result = resultOf((await collect(transport.exchange(request(1, "x", { pad }), {})))[0]);
  assert.equal(result.pad === pad, true);
  await transport.close();
});

Deno.test({
  name: "B005: a server over stdio ends by itself when its client closes the pipe or is killed",
  ignore: !POSIX,
  async fn() {
    const orderly = ourServer("timer");
    await orderly.write(line(1, "hang") + line(2));
    await orderly.answered(1);
    assert.equal(await orderly.end(), 0);
    assert.equal(orderly.err(), "gone 1\nserved\n");
    // A shell around the server tells its exit code; the client between it and us is killed.
    const script = `${Deno.execPath()} run -A --quiet --no-check ${program("server")} timer; echo "code $?" >&2`;
    const client = new Deno.Command(Deno.execPath(), {
      args: [
        "eval",
        `const child = new Deno.Command("sh", { args: ["-c", ${
          JSON.stringify(script)
        }], stdin: "piped", stdout: "piped" }).spawn();
         await child.stdin.getWriter().write(new TextEncoder().encode(${JSON.stringify(line(1, "hang") + line(2))}));
         await child.stdout.getReader().read();
         console.log("answered");
         setInterval(() => undefined, 1000);`,
      ],
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const output = client.stdout.getReader();
    await output.read();
    client.kill("SIGKILL");
    await client.status;
    await output.cancel();
    assert.equal(await new Response(client.stderr).text(), "gone 1\nserved\ncode 0\n");
  },
});

Deno.test({
  name: "B006: a peer over stdio that is gone harms neither a client nor a server, and is told at once",
  ignore: !POSIX,
  async fn() {
    const escaped: unknown[] = [];
    const onEscape = (event: PromiseRejectionEvent): void => void escaped.push(event.reason);
    globalThis.addEventListener("unhandledrejection", onEscape);
    const connect = (command: string, args: readonly string[] = []) =>
      connectStdio({ command, args, stderr: "null" }, { limits: resolveLimits(undefined) });
    const dead = await connect("sh", ["-c", "echo boom >&2; exit 3"]);
    const calls = [1, 2, 3].map((id) => rejection(collect(dead.exchange(request(id, "x", { pad: "a".repeat(300_000) }), {}))));
    for (const error of await Promise.all(calls)) {
      assert.equal(error.reason, "server_exited");
      assert.deepEqual(error.data, { code: 3, signal: null, stderr: "boom\n" });
    }
    await dead.close();
    assert.equal((await rejection(connect("/nowhere/no-such-server"))).reason, "unreachable");
    // The server's part: whoever read its output has gone.
    const server = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", program("server"), "timer"],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const input = server.stdin.getWriter();
    await input.write(encoder.encode(line(1)));
    const output = server.stdout.getReader();
    await output.read();
    await output.cancel();
    let ended = false;
    const end = Promise.all([server.status, new Response(server.stderr).text()]).finally(() => ended = true);
    // The reading side is closed a moment after it was cancelled: what is answered until then is written well.
    for (let id = 2; !ended; id++) {
      await input.write(encoder.encode(line(id))).catch(() => undefined);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    const [status, text] = await end;
    await input.close().catch(() => undefined);
    assert.equal(status.code, 0);
    assert.equal(text, "served\n");
    globalThis.removeEventListener("unhandledrejection", onEscape);
    assert.deepEqual(escaped, []);
  },
});

Deno.test({
  name: "B009: a peer over stdio that reads nothing stalls neither a client nor a server for longer than the limit",
  ignore: !POSIX,
  async fn() {
    const faults: unknown[] = [];
    const transport = await connectStdio({ command: "sh", args: ["-c", "sleep 60"], stderr: "null" }, {
      limits: resolveLimits({ stalledReader: 200, stopGrace: 50 }),
      onError: (error) => faults.push(error),
    });
    const sizes = Array.from({ length: 64 }, (_, id) => id);
    const calls = sizes.map((id) => rejection(collect(transport.exchange(request(id, "x", { pad: "a".repeat(65_536) }), {}))));
    for (const error of await Promise.all(calls)) {
      assert.deepEqual(error.data, { limit: "stalledReader", value: 200, seen: 200 });
    }
    await transport.close();
    // The server stops reading when its answers are not taken, and ends; its input is then closed.
    const server = new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--quiet", "--no-check", program("server"), "impatient"],
      stdin: "piped",
      stdout: "piped",
      stderr: "piped",
    }).spawn();
    const input = server.stdin.getWriter();
    const writing = (async () => {
      for (const id of Array.from({ length: 400 }, (_, n) => n)) {
        await input.write(encoder.encode(line(id, "x", { pad: "a".repeat(100_000) })));
      }
    })().catch(() => "stopped");
    const [{ code }, text] = await Promise.all([server.status, new Response(server.stderr).text()]);
    assert.equal(code, 0);
    assert.match(text, /limit stalledReader[\s\S]*served\n$/);
    assert.equal(await writing, "stopped");
    await input.close().catch(() => undefined);
    await server.stdout.cancel();
  },
});
