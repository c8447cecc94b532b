/** Tests of `transports/streamable_http_client.ts`, against real HTTP servers. */
import assert from "node:assert/strict";
import { resolveLimits } from "../../protocol/limits.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { connectStreamableHttp } from "../../transports/streamable_http_client.ts";
import type { StreamableHttpOptions } from "../../transports/streamable_http_client.ts";
import type { Transport } from "../../transports/transport.ts";
import { until } from "../until.ts";
import { collect, rejection, request, resultOf } from "./support.ts";

interface Setup {
  readonly transport: Transport;
  readonly url: string;
  readonly requests: { readonly method: string; readonly headers: Headers; readonly body: string }[];
  readonly errors: unknown[];
}

type Answer = (body: { id?: number }, raw: Request) => Response | Promise<Response>;

/** Runs a client against an endpoint that answers like this. */
async function against(
  answer: Answer,
  run: (setup: Setup) => Promise<void>,
  options: Partial<StreamableHttpOptions> & { change?: Limits } = {},
): Promise<void> {
  const requests: Setup["requests"] = [];
  const errors: unknown[] = [];
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (raw) => {
    const body = await raw.text();
    requests.push({ method: raw.method, headers: raw.headers, body });
    return answer(JSON.parse(body), raw);
  });
  const url = `http://127.0.0.1:${server.addr.port}/mcp`;
  const { change, ...rest } = options;
  const limits = resolveLimits(change);
  const transport = connectStreamableHttp(url, { limits, onError: (error) => errors.push(error), ...rest });
  try {
    await run({ transport, url, requests, errors });
  } finally {
    await transport.close();
    await server.shutdown();
  }
}

const JSON_HEADERS = { "content-type": "application/json" };
const SSE_HEADERS = { "content-type": "text/event-stream" };
const reply = (id: unknown, result: object = {}) => JSON.stringify({ jsonrpc: "2.0", id, result });
const json = (text: string, status = 200) => new Response(text, { status, headers: JSON_HEADERS });
/** A stream whose chunks leave one by one. */
function sse(...chunks: (string | Uint8Array)[]): Response {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const chunk = chunks.shift();
      if (chunk === undefined) return controller.close();
      controller.enqueue(typeof chunk === "string" ? new TextEncoder().encode(chunk) : chunk);
      return new Promise((resolve) => timer = setTimeout(resolve, 0));
    },
    cancel: () => clearTimeout(timer),
  });
  return new Response(body, { headers: SSE_HEADERS });
}
const call = (transport: Transport, id: number) => collect(transport.exchange(request(id), {}));

Deno.test("connectStreamableHttp() sends each message as its own POST with the headers it must have (M-HTTP-007, M-HTTP-008, M-HTTP-009, M-HTTP-010, B019)", async () => {
  await against(
    (body) => body.id === undefined ? new Response(null, { status: 202 }) : json(reply(body.id)),
    async ({ transport, requests }) => {
      const headers = [["mcp-protocol-version", "2026-07-28"], ["mcp-method", "tools/call"]] as const;
      await collect(transport.exchange(request(1), { headers }));
      await transport.send({ jsonrpc: "2.0", method: "notifications/x" });
      await collect(transport.exchange(request(2), { headers }));
      assert.deepEqual(requests.map((one) => [one.method, JSON.parse(one.body).id]), [["POST", 1], ["POST", undefined], [
        "POST",
        2,
      ]]);
      const first = requests[0]?.headers;
      assert.equal(first?.get("content-type"), "application/json");
      assert.equal(first?.get("accept"), "application/json, text/event-stream");
      assert.equal(first?.get("mcp-protocol-version"), "2026-07-28");
      assert.equal(first?.get("mcp-method"), "tools/call");
      assert.equal(first?.get("last-event-id"), null);
    },
  );
});

