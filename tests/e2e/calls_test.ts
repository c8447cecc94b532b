/** Tests of a client's calls over every carrier, in every revision. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import type { Client, ProtocolVersion } from "../../client/mod.ts";
import { httpStatusOf } from "../../protocol/mod.ts";
import { SUPPORTED_VERSIONS } from "../../protocol/dialects/mod.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../../protocol/types.ts";
import { tool } from "../../server/components/tool.ts";
import { testClient } from "../../testing/test_client.ts";
import { countListeners } from "../client/scripted.ts";
import { serverOf } from "../server/calls.ts";
import { until } from "../until.ts";
import { failure, handPeer, overEach, WAYS } from "./hand_peers.ts";
import type { Json } from "./hand_peers.ts";

const VERSIONS = SUPPORTED_VERSIONS as readonly ProtocolVersion[];

/** Text that looks like an end of line, or like nothing, to somebody. */
const ODD = "a\u2028b\u2029c\u0085d\u000be\r\nf\rg\u0000h🦊é";

Deno.test("text with every kind of line end is exact both ways, as JSON and as events (B015, B001)", async (t) => {
  for (const version of VERSIONS) {
    for (const over of ["http", "stdio", "memory"] as const) {
      await t.step(`${version} over ${over}`, async () => {
        const server = serverOf({
          tools: [tool({
            name: "echo",
            args: { text: { type: "string", required: true }, steps: { type: "integer" } },
            async handler({ text, steps = 0 }, ctx) {
              for (let step = 1; step <= steps; step++) await ctx.progress(step, steps, text);
              return text;
            },
          })],
        });
        const client = await testClient(server, { protocol: version, over }) as unknown as Client;
        for (const steps of [0, 2]) {
          const told: unknown[] = [];
          const result = await client.callTool("echo", { text: ODD, steps }, { onProgress: ({ message }) => told.push(message) });
          assert.equal((result.content[0] as Json).text, ODD);
          assert.deepEqual(told, Array.from({ length: steps }, () => ODD));
        }
        await client.close();
      });
    }
  }
});

Deno.test("a call is sent once, even when a connection that was used before breaks without an answer (B016)", async (t) => {
  for (const version of VERSIONS) {
    await t.step(version, async () => {
      const posts: string[] = [];
      const listener = Deno.listen({ port: 0, hostname: "127.0.0.1" });
      const serving = (async () => {
        for await (const connection of listener) void answer(connection, version, posts);
      })();
      const client = await connect(`http://127.0.0.1:${listener.addr.port}/mcp`, {
        protocol: version,
        limits: { sessionEndTimeout: 50 },
      });
      await client.request("tools/list");
      const error = await failure(client.callTool("pay"));
      assert.equal(error.kind, "transport", String(error));
      assert.equal(posts.filter((method) => method === "tools/call").length, 1, posts.join(", "));
      await client.close();
      listener.close();
      await serving.catch(() => undefined);
    });
  }
});

/** Speaks HTTP/1.1 by hand: keeps connections, and breaks them at a tools/call. */
async function answer(connection: Deno.TcpConn, version: string, posts: string[]): Promise<void> {
  const chunk = new Uint8Array(65536);
  let text = "";
  try {
    for (;;) {
      const count = await connection.read(chunk);
      if (count === null) break;
      text += new TextDecoder().decode(chunk.subarray(0, count));
      const end = text.indexOf("\r\n\r\n");
      const length = Number(/content-length: (\d+)/i.exec(text)?.[1] ?? 0);
      if (end < 0 || text.length < end + 4 + length) continue;
      const body = text.slice(end + 4, end + 4 + length);
      text = text.slice(end + 4 + length);
      const { id, method } = body === "" ? { id: undefined, method: "none" } : JSON.parse(body);
      posts.push(method);
      if (method === "tools/call") break;
      const handshake = { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: "raw", version: "1" } };
      const result = method === "initialize" ? handshake : { resultType: "complete", tools: [], ttlMs: 0, cacheScope: "private" };
      const reply = id === undefined ? "" : JSON.stringify({ jsonrpc: "2.0", id, result });
      const status = id === undefined ? "202 Accepted" : "200 OK";
      const head = `HTTP/1.1 ${status}\r\ncontent-type: application/json\r\ncontent-length: ${reply.length}\r\n\r\n`;
      await connection.write(new TextEncoder().encode(head + reply));
    }
  } catch {
    // The client has gone.
  } finally {
    connection.close();
  }
}

