/** Tests of both kinds of revisions on one server: over one channel, and what leaving means over HTTP. */
import assert from "node:assert/strict";
import { SUPPORTED_VERSIONS } from "../../protocol/dialects/mod.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../../protocol/types.ts";
import { tool } from "../../server/components/tool.ts";
import { connectInMemory } from "../../transports/in_memory.ts";
import { createSession } from "../../transports/session.ts";
import type { OpenSession } from "../../transports/session.ts";
import type { Connection, MessageInfo } from "../../transports/transport.ts";
import { until } from "../until.ts";
import { gate, infoOf, serverOf, toolCall } from "./calls.ts";
import { ALL, HANDSHAKE_VERSIONS, helloOf, openChannel, shakeHands } from "./handshake_client.ts";
import type { Json } from "./handshake_client.ts";

const LEFT = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slow", _meta: { progressToken: "p" } } } as const;

/** A server whose tool "slow" reports progress on demand, and ends when its gate is opened. */
function slowServer(reports: boolean) {
  const release = gate();
  const seen = { aborted: false, ended: false };
  const slow = tool({
    name: "slow",
    handler: async (_args, ctx) => {
      ctx.signal.addEventListener("abort", () => seen.aborted = true);
      if (reports) await ctx.progress(1);
      await release.passed;
      await ctx.progress(2);
      seen.ended = true;
      return "done";
    },
  });
  return { server: serverOf({ tools: [slow] }), release, seen };
}

function listening(connection: Connection) {
  const listeners = new Set<() => void>();
  const info: MessageInfo = {
    ...infoOf({ connection }),
    onDisconnect(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return { info, listeners };
}

function sessionOf(): Connection & { readonly session: OpenSession } {
  const state = {
    version: HANDSHAKE_VERSIONS[0] as string,
    clientInfo: { name: "c", version: "1" },
    clientCapabilities: ALL,
    initialized: true,
    subscriptions: [],
  };
  return { transport: "http", session: createSession({ send: () => undefined, state }) };
}

Deno.test("a channel serves stateless requests before, beside and after a handshake, each in its own revision", async () => {
  const server = serverOf({ tools: [tool({ name: "era", handler: (_args, ctx) => ctx.protocolVersion })] });
  const client = openChannel(server);
  const modern = async (id: string): Promise<unknown> => {
    await client.write(toolCall("era", {}, id));
    await until(() => client.received.some((one) => "id" in one && one.id === id));
    return client.received.find((one) => "id" in one && one.id === id);
  };
  const resultOf = (message: unknown) => (message as { result: Record<string, unknown> }).result;
  assert.equal(resultOf(await modern("a")).resultType, "complete");
  await client.call("initialize", helloOf(HANDSHAKE_VERSIONS[0] as string));
  await client.notify("notifications/initialized");
  const [old, fresh] = [await client.tool("era"), await modern("b")];
  assert.equal(old.result.content[0].text, HANDSHAKE_VERSIONS[0]);
  assert.ok(!("resultType" in old.result));
  assert.deepEqual(resultOf(fresh).content, [{ type: "text", text: SUPPORTED_VERSIONS[0] }]);
  const unknown = toolCall("era", {}, "c");
  const meta = { ...unknown.params?._meta as object, "io.modelcontextprotocol/protocolVersion": "1900-01-01" };
  await client.write({ ...unknown, params: { ...unknown.params, _meta: meta } });
  await until(() => client.received.some((one) => "id" in one && one.id === "c"));
  assert.deepEqual((client.received.at(-1) as { error: { code: number } }).error.code, -32022);
  await client.close();
});

Deno.test("a cancellation reaches requests of either kind on one channel, and 0 and the empty text are ids (B034, L-CANC-001)", async () => {
  const aborted: unknown[] = [];
  const hang = tool({
    name: "hang",
    handler: (_args, ctx) =>
      new Promise<string>((_resolve, reject) =>
        ctx.signal.addEventListener("abort", () => {
          aborted.push(ctx.era);
          reject(ctx.signal.reason);
        })
      ),
  });
  const client = await shakeHands(serverOf({ tools: [hang] }));
  client.tool("hang", {}, undefined, 0);
  await client.write(toolCall("hang", {}, ""));
  await client.call("ping");
  for (const requestId of ["0", 77, 0, "", 0, undefined, {}]) await client.notify("notifications/cancelled", { requestId });
  await client.call("ping");
  assert.deepEqual(aborted, ["legacy", "modern"]);
  assert.equal(client.received.filter((one) => "id" in one && (one.id === 0 || one.id === "")).length, 0);
  await client.close();
});

Deno.test("an id that is in flight is refused in a session, whatever its request came over", async () => {
  const { server, release } = slowServer(false);
  const { session } = sessionOf();
  const connections: Connection[] = [{ transport: "http", session }, { transport: "http", session }];
  const infos = connections.map((connection) => infoOf({ connection }));
  const first = server.handle(LEFT, infos[0] as MessageInfo);
  const second = await server.handle(LEFT, infos[1] as MessageInfo) as { error: { code: number } };
  assert.equal(second.error.code, -32600);
  release.open();
  await first;
  session.end();
});

Deno.test("without a session, a client of a handshake revision that hangs up cancels nothing (B029)", async () => {
  const { server, release, seen } = slowServer(false);
  const { info, listeners } = listening({ transport: "http" });
  const answering = server.handle(LEFT, info);
  await new Promise((resolve) => setTimeout(resolve, 200));
  assert.equal(listeners.size, 0);
  release.open();
  const answer = await answering;
  assert.ok(answer !== undefined && Symbol.asyncIterator in answer, "progress was asked for, and is a stream");
  const messages: JsonRpcMessage[] = [];
  for await (const one of answer) messages.push(one);
  assert.equal(messages.length, 2);
  assert.deepEqual([seen.aborted, seen.ended], [false, true]);
});

Deno.test("without a session, leaving the stream of a handshake revision leaves the handler alone (B029)", async () => {
  const { server, release, seen } = slowServer(true);
  const answer = await server.handle(LEFT, listening({ transport: "http" }).info);
  assert.ok(answer !== undefined && Symbol.asyncIterator in answer);
  for await (const _first of answer) break;
  release.open();
  await until(() => seen.ended);
  assert.equal(seen.aborted, false);
});

Deno.test("without a session, a request that lasts is answered with one message", async () => {
  const { server, release } = slowServer(false);
  const quiet: JsonRpcRequest = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "slow" } };
  const answering = server.handle(quiet, listening({ transport: "http" }).info);
  await new Promise((resolve) => setTimeout(resolve, 200));
  release.open();
  assert.ok("result" in (await answering as object));
});