Deno.test("connectStreamableHttp() keeps user headers of every form, and the protocol's own values (B025)", async () => {
  const forms = [
    { "Authorization": "Bearer new", "X-A": "1", accept: "application/json", "MCP-Protocol-Version": "1999-01-01" },
    new Headers({ authorization: "Bearer new", "x-a": "1", ACCEPT: "application/json", "mcp-protocol-version": "1999-01-01" }),
    [["AUTHORIZATION", "Bearer new"], ["X-a", "1"], ["Accept", "text/html"], ["mcp-Protocol-version", "1999-01-01"]] as const,
  ];
  for (const headers of forms) {
    await against((body) => json(reply(body.id)), async ({ transport, requests }) => {
      await collect(transport.exchange(request(1), { headers: [["Mcp-Protocol-Version", "2026-07-28"]] }));
      const sent = requests[0]?.headers;
      assert.equal(sent?.get("authorization"), "Bearer new");
      assert.equal(sent?.get("x-a"), "1");
      assert.equal(sent?.get("accept"), "application/json, text/event-stream");
      assert.equal(sent?.get("mcp-protocol-version"), "2026-07-28");
    }, { headers });
  }
});

Deno.test("connectStreamableHttp() never joins two spellings of a header in an object, nor two authorizations (B025)", async () => {
  const forms = [
    { "Authorization": "Bearer old", authorization: "Bearer new", "X-A": "1", "x-a": "2" },
    [["Authorization", "Bearer old"], ["authorization", "Bearer new"], ["x-a", "2"]] as const,
  ];
  for (const headers of forms) {
    await against((body) => json(reply(body.id)), async ({ transport, requests }) => {
      await call(transport, 1);
      assert.equal(requests[0]?.headers.get("authorization"), "Bearer new");
      assert.equal(requests[0]?.headers.get("x-a"), "2");
    }, { headers });
  }
});

Deno.test("connectStreamableHttp() reads JSON and event streams by media type, however it is written (M-HTTP-016, B019)", async () => {
  const types = ["application/json;charset=utf-8", 'application/json ; profile="a;b"', "APPLICATION/JSON"];
  await against((body) => {
    const type = types[body.id ?? 0];
    if (type !== undefined) return new Response(reply(body.id, { text: "é" }), { headers: { "content-type": type } });
    return new Response(`data: ${reply(body.id, { text: "é" })}\n\n`, {
      headers: { "content-type": "Text/Event-Stream; Charset=UTF-8" },
    });
  }, async ({ transport, errors }) => {
    for (let id = 0; id <= types.length; id++) assert.deepEqual(resultOf((await call(transport, id))[0]), { text: "é" });
    assert.deepEqual(errors, []);
  });
});

Deno.test("connectStreamableHttp() reads a body that comes byte by byte (B001)", async () => {
  await against((body) => {
    const text = reply(body.id, { text: "é→🦊" });
    const bytes = new TextEncoder().encode(body.id === 1 ? text : `data: ${text}\n\n`);
    const response = sse(...Array.from(bytes, (byte) => new Uint8Array([byte])));
    return body.id === 1 ? new Response(response.body, { headers: JSON_HEADERS }) : response;
  }, async ({ transport }) => {
    for (const id of [1, 2]) assert.deepEqual(resultOf((await call(transport, id))[0]), { text: "é→🦊" });
  });
});

Deno.test("connectStreamableHttp() yields notifications before the response, and takes comments and other events for nothing (M-HTTP-023, B012, B013, B017)", async () => {
  const progress = JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } });
  await against((body) =>
    sse(
      ":\r\n",
      "retry: 250\nid: s1/0\ndata:\n\n",
      `event: ping\ndata: hello\n\n: keepalive\n\ndata: ${progress}\n\n`,
      ":",
      `\n\nevent:message\ndata:${reply(body.id)}\n\n`,
    ), async ({ transport, requests, errors }) => {
    const all = await call(transport, 1);
    assert.deepEqual(all.map((one) => "method" in one ? one.method : "answer"), ["notifications/progress", "answer"]);
    assert.deepEqual(errors, []);
    assert.deepEqual(requests.map((one) => one.method), ["POST"]);
  });
});

