/** Tests of requests that a server sends. */
import assert from "node:assert/strict";
import { connect, InputRequiredError, ProtocolError, textOf } from "../../../client/mod.ts";
import type { ConnectOptions, InputContext, JsonObject } from "../../../client/mod.ts";
import { ServerRequests } from "../../../client/input/server_requests.ts";
import type { Dialect } from "../../../protocol/dialect.ts";
import { DIALECTS } from "../../loaded_dialects.ts";
import type { Served } from "../../../transports/transport.ts";
import { defineServer, tool } from "../../../server/mod.ts";
import { testClient } from "../../../testing.ts";
import { oldPeer } from "../old_peer.ts";
import type { OldPeer } from "../old_peer.ts";
import { eventStream, oldSite } from "../old_site.ts";
import { deferred } from "../scripted.ts";

const OLD = { protocol: "2025-11-25" } as const;
const FORM: JsonObject = {
  message: "Who?",
  requestedSchema: { type: "object", properties: { name: { type: "string", default: "nobody" } } },
};
const SAMPLE: JsonObject = { messages: [{ role: "user", content: { type: "text", text: "hi" } }], maxTokens: 5 };

async function asked(options: ConnectOptions, run: (peer: OldPeer, faults: unknown[]) => Promise<void>): Promise<void> {
  const peer = oldPeer();
  const faults: unknown[] = [];
  await using _client = await connect(peer.channel, { ...OLD, onError: (error) => void faults.push(error), ...options });
  await run(peer, faults);
}

Deno.test("ServerRequests answers a ping without a handler (L-PING-001, B036)", async () => {
  await asked({}, async (peer, faults) => {
    peer.send({ id: "p", method: "ping" });
    assert.deepEqual(await peer.response("p"), { jsonrpc: "2.0", id: "p", result: {} });
    assert.deepEqual(faults, []);
  });
});

Deno.test("ServerRequests answers each kind through the handler of its input requests", async () => {
  const seen: unknown[] = [];
  const note = (ctx: InputContext): void => void seen.push([ctx.key, ctx.request]);
  const inputs: ConnectOptions["inputs"] = {
    form: (params, ctx) => {
      note(ctx);
      return { action: "accept", content: params.message === "Who?" ? {} : { no: 1 } };
    },
    url: (params) => ({ action: params.url === "https://a.example/" ? "accept" : "decline" }),
    sampling: () => ({ role: "assistant", content: { type: "text", text: "ho" }, model: "m" }),
    roots: [{ uri: "file:///a" }],
  };
  await asked({ inputs }, async (peer) => {
    peer.send({ id: 1, method: "elicitation/create", params: FORM });
    peer.send({
      id: 2,
      method: "elicitation/create",
      params: { mode: "url", message: "Go", url: "https://a.example/", elicitationId: "e" },
    });
    peer.send({ id: 3, method: "sampling/createMessage", params: SAMPLE });
    peer.send({ id: "4", method: "roots/list" });
    const results = await Promise.all([1, 2, 3, "4"].map(async (id) => (await peer.response(id)).result));
    assert.deepEqual(results, [
      { action: "accept", content: { name: "nobody" } },
      { action: "accept" },
      { role: "assistant", content: { type: "text", text: "ho" }, model: "m" },
      { roots: [{ uri: "file:///a" }] },
    ]);
    assert.deepEqual(seen, [["1", undefined]]);
  });
});

async function codeOf(peer: OldPeer, id: string | number): Promise<unknown> {
  return ((await peer.response(id)).error as JsonObject | undefined)?.code;
}

Deno.test("ServerRequests refuses what has no handler, the wrong shape or an unknown name (L-ROOT-003, L-ELIC-028, B036)", async () => {
  await asked({ inputs: { form: () => ({ action: "cancel" }) } }, async (peer, faults) => {
    peer.send({ id: 1, method: "sampling/createMessage", params: SAMPLE });
    peer.send({ id: 2, method: "roots/list" });
    peer.send({ id: 3, method: "foo/bar" });
    peer.send({ id: 4, method: "elicitation/create", params: { message: "Who?" } });
    peer.send({ id: 5, method: "elicitation/create" });
    peer.send({
      id: 6,
      method: "elicitation/create",
      params: { mode: "url", message: "Go", url: "https://a.example/", elicitationId: "e" },
    });
    const codes = await Promise.all([1, 2, 3, 4, 5, 6].map((id) => codeOf(peer, id)));
    assert.deepEqual(codes, [-32601, -32601, -32601, -32602, -32602, -32602]);
    // The program is told of what its server did wrong, not of what it left out itself.
    assert.deepEqual(faults.map((fault) => (fault as Error).message), [
      "Reading a question of the server (elicitation/create): Invalid params: requestedSchema must be the schema of an object with its properties",
      "Reading a question of the server (elicitation/create): Invalid params: message must be a string",
    ]);
  });
});

