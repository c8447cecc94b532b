/** Tests of `transports/http_body.ts`. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import type { Limits } from "../../protocol/limits.ts";
import { readBody, utf8Decoders } from "../../transports/http_body.ts";
import type { BodyFault } from "../../transports/http_body.ts";
import { createRandom } from "../protocol/random.ts";

const DECODERS = utf8Decoders();

/** Reads the body of a request, with or without a Content-Length. */
function read(body: BodyInit | null, length: number | undefined, limits: Limits = {}): Promise<string | BodyFault> {
  const told = length === undefined ? null : String(length);
  return readBody(new Request("http://localhost/", { method: "POST", body }), told, DECODERS, resolveLimits(limits));
}

/** A body that comes in parts, and never ends unless it is told to. */
function stream(parts: readonly (string | Uint8Array)[], end = true): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      for (const part of parts) controller.enqueue(typeof part === "string" ? new TextEncoder().encode(part) : part);
      if (end) controller.close();
    },
  });
}

function refused(body: string | BodyFault): readonly [number, number] {
  if (typeof body === "string") throw new Error("Expected a refusal, found text");
  return [body.status, body.code];
}

Deno.test("readBody gives the text, with and without a Content-Length (M-BASE-040)", async () => {
  assert.deepEqual(await read("häß", 5), "häß");
  assert.deepEqual(await read(stream(["hä", "ß"]), undefined), "häß");
  assert.deepEqual(await read(null, undefined), "");
});

Deno.test("readBody joins characters that parts cut (B001)", async () => {
  const bytes = new TextEncoder().encode("a🦊b");
  for (let at = 0; at <= bytes.length; at++) {
    assert.deepEqual(await read(stream([bytes.slice(0, at), bytes.slice(at)]), undefined), "a🦊b");
  }
});

Deno.test("readBody takes a body of the limit, and refuses one byte more with 413 (limit requestBody)", async () => {
  const limits = { requestBody: 10 };
  assert.deepEqual(await read("a".repeat(10), 10, limits), "a".repeat(10));
  assert.deepEqual(await read(stream(["a".repeat(10)]), undefined, limits), "a".repeat(10));
  assert.deepEqual(refused(await read("a".repeat(11), 11, limits)), [413, -32600]);
  assert.deepEqual(refused(await read(stream(["a".repeat(10), "a"]), undefined, limits)), [413, -32600]);
  assert.deepEqual(refused(await read(stream(["a".repeat(25)]), undefined, limits)), [413, -32600]);
});

Deno.test("readBody stops reading a body without a length soon after the limit", async () => {
  let pulled = 0;
  let cancelled = false;
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      pulled++;
      controller.enqueue(new Uint8Array(10).fill(97));
    },
    cancel() {
      cancelled = true;
    },
  }, { highWaterMark: 0 });
  assert.deepEqual(refused(await read(endless, undefined, { requestBody: 100 })), [413, -32600]);
  assert.deepEqual([pulled <= 22, cancelled], [true, true]);
});

Deno.test("readBody refuses a body that is larger than its Content-Length says", async () => {
  assert.deepEqual(refused(await read("a".repeat(11), 3, { requestBody: 10 })), [413, -32600]);
});

Deno.test("readBody does not wait for a body whose Content-Length is far over the limit", async () => {
  assert.deepEqual(refused(await read(stream([], false), 21, { requestBody: 10 })), [413, -32600]);
});

Deno.test("readBody gives up a body that does not end, with 408 (limit requestBodyTimeout)", async () => {
  for (const length of [undefined, 5]) {
    const body = await read(stream(["a"], false), length, { requestBodyTimeout: 10 });
    assert.deepEqual(refused(body), [408, -32600]);
    assert.match(typeof body === "string" ? "" : body.sentence, /10 ms \(limit requestBodyTimeout\)/);
  }
});

Deno.test("readBody answers a body that breaks off with 400", async () => {
  for (const length of [undefined, 5]) {
    const broken = new ReadableStream<Uint8Array>({ pull: (controller) => controller.error(new Error("reset")) });
    assert.deepEqual(refused(await read(broken, length)), [400, -32700]);
  }
});

Deno.test("readBody refuses what is not UTF-8, and keeps a replacement character that was sent (M-BASE-040)", async () => {
  assert.deepEqual(await read("a\uFFFDb", 5), "a\uFFFDb");
  for (const bytes of [[0xff], [0xc3], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xf4, 0x90, 0x80, 0x80]]) {
    assert.deepEqual(refused(await read(new Uint8Array(bytes), bytes.length)), [400, -32700]);
    assert.deepEqual(refused(await read(stream([new Uint8Array(bytes)]), undefined)), [400, -32700]);
  }
});

Deno.test("readBody agrees with a strict decoder on random bytes", async () => {
  const random = createRandom(20260728);
  for (let round = 0; round < 300; round++) {
    const text = new TextEncoder().encode(random.text(12));
    const bytes = new Uint8Array(text);
    if (bytes.length > 0 && random.below(2) === 0) bytes[random.below(bytes.length)] = random.below(256);
    let expected: string | undefined;
    try {
      expected = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      expected = undefined;
    }
    const body = await read(bytes, bytes.length);
    assert.equal(typeof body === "string" ? body : undefined, expected);
  }
});

Deno.test("readBody asks for no timer when the body is there already", async () => {
  const { setTimeout: set, clearTimeout: clear } = globalThis;
  let asked = 0;
  const counted = (): number => ++asked;
  Object.assign(globalThis, { setTimeout: counted, clearTimeout: counted });
  try {
    assert.equal(await read("text", undefined), "text");
    assert.equal(asked, 0);
  } finally {
    Object.assign(globalThis, { setTimeout: set, clearTimeout: clear });
  }
});