Deno.test("the JSON-RPC error in an error status comes with code, message, data and status, and the client stays usable (B020)", async (t) => {
  const bodies: readonly (readonly [status: number, error: Json, withId: boolean])[] = [
    [400, { code: -32602, message: "bad", data: { k: 1 } }, true],
    [404, { code: -32601, message: "unknown" }, true],
    [400, { code: -32600, message: "no id" }, false],
    [500, { code: -32603, message: "inside", data: [1] }, true],
  ];
  const odd: readonly (() => Response)[] = [
    () => new Response(`<p>${"x".repeat(3_000_000)}</p>`, { status: 502, headers: { "content-type": "text/html" } }),
    () => new Response("<form>Log in</form>", { headers: { "content-type": "text/html" } }),
    () => new Response("{", { headers: { "content-type": "application/json" } }),
    () => Response.json({ jsonrpc: "2.0", id: "another", result: {} }),
    () => new Response(null, { status: 204 }),
  ];
  for (const version of VERSIONS) {
    await t.step(version, async () => {
      let script: ((request: JsonRpcRequest) => Response) | undefined;
      const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, async (request) => {
        if (request.method !== "POST") return new Response(null, { status: 405 });
        const message = await request.json();
        if (message.id === undefined) return new Response(null, { status: 202 });
        if (message.method === "tools/call" && script !== undefined) return script(message);
        const handshake = { protocolVersion: version, capabilities: { tools: {} }, serverInfo: { name: "raw", version: "1" } };
        const result = message.method === "initialize" ? handshake : { resultType: "complete", content: [] };
        return Response.json({ jsonrpc: "2.0", id: message.id, result });
      });
      const client = await connect(`http://127.0.0.1:${http.addr.port}/mcp`, { protocol: version });
      await client.callTool("x");
      for (const [status, error, withId] of bodies) {
        script = ({ id }) => Response.json({ jsonrpc: "2.0", ...withId ? { id } : {}, error }, { status });
        const found = await failure(client.callTool("x"));
        assert.deepEqual([found.kind, found.code, found.message, found.data], [
          "protocol",
          error.code,
          error.message,
          error.data,
        ]);
        assert.equal(httpStatusOf(found), status);
      }
      for (const response of odd) {
        script = response;
        const found = await failure(client.callTool("x"));
        assert.equal(found.reason, "not_mcp", String(found));
        assert.ok(JSON.stringify(found.data ?? {}).length < 1000);
      }
      script = undefined;
      assert.deepEqual((await client.callTool("x")).content, []);
      await client.close();
      await http.shutdown();
    });
  }
});