Deno.test("ServerRequests masks what a handler throws, and sends what it throws on purpose (L-ROOT-004, L-SAMP-003, L-SAMP-004)", async () => {
  const secret = new Error("the password is 1234");
  const inputs: ConnectOptions["inputs"] = {
    roots: () => {
      throw secret;
    },
    sampling: () => Promise.reject(new ProtocolError(-1, "User rejected sampling request")),
    form: () => ({ action: "accept", content: { name: 5 } }),
  };
  await asked({ inputs }, async (peer, faults) => {
    peer.send({ id: 1, method: "roots/list" });
    peer.send({ id: 2, method: "sampling/createMessage", params: SAMPLE });
    peer.send({ id: 3, method: "elicitation/create", params: FORM });
    const masked = (await peer.response(1)).error as JsonObject;
    assert.equal(masked.code, -32603);
    assert.doesNotMatch(String(masked.message), /1234/);
    assert.deepEqual((await peer.response(2)).error, { code: -1, message: "User rejected sampling request" });
    assert.equal(await codeOf(peer, 3), -32603);
    assert.ok(faults.includes(secret));
    assert.equal(faults.length, 2);
  });
});

Deno.test("ServerRequests answers so many at once, lets so many wait, and refuses the rest by naming the limits (limit serverRequests, limit subscriptionBuffer)", async () => {
  const go = deferred();
  let running = 0;
  let most = 0;
  const inputs: ConnectOptions["inputs"] = {
    roots: async () => {
      most = Math.max(most, ++running);
      await go.promise;
      running--;
      return [];
    },
  };
  await asked({ inputs, limits: { serverRequests: 2, subscriptionBuffer: 3 } }, async (peer) => {
    for (let id = 0; id < 6; id++) {
      peer.send({ id, method: "roots/list" });
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    const refused = (await peer.response(5)).error as JsonObject;
    assert.equal(refused.code, -32603);
    assert.match(String(refused.message), /limits serverRequests and subscriptionBuffer/);
    go.resolve();
    for (let id = 0; id < 5; id++) assert.deepEqual((await peer.response(id)).result, { roots: [] });
    assert.equal(most, 2);
  });
});

Deno.test("ServerRequests aborts the handler of a request that the server cancels, and sends no answer", async () => {
  const started = deferred();
  const reasons: unknown[] = [];
  const inputs: ConnectOptions["inputs"] = {
    roots: async ({ signal }) => {
      started.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      reasons.push(signal.reason);
      return [];
    },
  };
  await asked({ inputs }, async (peer, faults) => {
    peer.send({ id: 1, method: "roots/list" });
    await started.promise;
    peer.send({ method: "notifications/cancelled", params: { requestId: 1 } });
    peer.send({ method: "notifications/cancelled", params: { requestId: 99 } });
    peer.send({ method: "notifications/cancelled" });
    peer.send({ id: 2, method: "ping" });
    await peer.response(2);
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.equal(reasons.length, 1);
    assert.deepEqual(peer.received.filter((message) => !("method" in message)).map((message) => "id" in message && message.id), [
      2,
    ]);
    assert.deepEqual(faults, []);
  });
});

Deno.test("ServerRequests aborts all handlers at close", async () => {
  const started = deferred();
  const aborted = deferred<unknown>();
  const inputs: ConnectOptions["inputs"] = {
    roots: async ({ signal }) => {
      started.resolve();
      await new Promise((resolve) => signal.addEventListener("abort", resolve));
      aborted.resolve(signal.reason);
      return [];
    },
  };
  await asked({ inputs }, async (peer) => {
    peer.send({ id: 1, method: "roots/list" });
    await started.promise;
  });
  assert.equal((await aborted.promise as { reason: string }).reason, "closed");
});

Deno.test("a call waits beyond its timeout while a question of the server is being answered, within its total time", async () => {
  const peer = oldPeer({ answer: (method) => method === "tools/call" ? null : undefined });
  const inputs: ConnectOptions["inputs"] = {
    form: async (_params, { signal }) => {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 120);
        signal.addEventListener("abort", () => {
          clearTimeout(timer);
          resolve();
        });
      });
      return { action: "decline" };
    },
  };
  await using client = await connect(peer.channel, { ...OLD, inputs });
  const call = client.callTool("x", {}, { timeout: 40 });
  const request = await peer.until<JsonObject & { id: number; jsonrpc: "2.0"; method: string }>((message) =>
    "method" in message && message.method === "tools/call"
  );
  peer.send({ id: "q", method: "elicitation/create", params: FORM });
  await peer.response("q");
  peer.send({ id: request.id, result: { content: [] } });
  assert.deepEqual((await call).content, []);
  peer.send({ id: "r", method: "elicitation/create", params: FORM });
  await assert.rejects(client.callTool("x", {}, { timeout: 20, totalTimeout: 60 }), { reason: "timeout" });
});

