/** Tests of `transports/serve_peer.ts`. */
import assert from "node:assert/strict";
import { TransportError } from "../../protocol/errors.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { servePeer } from "../../transports/serve_peer.ts";
import type { MessageHandler, MessageInfo } from "../../transports/transport.ts";
import { until } from "../until.ts";
import { echoServer, request } from "./support.ts";

function open(handle: MessageHandler, send?: (message: JsonRpcMessage) => Promise<void> | void) {
  const sent: JsonRpcMessage[] = [];
  const errors: unknown[] = [];
  const served = servePeer(
    handle,
    { send: send ?? ((message) => void sent.push(message)) },
    { transport: "stdio" },
    (error) => errors.push(error),
  );
  return { served, sent, errors };
}

const idOf = (message: JsonRpcMessage | undefined) => (message as { id?: unknown }).id;

Deno.test("servePeer() runs requests at once and answers each under its own id (B027, B033)", async () => {
  const release = new Map<unknown, () => void>();
  const { served, sent } = open((message) =>
    new Promise((resolve) =>
      release.set(idOf(message), () => resolve({ jsonrpc: "2.0", id: idOf(message) as number, result: {} }))
    )
  );
  for (const id of [1, "1", 0, ""]) served.receive(request(id));
  for (const id of ["", "1", 0, 1]) release.get(id)?.();
  await until(() => sent.length === 4);
  assert.deepEqual(sent.map(idOf), ["", "1", 0, 1]);
});

Deno.test("servePeer() writes a stream in order, and nothing for a notification (B036)", async () => {
  const echo = echoServer();
  const { served, sent } = open(echo.handle);
  served.receive({ jsonrpc: "2.0", method: "notifications/nope" });
  served.receive(request(1, "progress"));
  await until(() => sent.length === 3);
  assert.deepEqual(sent.map((one) => "method" in one ? one.params?.progress : "answer"), [1, 2, "answer"]);
});

Deno.test("servePeer() masks what a handler throws, and lives on", async () => {
  const echo = echoServer();
  const { served, sent, errors } = open(echo.handle);
  served.receive(request(1, "throw"));
  served.receive(request(2));
  await until(() => sent.length === 2);
  const failed = sent.find((one) => idOf(one) === 1);
  assert.deepEqual(failed, { jsonrpc: "2.0", id: 1, error: { code: -32603, message: "Internal error" } });
  assert.equal((errors[0] as Error).message, "secret");
  assert.ok(sent.some((one) => idOf(one) === 2));
});

Deno.test("servePeer() masks a handler that throws at once, and one whose stream breaks", async () => {
  const { served, sent } = open((message) => {
    if (idOf(message) === 1) throw new Error("secret");
    return Promise.resolve({
      [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Error("secret")) }),
    });
  });
  served.receive(request(1));
  served.receive(request(2));
  await until(() => sent.length === 2);
  assert.deepEqual(sent.map((one) => (one as { error: { message: string } }).error.message), [
    "Internal error",
    "Internal error",
  ]);
});

Deno.test("servePeer() hands on a cancellation, calls that request's listeners, and writes nothing more for it (M-STDIO-011)", async () => {
  const gone: unknown[] = [];
  const seen: JsonRpcMessage[] = [];
  let go = (): void => undefined;
  const { served, sent } = open((message, info) => {
    seen.push(message);
    if (!("id" in message)) return Promise.resolve(undefined);
    info.onDisconnect(() => gone.push(idOf(message)));
    return Promise.resolve((async function* (): AsyncGenerator<JsonRpcMessage> {
      yield { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 0, progress: 1 } };
      await new Promise<void>((resolve) => go = resolve);
      yield { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken: 0, progress: 2 } };
      yield { jsonrpc: "2.0", id: idOf(message) as number, result: {} };
    })());
  });
  served.receive(request(0));
  await until(() => sent.length === 1);
  served.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 0 } });
  served.receive({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: "unknown" } });
  go();
  await new Promise((resolve) => setTimeout(resolve, 5));
  assert.deepEqual(gone, [0]);
  assert.equal(sent.length, 1);
  assert.equal(seen.length, 3);
});

Deno.test("servePeer() calls every listener at the end, once, and writes nothing afterwards (B005, B029)", async () => {
  let answer = (): void => undefined;
  const calls: string[] = [];
  const infos: MessageInfo[] = [];
  const { served, sent, errors } = open((message, info) => {
    infos.push(info);
    info.onDisconnect(() => calls.push("first"));
    info.onDisconnect(() => {
      throw new Error("listener");
    });
    info.onDisconnect(() => calls.push("taken back"))();
    info.onDisconnect(() => calls.push("last"));
    return new Promise((resolve) => answer = () => resolve({ jsonrpc: "2.0", id: idOf(message) as number, result: {} }));
  });
  served.receive(request(1));
  served.end();
  served.end();
  answer();
  served.receive(request(2));
  await Promise.resolve();
  assert.deepEqual(calls, ["first", "last"]);
  assert.equal(errors.length, 1);
  infos[0]?.onDisconnect(() => calls.push("late"));
  await until(() => calls.length === 3);
  assert.deepEqual(sent, []);
});

