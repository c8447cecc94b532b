import assert from "node:assert/strict";
import { connect, ProtocolError, TransportError } from "../../client/mod.ts";
import type { ClientMiddleware, JsonObject, JsonRpcMessage } from "../../client/mod.ts";
import { complete, DISCOVERED, metaOf, scripted, text } from "./scripted.ts";

Deno.test("Connection gives open requests distinct integer ids (M-BASE-004, M-BASE-006)", async () => {
  const server = scripted(({ method }) => method === "tools/call" ? text("") : undefined);
  await using client = await connect(server);
  await Promise.all(Array.from({ length: 20 }, () => client.callTool("x")));
  const ids = server.received.map((message) => "id" in message && message.id);
  assert.equal(new Set(ids).size, 21);
  assert.ok(ids.every(Number.isSafeInteger));
});

Deno.test("Connection reads a result without a type as complete (M-BASE-014)", async () => {
  await using client = await connect(
    scripted(({ method }) => method === "tools/call" ? { content: [{ type: "text", text: "old" }] } : undefined),
  );
  const result = await client.callTool("x");
  assert.equal(result.resultType, "complete");
  assert.equal(result.isError, undefined);
});

Deno.test("Connection refuses a result of an unknown type (M-BASE-012, M-BASE-013, B085)", async () => {
  await using client = await connect(
    scripted(({ method }) =>
      method === "server/discover"
        ? undefined
        : { resultType: method === "tools/list" ? "input_required" : "banana", requestState: "s" }
    ),
  );
  for (const call of [client.callTool("x"), client.listTools(), client.request("own/method")]) {
    await assert.rejects(call, { kind: "transport", reason: "not_mcp" });
  }
});

Deno.test("Connection accepts result types of extensions that both sides have (M-BASE-011, M-BASE-012, M-VER-011)", async () => {
  const extensions = [{ id: "com.example/tasks", settings: { a: 1 }, resultTypes: ["task"] }];
  for (const offered of [true, false]) {
    const capabilities = offered ? { extensions: { "com.example/tasks": {} } } : {};
    const server = scripted(({ method }) =>
      method === "server/discover" ? { ...DISCOVERED, capabilities } : { resultType: "task", taskId: "t", extra: [1] }
    );
    await using client = await connect(server, { extensions });
    const call = client.callTool("x");
    if (offered) assert.deepEqual(await call, { resultType: "task", taskId: "t", extra: [1] });
    else await assert.rejects(call, { reason: "not_mcp" });
    assert.deepEqual(metaOf(server.requests()[0])["io.modelcontextprotocol/clientCapabilities"], {
      extensions: { "com.example/tasks": { a: 1 } },
    });
  }
});

Deno.test("Connection keeps members of a result that it does not know (M-BASE-009)", async () => {
  await using client = await connect(
    scripted(({ method }) => method === "own/method" ? complete({ own: { deep: [null] } }) : undefined),
  );
  assert.deepEqual(await client.request("own/method", { a: 1 }), complete({ own: { deep: [null] } }));
});

Deno.test("Connection hands on errors of the server as they are (M-BASE-018, M-ERR-009, M-ERR-014, M-ERR-016)", async () => {
  for (const code of [-32601, -32000, -32001, -32050, 7, 1001]) {
    const server = scripted(({ method }) => {
      if (method === "server/discover") return undefined;
      throw new ProtocolError(code, "The text", { data: { k: [1] } });
    });
    await using client = await connect(server);
    await assert.rejects(client.callTool("x"), (error) => {
      assert.ok(error instanceof ProtocolError && !(error instanceof TransportError));
      assert.deepEqual([error.code, error.message, error.data], [code, "The text", { k: [1] }]);
      return true;
    });
  }
});

