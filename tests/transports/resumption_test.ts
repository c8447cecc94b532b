/** Tests of `transports/resumption.ts` through the carrier, against real HTTP servers. */
import assert from "node:assert/strict";
import type { TransportError } from "../../protocol/errors.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import type { Transport } from "../../transports/transport.ts";
import { until } from "../until.ts";
import { event, handshake, json, notification, result, scripted, stream } from "./http_support.ts";
import type { Script, Scripted } from "./http_support.ts";
import { collect, rejection, request } from "./support.ts";

const SESSION = "mcp-session-id";
const step = (n: number) => notification("notifications/progress", { progress: n });
const call = (transport: Transport, signal?: AbortSignal) => collect(transport.exchange(request(2), { resumable: true, signal }));
const names = (all: JsonRpcMessage[]) =>
  all.map((one) => "method" in one ? (one.params?.progress ?? one.method) : "result" in one ? "result" : "error");

/** A session in which a call is answered by `post`, and its resumptions by `get`. */
async function session(
  post: () => Response,
  get: Script,
  run: (setup: Scripted) => Promise<void>,
  change: { readonly streamRetries?: number; readonly streamRetryDelay?: number } = {},
): Promise<void> {
  await scripted((seen, count) => {
    if (seen.method === "DELETE") return new Response();
    if (seen.method === "GET") return get(seen, count);
    return seen.body.method === "initialize" ? json(result(1), { [SESSION]: "one" }) : post();
  }, async (setup) => {
    await handshake(setup.transport);
    await run(setup);
  }, { change });
}

Deno.test("a resumable exchange goes on after its stream ended or broke off, as if nothing had happened (B013, L-HTTP-007, L-SSE-004, L-SSE-007)", async () => {
  for (const then of ["end", "break"] as const) {
    await session(
      () => stream(`retry: 1\nid: s/0\ndata:\n\n${event(step(1), "s/1")}`, then),
      (_, count) =>
        count === 0
          ? stream(event(step(2), "s/2") + event(request(7, "roots/list"), "s/3"), then)
          : stream(`: hello\n\n${event(step(3), "s/4")}${event(result(2), "s/5")}`, then),
      async ({ transport, of, errors }) => {
        assert.deepEqual(names(await call(transport)), [1, 2, "roots/list", 3, "result"]);
        const resumed = of("GET").map(({ headers }) => [
          headers.get("last-event-id"),
          headers.get(SESSION),
          headers.get("mcp-protocol-version"),
          headers.get("accept"),
        ]);
        assert.deepEqual(resumed, [
          ["s/1", "one", "2025-11-25", "text/event-stream"],
          ["s/3", "one", "2025-11-25", "text/event-stream"],
        ]);
        assert.equal(of("POST").length, 2, "nothing is posted again");
        assert.deepEqual(errors, []);
      },
    );
  }
});

Deno.test("a resumable exchange waits the time of `retry` before it comes back (B013, L-HTTP-009, limit streamRetryDelay)", async () => {
  let closed = 0;
  let back = 0;
  await session(() => {
    closed = performance.now();
    return stream("retry: 250\nid: s1/0\ndata:\n\n: keepalive\n\n");
  }, ({ headers }) => {
    back = performance.now();
    return stream(event(result(2, { from: headers.get("last-event-id") })));
  }, async ({ transport, of, errors }) => {
    const all = await call(transport);
    assert.deepEqual(all, [result(2, { from: "s1/0" })]);
    assert.ok(back - closed >= 249, `${back - closed} ms`);
    assert.equal(of("GET").length, 1);
    assert.deepEqual(errors, []);
  }, { streamRetryDelay: 1000 });
});

Deno.test("a resumable exchange delivers no event twice, and its own response always", async () => {
  await session(
    () => stream(event(step(1), "a") + event(step(2), "b") + event(step(2), "b"), "break"),
    () => stream(event(step(1), "a") + event(step(2), "b") + event(step(3), "c") + event(result(2), "a")),
    async ({ transport }) => assert.deepEqual(names(await call(transport)), [1, 2, 3, "result"]),
  );
});

Deno.test("an exchange is not taken up again without an event id, or when it is not resumable (B016)", async () => {
  const streams = [stream, (text: string) => stream(text, "break")];
  for (const open of streams) {
    await session(() => open(event(step(1))), () => new Response(), async ({ transport, of }) => {
      assert.equal((await rejection(call(transport))).reason, "closed");
      assert.equal(of("GET").length, 0);
    });
    await session(() => open(event(step(1), "a")), () => new Response(), async ({ transport, of }) => {
      assert.equal((await rejection(collect(transport.exchange(request(2), {})))).reason, "closed");
      assert.equal(of("GET").length, 0);
    });
  }
});