Deno.test("servePeer() keeps listeners of answered messages until the end, and gives all messages one connection", async () => {
  const echo = echoServer();
  const { served, sent } = open(echo.handle);
  served.receive(request(1));
  served.receive(request(2));
  await until(() => sent.length === 2);
  assert.deepEqual(echo.gone, []);
  served.end();
  assert.deepEqual(echo.gone, [1, 2]);
  assert.equal(echo.infos[0]?.connection.transport, "stdio");
  assert.ok(echo.infos.every((info) => info.connection === echo.infos[0]?.connection));
});

Deno.test("servePeer() replaces a response that is too large, and one that cannot be written", async () => {
  const sent: JsonRpcMessage[] = [];
  const echo = echoServer();
  const { served } = open(echo.handle, (message) => {
    if ("result" in message && message.id === 1) {
      return Promise.reject(new TransportError("limit", "x", { data: { limit: "frame", value: 64, seen: 65 } }));
    }
    if ("result" in message && message.id === 2) throw new TypeError("BigInt");
    sent.push(message);
  });
  for (const id of [1, 2, 3]) served.receive(request(id));
  await until(() => sent.length === 3);
  const errors = sent.flatMap((one) => "error" in one ? [one.error] : []);
  assert.deepEqual(errors.find((one) => one.data !== undefined)?.data, { reason: "response_too_large", limit: 64 });
  assert.deepEqual(errors.map((one) => one.code), [-32603, -32603]);
  assert.ok(sent.some((one) => idOf(one) === 3));
});

Deno.test("servePeer() answers what was no message, without an id when there is none (B032)", async () => {
  const { served, sent } = open(echoServer().handle);
  served.refuse({ id: undefined, kind: undefined, error: { code: -32700, message: "Parse error" } });
  served.refuse({ id: "a", kind: "request", error: { code: -32600, message: "Invalid request" } });
  await until(() => sent.length === 2);
  assert.deepEqual(sent, [
    { jsonrpc: "2.0", error: { code: -32700, message: "Parse error" } },
    { jsonrpc: "2.0", id: "a", error: { code: -32600, message: "Invalid request" } },
  ]);
});

Deno.test("servePeer() answers no broken response or notification, and reports it", async () => {
  const { served, sent, errors } = open(echoServer().handle);
  const error = { code: -32600, message: "Invalid response: x" };
  served.refuse({ id: 1, kind: "response", error });
  served.refuse({ id: undefined, kind: "notification", error });
  served.receive(request(2));
  await until(() => sent.length > 0);
  assert.deepEqual(sent.map(idOf), [2]);
  assert.deepEqual(errors.map((one) => (one as TransportError).reason), ["not_mcp", "not_mcp"]);
});

Deno.test("servePeer() hands an error to whoever waits for the answer of a broken response (B002)", async () => {
  const handed: JsonRpcMessage[] = [];
  const { served, sent } = open((message) => {
    handed.push(message);
    return Promise.resolve(undefined);
  });
  served.refuse({ id: "q", kind: "response", error: { code: -32600, message: "Invalid response: x" } });
  await until(() => handed.length > 0);
  assert.deepEqual([handed, sent], [[{
    jsonrpc: "2.0",
    id: "q",
    error: {
      code: -32603,
      message: "Asking the client: its answer cannot be read: Invalid response: x",
      data: { reason: "invalid_answer" },
    },
  }], []]);
});

Deno.test("servePeer() gives the channel one session, which writes to the channel and ends with it (L-BASE-009)", async () => {
  const echo = echoServer();
  const { served, sent } = open(echo.handle);
  served.receive(request(1));
  const session = echo.infos[0]?.connection.session;
  let ended = 0;
  session?.onEnd(() => ended++);
  assert.equal(session?.state, undefined);
  await session?.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  await until(() => sent.length === 2);
  assert.ok(sent.some((one) => "method" in one && one.method === "notifications/tools/list_changed"));
  assert.equal(ended, 0);
  served.end();
  served.end();
  assert.equal(ended, 1);
  await session?.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  assert.equal(sent.length, 2);
});

Deno.test("servePeer() hands a response of the peer to the handler, beside a request with the same id (L-BASE-003)", async () => {
  const echo = echoServer();
  const { served, sent } = open(echo.handle);
  const response: JsonRpcMessage = { jsonrpc: "2.0", id: 1, result: {} };
  served.receive(request(1, "hang"));
  served.receive(response);
  served.receive(request(2));
  await until(() => sent.length === 1);
  assert.equal(echo.seen[1], response);
  assert.equal(idOf(sent[0]), 2);
});

Deno.test("servePeer() swallows what a session could not write, and tells of it", async () => {
  const echo = echoServer();
  const { served, errors } = open(echo.handle, (message) => {
    if ("method" in message) throw new TypeError("BigInt");
  });
  served.receive({ jsonrpc: "2.0", method: "notifications/x" });
  await echo.infos[0]?.connection.session?.send({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
  assert.equal((errors[0] as Error).message, "BigInt");
});