Deno.test("connectStreamableHttp() rejects when a stream ends without the response, and tries nothing again (M-HTTP-024, M-HTTP-025, B012, B016, B021)", async () => {
  const progress = `data: ${JSON.stringify({ jsonrpc: "2.0", method: "notifications/progress", params: { progress: 1 } })}\n\n`;
  await against((body) => {
    if (body.id === 1) return sse(`data: ${reply(1)}\n`);
    if (body.id === 2) return sse(progress);
    if (body.id === 3) return sse('event: error\ndata: {"jsonrpc":"2.0","id":3,"error":{"code":-32603,"message":"x"}}\n\n');
    if (body.id === 4) return sse('data: {"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"no"}}\n\n');
    return sse("data: half\n\n");
  }, async ({ transport, requests, errors }) => {
    for (const id of [1, 2, 3, 5]) assert.equal((await rejection(call(transport, id))).reason, "closed");
    assert.deepEqual(await call(transport, 4), [{ jsonrpc: "2.0", id: 4, error: { code: -32602, message: "no" } }]);
    assert.deepEqual(requests.map((one) => one.method), new Array(5).fill("POST"));
    assert.equal(errors.length, 1);
  });
});

Deno.test("connectStreamableHttp() rejects when the stream is cut at any byte (B016)", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const event = new TextEncoder().encode(`data: ${reply(1)}\n`);
  const head = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n";
  const serving = (async () => {
    for (let cut = 0; cut <= event.length; cut++) {
      const socket = await listener.accept();
      await socket.read(new Uint8Array(65536));
      const part = new TextDecoder().decode(event.subarray(0, cut));
      const chunk = cut === 0 ? "" : `${cut.toString(16)}\r\n${part}\r\n`;
      await socket.write(new TextEncoder().encode(head + chunk));
      socket.close();
    }
  })();
  const url = `http://127.0.0.1:${listener.addr.port}/`;
  for (let cut = 0; cut <= event.length; cut++) {
    const transport = connectStreamableHttp(url, { limits: resolveLimits(undefined) });
    assert.equal((await rejection(call(transport, 1))).reason, "closed");
    await transport.close();
  }
  await serving;
  listener.close();
});

Deno.test("connectStreamableHttp() yields the JSON-RPC error of an error status, with the request's id (B020, M-HTTP-031)", async () => {
  await against((body) => {
    if (body.id === 1) return json('{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"bad","data":{"k":1}}}', 400);
    if (body.id === 2) return json('{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"no method"}}', 404);
    if (body.id === 3) return json('{"jsonrpc":"2.0","error":{"code":-32020,"message":"header"}}', 400);
    if (body.id === 4) return json('{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}', 403);
    return json(reply(body.id));
  }, async ({ transport }) => {
    const errors = [];
    for (const id of [1, 2, 3, 4]) errors.push((await call(transport, id))[0]);
    assert.deepEqual(errors, [
      { jsonrpc: "2.0", id: 1, error: { code: -32602, message: "bad", data: { k: 1 } } },
      { jsonrpc: "2.0", id: 2, error: { code: -32601, message: "no method" } },
      { jsonrpc: "2.0", id: 3, error: { code: -32020, message: "header" } },
      { jsonrpc: "2.0", id: 4, error: { code: -32700, message: "x" } },
    ]);
    assert.equal((await call(transport, 5)).length, 1);
  });
});