Deno.test("a question on the stream of a call knows its call, is answered in the session, and ends with the call", async () => {
  const requests: unknown[] = [];
  const stream = eventStream();
  const answered = deferred<JsonObject>();
  const site = oldSite(({ message, headers }) => {
    if (message.method === undefined) {
      answered.resolve({
        id: message.id as number,
        session: headers.get("mcp-session-id"),
        version: headers.get("mcp-protocol-version"),
      });
    }
    if (message.method !== "tools/call") return undefined;
    stream.send({ id: 1, method: "elicitation/create", params: FORM });
    void answered.promise.then(() => {
      stream.send({ id: message.id as number, result: { content: [{ type: "text", text: "thanks" }] } });
      stream.end();
    });
    return stream.response;
  }, { sessions: true });
  const inputs: ConnectOptions["inputs"] = {
    form: (_params, { request }) => {
      requests.push(request);
      return { action: "decline" };
    },
  };
  const client = await connect(site.url, { ...OLD, inputs, getStream: false });
  assert.equal(await client.tools.greet?.({}), "thanks");
  assert.deepEqual(await answered.promise, { id: 1, session: "s1", version: "2025-11-25" });
  assert.deepEqual(requests, [{ method: "tools/call", name: "greet", label: undefined }]);
  assert.ok(site.visits.every(({ verb }) => verb !== "GET"));
  await client.close();
  await site.close();
});

Deno.test("a question of a call that is given up is aborted and answered with an error", async () => {
  const stream = eventStream();
  const refused = deferred<unknown>();
  const site = oldSite(({ message }) => {
    if (message.method === undefined) refused.resolve((message as { error?: { code: number } }).error?.code);
    if (message.method !== "tools/call") return undefined;
    stream.send({ id: 1, method: "elicitation/create", params: FORM });
    return stream.response;
  });
  const abort = new AbortController();
  const inputs: ConnectOptions["inputs"] = {
    form: async (_params, { signal }) => {
      const gone = new Promise((resolve) => signal.addEventListener("abort", resolve));
      abort.abort(new Error("enough"));
      await gone;
      return { action: "decline" };
    },
  };
  const client = await connect(site.url, { ...OLD, inputs });
  await assert.rejects(client.callTool("x", {}, { signal: abort.signal }), { message: "enough" });
  assert.equal(await refused.promise, -32603);
  await client.close();
  await site.close();
});

Deno.test("the GET stream is opened at connect for whoever may be asked or wants log messages, and never without leave", async () => {
  const gets = async (options: ConnectOptions & { readonly getStream?: boolean }): Promise<number> => {
    const site = oldSite(() => undefined, { onGet: () => new Response(null, { status: 405 }) });
    const faults: unknown[] = [];
    const client = await connect(site.url, { ...OLD, ...options, onError: (error) => void faults.push(error) });
    await new Promise((resolve) => setTimeout(resolve, 20));
    await client.callTool("x");
    await client.close();
    await site.close();
    assert.deepEqual(faults, []);
    return site.visits.filter(({ verb }) => verb === "GET").length;
  };
  assert.equal(await gets({}), 0);
  assert.equal(await gets({ inputs: { roots: [] } }), 1);
  assert.equal(await gets({ onLog: () => undefined }), 1);
  assert.equal(await gets({ inputs: { roots: [] }, getStream: false }), 0);
});

Deno.test("questions of the server come over the GET stream too", async () => {
  const stream = eventStream();
  const answered = deferred<unknown>();
  const site = oldSite(({ message }) => {
    if (message.method === undefined) answered.resolve(message.result);
    return undefined;
  }, { sessions: true, onGet: () => stream.response });
  const client = await connect(site.url, { ...OLD, inputs: { roots: [{ uri: "file:///a" }] } });
  stream.send({ id: 1, method: "roots/list" });
  assert.deepEqual(await answered.promise, { roots: [{ uri: "file:///a" }] });
  await client.close();
  await site.close();
});