Deno.test("a resumable exchange tries again within its budget, which only a message fills (limit streamRetries)", async () => {
  await session(
    () => stream(event(step(0), "e0")),
    (_, count) => {
      // Two in vain, then one message: for ever, if the budget of three did not end it at last.
      if (count < 12) return count % 3 === 2 ? stream(event(step(count), `e${count}`)) : stream(`id: p${count}\ndata:\n\n`);
      return new Response("busy", { status: 503 });
    },
    async ({ transport, of }) => {
      const seen: JsonRpcMessage[] = [];
      const error = await rejection((async () => {
        for await (const one of transport.exchange(request(2), { resumable: true })) seen.push(one);
      })());
      assert.deepEqual(names(seen), [0, 2, 5, 8, 11]);
      assert.equal(error.reason, "closed");
      assert.match(error.message, /3 attempts .*limit streamRetries/);
      assert.equal(of("GET").length, 15);
    },
    { streamRetries: 3 },
  );
});

Deno.test("a resumable exchange survives faults of the server, and is over at a refusal", async () => {
  const refusals: readonly [() => Response, string, unknown][] = [
    [() => new Response("no", { status: 400 }), "closed", { status: 400 }],
    [() => new Response(null, { status: 405 }), "closed", { status: 405 }],
    [() => new Response("ok", { headers: { "content-type": "text/html" } }), "closed", { status: 200 }],
    [() => json({}, {}, 501), "closed", { status: 501 }],
    [() => new Response(null, { status: 404 }), "session_lost", { status: 404, ran: true }],
    [() => new Response(null, { status: 401 }), "unauthorized", undefined],
  ];
  for (const [refusal, reason, data] of refusals) {
    const faults = [
      () => new Response(null, { status: 500 }),
      () => json({}, {}, 503),
      () => new Response(null, { status: 409 }),
    ];
    await session(
      () => stream(event(step(1), "a")),
      (_, count) => (faults[count] ?? refusal)(),
      async ({ transport, of }) => {
        const error = await rejection(call(transport)) as TransportError;
        assert.deepEqual([error.reason, error.data], [reason, data]);
        assert.match(error.message, /^GET /);
        assert.equal(of("GET").length, 4);
      },
    );
  }
});

Deno.test("a stream without a session is taken up too, and a 404 then means that it is closed", async () => {
  await scripted(({ method }, count) => {
    if (method === "POST") return stream(event(step(1), "a"));
    return count === 0 ? stream(event(step(2), "b")) : new Response(null, { status: 404 });
  }, async ({ transport, of }) => {
    const error = await rejection(call(transport));
    assert.deepEqual([error.reason, error.data], ["closed", { status: 404 }]);
    assert.deepEqual(of("GET").map(({ headers }) => headers.get(SESSION)), [null, null]);
  });
});

Deno.test("a handshake's own answer is taken up in the session that it opened", async () => {
  await scripted(({ method }) => {
    if (method === "POST") return stream("id: i/0\ndata:\n\n", "end", undefined, { [SESSION]: "new" });
    return method === "GET" ? stream(event(result(1))) : new Response();
  }, async ({ transport, of }) => {
    assert.equal((await collect(transport.exchange(request(1), { opensSession: true, resumable: true }))).length, 1);
    assert.equal(of("GET")[0]?.headers.get(SESSION), "new");
  });
});

Deno.test("abort, return and close end the wait for another attempt, and the attempt itself (B086, B089)", async () => {
  const waiting = (): Response => stream(`retry: 1000000\n${event(step(1), "a")}`);
  const ends: ((transport: Transport, abort: AbortController) => unknown)[] = [
    (_, abort) => abort.abort("stop"),
    (transport) => transport.close(),
  ];
  for (const end of ends) {
    for (const kind of ["wait", "attempt"] as const) {
      const get = () => new Promise<Response>((resolve) => setTimeout(() => resolve(new Response()), 50));
      await session(kind === "wait" ? waiting : () => stream(event(step(1), "a")), get, async ({ transport, of }) => {
        const abort = new AbortController();
        const iterator = transport.exchange(request(2), { resumable: true, signal: abort.signal })[Symbol.asyncIterator]();
        await iterator.next();
        const pending = rejection(iterator.next().then(() => undefined));
        if (kind === "attempt") await until(() => of("GET").length === 1);
        else await new Promise((resolve) => setTimeout(resolve, 20));
        await end(transport, abort);
        const error = await pending as unknown;
        assert.ok(error === "stop" || (error as TransportError).reason === "closed", String(error));
      }, { streamRetryDelay: kind === "wait" ? 1_000_000 : 1 });
    }
  }
  await session(waiting, () => new Response(), async ({ transport, of }) => {
    const iterator = transport.exchange(request(2), { resumable: true })[Symbol.asyncIterator]();
    await iterator.next();
    const pending = iterator.next();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await iterator.return?.();
    assert.equal((await pending).done, true);
    assert.equal(of("GET").length, 0);
  }, { streamRetryDelay: 1_000_000 });
});