Deno.test("connectStreamableHttp() rejects at once for answers that are no message, and stays usable (B020, B035)", async () => {
  const html = { "content-type": "text/html" };
  const answers: Record<number, () => Response> = {
    1: () => new Response("<h1>Bad gateway</h1>".padEnd(3_000_000), { status: 502, headers: html }),
    2: () => new Response("<title>Sign in</title>", { headers: html }),
    3: () => json("{"),
    4: () => json(reply(999)),
    5: () => json(`[${reply(5)}]`),
    6: () => json('{"jsonrpc":"2.0","method":"notifications/x"}'),
    7: () => new Response(null, { status: 202 }),
    8: () => json('{"jsonrpc":"2.0","id":77,"error":{"code":-32602,"message":"x"}}', 400),
    9: () => new Response(null, { status: 404 }),
  };
  await against((body) => answers[body.id ?? 0]?.() ?? json(reply(body.id)), async ({ transport }) => {
    for (let id = 1; id <= 9; id++) assert.equal((await rejection(call(transport, id))).reason, "not_mcp", `answer ${id}`);
    const bad = await rejection(call(transport, 1));
    assert.deepEqual(bad.data, { status: 502, contentType: "text/html", excerpt: "<h1>Bad gateway</h1>" });
    assert.match(bad.message, /502/);
    assert.deepEqual(resultOf((await call(transport, 10))[0]), {});
  });
});

Deno.test("connectStreamableHttp() yields server requests on a stream, reports foreign answers, and goes on (M-HTTP-011)", async () => {
  await against(
    (body) =>
      sse(`data: ${reply(999)}\n\ndata: ${JSON.stringify(request(5, "roots/list"))}\n\ndata: {\n\ndata: ${reply(body.id)}\n\n`),
    async ({ transport, errors, requests }) => {
      const all = await call(transport, 1);
      assert.deepEqual(all.map((one) => "method" in one ? one.method : "answer"), ["roots/list", "answer"]);
      assert.deepEqual(errors.map((error) => (error as { reason: string }).reason), ["not_mcp", "not_mcp"]);
      assert.equal(requests.length, 1);
      await transport.close();
      assert.deepEqual(await collect(transport.incoming), []);
    },
  );
});

Deno.test("connectStreamableHttp() fails no call for a broken request on its stream that has the same id", async () => {
  await against(
    (body) => sse(`data: {"jsonrpc":"2.0","id":${body.id},"method":"roots/list","params":[]}\n\ndata: ${reply(body.id)}\n\n`),
    async ({ transport, errors }) => {
      assert.equal((await call(transport, 1)).length, 1);
      assert.deepEqual(errors.map((error) => (error as { reason: string }).reason), ["not_mcp"]);
    },
  );
});

Deno.test("connectStreamableHttp() names what a 401 and a 403 ask for", async () => {
  await against((body) => {
    const challenge = body.id === 1
      ? 'Basic realm="x, Bearer resource_metadata=\\"https://evil.example\\"", bearer scope = "a b", resource_metadata=https://h.example/m'
      : 'Bearer error="insufficient_scope", error_description="say \\"hi\\", ok", scope="c"';
    return new Response("no", { status: body.id === 1 ? 401 : 403, headers: { "www-authenticate": challenge } });
  }, async ({ transport }) => {
    const first = await rejection(call(transport, 1)) as unknown as {
      kind: string;
      reason: string;
      status: number;
      challenge: object;
    };
    assert.deepEqual([first.kind, first.reason, first.status], ["authorization", "unauthorized", 401]);
    assert.deepEqual(first.challenge, { scope: "a b", error: undefined, resourceMetadata: "https://h.example/m" });
    const second = await rejection(call(transport, 2)) as unknown as {
      reason: string;
      challenge: { scope: string; error: string };
    };
    assert.deepEqual([second.reason, second.challenge.scope, second.challenge.error], [
      "insufficient_scope",
      "c",
      "insufficient_scope",
    ]);
  });
});

Deno.test("connectStreamableHttp() follows no redirect, and names it without what may be secret (B024)", async () => {
  for (const status of [301, 302, 303, 307, 308]) {
    await against(
      () => new Response(null, { status, headers: { location: "http://user:password@other.example:9/x?token=secret" } }),
      async ({ transport, requests }) => {
        const error = await rejection(call(transport, 1));
        assert.equal(error.reason, "not_mcp");
        assert.deepEqual(error.data, { status, location: "http://other.example:9/x" });
        assert.match(error.message, /redirects are not followed/);
        assert.doesNotMatch(error.message, /secret|password/);
        assert.equal(requests.length, 1);
      },
    );
  }
});

