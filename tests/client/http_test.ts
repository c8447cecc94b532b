import assert from "node:assert/strict";
import { AuthorizationError, connect, ProtocolError, TransportError } from "../../client/mod.ts";
import type { HttpConnectOptions, JsonObject, Tool } from "../../client/mod.ts";
import { deferred, text } from "./scripted.ts";
import { rpcError, site, visit } from "./site.ts";

const deploy = (mark: JsonObject): Tool => ({
  name: "deploy",
  inputSchema: {
    type: "object",
    properties: {
      region: { type: "string", "x-mcp-header": "Region" },
      count: { type: "integer", "x-mcp-header": "Count" },
      dry: { type: "boolean", "x-mcp-header": "Dry" },
      nested: { type: "object", properties: { leaf: { type: "string", "x-mcp-header": "Leaf" } } },
      ...mark,
    },
  },
});

function paramHeaders(headers: Headers | undefined): [string, string][] {
  return [...headers ?? []].filter(([name]) => name.startsWith("mcp-param-"));
}

Deno.test("client sends version, method and name headers with every POST (M-HTTP-007, M-HTTP-009, M-HDR-001, M-HDR-002, M-HDR-006, M-HDR-007, M-HDR-008, M-HDR-009, M-HDR-010)", async () => {
  const listing = (method: string): JsonObject | undefined =>
    method === "prompts/get"
      ? { resultType: "complete", messages: [] }
      : method === "resources/read"
      ? { resultType: "complete", contents: [] }
      : undefined;
  const there = site(({ message }) => listing(message.method));
  await visit(there, {}, async (client) => {
    await client.callTool("wetter_ä");
    await client.getPrompt("p");
    await client.readResource("file:///a b ");
    await client.request("own/method");
  });
  for (const { headers, message } of there.posts) {
    assert.equal(
      headers.get("mcp-protocol-version"),
      (message.params?._meta as JsonObject)["io.modelcontextprotocol/protocolVersion"],
    );
    assert.equal(headers.get("mcp-method"), message.method);
  }
  assert.deepEqual(there.posts.map(({ headers }) => headers.get("mcp-name")), [
    null,
    "=?base64?d2V0dGVyX8Ok?=",
    "p",
    "=?base64?ZmlsZTovLy9hIGIg?=",
    null,
  ]);
});

Deno.test("callTool by definition repeats marked arguments in headers at once (M-HDR-012, M-HDR-013, M-HDR-022, M-HDR-023, M-HDR-029, M-HDR-030, M-HDR-044, M-HDR-045, M-HDR-046)", async () => {
  const there = site(() => undefined);
  await visit(there, {}, async (client) => {
    await client.callTool(deploy({}), { region: "us-west1", count: -7, dry: true, nested: { leaf: "a\r\nEvil: 1" } });
    await client.callTool(deploy({}), { region: "", count: 0, dry: false });
    await client.callTool(deploy({}), { region: null, nested: {} });
  });
  assert.deepEqual(there.calls().map(({ headers }) => paramHeaders(headers)), [
    [
      ["mcp-param-count", "-7"],
      ["mcp-param-dry", "true"],
      ["mcp-param-leaf", "=?base64?YQ0KRXZpbDogMQ==?="],
      ["mcp-param-region", "us-west1"],
    ],
    [["mcp-param-count", "0"], ["mcp-param-dry", "false"], ["mcp-param-region", ""]],
    [],
  ]);
});

Deno.test("client derives headers from what middleware hands on (M-HDR-036)", async () => {
  const there = site(() => undefined);
  const use: HttpConnectOptions["use"] = [(request, next) => next({ ...request, params: { ...request.params, name: "other" } })];
  await visit(there, { use }, async (client) => {
    await client.callTool("x");
  });
  const [call] = there.calls();
  assert.deepEqual([call?.headers.get("mcp-name"), call?.message.params?.name], ["other", "other"]);
});

Deno.test("callTool by name lists once after a header mismatch, and repeats once (M-HDR-037, M-HDR-038, M-HDR-039, M-MRTR-026)", async () => {
  const there = site((posted) => {
    const { message, headers } = posted;
    if (message.method === "tools/list") return { resultType: "complete", tools: [deploy({}) as unknown as JsonObject] };
    if (message.method !== "tools/call") return undefined;
    return headers.get("mcp-param-region") === "eu" ? text("deployed") : rpcError(posted, 400, -32020);
  });
  await visit(there, {}, async (client) => {
    assert.equal(await client.tools.deploy?.({ region: "eu" }), "deployed");
    assert.equal(await client.tools.deploy?.({ region: "eu" }), "deployed");
  });
  assert.deepEqual(there.calls().map(({ message }) => message.method), ["tools/call", "tools/list", "tools/call", "tools/call"]);
  assert.equal(new Set(there.calls().map(({ message }) => message.id)).size, 4);
});