Deno.test("no HTTP method of a client follows a redirect (B024)", async (t) => {
  for (const version of VERSIONS) {
    for (const status of [301, 302, 303, 307, 308]) {
      await t.step(`${version}, ${status}`, async () => {
        const elsewhere: string[] = [];
        const other = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, ({ method }) => {
          elsewhere.push(method);
          return new Response();
        });
        let redirects = false;
        const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => undefined }, async (request) => {
          const location = `http://127.0.0.1:${other.addr.port}/mcp?secret=1`;
          if (redirects || request.method !== "POST") return new Response(null, { status, headers: { location } });
          const { id } = await request.json();
          if (id === undefined) return new Response(null, { status: 202 });
          const result = {
            protocolVersion: version,
            capabilities: { tools: { listChanged: true } },
            serverInfo: { name: "r", version: "1" },
          };
          return Response.json({ jsonrpc: "2.0", id, result }, { headers: { "mcp-session-id": "s" } });
        });
        const options = { protocol: version, auth: "token", headers: { "x-own": "1" }, onError: () => undefined };
        const client = await connect(`http://127.0.0.1:${http.addr.port}/mcp`, options);
        redirects = true;
        const watch = client.watch({ toolsListChanged: true });
        await watch.open().catch(() => undefined);
        const error = await failure(client.callTool("x"));
        assert.equal(error.reason, "not_mcp", String(error));
        assert.match(error.message, /redirects are not followed/);
        assert.doesNotMatch(`${error.message}${JSON.stringify(error.data)}`, /secret|token/);
        await watch.close();
        await client.close();
        assert.deepEqual(elsewhere, []);
        await http.shutdown();
        await other.shutdown();
      });
    }
  }
});

/** Progress, and then whatever is left to do. */
async function* steps(
  request: JsonRpcRequest,
  values: readonly number[],
  last: JsonRpcMessage[],
): AsyncGenerator<JsonRpcMessage> {
  const { progressToken } = request.params?._meta as { progressToken: string };
  for (const progress of values) {
    yield { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress, total: 3 } };
  }
  yield* last;
}

Deno.test("progress arrives in order and before its result, and never from another call (B072, B073)", async (t) => {
  const done = (id: Json): JsonRpcMessage => ({ jsonrpc: "2.0", id, result: { resultType: "complete", content: [] } });
  const foreign = {
    jsonrpc: "2.0",
    method: "notifications/progress",
    params: { progressToken: "1", progress: 9 },
  } as JsonRpcMessage;
  await overEach(t, () => handPeer((request) => steps(request, [1, 2, 2, 1, 3], [foreign, done(request.id)])), async (client) => {
    const seen: unknown[] = [];
    const calls = [1, 2].map(async (call) => {
      await client.callTool("x", {}, { onProgress: ({ progress }) => seen.push([call, progress]) });
      seen.push([call, "done"]);
    });
    await Promise.all(calls);
    for (const call of [1, 2]) {
      assert.deepEqual(seen.filter((one) => (one as Json)[0] === call).map((one) => (one as Json)[1]), [1, 2, 3, "done"]);
    }
  });
});

Deno.test("the total time is kept whatever progress comes, silence is given up earlier, and the peer hears of both (B071)", async (t) => {
  const gone: unknown[] = [];
  const peer = () =>
    handPeer((request, info) => {
      info.onDisconnect(() => gone.push(request.id));
      if (request.params?.name === "silent") return undefined;
      return (async function* () {
        const { progressToken } = request.params?._meta as { progressToken: string };
        for (let progress = 1; !gone.includes(request.id); progress++) {
          yield { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } } as JsonRpcMessage;
          await new Promise((resolve) => setTimeout(resolve, 10));
        }
      })();
    });
  await overEach(t, peer, async (client, { received }, { over, version }) => {
    gone.length = 0;
    const progress: unknown[] = [];
    const onProgress = (one: unknown): void => void progress.push(one);
    const total = await failure(client.callTool("loud", {}, { timeout: 200, totalTimeout: 300, onProgress }));
    assert.equal(total.reason, "timeout", String(total));
    assert.ok(progress.length > 5, "Expected progress to extend the wait");
    const silent = await failure(client.callTool("silent", {}, { timeout: 30, totalTimeout: 10_000 }));
    assert.equal(silent.reason, "timeout", String(silent));
    const told = (): number =>
      received.filter((message) => "method" in message && message.method === "notifications/cancelled").length;
    // Over HTTP a stateless revision only leaves.
    if (over === "http" && version === VERSIONS[0]) assert.equal(told(), 0);
    else if (over !== "memory") await until(() => told() === 2);
    if (over !== "http") await until(() => gone.length === 2);
    gone.push(...received.map((message) => "id" in message ? message.id : undefined));
  });
});

