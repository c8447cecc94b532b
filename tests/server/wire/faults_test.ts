/** Tests of the wire: what a server must refuse in its own questions, blocks and values before it sends them. */
import assert from "node:assert/strict";
import { ask, defineServer, image, inputRequired, prompt, resource, text, tool, user } from "../../../server/mod.ts";
import type { Server } from "../../../server/mod.ts";
import { parseMessage } from "../../../protocol/json_rpc.ts";
import { encodeHeaderValue, headerEquals, paramHeaderFault } from "../../../protocol/headers.ts";
import { traceparentFault } from "../../../protocol/meta.ts";
import { ALL_CAPABILITIES, call, callTool, metaOfClient, metaWith, post, refused, request } from "../wire.ts";
import type { Json } from "../wire.ts";

const META = metaOfClient(ALL_CAPABILITIES);
const MESSAGE = { role: "user", content: { type: "text", text: "?" } };
const USE = { type: "tool_use", id: "1", name: "t", input: {} };
const RESULT = { type: "tool_result", toolUseId: "1", content: [] };

/** The reply to a tool that asks what `make` makes; making or sending it may fail. */
async function asks(make: () => Json, capabilities: Json = ALL_CAPABILITIES): Promise<Json> {
  const asking = tool({ name: "t", handler: (): Json => inputRequired({ q: make() }) });
  return (await callTool(defineServer({ name: "f", version: "1", tools: [asking] }), "t", {}, metaOfClient(capabilities))).last;
}

async function neverAsked(make: () => Json): Promise<void> {
  assert.equal((await asks(make)).error?.code, -32603);
}

const sampling = (more: Json): () => Json => () => ask.sampling({ messages: [MESSAGE], maxTokens: 1, ...more });

Deno.test("server.fetch() never asks a question of another method (M-MRTR-007)", async () => {
  for (const question of [{ method: "tools/call", params: {} }, { method: "ping" }, {}]) await neverAsked(() => question);
});

Deno.test("server.fetch() never asks by hand without questions and state (M-MRTR-017)", async () => {
  const written = tool({ name: "t", handler: (): Json => ({ resultType: "input_required" }) });
  refused(await callTool(defineServer({ name: "f", version: "1", tools: [written] }), "t", {}, META), -32603, 200);
});

Deno.test("ask.form and ask.url refuse a message that is no text (M-ELIC-013)", () => {
  for (const message of [undefined, 7, null]) {
    assert.throws(() => ask.form(message as Json, { a: { type: "string" } }), TypeError);
    assert.throws(() => ask.url(message as Json, "https://example.com"), TypeError);
  }
});

Deno.test("ask.form refuses string formats other than the four of the specification (M-ELIC-019)", () => {
  for (const format of ["hostname", "uuid", "time", "regex"]) {
    assert.throws(() => ask.form("?", { a: { type: "string", format } as Json }), /^TypeError: form\.a/);
  }
  for (const format of ["email", "uri", "date", "date-time"]) ask.form("?", { a: { type: "string", format } });
});

Deno.test("ask.form refuses lists of anything but choices (M-ELIC-018)", () => {
  for (const items of [{ type: "object" }, { type: "array", items: { type: "string" } }, { type: "number" }]) {
    assert.throws(() => ask.form("?", { a: { type: "array", items } as Json }), /^TypeError: form\.a/);
  }
});

Deno.test("ask.url refuses what is no URL (M-ELIC-024)", () => {
  for (const url of ["not a url", "", "/path", "example.com", "https://"]) assert.throws(() => ask.url("?", url), TypeError, url);
});

Deno.test("server.fetch() asks with tools or toolChoice only where sampling.tools is declared (M-SAMP-008)", async () => {
  for (const more of [{ tools: [{ name: "t", inputSchema: { type: "object" } }] }, { toolChoice: { mode: "auto" } }]) {
    const { error } = await asks(sampling(more), { sampling: {} });
    assert.equal(error?.code, -32021);
    assert.deepEqual(error.data, { requiredCapabilities: { sampling: { tools: {} } } });
  }
});

Deno.test("ask.sampling refuses params without messages or maxTokens (M-SAMP-012)", async () => {
  for (const more of [{ messages: undefined }, { maxTokens: undefined }, { messages: "x" }, { maxTokens: "9" }]) {
    await neverAsked(sampling(more));
  }
});

Deno.test("ask.sampling refuses messages of other roles or without content (M-SAMP-021, M-SAMP-022)", async () => {
  for (const message of [{ ...MESSAGE, role: "system" }, { role: "user" }, { role: "user", content: null }]) {
    await neverAsked(sampling({ messages: [message] }));
  }
});

Deno.test("ask.sampling refuses a user message that mixes tool results with anything else (M-SAMP-013)", async () => {
  const mixed = { role: "user", content: [RESULT, { type: "text", text: "x" }] };
  await neverAsked(sampling({ messages: [{ role: "assistant", content: [USE] }, mixed] }));
});

Deno.test("ask.sampling refuses tool uses that are not followed by their results at once (M-SAMP-014)", async () => {
  await neverAsked(sampling({ messages: [{ role: "assistant", content: [USE] }, MESSAGE] }));
  await neverAsked(sampling({ messages: [{ role: "assistant", content: [USE] }, MESSAGE, { role: "user", content: [RESULT] }] }));
});