Deno.test("Connection never answers a request of the server and reports it (M-BASE-019, M-BASE-022, B036)", async () => {
  const reported: unknown[] = [];
  const sent: JsonRpcMessage[] = [];
  const ask = (method: string): JsonRpcMessage => ({ jsonrpc: "2.0", id: 1, method, params: {} });
  await using client = await connect({
    async *exchange(request) {
      await Promise.resolve();
      yield ask("foo/bar");
      yield { jsonrpc: "2.0", method: "notifications/unknown", params: {} };
      yield { jsonrpc: "2.0", id: request.id, result: request.method === "server/discover" ? DISCOVERED : text("fine") };
    },
    send: (message) => Promise.resolve(void sent.push(message)),
    incoming: {
      async *[Symbol.asyncIterator]() {
        await Promise.resolve();
        yield ask("ping");
      },
    },
    close: () => Promise.resolve(),
  }, { onError: (error) => void reported.push(error) });
  assert.equal(await client.tools.x?.({}), "fine");
  assert.deepEqual(sent, []);
  assert.equal(reported.filter((error) => error instanceof TransportError && error.reason === "not_mcp").length, 3);
});

Deno.test("Connection survives a listener for errors that throws (B086)", async () => {
  await using client = await connect({
    async *exchange(request) {
      await Promise.resolve();
      yield { jsonrpc: "2.0", id: 9, method: "ping" };
      yield { jsonrpc: "2.0", id: request.id, result: request.method === "server/discover" ? DISCOVERED : text("fine") };
    },
    send: () => Promise.resolve(),
    incoming: {
      // deno-lint-ignore require-yield -- it breaks off
      async *[Symbol.asyncIterator]() {
        await Promise.resolve();
        throw new Error("broken");
      },
    },
    close: () => Promise.resolve(),
  }, {
    onError: () => {
      throw new Error("listener");
    },
  });
  assert.equal(await client.tools.x?.({}), "fine");
});

Deno.test("Connection sends logLevel with one request and hands on its log messages (M-LOG-004, M-LOG-010)", async () => {
  const logs: unknown[] = [];
  const reported: unknown[] = [];
  const server = scripted(({ id, method }) => {
    if (method === "server/discover") return undefined;
    return (async function* (): AsyncGenerator<JsonRpcMessage> {
      await Promise.resolve();
      const log = (params: JsonObject): JsonRpcMessage => ({ jsonrpc: "2.0", method: "notifications/message", params });
      yield log({ level: "warning", logger: "db", data: { a: 1 } });
      yield log({ level: 5, data: "x" });
      yield log({ level: "error", data: "boom" });
      yield { jsonrpc: "2.0", id, result: text("") };
    })();
  });
  await using client = await connect(server, {
    onError: (error) => void reported.push(error),
    onLog: (message) => {
      logs.push(message);
      if (message.level === "error") throw new Error("listener");
    },
  });
  await client.callTool("x", {}, { logLevel: "debug" });
  assert.equal(metaOf(server.requests()[0])["io.modelcontextprotocol/logLevel"], "debug");
  assert.deepEqual(logs, [{ level: "warning", logger: "db", data: { a: 1 } }, { level: "error", data: "boom" }]);
  assert.equal((reported[0] as Error).message, "listener");
});

Deno.test("Connection runs middleware around every round, outermost first", async () => {
  const order: string[] = [];
  const layer = (name: string): ClientMiddleware => async (request, next) => {
    order.push(`${name} ${request.method}`);
    const result = await next();
    order.push(`${name} done`);
    return { ...result, [name]: true };
  };
  const server = scripted(({ method }) => method === "own/method" ? complete() : undefined);
  await using client = await connect(server, { use: [layer("a"), layer("b")] });
  assert.deepEqual(await client.request("own/method"), complete({ a: true, b: true }));
  assert.deepEqual(order, ["a own/method", "b own/method", "b done", "a done"]);
});

