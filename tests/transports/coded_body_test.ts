/** Tests of `transports/coded_body.ts`, with whole servers: bodies that are compressed, or coded in another way. */
import assert from "node:assert/strict";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";
import { headersFor, serverOf, toolCall } from "../server/calls.ts";
import { headText, listen, Wire } from "../server/socket.ts";
import { tool } from "../../server/components/tool.ts";
import { hello } from "./session_site.ts";

const CALL = toolCall("now");
const serve = (options = {}) => serverOf({ tools: [tool({ name: "now", handler: () => "now" })] }, options);

/** What comes of a body under a Content-Encoding. */
async function send(
  body: Uint8Array<ArrayBuffer> | string,
  coding: string | undefined,
  { server = serve(), message = CALL as object, length = true } = {},
) {
  const headers = new Headers(headersFor(message as never, coding === undefined ? {} : { "content-encoding": coding }));
  if (length) headers.set("content-length", String(new TextEncoder().encode(String(body)).length));
  const response = await server.fetch(new Request("http://localhost/mcp", { method: "POST", headers, body }));
  const text = await response.text();
  return { status: response.status, accepts: response.headers.get("accept-encoding"), error: JSON.parse(text).error };
}

/** Every coding of HTTP, as senders name it. */
const CODERS: readonly (readonly [coding: string, code: (text: string) => Uint8Array])[] = [
  ["gzip", (text) => gzipSync(text)],
  ["x-gzip", (text) => gzipSync(text)],
  ["GZIP", (text) => gzipSync(text)],
  ["deflate", (text) => deflateSync(text)],
  ["deflate", (text) => deflateRawSync(text)],
  ["br", (text) => brotliCompressSync(text)],
  ["zstd", (text) => zstdCompressSync(text)],
  ["identity, gzip", (text) => gzipSync(text)],
  ["gzip, br", (text) => brotliCompressSync(gzipSync(text))],
  ["aes128gcm", (text) => new TextEncoder().encode(text).map((byte) => byte ^ 0x55)],
];

Deno.test("a coded body is refused with 415, which names the coding, whichever revision and way of reading (RFC 9110 § 15.5.16)", async (t) => {
  for (
    const [name, message, server] of [
      ["2026-07-28", CALL, serve()],
      ["2026-07-28 beside sessions", CALL, serve({ sessions: true })],
      ["2025-11-25 with sessions", hello("2025-11-25"), serve({ sessions: true })],
      ["2025-06-18 without sessions", hello("2025-06-18"), serve()],
      ["a notification", { jsonrpc: "2.0", method: "notifications/initialized" }, serve({ sessions: true })],
    ] as const
  ) {
    for (const length of [true, false]) {
      await t.step(`${name}, ${length ? "of known" : "of unknown"} size`, async () => {
        for (const [coding, code] of CODERS) {
          const body = new Uint8Array(code(JSON.stringify(message)));
          const { status, accepts, error } = await send(body, coding, { server, message, length });
          assert.deepEqual([status, accepts, error.code], [415, "identity", -32600], coding);
          const named = coding.replace("identity, ", "");
          assert.equal(error.message, `Unsupported media type: the body must not be coded, Content-Encoding is ${named}`);
        }
      });
    }
    await server.close();
  }
});

Deno.test("a body that is not coded is read, whatever its header says of that", async () => {
  const text = JSON.stringify(CALL);
  for (const coding of [undefined, "identity", "IDENTITY", "", "identity, identity"]) {
    assert.equal((await send(text, coding)).status, 200, coding);
    const broken = await send("{", coding);
    assert.deepEqual([broken.status, broken.accepts, broken.error.code], [400, null, -32700], coding);
  }
  // A framework before this has decoded it.
  assert.equal((await send(text, "gzip")).status, 200);
  assert.deepEqual((await send("[]", "gzip")).status, 400);
});

Deno.test("a name of a coding that is none, or is very long, is not repeated", async () => {
  for (const coding of ["<script>", "é", "x".repeat(5000)]) {
    const { status, error } = await send("\x1f", coding);
    assert.deepEqual([status, error.message.endsWith("Content-Encoding is malformed or too long")], [415, true]);
  }
});

Deno.test("a coded body that comes over a socket is refused, and the connection goes on", async () => {
  const server = serve();
  const http = listen(server);
  const wire = await Wire.open(http.port);
  const body = new Uint8Array(gzipSync(JSON.stringify(CALL)));
  const headers = headersFor(CALL, { "host": "localhost", "content-encoding": "gzip", "content-length": String(body.length) });
  await wire.write(`${headText(headers)}\r\n`);
  await wire.write(body);
  const { status, headers: answered } = await wire.answer();
  assert.deepEqual([status, answered.get("accept-encoding")], [415, "identity"]);
  assert.equal((await wire.post(CALL)).status, 200);
  wire.hangUp();
  await http.close();
});