Deno.test("in a session, a request that lasts is answered with a stream, and the session's end cancels it", async () => {
  const { server, seen } = slowServer(false);
  const connection = sessionOf();
  const { info, listeners } = listening(connection);
  const answer = await server.handle(LEFT, info);
  assert.ok(answer !== undefined && Symbol.asyncIterator in answer);
  for (const listener of listeners) listener();
  assert.equal(seen.aborted, true);
  connection.session.end();
});

Deno.test("in process the ids of client and server do not meet, and answers find their questions (L-BASE-003, L-BASE-009)", async () => {
  const roots = tool({ name: "roots", handler: async (_args, ctx) => JSON.stringify(await ctx.roots()) });
  const transport = connectInMemory(serverOf({ tools: [roots] }));
  const exchange = async (id: number | string, method: string, params: object) => {
    for await (const message of transport.exchange({ jsonrpc: "2.0", id, method, params: params as never }, {})) {
      if (!("method" in message)) return message as Json;
    }
    throw new Error("Expected a response");
  };
  await exchange(1, "initialize", helloOf(HANDSHAKE_VERSIONS[0] as string, ALL));
  await transport.send({ jsonrpc: "2.0", method: "notifications/initialized" });
  const calling = exchange(2, "tools/call", { name: "roots" });
  const asked = (await transport.incoming[Symbol.asyncIterator]().next()).value as JsonRpcRequest;
  assert.equal(asked.method, "roots/list");
  await transport.send({ jsonrpc: "2.0", id: 2, result: { roots: [{ uri: "file:///wrong" }] } });
  await transport.send({ jsonrpc: "2.0", id: asked.id, result: { roots: [] } });
  assert.equal((await calling).result.content[0]?.text, "[]");
  await transport.close();
});