Deno.test("callTool repeats no more than once after header mismatches (M-HDR-039)", async () => {
  for (const tools of [[deploy({})], []]) {
    const there = site((posted) => {
      if (posted.message.method === "tools/list") return { resultType: "complete", tools: tools as unknown as JsonObject[] };
      return posted.message.method === "tools/call" ? rpcError(posted, 400, -32020) : undefined;
    });
    await visit(there, {}, async (client) => {
      await assert.rejects(client.callTool("deploy", { region: "eu" }), { kind: "protocol", code: -32020 });
    });
    assert.equal(there.calls("tools/call").length, tools.length + 1);
    assert.equal(there.calls("tools/list").length, 1);
  }
});

Deno.test("listTools over HTTP leaves out tools whose annotations break the rules (M-HDR-024, M-HDR-025, M-HDR-026, B081)", async () => {
  const bad = (name: string, properties: JsonObject): JsonObject => ({ name, inputSchema: { type: "object", properties } });
  const marked = (header: string, type = "string"): JsonObject => ({ type, "x-mcp-header": header });
  const tools = [
    bad("space", { a: marked("Foo Bar") }),
    bad("empty", { a: marked("") }),
    bad("twice", { a: marked("Region"), b: marked("REGION") }),
    bad("crlf", { a: marked("X\r\nEvil: 1") }),
    bad("number", { a: marked("N", "number") }),
    bad("items", { a: { type: "array", items: marked("I") } }),
    bad("anyOf", { a: { anyOf: [marked("A")] } }),
    bad("object", { a: marked("O", "object") }),
    bad("nested", { a: { type: "object", properties: { b: marked("B") } } }),
    bad("none", {}),
  ];
  const reported: string[] = [];
  const there = site(({ message }) => message.method === "tools/list" ? { resultType: "complete", tools } : undefined);
  await visit(there, { onError: (error) => void reported.push((error as Error).message) }, async (client) => {
    assert.deepEqual((await client.listTools()).map(({ name }) => name), ["nested", "none"]);
    assert.equal((await client.listPage("tools")).items.length, 2);
    await assert.rejects(client.callTool("space", { a: "x" }), { kind: "transport", reason: "not_mcp" });
    await assert.rejects(client.callTool(tools[3] as unknown as Tool, { a: "x" }), { reason: "not_mcp" });
  });
  assert.equal(reported.length, 8);
  for (const name of ["space", "empty", "twice", "crlf", "number", "items", "anyOf", "object"]) {
    assert.ok(reported.some((line) => line.includes(`"${name}"`)), name);
  }
  assert.equal(there.calls("tools/call").length, 0);
});

Deno.test("callTool refuses a number that no header carries exactly (M-HDR-019, B041)", async () => {
  const there = site(() => undefined);
  await visit(there, {}, async (client) => {
    for (const count of [2 ** 53, -(2 ** 53), Infinity, NaN]) {
      await assert.rejects(client.callTool(deploy({}), { count }), /^TypeError: client\.callTool: The argument count/);
    }
    await client.callTool(deploy({}), { count: 2 ** 53 - 1 });
  });
  assert.equal(there.calls().length, 1);
});

Deno.test("connect repeats with another version only when there is one, and never falls back (M-HTTP-030, M-HTTP-032, B076)", async () => {
  const there = site((posted) => rpcError(posted, 400, -32022, { supported: ["9999-01-01"], requested: "2026-07-28" }));
  try {
    await assert.rejects(connect(there.url), { code: -32022, data: { supported: ["9999-01-01"], requested: "2026-07-28" } });
  } finally {
    await there.close();
  }
  assert.equal(there.posts.length, 1);
});

Deno.test("connect reads the revisions of a refusal though one of them stands in the address, too (M-VER-021)", async () => {
  const there = site(({ message }) => {
    if (message.method === "server/discover") {
      const data = { supported: ["2025-11-25"], requested: "2026-07-28" };
      return Response.json({ jsonrpc: "2.0", id: message.id, error: { code: -32022, message: "no", data } }, { status: 400 });
    }
    if (message.method !== "initialize") return undefined;
    return { protocolVersion: "2025-11-25", capabilities: {}, serverInfo: { name: "old", version: "1" } };
  });
  try {
    await using client = await connect(`${there.url}?api-version=2025-11-25`);
    assert.equal(client.server.protocolVersion, "2025-11-25");
  } finally {
    await there.close();
  }
});

Deno.test("connect says that an HTTP server wants a handshake (M-VER-021, M-HTTP-031, M-HTTP-033, B076)", async () => {
  const legacy: (() => Response)[] = [
    () => new Response("Invalid session ID", { status: 404 }),
    () => new Response(null, { status: 400 }),
    () =>
      new Response('{"jsonrpc":"2.0","id":1,"error":{"code":-32000,"message":"x"}}', {
        status: 400,
        headers: { "content-type": "text/plain" },
      }),
    () => Response.json({ jsonrpc: "2.0", id: null, error: { code: -32700, message: "Parse error" } }, { status: 400 }),
    () => new Response(null, { status: 405 }),
  ];
  for (const answer of legacy) {
    const there = site(() => answer());
    try {
      await using client = await connect(there.url, { protocol: "2026-07-28" });
      assert.deepEqual(there.posts, []);
      await assert.rejects(client.callTool("x"), (error) => {
        assert.ok(error instanceof ProtocolError, String(error));
        assert.equal(error.code, -32022);
        assert.match(error.message, /2026-07-28.*handshake/);
        return true;
      });
    } finally {
      await there.close();
    }
  }
});

