/** Tests of `transports/line_writer.ts`. */
import assert from "node:assert/strict";
import type { TransportError } from "../../protocol/errors.ts";
import { resolveLimits, WAITING_LINES } from "../../protocol/limits.ts";
import { createLineWriter } from "../../transports/line_writer.ts";
import { openPipe } from "../../transports/byte_pipe.ts";
import { until } from "../until.ts";
import { rejection } from "./support.ts";

/** A writable whose every write is let through by hand. */
function slow() {
  const written: string[] = [];
  const held: { resolve: () => void; reject: (error: unknown) => void }[] = [];
  const writable = new WritableStream<Uint8Array>({
    write(chunk) {
      written.push(new TextDecoder().decode(chunk));
      return new Promise((resolve, reject) => held.push({ resolve, reject }));
    },
  });
  return { pipe: openPipe({ readable: new ReadableStream(), writable }), written, held };
}

const ignore = () => undefined;
const message = (n: number, size = 0) => ({ jsonrpc: "2.0", method: `m${n}`, params: { pad: "a".repeat(size) } } as const);

Deno.test("createLineWriter() keeps each send pending until it is taken, in the order of the calls (B009)", async () => {
  const { pipe, written, held } = slow();
  const writer = createLineWriter(pipe, resolveLimits(undefined), ignore);
  const settled: number[] = [];
  const sends = Array.from({ length: 64 }, (_, n) => writer.send(message(n, 65_536)).then(() => settled.push(n)));
  await until(() => held.length === 1);
  assert.deepEqual(settled, []);
  for (let released = 0; settled.length < 64; released++) {
    await until(() => held.length > released);
    held[released]?.resolve();
    await until(() => settled.length > released);
  }
  await Promise.all(sends);
  assert.deepEqual(settled, Array.from({ length: 64 }, (_, n) => n));
  await writer.close();
  assert.deepEqual(written.join("").match(/"m\d+"/g), settled.map((n) => `"m${n}"`));
});

Deno.test("createLineWriter() rejects all waiting sends when the channel breaks (B009, B006)", async () => {
  const { pipe, held } = slow();
  const writer = createLineWriter(pipe, resolveLimits(undefined), ignore);
  const sends = Array.from({ length: 8 }, (_, n) => rejection(writer.send(message(n))));
  await until(() => held.length === 1);
  held[0]?.reject(new Error("broken pipe"));
  assert.deepEqual((await Promise.all(sends)).map((error) => error.reason), new Array(8).fill("closed"));
  assert.equal((await rejection(writer.send(message(9)))).reason, "closed");
});

Deno.test("createLineWriter() asks to wait above the limit, until what waits is written", async () => {
  const { pipe, held } = slow();
  const writer = createLineWriter(pipe, { frame: 1000, stalledReader: 60_000, stopGrace: 10 }, ignore);
  void writer.send(message(1, 600));
  assert.equal(writer.drained(), undefined);
  void writer.send(message(2, 600));
  let drained = false;
  const wait = writer.drained()?.then(() => drained = true);
  await until(() => held.length === 1);
  assert.equal(drained, false);
  held[0]?.resolve();
  await wait;
  await until(() => held.length === 2);
  held[1]?.resolve();
  await writer.close();
});

Deno.test("createLineWriter() asks to wait while very many lines are unwritten, however short they are", async () => {
  const { pipe, held } = slow();
  const writer = createLineWriter(pipe, { frame: 8_000_000, stalledReader: 60_000, stopGrace: 10 }, ignore);
  const sends = Array.from({ length: WAITING_LINES }, (_, n) => writer.send(message(n)));
  assert.equal(writer.drained(), undefined);
  sends.push(writer.send(message(WAITING_LINES)));
  const wait = writer.drained();
  assert.ok(wait instanceof Promise);
  await until(() => held.length === 1);
  held[0]?.resolve();
  await wait;
  await until(() => held.length === 2);
  held[1]?.resolve();
  await Promise.all(sends);
  await writer.close();
});

Deno.test("createLineWriter() names the limit when a peer takes nothing (limit stalledReader)", async () => {
  const { pipe } = slow();
  const stalls: TransportError[] = [];
  const writer = createLineWriter(pipe, { frame: 1000, stalledReader: 5, stopGrace: 5 }, (error) => stalls.push(error));
  const sends = [1, 2].map((n) => rejection(writer.send(message(n, 600))));
  await writer.drained();
  await until(() => stalls.length === 1);
  assert.deepEqual(stalls[0]?.data, { limit: "stalledReader", value: 5, seen: 5 });
  assert.deepEqual((await Promise.all(sends)).map((one) => one.reason), ["limit", "limit"]);
  await writer.close();
});

Deno.test("createLineWriter() does not hang at close when nothing is taken", async () => {
  const { pipe } = slow();
  const writer = createLineWriter(pipe, { frame: 1000, stalledReader: 60_000, stopGrace: 5 }, ignore);
  const sends = [1, 2].map((n) => rejection(writer.send(message(n))));
  await writer.close();
  assert.deepEqual((await Promise.all(sends)).map((one) => one.reason), ["closed", "closed"]);
});

Deno.test("createLineWriter() refuses a message of more bytes than the limit, and takes one of exactly so many (limit frame)", async () => {
  const { pipe, held } = slow();
  const text = '{"jsonrpc":"2.0","method":"é"}';
  const bytes = new TextEncoder().encode(text).length;
  const exact = createLineWriter(pipe, { frame: bytes, stalledReader: 5, stopGrace: 5 }, ignore);
  const sent = exact.send({ jsonrpc: "2.0", method: "é" });
  await until(() => held.length === 1);
  held[0]?.resolve();
  await sent;
  await exact.close();
  const less = createLineWriter(slow().pipe, { frame: bytes - 1, stalledReader: 5, stopGrace: 5 }, ignore);
  const error = await rejection(less.send({ jsonrpc: "2.0", method: "é" }));
  assert.deepEqual(error.data, { limit: "frame", value: bytes - 1, seen: bytes });
});
