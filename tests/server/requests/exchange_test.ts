/** Tests of `server/requests/exchange.ts` and `server/dispatch.ts`, through a server's handler. */
import assert from "node:assert/strict";
import { ProtocolError, ToolError } from "../../../protocol/errors.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcRequest } from "../../../protocol/types.ts";
import { prompt } from "../../../server/components/prompt.ts";
import { tool } from "../../../server/components/tool.ts";
import { until } from "../../until.ts";
import { answerOf, errorOf, gate, httpRequest, infoOf, request, serverOf, toolCall } from "../calls.ts";
import { pipeTo } from "../pipe.ts";

const PROGRESS = { progressToken: 1 };

/** The kind of answer that a handler gives a carrier. */
async function kind(handler: (...args: never) => unknown, meta: JsonObject = PROGRESS): Promise<string> {
  const server = serverOf({ tools: [tool({ name: "t", handler } as never)] });
  const answer = await server.handle(request("tools/call", { name: "t", _meta: meta }), infoOf());
  if (answer === undefined) return "nothing";
  if (!(Symbol.asyncIterator in answer)) return "message";
  const kinds: string[] = [];
  for await (const part of answer) kinds.push("method" in part ? "notification" : "response");
  return kinds.join(" ");
}

Deno.test("the first emission decides between one message and a stream that ends in the response (M-HTTP-015, M-BASE-023)", async () => {
  assert.equal(await kind(() => "now"), "message");
  assert.equal(await kind(() => Promise.resolve("later")), "message");
  assert.equal(
    await kind((_args: never, ctx: { progress(n: number): Promise<void> }) => (ctx.progress(1), "now")),
    "notification response",
  );
  const late = async (_args: never, ctx: { progress(n: number): Promise<void> }) => {
    await Promise.resolve();
    await ctx.progress(1);
    await ctx.progress(2);
    return "later";
  };
  assert.equal(await kind(late), "notification notification response");
  assert.equal(await kind(late, {}), "message", "nobody asked for progress");
  const fails = (_args: never, ctx: { progress(n: number): Promise<void> }) => {
    ctx.progress(1);
    throw new Error("boom");
  };
  assert.equal(await kind(fails), "notification response");
});

Deno.test("errors go by their kind: meant for the peer as they are, everything else masked (M-ERR-006, M-ERR-016)", async () => {
  const of = (error: unknown) => {
    const server = serverOf({ prompts: [prompt({ name: "p", render: () => Promise.reject(error) })] });
    return errorOf(server, request("prompts/get", { name: "p" }));
  };
  assert.deepEqual(await of(ProtocolError.invalidParams("Wrong", { data: [1] })), { code: -32602, message: "Wrong", data: [1] });
  assert.deepEqual(await of(new ToolError("Told")), { code: -32603, message: "Told" });
  assert.equal((await of(new Error("SECRET"))).message, "Internal error");
  assert.equal((await of({ kind: "protocol", code: -32602, message: "SECRET" })).message, "Internal error");
});

Deno.test("HTTP statuses go with the codes of errors (M-HTTP-029)", async () => {
  const throwing = (code: number) =>
    serverOf({ prompts: [prompt({ name: "p", render: () => Promise.reject(new ProtocolError(code, "x")) })] })
      .fetch(httpRequest(request("prompts/get", { name: "p" })));
  for (
    const [code, status] of [[-32602, 200], [-32603, 200], [-32601, 404], [-32600, 400], [-32020, 400], [4711, 200]] as const
  ) {
    assert.equal((await throwing(code)).status, status, String(code));
  }
  const unknown = await serverOf({ tools: [] }).fetch(httpRequest(request("constructor")));
  assert.deepEqual([unknown.status, (await unknown.json()).error.code], [404, -32601]);
});

Deno.test("methods that are unknown or named like Object's members get -32601 (B038, M-ERR-003)", async () => {
  const server = serverOf({ tools: [] });
  for (const method of ["nope", "constructor", "__proto__", "toString", "ping", "initialize", "tools/List", ""]) {
    const { code, message } = await errorOf(server, request(method));
    assert.equal(code, -32601, method);
    assert.ok(message.length < 200);
  }
  assert.ok((await errorOf(server, request("x".repeat(100_000)))).message.length < 300);
});

Deno.test("notifications get no answer, known or not, as do responses (B036, M-BASE-019)", async () => {
  const server = serverOf({ tools: [tool({ name: "t", handler: () => assert.fail("must not run") })] });
  const messages: JsonRpcMessage[] = [
    { jsonrpc: "2.0", method: "notifications/nope" },
    { jsonrpc: "2.0", method: "tools/list" },
    { jsonrpc: "2.0", method: "tools/call", params: { name: "t" } },
    { jsonrpc: "2.0", method: "notifications/cancelled" },
    { jsonrpc: "2.0", id: 1, result: {} },
  ];
  for (const message of messages) assert.equal(await server.handle(message, infoOf()), undefined);
  const pipe = pipeTo(server);
  for (const message of messages) await pipe.send(message);
  await pipe.send(request("server/discover", {}, "last"));
  assert.equal((await pipe.next() as JsonRpcRequest).id, "last");
  assert.deepEqual(await pipe.end(), []);
});

