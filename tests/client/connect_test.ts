import assert from "node:assert/strict";
import { connect, lines, ProtocolError, textOf, TransportError } from "../../client/mod.ts";
import type { ConnectOptions, Implementation, JsonRpcMessage, Transport } from "../../client/mod.ts";
import { defineServer, serveChannel, tool } from "../../server/mod.ts";
import { testClient } from "../../testing.ts";
import { bytePair, channelPair } from "../testing/carriers.ts";
import { complete, deferred, DISCOVERED, metaOf, scripted, text } from "./scripted.ts";

Deno.test("connect asks server/discover first and tells what the server is (M-VER-006, M-VER-020, M-DISC-008)", async () => {
  const server = scripted(() => undefined);
  await using client = await connect(server);
  assert.deepEqual(server.received.map((message) => "method" in message && message.method), ["server/discover"]);
  assert.equal(client.server.protocolVersion, "2026-07-28");
  assert.equal(client.server.era, "modern");
  assert.deepEqual(client.server.info, { name: "scripted", version: "1.2.3" });
  assert.equal(client.server.instructions, "Be kind");
  assert.equal(client.server.sessionId, undefined);
  assert.deepEqual(Object.keys(client.verdict), ["protocolVersion", "era", "at"]);
});

Deno.test("connect asks once for a connection, and calls ask no more (M-VER-015)", async () => {
  const server = scripted(({ method }) => method === "tools/call" ? text("") : undefined);
  await using client = await connect(server);
  for (let i = 0; i < 3; i++) await client.callTool("x");
  assert.equal(server.received.filter((message) => "method" in message && message.method === "server/discover").length, 1);
});

Deno.test("connect keeps capabilities that it does not know (M-DISC-010)", async () => {
  await using client = await connect(scripted(() => undefined));
  assert.deepEqual(client.server.capabilities, { tools: {}, resources: {}, prompts: {}, future: {} });
});

Deno.test("connect tolerates a discover answer with odd members", async () => {
  const odd = complete({
    supportedVersions: ["2026-07-28"],
    capabilities: 5,
    instructions: {},
    _meta: { "io.modelcontextprotocol/serverInfo": 1 },
  });
  await using client = await connect(scripted(() => odd));
  assert.deepEqual(client.server.capabilities, {});
  assert.equal(client.server.info, undefined);
  assert.equal(client.server.instructions, undefined);
});

Deno.test("connect names both sides' versions when none is common (M-VER-005, M-VER-021)", async () => {
  const refusing = scripted(() => {
    throw new ProtocolError(-32022, "no", { data: { supported: ["9999-01-01"], requested: "2026-07-28" } });
  });
  await assert.rejects(connect(refusing), (error) => {
    assert.ok(error instanceof ProtocolError);
    assert.equal(error.code, -32022);
    assert.deepEqual(error.data, { supported: ["9999-01-01"], requested: "2026-07-28" });
    assert.match(error.message, /2026-07-28.*9999-01-01/);
    return true;
  });
  assert.equal(refusing.received.length, 1);
});

Deno.test("connect says that a server wants a handshake, and what showed it (M-VER-021)", async () => {
  const legacy = scripted(() => {
    throw new ProtocolError(-32601, "Method not found");
  });
  await using client = await connect(legacy, { protocol: "2026-07-28" });
  assert.deepEqual(legacy.received, []);
  await assert.rejects(client.callTool("x"), (error) => {
    assert.ok(error instanceof ProtocolError);
    assert.equal(error.code, -32022);
    assert.deepEqual(error.data, { supported: [], requested: "2026-07-28" });
    assert.match(error.message, /error -32601.*2026-07-28.*handshake/);
    return true;
  });
});