Deno.test("Connection sends what middleware hands on, and a second time under another id (M-BASE-006)", async () => {
  const server = scripted(({ method }) => method === "own/method" ? complete() : undefined);
  await using client = await connect(server, {
    use: [async (request, next) => {
      await next();
      assert.deepEqual(request.params, { a: 1, _meta: { "com.example/k": 1 } });
      return await next({
        ...request,
        params: { b: 2, _meta: { "com.example/k": 2, "io.modelcontextprotocol/protocolVersion": "x" } },
      });
    }],
  });
  await client.request("own/method", { a: 1 }, { meta: { "com.example/k": 1 } });
  const [first, second] = server.requests();
  assert.notEqual(first?.id, second?.id);
  assert.equal(second?.params?.b, 2);
  assert.equal(metaOf(second)["com.example/k"], 2);
  assert.equal(metaOf(second)["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
});

Deno.test("Connection lets middleware answer by itself and fail the call", async () => {
  const server = scripted(() => undefined);
  await using client = await connect(server, {
    use: [({ method }) => {
      if (method === "own/fail") throw new Error("not today");
      return method === "own/odd" ? (5 as unknown as JsonObject) : complete({ own: 1 });
    }],
  });
  assert.deepEqual(await client.request("own/answer"), complete({ own: 1 }));
  await assert.rejects(client.request("own/fail"), { message: "not today" });
  await assert.rejects(client.request("own/odd"), /^TypeError: connect\.use: /);
  assert.deepEqual(server.requests(), []);
});

Deno.test("Connection sends notifications as they are (M-BASE-020)", async () => {
  const server = scripted(() => undefined);
  await using client = await connect(server);
  await client.notify("notifications/own", { a: 1 });
  await client.notify("notifications/bare");
  assert.deepEqual(server.received.slice(1), [
    { jsonrpc: "2.0", method: "notifications/own", params: { a: 1 } },
    { jsonrpc: "2.0", method: "notifications/bare" },
  ]);
});

Deno.test("client.notify() posts the version and the method as headers (M-HTTP-009, M-HDR-001)", async () => {
  const seen: (string | null)[][] = [];
  const server = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, async (request) => {
    const message = await request.json();
    if (!("id" in message)) {
      seen.push([request.headers.get("mcp-protocol-version"), request.headers.get("mcp-method")]);
      return new Response(null, { status: 202 });
    }
    const result = {
      resultType: "complete",
      supportedVersions: ["2026-07-28"],
      capabilities: {},
      ttlMs: 0,
      cacheScope: "private",
    };
    return Response.json({ jsonrpc: "2.0", id: message.id, result });
  });
  const client = await connect(`http://127.0.0.1:${server.addr.port}/`);
  await client.notify("notifications/own");
  await client.close();
  await server.shutdown();
  assert.deepEqual(seen, [["2026-07-28", "notifications/own"]]);
});

Deno.test("Connection survives listeners that reject: a fault of onLog is told to onError, one of onError to nobody", async () => {
  const unhandled: unknown[] = [];
  const listener = (event: PromiseRejectionEvent): void => {
    event.preventDefault();
    unhandled.push(event.reason);
  };
  globalThis.addEventListener("unhandledrejection", listener);
  const told: unknown[] = [];
  try {
    await using client = await connect({
      async *exchange(request) {
        await Promise.resolve();
        if (request.method !== "server/discover") {
          yield { jsonrpc: "2.0", method: "notifications/message", params: { level: "info", data: "x" } };
        }
        yield { jsonrpc: "2.0", id: request.id, result: request.method === "server/discover" ? DISCOVERED : text("fine") };
      },
      send: () => Promise.resolve(),
      incoming: { async *[Symbol.asyncIterator]() {} },
      close: () => Promise.resolve(),
    }, {
      onLog: () => Promise.reject(new Error("log")) as unknown as void,
      onError: (error) => {
        told.push(String(error));
        return Promise.reject(new Error("listener")) as unknown as void;
      },
    });
    assert.equal(await client.tools.x?.({}), "fine");
    await new Promise((resolve) => setTimeout(resolve, 0));
    assert.deepEqual([told, unhandled], [["Error: log"], []]);
  } finally {
    globalThis.removeEventListener("unhandledrejection", listener);
  }
});