Deno.test("connectStreamableHttp() names a redirect to what is no web address (B024)", async () => {
  await against(() => new Response(null, { status: 307, headers: { location: "file:///etc/passwd" } }), async ({ transport }) => {
    const error = await rejection(call(transport, 1));
    assert.deepEqual(error.data, { status: 307, location: "file:/etc/passwd" });
  });
});

Deno.test("connectStreamableHttp() takes any success as the reply to a notification, and rejects for an error status (B018)", async () => {
  const answers = [
    () => new Response("Accepted", { status: 202, headers: { "content-type": "text/plain" } }),
    () => new Response(null, { status: 202 }),
    () => new Response(null, { status: 204 }),
    () => new Response("", { status: 200 }),
    () => json("null"),
    () => new Response("<p>ok</p>", { headers: { "content-type": "text/html" } }),
  ];
  let next = 0;
  await against(
    () => (answers[next++] ?? (() => json('{"jsonrpc":"2.0","error":{"code":-32600,"message":"no"}}', 400)))(),
    async ({ transport, errors }) => {
      for (const _ of answers) await transport.send({ jsonrpc: "2.0", method: "notifications/x" });
      assert.deepEqual(errors, []);
      assert.equal((await rejection(transport.send({ jsonrpc: "2.0", method: "notifications/x" }))).code, -32600);
    },
  );
  await against(() => new Response("x", { status: 500 }), async ({ transport }) => {
    assert.equal((await rejection(transport.send({ jsonrpc: "2.0", method: "notifications/x" }))).reason, "not_mcp");
  });
});

Deno.test("connectStreamableHttp() names the limit that an answer or a request passes", async () => {
  const size = 2000;
  const atEdge = (id: unknown, bytes: number) => reply(id, { a: "x".repeat(bytes - reply(id, { a: "" }).length) });
  await against((body) => {
    if (body.id === 1) return json(atEdge(1, size));
    if (body.id === 2) return json(atEdge(2, size + 1));
    if (body.id === 3) return new Response(sse(atEdge(3, 700), " ".repeat(1400)).body, { headers: JSON_HEADERS });
    if (body.id === 4) return sse(`data: ${atEdge(4, size + 1)}\n\n`);
    return json(`{"jsonrpc":"2.0","id":${body.id},"result":${'{"a":'.repeat(200)}1${"}".repeat(200)}}`);
  }, async ({ transport, requests }) => {
    assert.equal((await call(transport, 1)).length, 1);
    const limitOf = async (id: number) => (await rejection(call(transport, id))).data as { limit: string; value: number };
    assert.deepEqual([(await limitOf(2)).limit, (await limitOf(3)).limit], ["responseBody", "responseBody"]);
    assert.deepEqual([(await limitOf(4)).limit, (await limitOf(4)).value], ["sseEvent", size]);
    assert.equal((await limitOf(5)).limit, "jsonDepth");
    const before = requests.length;
    const error = await rejection(collect(transport.exchange(request(6, "x", { a: "é".repeat(600) }), {})));
    assert.equal((error.data as { limit: string }).limit, "requestBody");
    assert.equal(requests.length, before);
  }, { change: { responseBody: size, sseEvent: size, requestBody: 1000 } });
});