Deno.test("calls that share a signal leave no listener on it, however they end (B089)", async (t) => {
  const peer = () =>
    handPeer((request) => {
      const done: JsonRpcMessage = { jsonrpc: "2.0", id: request.id, result: { resultType: "complete", content: [] } };
      switch (Number((request.params?.arguments as Json)?.at) % 10) {
        case 0:
          return { error: { code: -32602, message: "no" } };
        case 1:
          return { content: 5 as Json };
        case 2:
          return undefined;
        case 3:
        case 4:
        case 5:
          return steps(request, [1], [done]);
        default:
          return { content: [] };
      }
    });
  await overEach(t, peer, async (client) => {
    const abort = new AbortController();
    const listeners = countListeners(abort.signal);
    let failed = 0;
    for (let at = 0; at < 100; at++) {
      const call = client.callTool("x", { at }, { signal: abort.signal, timeout: at % 10 === 2 ? 5 : 5000 });
      await call.catch(() => failed++);
      assert.ok(listeners() <= 1, `${listeners()} listeners after ${at + 1} calls`);
    }
    assert.equal(failed, 30);
    abort.abort();
    assert.deepEqual((await client.callTool("x", { at: 9 })).content, []);
  }, { onError: () => undefined });
});

Deno.test("messages in one process are copies, in order, and a definition serves as often as it is asked to (B088)", async (t) => {
  for (const version of VERSIONS) {
    await t.step(version, async () => {
      const seen: Json[] = [];
      const kept: { list: number[] } = { list: [1] };
      const server = serverOf({
        tools: [
          tool({
            name: "keep",
            input: { type: "object" },
            async handler(args: Json) {
              seen.push(args);
              await new Promise((resolve) => setTimeout(resolve, 1));
              return { structured: kept, content: "" };
            },
          }),
        ],
      });
      const clients = await Promise.all(
        [1, 2].map(() => testClient(server, { protocol: version }) as unknown as Promise<Client>),
      );
      const [one, two] = clients as [Client, Client];
      const args = { deep: { value: "before" } };
      const call = one.callTool("keep", args);
      await until(() => seen.length === 1);
      args.deep.value = "after";
      const result = await call;
      assert.deepEqual(seen[0], { deep: { value: "before" } });
      for (const at of [0, 1, 2]) void one.callTool("keep", { at });
      await until(() => seen.length === 4);
      assert.deepEqual(seen.slice(1), [{ at: 0 }, { at: 1 }, { at: 2 }]);
      kept.list.push(2);
      assert.deepEqual((result as Json).structuredContent, { list: [1] });
      assert.deepEqual(((await two.callTool("keep")) as Json).structuredContent, { list: [1, 2] });
      await Promise.all(clients.flatMap((client) => [client.close(), client.close()]));
      assert.equal((await failure(one.callTool("keep"))).reason, "closed");
      const again = await testClient(server, { protocol: version }) as unknown as Client;
      await again.callTool("keep");
      await again.close();
    });
  }
});

Deno.test("a call after close rejects at once, a close ends what is pending, and callbacks that throw stop nothing (B086)", async (t) => {
  const peer = () => handPeer(({ params }) => params?.name === "hang" ? undefined : { content: [] });
  const throws = (): void => {
    throw new Error("callback");
  };
  await overEach(t, peer, async (client) => {
    const pending = [1, 2, 3].map(() => failure(client.callTool("hang")));
    await client.callTool("quick");
    await client.close();
    for (const error of await Promise.all(pending)) assert.equal(error.reason, "closed", String(error));
    assert.equal((await failure(client.callTool("quick"))).reason, "closed");
  }, { onError: throws, onLog: throws });
  assert.ok(WAYS.length >= 9);
});