Deno.test("ServerRequests leaves no request of a flood without an answer, and asks to wait while many have not gone out", async () => {
  const answers: unknown[] = [];
  const waiting: (() => void)[] = [];
  const requests = new ServerRequests({
    inputs: { roots: [] },
    capabilities: { roots: {} },
    limits: { serverRequests: 1, subscriptionBuffer: 5 },
    send: ({ id }) => {
      answers.push(id);
      return new Promise((resolve) => waiting.push(resolve));
    },
    report: (error) => assert.fail(String(error)),
  });
  const dialect = DIALECTS.find(({ handshake }) => handshake !== undefined) as Dialect;
  const methods = ["ping", "foo/bar", "roots/list"];
  const all = Array.from({ length: 30 }, (_, id) => id);
  const flood = (async () => {
    for (const id of all) {
      await requests.take({ jsonrpc: "2.0", id, method: methods[id % 3] as string }, dialect, undefined);
      assert.ok(waiting.length <= 5);
    }
  })();
  while (answers.length < 5) await Promise.resolve();
  for (let turn = 0; turn < 100; turn++) await Promise.resolve();
  assert.equal(answers.length, 5);
  while (answers.length < all.length) {
    waiting.shift()?.();
    await new Promise((resolve) => setTimeout(resolve, 0));
  }
  assert.deepEqual(answers.sort((a, b) => Number(a) - Number(b)), all);
  for (const sent of waiting) sent();
  await flood;
});

Deno.test("ServerRequests lets nobody wait after the end", async () => {
  const requests = new ServerRequests({
    inputs: {},
    capabilities: {},
    limits: { serverRequests: 1, subscriptionBuffer: 1 },
    send: () => new Promise(() => undefined),
    report: (error) => assert.fail(String(error)),
  });
  const dialect = DIALECTS.find(({ handshake }) => handshake !== undefined) as Dialect;
  const taken = requests.take({ jsonrpc: "2.0", id: 1, method: "ping" }, dialect, undefined);
  assert.ok(taken instanceof Promise);
  requests.abortAll(new Error("closed"), true);
  await taken;
});

Deno.test("a question that nobody answers ends its call with an InputRequiredError in every revision", async () => {
  const server = defineServer({
    name: "asks",
    version: "1.0.0",
    sessions: true,
    tools: [tool({ name: "x", handler: async (_args, ctx) => (await ctx.elicit("Who?", { n: { type: "string" } })).action })],
  });
  const fetch = (input: URL | RequestInfo, init?: RequestInit): Promise<Response> => server.fetch(new Request(input, init));
  for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
    const options = { protocol, capabilities: { elicitation: {} } } as const;
    for (
      const client of [await connect(server as Served, options), await connect("http://localhost/mcp", { ...options, fetch })]
    ) {
      const error = await client.callTool("x").then(() => undefined, (error: unknown) => error);
      assert.ok(error instanceof InputRequiredError, `${protocol}: ${error}`);
      assert.equal(error.reason, "no_handler");
      assert.match(error.message, /^Answering the questions of tools\/call of "x": there is no handler for elicitation\/create$/);
      assert.equal(Object.values(error.requests)[0]?.method, "elicitation/create");
      if (protocol !== "2026-07-28") await assert.rejects(error.resume({}), /^TypeError: Going on with tools\/call/);
      await client.close();
    }
  }
  await server.close();
});

Deno.test("a handler that fails ends its call with an InputRequiredError in every revision, over every carrier", async () => {
  const server = defineServer({
    name: "asks",
    version: "1.0.0",
    sessions: true,
    stateKeys: ["a key of the tests of questions"],
    tools: [
      tool({ name: "x", handler: async (_args, ctx) => (await ctx.elicit("Who?", { n: { type: "string" } })).action }),
      tool({
        name: "patient",
        handler: (_args, ctx) => ctx.elicit("Who?", { n: { type: "string" } }).then(() => "answered", () => "without"),
      }),
    ],
  });
  const thrown = [new Error("The window was closed"), new ProtocolError(-32001, "Not now")];
  for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
    for (const over of ["memory", "http", "stdio"] as const) {
      for (const failure of thrown) {
        const told: unknown[] = [];
        const form = (): never => {
          throw failure;
        };
        const client = await testClient(server, { over, protocol, inputs: { form }, onError: (error) => told.push(error) });
        const error = await client.callTool("x").then(() => undefined, (error: unknown) => error);
        assert.ok(error instanceof InputRequiredError, `${protocol} over ${over}: ${error}`);
        assert.equal(error.reason, "handler_failed");
        assert.equal(error.message, `Answering the questions of tools/call of "x": a handler failed (${failure.message})`);
        assert.equal(error.cause, failure);
        assert.equal(Object.values(error.requests)[0]?.method, "elicitation/create");
        if (protocol !== "2026-07-28") {
          assert.equal(textOf(await client.callTool("patient")), "without");
          assert.equal(told.length, failure instanceof ProtocolError ? 0 : 2);
        }
        await client.close();
      }
    }
  }
  await server.close();
});