Deno.test("connectStreamableHttp() closes the answer when the call is left or aborted, which is the cancellation", async () => {
  let closed = 0;
  const endless = () =>
    new Response(
      new ReadableStream({
        start: (controller) =>
          controller.enqueue(new TextEncoder().encode('data: {"jsonrpc":"2.0","method":"notifications/x"}\n\n')),
        cancel: () => void closed++,
      }),
      { headers: SSE_HEADERS },
    );
  await against(endless, async ({ transport, requests }) => {
    for await (const _ of transport.exchange(request(1), {})) break;
    await until(() => closed === 1);
    const abort = new AbortController();
    const aborted = rejection(collect(transport.exchange(request(2), { signal: abort.signal })));
    await until(() => requests.length === 2);
    abort.abort("stop");
    assert.equal(await aborted, "stop");
    await until(() => closed === 2);
    const pending = transport.exchange(request(3), {})[Symbol.asyncIterator]();
    await pending.next();
    const read = pending.next();
    await pending.return?.();
    assert.equal((await read).done, true);
    await until(() => closed === 3);
    assert.equal(await rejection(collect(transport.exchange(request(4), { signal: abort.signal }))), "stop");
    assert.deepEqual(requests.map((one) => JSON.parse(one.body).method), new Array(3).fill("tools/call"));
  });
});

Deno.test("connectStreamableHttp() rejects what is open at close, and everything after (B086)", async () => {
  await against(
    () => new Promise<Response>((resolve) => setTimeout(() => resolve(json("{}")), 20)),
    async ({ transport, requests }) => {
      const open = [rejection(call(transport, 1)), rejection(transport.send({ jsonrpc: "2.0", method: "x" }))];
      await until(() => requests.length === 2);
      await transport.close();
      await transport.close();
      assert.deepEqual((await Promise.all(open)).map((error) => error.reason), ["closed", "closed"]);
      assert.equal((await rejection(call(transport, 2))).reason, "closed");
      assert.equal((await rejection(transport.send({ jsonrpc: "2.0", method: "x" }))).reason, "closed");
    },
  );
});

Deno.test("connectStreamableHttp() says that a server cannot be reached, and passes on what a decorated fetch says", async () => {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  listener.close();
  const transport = connectStreamableHttp(`http://127.0.0.1:${port}/mcp?key=secret`, { limits: resolveLimits(undefined) });
  const error = await rejection(call(transport, 1));
  assert.equal(error.reason, "unreachable");
  assert.match(error.message, /the server cannot be reached \(.*refused.*\)$/i);
  assert.doesNotMatch(error.message, /secret/);
  assert.equal((await rejection(transport.send({ jsonrpc: "2.0", method: "x" }))).reason, "unreachable");
  const denied = Object.assign(new Error("denied"), { kind: "authorization" });
  const decorated = connectStreamableHttp(`http://127.0.0.1:${port}/`, {
    limits: resolveLimits(undefined),
    fetch: () => Promise.reject(denied),
  });
  assert.equal(await rejection(call(decorated, 1)), denied);
});

Deno.test("connectStreamableHttp() leaves no listener on a signal that many calls share, and uses connections again (B089)", async () => {
  const peers = new Set<string>();
  let turn = 0;
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, async (raw, info) => {
    const { id } = await raw.json();
    peers.add(`${(info.remoteAddr as Deno.NetAddr).port}`);
    if (turn++ % 10 === 9) return json("{", turn % 20 === 0 ? 500 : 200);
    return turn % 2 === 0 ? json(reply(id)) : sse(`data: ${reply(id)}\n\n`);
  });
  const transport = connectStreamableHttp(`http://127.0.0.1:${server.addr.port}/`, { limits: resolveLimits(undefined) });
  const abort = new AbortController();
  const { signal } = abort;
  let listeners = 0;
  const { addEventListener, removeEventListener } = signal;
  signal.addEventListener = (...args: unknown[]) => (listeners++, Reflect.apply(addEventListener, signal, args));
  signal.removeEventListener = (...args: unknown[]) => (listeners--, Reflect.apply(removeEventListener, signal, args));
  const answers: JsonRpcMessage[] = [];
  for (let id = 0; id < 300; id++) {
    const work = collect(transport.exchange(request(id), { signal }));
    answers.push(...await work.catch(() => []));
  }
  assert.equal(listeners, 0);
  assert.equal(answers.length, 270);
  assert.ok(peers.size < 30, `${peers.size} connections`);
  abort.abort();
  await transport.close();
  await server.shutdown();
});