Deno.test("connect gives up a probe after its own time (M-CANC-008, limit probeTimeout)", async () => {
  const asked: string[] = [];
  const silent: Transport = {
    exchange: ({ method }, { signal }) => ({
      // deno-lint-ignore require-yield -- it never answers
      async *[Symbol.asyncIterator]() {
        asked.push(method);
        await new Promise((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
      },
    }),
    send: () => Promise.resolve(),
    incoming: { async *[Symbol.asyncIterator]() {} },
    close: () => Promise.resolve(),
  };
  const limits = { probeTimeout: 10, requestTimeout: 20 };
  await assert.rejects(connect(silent, { limits }), { reason: "timeout", message: /initialize.*requestTimeout/ });
  assert.deepEqual(asked, ["server/discover", "initialize"]);
  const pinned = await connect(silent, { protocol: "2026-07-28", limits });
  assert.equal(asked.length, 2);
  await pinned.close();
});

Deno.test("connect hands on errors that say nothing about the revision", async () => {
  const server = scripted(() => {
    throw new ProtocolError(-32021, "Missing capability", { data: { requiredCapabilities: { roots: {} } } });
  });
  await assert.rejects(connect(server), { code: -32021 });
});

Deno.test("connect is ended by its signal, and the open client is not", async () => {
  const abort = new AbortController();
  const asked = deferred();
  const server = scripted(async () => {
    asked.resolve();
    return await new Promise<undefined>(() => undefined);
  });
  const connecting = connect(server, { signal: abort.signal });
  await asked.promise;
  abort.abort(new Error("enough"));
  await assert.rejects(connecting, { message: "enough" });
  await assert.rejects(connect(server, { signal: abort.signal }), { message: "enough" });

  const later = new AbortController();
  await using client = await connect(scripted(({ method }) => method === "tools/call" ? text("still here") : undefined), {
    signal: later.signal,
  });
  later.abort();
  assert.equal(await client.tools.any?.({}), "still here");
});

Deno.test("connect closes the carrier when it fails", async () => {
  let closed = 0;
  const transport: Transport = {
    async *exchange(request) {
      await Promise.resolve();
      yield { jsonrpc: "2.0", id: request.id, error: { code: -32601, message: "no" } };
    },
    send: () => Promise.resolve(),
    incoming: { async *[Symbol.asyncIterator]() {} },
    close: () => Promise.resolve(void closed++),
  };
  await assert.rejects(connect(transport));
  assert.equal(closed, 1);
});

Deno.test("connect takes a transport of one's own, also one without incoming (M-BASE-045, M-BASE-048)", async () => {
  const seen: JsonRpcMessage[] = [];
  const transport = {
    async *exchange(request: Parameters<Transport["exchange"]>[0]): AsyncGenerator<JsonRpcMessage> {
      seen.push(request);
      await Promise.resolve();
      const result = request.method === "server/discover" ? DISCOVERED : text("own");
      yield { jsonrpc: "2.0", id: request.id, result };
    },
    send: () => Promise.resolve(),
    close: () => Promise.resolve(),
  } as unknown as Transport;
  await using client = await connect(transport);
  assert.equal(await client.tools.x?.({}), "own");
  assert.deepEqual(seen.map((message) => "params" in message && Object.keys(message.params?._meta as object).length > 0), [
    true,
    true,
  ]);
});

Deno.test("connect takes a channel of messages", async () => {
  const { near: channel, far } = channelPair();
  const answering = (async () => {
    const writer = far.writable.getWriter();
    for await (const message of far.readable) {
      if ("method" in message && "id" in message) await writer.write({ jsonrpc: "2.0", id: message.id, result: DISCOVERED });
    }
    await writer.close();
  })();
  const client = await connect(channel);
  assert.equal(client.server.info?.name, "scripted");
  await client.close();
  await answering;
});

Deno.test("connect refuses what it can't reach, and malformed options, by a path", async () => {
  const server = scripted(() => undefined);
  const refused: readonly (readonly [unknown, unknown, RegExp])[] = [
    [42, {}, /^connect: /],
    [null, {}, /^connect: /],
    [{}, {}, /^connect: /],
    ["not a url", {}, /^connect: /],
    ["ftp://example.com/", {}, /^connect: .*ftp:/],
    [server, { cache: 5 }, /^connect\.cache: /],
    [server, { cache: { get: () => undefined } }, /^connect\.cache: /],
    [server, { info: { name: "x" } }, /^connect\.info: /],
    [server, { use: [1] }, /^connect\.use\[0\]: /],
    [server, { protocol: "1999-01-01" }, /^connect\.protocol: /],
    [server, { protocol: [] }, /^connect\.protocol: /],
    [server, { limits: { pages: -1 } }, /^limits\.pages: /],
    [server, { extensions: [{ id: "tasks" }] }, /^connect\.extensions: /],
    [server, { inputs: { roots: [{ uri: "https://x" }] } }, /^connect\.inputs\.roots\[0\]\.uri: /],
    ["https://example.com/", { auth: "a\nb" }, /^connect\.auth: /],
    ["https://example.com/", { auth: 5 }, /^connect\.auth: /],
  ];
  for (const [target, options, message] of refused) {
    await assert.rejects(connect(target as string, options as object), (error) => {
      assert.ok(error instanceof TypeError, String(error));
      assert.match(error.message, message);
      return true;
    });
  }
});

Deno.test("connect names itself and declares its capabilities in every request (M-META-008, M-META-009, M-META-012)", async () => {
  const own = async (options: ConnectOptions): Promise<{ info: unknown; capabilities: unknown }[]> => {
    const server = scripted(({ method }) =>
      method === "tools/call" ? text("") : method === "tools/list" ? complete({ tools: [] }) : undefined
    );
    await using client = await connect(server, options);
    await client.listTools();
    await client.callTool("x");
    return server.received.map((message) => {
      const meta = metaOf(message as Parameters<typeof metaOf>[0]);
      assert.equal(meta["io.modelcontextprotocol/protocolVersion"], "2026-07-28");
      return {
        info: meta["io.modelcontextprotocol/clientInfo"],
        capabilities: meta["io.modelcontextprotocol/clientCapabilities"],
      };
    });
  };
  const info: Implementation = { name: "mine", version: "7" };
  const named = await own({ info, inputs: { form: () => ({ action: "cancel" }), roots: [] } });
  assert.equal(named.length, 3);
  for (const one of named) assert.deepEqual(one, { info, capabilities: { elicitation: { form: {} }, roots: {} } });
  for (const one of await own({})) {
    assert.equal((one.info as Implementation).name, "@causeway/mcp");
    assert.deepEqual(one.capabilities, {});
  }
});

Deno.test("connect takes the word of a young verdict and asks nothing (M-VER-007, M-VER-017)", async () => {
  const server = scripted(({ method }) => method === "tools/call" ? text("straight") : undefined);
  const first = await connect(server);
  const verdict = JSON.parse(JSON.stringify(first.verdict));
  await first.close();
  server.received.length = 0;
  await using client = await connect(server, { verdict });
  assert.equal(server.received.length, 0);
  assert.equal(await client.tools.x?.({}), "straight");
  assert.deepEqual(client.server.capabilities, {});
  assert.deepEqual(client.verdict, verdict);
});

Deno.test("connect probes again when a verdict is old, foreign or wrong (M-VER-018)", async () => {
  const day = 24 * 60 * 60 * 1000;
  for (
    const verdict of [
      { protocolVersion: "2026-07-28", era: "modern", at: Date.now() - 2 * day },
      { protocolVersion: "2026-07-28", era: "modern", at: Date.now() + day },
      { protocolVersion: "1999-01-01", era: "legacy", at: Date.now() },
      { protocolVersion: "2026-07-28", era: "modern", at: NaN },
    ] as const
  ) {
    const server = scripted(() => undefined);
    await using _client = await connect(server, { verdict });
    assert.equal(server.received.length, 1);
  }
  const changed = scripted(({ method }) => {
    throw new ProtocolError(-32022, "no", { data: { supported: ["9999-01-01"], requested: method } });
  });
  await using client = await connect(changed, { verdict: { protocolVersion: "2026-07-28", era: "modern", at: Date.now() } });
  await assert.rejects(client.callTool("x"), (error) => {
    assert.ok(error instanceof ProtocolError);
    assert.match(error.message, /9999-01-01/);
    return true;
  });
  assert.deepEqual(changed.received.map((message) => "method" in message && message.method), ["tools/call", "server/discover"]);
});

Deno.test("connect gives a client that refuses everything once it is closed (B086)", async () => {
  const client = await connect(scripted(() => undefined));
  await Promise.all([client.close(), client.close()]);
  await client[Symbol.asyncDispose]();
  const closed = (error: unknown): boolean => error instanceof TransportError && error.reason === "closed";
  await assert.rejects(client.callTool("x"), closed);
  await assert.rejects(client.listTools(), closed);
  await assert.rejects(client.notify("notifications/own"), closed);
  await assert.rejects(client.listen({}), closed);
});

Deno.test("connect gives a client whose close ends what is pending (B086)", async () => {
  const asked = deferred();
  const server = scripted(({ method }) => {
    if (method === "server/discover") return undefined;
    asked.resolve();
    return undefined;
  });
  const client = await connect(server);
  const calls = [client.callTool("x"), client.listPrompts(), client.request("own/method")];
  await asked.promise;
  await client.close();
  for (const call of calls) await assert.rejects(call, { kind: "transport", reason: "closed", code: -32000 });
});

Deno.test("connect() speaks over lines of a byte channel, which it opens once", async () => {
  const server = defineServer({ name: "lines", version: "1.0.0", tools: [tool({ name: "hi", handler: () => "hello" })] });
  const { near, far } = bytePair();
  const served = serveChannel(server, lines(far));
  const client = await connect(lines(near));
  const result = await client.callTool("hi");
  assert.equal(textOf(result), "hello");
  await client.close();
  await served;
});

Deno.test("server.close() answers a listen stream over a byte channel and then names its id as cancelled (M-CANC-002, M-CANC-004)", async () => {
  const server = defineServer({ name: "lines", version: "1.0.0", tools: [] });
  const faults: unknown[] = [];
  const client = await testClient(server, { over: "stdio", onError: (error) => faults.push(error) });
  const subscription = await client.listen({ toolsListChanged: true });
  await server.close();
  assert.deepEqual(await subscription.closed, { by: "server" });
  await client.close();
  const [answer, cancelled] = client.wire.slice(-2).map(({ message }) => message);
  assert.ok(answer !== undefined && "result" in answer && cancelled !== undefined && "method" in cancelled);
  assert.equal(answer.result.resultType, "complete");
  assert.equal(cancelled.method, "notifications/cancelled");
  assert.equal(cancelled.params?.requestId, answer.id);
  assert.deepEqual(faults, []);
});

Deno.test("connect refuses lists that are none and functions that are none, naming the option", async () => {
  const server = defineServer({ name: "a", version: "1" });
  for (const name of ["use", "extensions", "protocol"]) {
    const message = `connect.${name}: Expected a list`;
    await assert.rejects(connect(server, { [name]: () => undefined } as never), { name: "TypeError", message });
  }
  for (const name of ["onLog", "onError"]) {
    const message = `connect.${name}: Expected a function`;
    await assert.rejects(connect(server, { [name]: "x" } as never), { name: "TypeError", message });
  }
});
