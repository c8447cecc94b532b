/** Tests of `transports/node_pipe.ts`, with streams of Node that are slow, or break. */
import assert from "node:assert/strict";
import { PassThrough, Writable } from "node:stream";
import process from "node:process";
import { resolveLimits } from "../../protocol/limits.ts";
import { createLineWriter } from "../../transports/line_writer.ts";
import { NodePipe } from "../../transports/node_pipe.ts";
import type { NodeReadable, NodeWritable } from "../../transports/node_pipe.ts";
import { until } from "../until.ts";
import { rejection } from "./support.ts";

/** A stream whose every write is let through by hand. */
function slow() {
  const held: (() => void)[] = [];
  const written: string[] = [];
  const stream = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      written.push(String(chunk));
      held.push(done);
    },
  });
  return {
    stream,
    held,
    written,
    pipe: new NodePipe(new PassThrough() as unknown as NodeReadable, stream as unknown as NodeWritable),
  };
}

const message = (n: number) => ({ jsonrpc: "2.0", method: `m${n}`, params: { pad: "a".repeat(65_536) } } as const);

Deno.test("NodePipe keeps every send pending until the stream takes it, in the order of the calls, with no listener for each (B009)", async () => {
  const warnings: string[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning.name);
  process.on("warning", onWarning);
  const { stream, held, written, pipe } = slow();
  const writer = createLineWriter(pipe, resolveLimits(undefined), () => undefined);
  const settled: number[] = [];
  const sends = Array.from({ length: 64 }, (_, n) => writer.send(message(n)).then(() => settled.push(n)));
  await until(() => held.length === 1);
  assert.deepEqual(settled, []);
  assert.ok(stream.listenerCount("drain") <= 1);
  assert.equal(stream.listenerCount("error"), 1);
  for (let released = 0; settled.length < 64; released++) {
    await until(() => held.length > released);
    held[released]?.();
    await until(() => settled.length > released);
  }
  await Promise.all(sends);
  assert.deepEqual(settled, Array.from({ length: 64 }, (_, n) => n));
  assert.deepEqual(written.join("").match(/"m\d+"/g), settled.map((n) => `"m${n}"`));
  await writer.close();
  process.off("warning", onWarning);
  assert.deepEqual(warnings, []);
});

Deno.test("NodePipe rejects what waits when the stream is destroyed, or the process behind it has ended (B009, B006)", async () => {
  for (const end of ["destroy", "destroy with an error", "fail"]) {
    const { stream, held, pipe } = slow();
    const writer = createLineWriter(pipe, resolveLimits(undefined), () => undefined);
    const sends = Array.from({ length: 8 }, (_, n) => rejection(writer.send(message(n))));
    await until(() => held.length === 1);
    if (end === "fail") pipe.fail(new Error("ended"));
    else stream.destroy(end === "destroy" ? undefined : new Error("EPIPE"));
    assert.deepEqual((await Promise.all(sends)).map((error) => error.reason), new Array(8).fill("closed"), end);
    await rejection(pipe.write(new Uint8Array(1)));
    await pipe.closeWriting();
    await writer.close();
  }
});

Deno.test("NodePipe holds the stream back while a chunk is worked on, and reads to the end", async () => {
  const input = new PassThrough();
  const pipe = new NodePipe(input as unknown as NodeReadable, new PassThrough() as unknown as NodeWritable);
  const seen: string[] = [];
  let release = (): void => undefined;
  const done = pipe.read((chunk) => {
    seen.push(new TextDecoder().decode(chunk));
    return new Promise((resolve) => release = resolve);
  });
  input.write("a");
  await until(() => seen.length === 1);
  input.write("b");
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(seen, ["a"]);
  release();
  await until(() => seen.length === 2);
  input.end();
  release();
  await done;
  const broken = new PassThrough();
  const reading = new NodePipe(broken as unknown as NodeReadable, new PassThrough() as unknown as NodeWritable)
    .read(() => undefined);
  broken.destroy(new Error("EIO"));
  assert.equal((await rejection(reading)).message, "EIO");
});