Deno.test("connectStreamableHttp() refuses other schemes and headers that HTTP cannot carry, without their values", () => {
  const limits = resolveLimits(undefined);
  assert.throws(() => connectStreamableHttp("file:///x", { limits }), /Expected an http or https address/);
  assert.throws(
    () => connectStreamableHttp("http://x.example", { limits, headers: { "x-key": "secret\r\nevil: 1" } }),
    (error: Error) => error instanceof TypeError && /headers.x-key/.test(error.message) && !/secret/.test(error.message),
  );
});

Deno.test("connectStreamableHttp() tells of the first strays of its streams, and then each time that their number has doubled", async () => {
  const answer = ({ id }: { id?: number }): Response =>
    sse(`data: junk\n\ndata: ${reply(77)}\n\n`.repeat(500), `data: ${reply(id)}\n\n`);
  await against(answer, async ({ transport, errors }) => {
    await collect(transport.exchange(request(1, "x"), {}));
    assert.equal(errors.length, 16 + 5);
    await collect(transport.exchange(request(2, "x"), {}));
    assert.equal(errors.length, 16 + 6);
  });
});

/** A text in Latin-1: each of its characters is one byte. */
const latin1 = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(text, (character) => character.charCodeAt(0));

Deno.test("connectStreamableHttp() refuses an answer that is no UTF-8, in JSON and in events, naming the address (M-BASE-040)", async () => {
  const body = (id: unknown): Uint8Array<ArrayBuffer> => latin1(reply(id, { name: "caf\u00e9" }));
  const error = (id: unknown): Uint8Array<ArrayBuffer> =>
    latin1(JSON.stringify({ jsonrpc: "2.0", id, error: { code: 1, message: "caf\u00e9" } }));
  const answers: readonly [string, (id: unknown) => Response][] = [
    ["the body is not UTF-8", (id) => new Response(body(id), { headers: JSON_HEADERS })],
    ["it is not UTF-8", (id) => new Response(error(id), { status: 400, headers: JSON_HEADERS })],
    ["the event is not UTF-8", (id) => sse("data: ", body(id), "\n\n")],
    ["the event is not UTF-8", (id) => sse("data: ", error(id), "\n\n")],
    // Its id cannot be told.
    ["the event is not UTF-8", () => sse("data: ", latin1(reply("\u00e9")), "\n\n")],
  ];
  for (const [words, answer] of answers) {
    await against((message) => answer(message.id), async ({ transport, url, errors }) => {
      const fault = await rejection(call(transport, 1)) as Error & { reason?: string };
      assert.equal(fault.reason, "not_mcp", String(fault));
      assert.ok(fault.message.includes(words) && fault.message.includes(url), fault.message);
      assert.deepEqual(errors, []);
    });
  }
});

Deno.test("connectStreamableHttp() tells of an event that is no UTF-8 and goes on, and takes U+FFFD for the character that it is", async () => {
  await against(
    (body) =>
      sse(
        "data: ",
        latin1(JSON.stringify({ jsonrpc: "2.0", method: "notifications/x", params: { name: "caf\u00e9" } })),
        `\n\ndata: ${reply(body.id, { name: "caf\ufffd" })}\n\n`,
      ),
    async ({ transport, url, errors }) => {
      assert.deepEqual(resultOf((await call(transport, 1)).at(-1)), { name: "caf\ufffd" });
      const [fault] = errors as Error[];
      assert.equal(errors.length, 1);
      assert.equal(fault?.message, `Reading the answer of ${url}: Parse error: the event is not UTF-8`);
    },
  );
  await against((body) => json(reply(body.id, { name: "caf\ufffd" })), async ({ transport }) => {
    assert.deepEqual(resultOf((await call(transport, 1)).at(-1)), { name: "caf\ufffd" });
  });
});
