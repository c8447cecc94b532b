/** Tests of `transports/streamable_http_server.ts`. */
import assert from "node:assert/strict";
import { errorResponse, withHttpStatus } from "../../protocol/json_rpc.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { createHttpHandler } from "../../transports/streamable_http_server.ts";
import type { MessageHandler } from "../../transports/transport.ts";
import { echoServer, request } from "./support.ts";

const ECHO = request("a", "echo", { text: "hi" });

/** Posts a body to a handler. */
async function post(
  body: string | JsonRpcMessage,
  options: {
    readonly headers?: { readonly [name: string]: string };
    readonly handle?: MessageHandler;
    readonly limits?: Limits;
    readonly method?: string;
  } = {},
): Promise<{ status: number; headers: Headers; text: string }> {
  const answer = createHttpHandler(options.handle ?? echoServer().handle, resolveLimits(options.limits));
  const method = options.method ?? "POST";
  const response = await answer(
    new Request("http://localhost/", {
      method,
      headers: { "content-type": "application/json", ...options.headers },
      body: method === "GET" ? null : typeof body === "string" ? body : JSON.stringify(body),
    }),
    undefined,
    undefined,
  );
  return { status: response.status, headers: response.headers, text: await response.text() };
}

Deno.test("createHttpHandler answers a request with one JSON object (M-HTTP-015)", async () => {
  const { status, headers, text } = await post(ECHO);
  assert.deepEqual([status, headers.get("content-type")], [200, "application/json"]);
  assert.deepEqual(JSON.parse(text), { jsonrpc: "2.0", id: "a", result: { text: "hi" } });
});

Deno.test("createHttpHandler answers with SSE when something precedes the response (M-HTTP-015, M-HTTP-017)", async () => {
  const { status, headers, text } = await post(request(1, "progress"));
  assert.deepEqual([status, headers.get("content-type")], [200, "text/event-stream"]);
  assert.equal(text.split("\n").filter((line) => line.startsWith("data: ")).length, 3);
});

Deno.test("createHttpHandler takes notifications with 202 and an empty body (M-HTTP-012, B036)", async () => {
  const { status, headers, text } = await post({ jsonrpc: "2.0", method: "notifications/nope" });
  assert.deepEqual([status, text, headers.get("content-type")], [202, "", null]);
});

Deno.test("createHttpHandler refuses a response with 400 and no id (M-HTTP-013, M-HTTP-014)", async () => {
  const { status, text } = await post({ jsonrpc: "2.0", id: 1, result: {} });
  assert.equal(status, 400);
  assert.deepEqual([JSON.parse(text).id, JSON.parse(text).error.code], [undefined, -32600]);
  const broken = await post({ jsonrpc: "2.0", id: 1, result: 5 } as unknown as JsonRpcMessage);
  assert.deepEqual([broken.status, JSON.parse(broken.text).id], [400, undefined]);
});

Deno.test("createHttpHandler answers every method but POST with 405 and Allow (M-HTTP-034, M-HTTP-035)", async () => {
  for (const method of ["GET", "DELETE", "PUT", "PATCH"]) {
    const { status, headers, text } = await post("", { method });
    assert.deepEqual([status, headers.get("allow"), JSON.parse(text).error.code], [405, "POST", -32600], method);
  }
});

Deno.test("createHttpHandler reads Accept as RFC 9110 has it (B026)", async () => {
  const served = [
    "*/*",
    "application/*, text/*;q=0.5",
    "APPLICATION/JSON,text/event-stream",
    "application/json",
    "application/json , text/event-stream",
    "text/html, */*;q=0.1",
    "application/json; charset=utf-8",
    "text/*;q=0, application/json",
    "application/*;q=0, application/json",
  ];
  for (const accept of served) assert.equal((await post(ECHO, { headers: { accept } })).status, 200, accept);
  const refused = [
    "application/json;q=0, text/event-stream",
    "application/json; q=0.0, */*",
    "application/json-seq, text/event-stream-x",
    "text/html",
    "application/jso",
    "",
  ];
  for (const accept of refused) {
    const { status, text } = await post(ECHO, { headers: { accept } });
    assert.deepEqual([status, JSON.parse(text).error.code], [406, -32600], accept);
  }
});

Deno.test("createHttpHandler gives clients that take JSON only the response without what precedes it", async () => {
  for (const accept of ["application/json", "application/json, text/event-stream;q=0"]) {
    const { headers, text } = await post(request(1, "progress"), { headers: { accept } });
    assert.equal(headers.get("content-type"), "application/json");
    assert.deepEqual(JSON.parse(text).result, { done: true });
  }
});

Deno.test("createHttpHandler takes application/json with parameters, in any case, and nothing else", async () => {
  for (
    const type of ["application/json; charset=utf-8", "Application/JSON", "application/json;charset=UTF-8", " application/json "]
  ) {
    assert.equal((await post(ECHO, { headers: { "content-type": type } })).status, 200, type);
  }
  for (const type of ["text/json", "application/json-patch", "application/jsonx", "multipart/form-data", ""]) {
    assert.equal((await post(ECHO, { headers: { "content-type": type } })).status, 415, type);
  }
});

Deno.test("createHttpHandler answers with the status that the message carries", async () => {
  const handle: MessageHandler = () => Promise.resolve(withHttpStatus(errorResponse("a", -32601, "no"), 404));
  const { status, text } = await post(ECHO, { handle });
  assert.deepEqual([status, JSON.parse(text).id], [404, "a"]);
});

Deno.test("createHttpHandler says 499 for a request that was given up", async () => {
  const { status, text } = await post(ECHO, { handle: () => Promise.resolve(undefined) });
  assert.deepEqual([status, JSON.parse(text).id], [499, ECHO.id]);
});

Deno.test("createHttpHandler replaces a response over responseBody by 500 and -32603 with the reason", async () => {
  const big = request("a", "big", { size: 1000 });
  const { length } = (await post(big)).text;
  assert.equal((await post(big, { limits: { responseBody: length } })).status, 200);
  const { status, headers, text } = await post(big, { limits: { responseBody: length - 1 } });
  assert.deepEqual([status, headers.get("content-type")], [500, "application/json"]);
  const { id, error } = JSON.parse(text);
  assert.deepEqual([id, error.code, error.data], ["a", -32603, { reason: "response_too_large", limit: length - 1 }]);
});

Deno.test("createHttpHandler counts the bytes of a response, not its characters", async () => {
  const message = request("a", "echo", { text: "\u4e2d".repeat(500) });
  const bytes = new TextEncoder().encode((await post(message)).text).length;
  assert.equal((await post(message, { limits: { responseBody: bytes } })).status, 200);
  assert.equal((await post(message, { limits: { responseBody: bytes - 1 } })).status, 500);
});

Deno.test("createHttpHandler keeps ids by type: zero, negative, empty and numeric text (B033, M-BASE-007)", async () => {
  for (const id of [0, -3, 1, "1", "01", ""]) {
    assert.equal(JSON.parse((await post(request(id, "echo"))).text).id, id);
  }
});

Deno.test("createHttpHandler refuses a notification whose version header names nothing that is served (B078, L-HDR-004)", async () => {
  const note: JsonRpcMessage = { jsonrpc: "2.0", method: "notifications/initialized" };
  for (const [version, status] of [["2026-07-28", 202], ["2025-11-25", 202], ["1999-01-01", 400], ["abc", 400]] as const) {
    const reply = await post(note, { headers: { "mcp-protocol-version": version } });
    assert.equal(reply.status, status, version);
    if (status === 400) assert.match(JSON.parse(reply.text).error.message, /MCP-Protocol-Version/);
  }
});
