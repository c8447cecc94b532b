/** Tests of input that no well-behaved client sends: its answer over HTTP and over a byte pipe, and the request after it. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../protocol/types.ts";
import { assertError, badInputServer, callText, GOOD } from "./bad_input.ts";
import { headersFor } from "./calls.ts";
import { pipeTo } from "./pipe.ts";
import { bodyText, headText, listen, Wire } from "./socket.ts";

const MIB = 1024 * 1024;

/** What is refused on both carriers: the text, the code, and the id that the answer carries. */
interface Refusal {
  readonly what: string;
  readonly body: string | Uint8Array;
  readonly code: number;
  readonly id?: string | number;
  /** The id over stdio, where it differs: there somebody may wait for each line. */
  readonly stdioId?: string | number;
}

function brokenUtf8(): Uint8Array {
  const bytes = new TextEncoder().encode(callText("1", '{"a":"?"}'));
  bytes[bytes.indexOf(0x3f)] = 0xff;
  return bytes;
}

const REFUSALS: readonly Refusal[] = [
  { what: "truncated JSON", body: '{"jsonrpc":"2.0","id":1,"method":"tools/', code: -32700 },
  { what: "a lone brace", body: "{", code: -32700 },
  { what: "an array of messages", body: `[${callText("1", "{}")},${callText("2", "{}")}]`, code: -32600 },
  { what: "an empty array", body: "[]", code: -32600 },
  { what: "an array in an array", body: "[[]]", code: -32600 },
  { what: "a string", body: '"tools/list"', code: -32600 },
  { what: "null", body: "null", code: -32600 },
  { what: "an id that is null", body: callText("null", "{}"), code: -32600 },
  { what: "an id of 1.5", body: callText("1.5", "{}"), code: -32600 },
  { what: "an id that is an object", body: callText("{}", "{}"), code: -32600 },
  { what: "an id that is true", body: callText("true", "{}"), code: -32600 },
  { what: "an id beyond the safe integers", body: callText("9007199254740993", "{}"), code: -32600 },
  { what: "a method that is a number", body: '{"jsonrpc":"2.0","id":4,"method":7}', code: -32600, id: 4 },
  { what: "another version of JSON-RPC", body: '{"jsonrpc":"1.0","id":4,"method":"tools/list"}', code: -32600, id: 4 },
  { what: "no version of JSON-RPC", body: '{"id":4,"method":"tools/list"}', code: -32600, id: 4 },
  { what: "params that are a list", body: '{"jsonrpc":"2.0","id":"a","method":"tools/list","params":[]}', code: -32600, id: "a" },
  { what: "deep nesting", body: callText("7", `${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}`), code: -32600, id: 7 },
  {
    what: "deep nesting of lists",
    body: callText("7", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`),
    code: -32600,
    id: 7,
  },
  { what: "bytes that are not UTF-8", body: brokenUtf8(), code: -32700, stdioId: 1 },
  {
    what: "a version that only __proto__ holds",
    body: '{"__proto__":{"jsonrpc":"2.0"},"id":4,"method":"x"}',
    code: -32600,
    id: 4,
  },
];

for (const { what, body, code, id, stdioId = id } of REFUSALS) {
  Deno.test(`HTTP: ${what} gets 400 and ${code}, and the next request is served (B032, B033, B035, B040, M-ERR-001, M-ERR-002)`, async () => {
    const calls: string[] = [];
    const http = listen(badInputServer(calls));
    const wire = await Wire.open(http.port);
    await wire.write(typeof body === "string" ? bodyText(body, headersFor(GOOD)) : rawBody(body));
    assertError(await wire.answer(), { status: 400, code, id });
    assert.deepEqual(calls, []);
    assert.equal((await wire.post(GOOD)).status, 200);
    assert.deepEqual(calls, ["echo"]);
    wire.hangUp();
    await http.close();
  });

  Deno.test(`stdio: ${what} gets ${code}, and the next request is served (B032, B033, B035, B040, M-ERR-001, M-ERR-002)`, async () => {
    const calls: string[] = [];
    const pipe = pipeTo(badInputServer(calls));
    await pipe.write(body);
    await pipe.write("\n");
    const answer = await pipe.next() as unknown as JsonObject;
    assert.equal((answer.error as JsonObject).code, code);
    assert.equal(answer.id, stdioId);
    assert.deepEqual(calls, []);
    await pipe.send(GOOD);
    assert.equal((await pipe.next() as unknown as JsonObject).id, "good");
    assert.deepEqual(await pipe.end(), []);
  });
}

function rawBody(body: Uint8Array): Uint8Array {
  const head = `${headText([...headersFor(GOOD), ["host", "localhost"], ["content-length", String(body.length)]])}\r\n`;
  return new Uint8Array([...new TextEncoder().encode(head), ...body]);
}

const MILLION_KEYS = `{${Array.from({ length: 1_000_000 }, (_, at) => `"k${at}":0`).join(",")}}`;

Deno.test("HTTP: a million keys get 400 and -32600, and the next request is served", async () => {
  const http = listen(badInputServer([], { requestBody: 32 * MIB }));
  const wire = await Wire.open(http.port);
  await wire.write(bodyText(callText("7", MILLION_KEYS), headersFor(GOOD)));
  assertError(await wire.answer(), { status: 400, code: -32600, id: 7 });
  assert.equal((await wire.post(GOOD)).status, 200);
  wire.hangUp();
  await http.close();
});

Deno.test("stdio: a million keys get -32600, and the next request is served", async () => {
  const pipe = pipeTo(badInputServer([]), { frame: 32 * MIB });
  await pipe.write(`${callText("7", MILLION_KEYS)}\n`);
  const answer = await pipe.next() as unknown as JsonObject;
  assert.deepEqual([answer.id, (answer.error as JsonObject).code], [7, -32600]);
  await pipe.send(GOOD);
  assert.equal((await pipe.next() as unknown as JsonObject).id, "good");
  await pipe.end();
});

Deno.test("HTTP: a body that says to be far over the limit gets 413 before it is sent, and the server goes on", async () => {
  const calls: string[] = [];
  const http = listen(badInputServer(calls));
  const wire = await Wire.open(http.port);
  await wire.write(`${headText([...headersFor(GOOD), ["host", "localhost"], ["content-length", String(9 * MIB)]])}\r\n`);
  assertError(await wire.answer(), { status: 413, code: -32600 });
  wire.hangUp();
  await assertServes(http.port);
  assert.deepEqual(calls, ["echo"]);
  await http.close();
});

Deno.test("HTTP: a body over the limit that is sent whole gets 413, and the next request is served on the same connection", async () => {
  const calls: string[] = [];
  const http = listen(badInputServer(calls, { requestBody: 10_000 }));
  const wire = await Wire.open(http.port);
  await wire.write(bodyText(callText("1", `{"a":"${"a".repeat(10_000)}"}`), headersFor(GOOD)));
  assertError(await wire.answer(), { status: 413, code: -32600 });
  assert.equal((await wire.post(GOOD)).status, 200);
  assert.deepEqual(calls, ["echo"]);
  wire.hangUp();
  await http.close();
});

Deno.test("HTTP: a body in chunks that is far over the limit gets 413, and the server goes on", async () => {
  const calls: string[] = [];
  const http = listen(badInputServer(calls));
  const wire = await Wire.open(http.port);
  await wire.write(`${headText([...headersFor(GOOD), ["host", "localhost"], ["transfer-encoding", "chunked"]])}\r\n`);
  const chunk = `10000\r\n${"a".repeat(0x10000)}\r\n`;
  const writing = (async () => {
    for (let at = 0; at < 160; at++) await wire.write(chunk);
    await wire.write("0\r\n\r\n");
  })().catch(() => undefined);
  assertError(await wire.answer(), { status: 413, code: -32600 });
  await writing;
  wire.hangUp();
  await assertServes(http.port);
  assert.deepEqual(calls, ["echo"]);
  await http.close();
});

Deno.test("HTTP: a body in chunks over the limit gets 413, and the next request is served on the same connection", async () => {
  const calls: string[] = [];
  const http = listen(badInputServer(calls, { requestBody: 10_000 }));
  const wire = await Wire.open(http.port);
  const head = headText([...headersFor(GOOD), ["host", "localhost"], ["transfer-encoding", "chunked"]]);
  await wire.write(`${head}\r\n${`1000\r\n${"a".repeat(0x1000)}\r\n`.repeat(4)}0\r\n\r\n`);
  assertError(await wire.answer(), { status: 413, code: -32600 });
  assert.equal((await wire.post(GOOD)).status, 200);
  assert.deepEqual(calls, ["echo"]);
  wire.hangUp();
  await http.close();
});

Deno.test("HTTP: a body in chunks is read when it keeps the limit", async () => {
  const http = listen(badInputServer([]));
  const wire = await Wire.open(http.port);
  const text = JSON.stringify(GOOD);
  const head = headText([...headersFor(GOOD), ["host", "localhost"], ["transfer-encoding", "chunked"]]);
  const halves = [text.slice(0, 20), text.slice(20)];
  await wire.write(`${head}\r\n${halves.map((half) => `${half.length.toString(16)}\r\n${half}\r\n`).join("")}0\r\n\r\n`);
  assert.equal((await wire.answer()).status, 200);
  wire.hangUp();
  await http.close();
});

Deno.test("stdio: a line over the limit gets -32600, and the next request is served", async () => {
  const pipe = pipeTo(badInputServer([]), { frame: 10_000 });
  await pipe.write(`${callText("1", `{"a":"${"a".repeat(10_000)}"}`)}\n`);
  const answer = await pipe.next() as unknown as JsonObject;
  assert.deepEqual([answer.id, (answer.error as JsonObject).code], [undefined, -32600]);
  await pipe.send(GOOD);
  assert.equal((await pipe.next() as unknown as JsonObject).id, "good");
  await pipe.end();
});

async function assertServes(port: number): Promise<void> {
  const wire = await Wire.open(port);
  assert.equal((await wire.post(GOOD)).status, 200);
  wire.hangUp();
}

/** Refusals that only HTTP knows: what is sent instead of a good request, the status and the code. */
const HTTP_REFUSALS: readonly {
  readonly what: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly status: number;
  readonly code: number;
  readonly id?: string;
}[] = [
  { what: "another content type", headers: [["content-type", "text/plain"]], status: 415, code: -32600 },
  { what: "a content type that looks alike", headers: [["content-type", "application/json-seq"]], status: 415, code: -32600 },
  { what: "a form", headers: [["content-type", "application/x-www-form-urlencoded"]], status: 415, code: -32600 },
  { what: "a foreign Host (M-HTTP-002)", headers: [["host", "evil.example"]], status: 403, code: -32600 },
  { what: "a Host that only begins well", headers: [["host", "localhost.evil.example"]], status: 403, code: -32600 },
  { what: "a foreign Origin (M-HTTP-002, M-HTTP-003)", headers: [["origin", "https://evil.example"]], status: 403, code: -32600 },
  { what: "the Origin null (M-HTTP-003)", headers: [["origin", "null"]], status: 403, code: -32600 },
  { what: "a file Origin", headers: [["origin", "file://"]], status: 403, code: -32600 },
  { what: "an empty Origin", headers: [["origin", ""]], status: 403, code: -32600 },
  { what: "an Origin without a host", headers: [["origin", "http://"]], status: 403, code: -32600 },
  { what: "Mcp-Method twice", headers: twice("mcp-method", "tools/call"), status: 400, code: -32020, id: "good" },
  { what: "Mcp-Name twice", headers: twice("mcp-name", "echo"), status: 400, code: -32020, id: "good" },
  {
    what: "MCP-Protocol-Version twice",
    headers: twice("mcp-protocol-version", "2026-07-28"),
    status: 400,
    code: -32020,
    id: "good",
  },
  { what: "a body that is no match for Mcp-Name", headers: [["mcp-name", "other"]], status: 400, code: -32020, id: "good" },
  { what: "JSON with q=0", headers: [["accept", "application/json;q=0, text/event-stream"]], status: 406, code: -32600 },
  { what: "text/html alone", headers: [["accept", "text/html"]], status: 406, code: -32600 },
];

function twice(name: string, value: string): readonly (readonly [string, string])[] {
  return [[name, value], [name, value]];
}

for (const { what, headers, status, code, id } of HTTP_REFUSALS) {
  Deno.test(`HTTP: ${what}: ${status} and ${code}, no tool runs, and the next request is served (B019, B026, B030, B032, B080)`, async () => {
    const calls: string[] = [];
    const http = listen(badInputServer(calls));
    const wire = await Wire.open(http.port);
    const body = JSON.stringify(GOOD);
    const names = new Set(headers.map(([name]) => name));
    const kept = [...headersFor(GOOD, { host: "localhost" })].filter(([name]) => !names.has(name));
    await wire.write(`${headText([...kept, ...headers, ["content-length", String(body.length)]])}\r\n${body}`);
    assertError(await wire.answer(), { status, code, id });
    assert.deepEqual(calls, []);
    assert.equal((await wire.post(GOOD)).status, 200);
    assert.deepEqual(calls, ["echo"]);
    wire.hangUp();
    await http.close();
  });
}