Deno.test("an id in flight is refused on the same connection, and free again afterwards (B027, B033)", async () => {
  const own = gate();
  let started = 0;
  const server = serverOf({
    tools: [tool({
      name: "wait",
      handler: async () => {
        started++;
        await own.passed;
        return "waited";
      },
    })],
  });
  const connection = { transport: "memory" } as const;
  const call = (id: string | number, on = connection) => answerOf(server, toolCall("wait", undefined, id), { connection: on });
  const first = call(1);
  await until(() => started === 1);
  const { response } = await call(1);
  assert.ok(response !== undefined && "error" in response && response.error.code === -32600);
  const text = call("1");
  const elsewhere = call(1, { transport: "memory" });
  own.open();
  for (const answer of await Promise.all([first, text, elsewhere])) {
    assert.ok(answer.response !== undefined && "result" in answer.response);
  }
  assert.ok((await call(1)).response !== undefined);
  assert.equal(started, 4);
});

Deno.test("a cancellation reaches requests of its own connection alone", async () => {
  const own = gate();
  const started: string[] = [];
  const server = serverOf({
    tools: [tool({
      name: "wait",
      handler: async () => {
        started.push("x");
        await own.passed;
        return "waited";
      },
    })],
  });
  const [mine, theirs] = [{ transport: "stdio" } as const, { transport: "stdio" } as const];
  const call = answerOf(server, toolCall("wait", undefined, 1), { connection: mine });
  await until(() => started.length === 1);
  const cancelled: JsonRpcMessage = { jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } };
  await server.handle(cancelled, infoOf({ connection: theirs }));
  await server.handle({ ...cancelled, params: { requestId: "1" } }, infoOf({ connection: mine }));
  own.open();
  assert.ok((await call).response !== undefined);
});

Deno.test("a reason given with a cancellation is the reason of the signal (M-CANC-025)", async () => {
  let reason: unknown;
  let started = false;
  const server = serverOf({
    tools: [tool({
      name: "wait",
      handler: async (_args, { signal }) => {
        started = true;
        await new Promise((resolve) => signal.addEventListener("abort", resolve));
        reason = signal.reason;
        return "";
      },
    })],
  });
  const connection = { transport: "stdio" } as const;
  const call = answerOf(server, toolCall("wait", undefined, 1), { connection });
  await until(() => started);
  const params = { requestId: 1, reason: "the user left" };
  await server.handle({ jsonrpc: "2.0", method: "notifications/cancelled", params }, infoOf({ connection }));
  assert.equal((await call).response, undefined);
  await until(() => reason !== undefined);
  assert.ok(reason instanceof DOMException && reason.name === "AbortError" && /the user left/.test(reason.message));
});

Deno.test("an error whose data is no JSON is masked, over HTTP too", async () => {
  const reported: unknown[] = [];
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  for (const data of [{ n: 1n }, cycle, { at: new Date(0) }]) {
    const failing = tool({
      name: "t",
      handler: () => {
        throw new ProtocolError(-31000, "own", { data });
      },
    });
    const server = serverOf({ tools: [failing] }, { onError: (error) => reported.push(error) });
    const response = await server.fetch(httpRequest(toolCall("t")));
    assert.equal((await response.json()).error.code, -32603);
  }
  assert.equal(reported.length, 3);
});

Deno.test("an error of another copy of the package counts by its kind", async () => {
  const foreign = (kind: string, more: object): Error => Object.assign(new Error("told"), { kind, ...more });
  const throwing = (error: Error) =>
    tool({ name: error.message + (error as { kind?: string }).kind, handler: () => Promise.reject(error) });
  const server = serverOf({
    tools: [throwing(foreign("protocol", { code: 7 })), throwing(foreign("tool", { data: undefined }))],
  });
  const protocol = (await answerOf(server, toolCall("toldprotocol"))).response as { error: { code: number } };
  assert.equal(protocol.error.code, 7);
  const told = (await answerOf(server, toolCall("toldtool"))).response as { result: JsonObject };
  assert.deepEqual([told.result.isError, told.result.content], [true, [{ type: "text", text: "told" }]]);
});

Deno.test("a request that the end of the server overtakes is answered with 503, and says so", async () => {
  const server = serverOf({ tools: [tool({ name: "wait", handler: () => new Promise<string>(() => undefined) })] });
  const waiting = server.fetch(httpRequest(toolCall("wait")));
  await new Promise((resolve) => setTimeout(resolve, 5));
  await server.close();
  const response = await waiting;
  const { error } = await response.json();
  assert.deepEqual([response.status, error.message], [503, "Server is closing: the request was given up"]);
  const late = await server.fetch(httpRequest(toolCall("wait")));
  assert.deepEqual([late.status, (await late.json()).error.message], [503, "Server is closing: it takes no new requests"]);
});