Deno.test("connect reports statuses that say nothing about the revision (B076)", async () => {
  for (const status of [401, 500, 503]) {
    const there = site(() => new Response("x", { status }));
    try {
      await assert.rejects(
        connect(there.url),
        (error) =>
          status === 401 ? error instanceof AuthorizationError : error instanceof TransportError && error.reason === "not_mcp",
      );
    } finally {
      await there.close();
    }
  }
});

Deno.test("client hands on JSON-RPC errors of error statuses, and stays usable (B020)", async () => {
  let turn = 0;
  const there = site((posted) => {
    if (posted.message.method === "server/discover") return undefined;
    switch (turn++) {
      case 0:
        return rpcError(posted, 400, -32602, { k: 1 });
      case 1:
        return rpcError(posted, 404, -32601);
      case 2:
        return Response.json({ jsonrpc: "2.0", error: { code: -32600, message: "no id" } }, { status: 400 });
      case 3:
        return new Response("<html>".repeat(1000), { status: 502, headers: { "content-type": "text/html" } });
      case 4:
        return new Response("<html>", { headers: { "content-type": "text/html" } });
      case 5:
        return Response.json({ jsonrpc: "2.0", id: 999, result: {} });
      default:
        return undefined;
    }
  });
  await visit(there, {}, async (client) => {
    await assert.rejects(client.callTool("x"), { kind: "protocol", code: -32602, data: { k: 1 } });
    await assert.rejects(client.callTool("x"), { kind: "protocol", code: -32601 });
    await assert.rejects(client.callTool("x"), { kind: "protocol", code: -32600 });
    for (let i = 0; i < 3; i++) await assert.rejects(client.callTool("x"), { kind: "transport", reason: "not_mcp" });
    await client.callTool("x");
  });
});

Deno.test("client reads event streams with progress, and cancels by closing them (M-HTTP-016, M-CANC-007)", async () => {
  const gone = deferred();
  const there = site(({ message }) => {
    if (message.method !== "tools/call") return undefined;
    const { id, params } = message;
    const event = (value: JsonObject): string => `data: ${JSON.stringify({ jsonrpc: "2.0", ...value })}\n\n`;
    const token = (params?._meta as JsonObject).progressToken;
    const body = new ReadableStream<string>({
      start(controller) {
        controller.enqueue(event({ method: "notifications/progress", params: { progressToken: token, progress: 1 } }));
        if (params?.name === "endless") return;
        controller.enqueue(event({ id, result: text("streamed") }));
        controller.close();
      },
      cancel: () => gone.resolve(),
    });
    return new Response(body.pipeThrough(new TextEncoderStream()), { headers: { "content-type": "text/event-stream" } });
  });
  await visit(there, {}, async (client) => {
    const seen: number[] = [];
    assert.equal(await client.tools.x?.({}, { onProgress: ({ progress }) => void seen.push(progress) }), "streamed");
    assert.deepEqual(seen, [1]);
    const abort = new AbortController();
    const call = client.callTool("endless", {}, { signal: abort.signal, onProgress: () => abort.abort("enough") });
    await assert.rejects(call, (error) => error === "enough");
    await gone.promise;
  });
  assert.deepEqual(there.calls().map(({ message }) => message.method), ["tools/call", "tools/call"]);
});

Deno.test("client listens over HTTP and ends by closing the stream (M-SUB-012)", async () => {
  const gone = deferred();
  const there = site(({ message }) => {
    if (message.method !== "subscriptions/listen") return undefined;
    const _meta = { "io.modelcontextprotocol/subscriptionId": message.id };
    const event = (method: string, params: JsonObject): string =>
      `data: ${JSON.stringify({ jsonrpc: "2.0", method, params })}\n\n`;
    const body = new ReadableStream<string>({
      start(controller) {
        controller.enqueue(": hello\n\n");
        controller.enqueue(
          event("notifications/subscriptions/acknowledged", { notifications: { toolsListChanged: true }, _meta }),
        );
        controller.enqueue(event("notifications/tools/list_changed", { _meta }));
      },
      cancel: () => gone.resolve(),
    });
    return new Response(body.pipeThrough(new TextEncoderStream()), { headers: { "content-type": "text/event-stream" } });
  });
  await visit(there, {}, async (client) => {
    const subscription = await client.listen({ toolsListChanged: true, promptsListChanged: true });
    assert.deepEqual(subscription.accepted, { toolsListChanged: true });
    assert.deepEqual((await subscription.next()).value, { type: "toolsListChanged" });
    await subscription.close();
    await gone.promise;
  });
  assert.equal(there.calls().length, 1);
});

Deno.test("connect tells a server that can't be reached", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  await assert.rejects(connect(`http://127.0.0.1:${port}/`), { kind: "transport", reason: "unreachable" });
});