Deno.test("ask.sampling refuses missing, doubled and foreign ids of tool results (M-SAMP-015)", async () => {
  const after = (...results: Json[]): Json => ({
    messages: [{ role: "assistant", content: [USE, { ...USE, id: "2" }] }, { role: "user", content: results }],
  });
  for (const results of [[RESULT], [RESULT, RESULT], [RESULT, { ...RESULT, toolUseId: "3" }]]) {
    await neverAsked(sampling(after(...results)));
  }
});

Deno.test("ask.sampling refuses priorities outside 0 to 1 (M-SAMP-029)", async () => {
  for (const name of ["costPriority", "speedPriority", "intelligencePriority"]) {
    for (const value of [2, -1]) await neverAsked(sampling({ modelPreferences: { [name]: value } }));
  }
});

const rendering = (value: unknown): Server =>
  defineServer({ name: "f", version: "1", prompts: [prompt({ name: "p", render: () => value as Json })] }) as Server;

Deno.test("server.fetch() refuses images and sounds whose MIME type is none (M-PROMPT-010, M-PROMPT-012)", async () => {
  for (const type of ["image", "audio"]) {
    for (const mimeType of ["", "png", "image/"]) {
      refused(await call(rendering(user({ type, data: "AA==", mimeType } as Json)), "prompts/get", { name: "p" }), -32603, 200);
    }
  }
});

Deno.test("server.fetch() refuses images, sounds and blobs that are no Base64 (M-PROMPT-009, M-PROMPT-011, M-PROMPT-016)", async () => {
  for (const content of [image("not base64!", "image/png"), { type: "resource", resource: { uri: "a:b", blob: "?" } }]) {
    refused(await call(rendering(user(content as Json)), "prompts/get", { name: "p" }), -32603, 200);
  }
});

Deno.test("server.fetch() refuses embedded resources whose URI is none (M-PROMPT-014)", async () => {
  for (const uri of ["", "no uri", "/a"]) {
    refused(
      await call(rendering(user({ type: "resource", resource: { uri, text: "x" } } as Json)), "prompts/get", { name: "p" }),
      -32603,
      200,
    );
  }
});

Deno.test("server.fetch() refuses annotations of blocks that break their rules (M-RES-031, M-RES-032)", async () => {
  for (const annotations of [{ priority: 2 }, { audience: ["system"] }] as Json[]) {
    const server = defineServer({
      name: "f",
      version: "1",
      tools: [tool({ name: "t", handler: () => [text("x", { annotations })] })],
    });
    refused(await callTool(server, "t"), -32603, 200);
  }
});

Deno.test("resource() refuses characters that RFC 3986 does not allow in a URI (M-RES-016)", () => {
  for (const uri of ["a:<b>", 'a:"b"', "a:ä", "a:b%zz", "a:b|c", "a:b\\c", "a:b^c", "a:b`c"]) {
    assert.throws(() => resource({ uri, name: "b", read: () => "x" }), TypeError, uri);
  }
});

Deno.test("server.fetch() reads no URI with blanks or control characters (M-RES-021)", async () => {
  const server = defineServer({
    name: "f",
    version: "1",
    resources: [resource({ uri: "a://{id}", name: "b", read: () => "x" })],
  });
  for (const uri of ["a://x y", "a://x\ny", "a://x\u0000"]) {
    refused(await post(server, request("resources/read", { uri }), { "mcp-name": encodeHeaderValue(uri) }), -32602, 200);
  }
});

Deno.test("server.fetch() hands no infinite number to a handler (M-TOOL-047, B041)", async () => {
  const ran: unknown[] = [];
  const counting = tool({ name: "t", args: { n: { type: "number" } }, handler: ({ n }) => String(ran.push(n)) });
  const message = JSON.stringify(request("tools/call", { name: "t", arguments: { n: 0 } }, metaWith())).replace(
    '{"n":0}',
    '{"n":1e400}',
  );
  await post(defineServer({ name: "f", version: "1", tools: [counting] }), message, {
    "mcp-method": "tools/call",
    "mcp-name": "t",
  });
  assert.deepEqual(ran, []);
});

Deno.test("headerEquals accepts what encodeHeaderValue makes of a lone surrogate (M-HDR-034, B041)", () => {
  assert.ok(headerEquals(encodeHeaderValue("x\ud83dy"), "x\ud83dy"));
});

Deno.test("paramHeaderFault takes decimal numbers only (M-HDR-042)", () => {
  const param = { header: "mcp-param-n", spelled: "N", path: ["n"] };
  for (const header of ["0x2a", "0b101010", "=?base64?IDQy?="]) {
    assert.match(paramHeaderFault([param], { n: 42 }, new Headers({ "mcp-param-n": header })) ?? "accepted", /differs/, header);
  }
});

Deno.test("traceparentFault refuses anything after the flags in version 00 (M-META-020)", () => {
  assert.equal(traceparentFault("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01-more"), "is not a W3C traceparent");
});

Deno.test("parseMessage keeps the limit of elements in short texts too", () => {
  const text = '{"jsonrpc":"2.0","id":1,"method":"a","params":{"a":[1,2,3,4,5,6,7,8]}}';
  assert.equal(parseMessage(text, { jsonDepth: 64, jsonElements: 10 }).ok, false);
});
