/** Tests of `transports/get_stream.ts` through the carrier, against real HTTP servers. */
import assert from "node:assert/strict";
import type { TransportError } from "../../protocol/errors.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import type { Transport } from "../../transports/transport.ts";
import { until } from "../until.ts";
import { event, handshake, json, notification, result, scripted, stream, VERSION_HEADERS } from "./http_support.ts";
import type { Script, Scripted } from "./http_support.ts";
import { collect, rejection, request } from "./support.ts";

const SESSION = "mcp-session-id";
const note = (n: number) => notification("notifications/n", { n });
const call = (transport: Transport, id: number) => collect(transport.exchange(request(id), { headers: VERSION_HEADERS }));

/** Somebody who listens, and what they are told. */
interface Ear {
  readonly abort: AbortController;
  readonly lost: TransportError[];
  gaps: number;
}

function listen(transport: Transport): Ear {
  const ear: Ear = { abort: new AbortController(), lost: [], gaps: 0 };
  transport.listen?.({
    signal: ear.abort.signal,
    onGap: () => void ear.gaps++,
    onLost: (error) => void ear.lost.push(error as TransportError),
  });
  return ear;
}

interface Listening extends Scripted {
  /** What came in, as far as it has been read. */
  readonly incoming: JsonRpcMessage[];
}

/** A server whose sessions are s1, s2, …; GETs are answered by `get`. */
async function serving(
  get: Script,
  run: (setup: Listening) => Promise<void>,
  change: Limits = {},
  sessions = true,
): Promise<void> {
  let opened = 0;
  await scripted((seen, count) => {
    if (seen.method === "DELETE") return new Response();
    if (seen.method === "GET") return get(seen, count);
    const named: Record<string, string> = sessions && seen.body.method === "initialize" ? { [SESSION]: `s${++opened}` } : {};
    return json(result(seen.body.id), named);
  }, async (setup) => {
    const incoming: JsonRpcMessage[] = [];
    const reading = (async () => {
      for await (const message of setup.transport.incoming) incoming.push(message);
    })();
    await run({ ...setup, incoming });
    await setup.transport.close();
    await reading;
  }, { change });
}

Deno.test("listen() opens one GET stream for all, once the handshake is over, and closes it with the last of them (L-HTTP-019, L-HTTP-020, L-HTTP-026, B021)", async () => {
  let closed = 0;
  await serving(
    () => stream(event(note(1)) + event(request(7, "ping")), "open", () => void closed++),
    async ({ transport, of, incoming }) => {
      const early = listen(transport);
      await handshake(transport);
      await until(() => incoming.length === 2);
      const late = listen(transport);
      assert.equal(of("GET").length, 1);
      const headers = of("GET")[0]?.headers;
      assert.equal(headers?.get("accept"), "text/event-stream");
      assert.equal(headers?.get(SESSION), "s1");
      assert.equal(headers?.get("mcp-protocol-version"), "2025-11-25");
      assert.equal(headers?.get("last-event-id"), null);
      assert.deepEqual(incoming, [note(1), request(7, "ping")]);
      early.abort.abort();
      await call(transport, 2);
      assert.equal(closed, 0);
      late.abort.abort();
      await until(() => closed === 1);
      const again = listen(transport);
      await until(() => of("GET").length === 2);
      listen(transport).abort.abort();
      assert.deepEqual([early.gaps, late.gaps, again.gaps], [0, 0, 0]);
      assert.deepEqual([...early.lost, ...late.lost, ...again.lost], []);
    },
  );
});

Deno.test("listen() asks nothing again of a server that offers no stream, and calls go on (B021, L-HTTP-021)", async () => {
  const refusals = [
    () => new Response(null, { status: 405 }),
    () => new Response("<p>none</p>", { status: 404, headers: { "content-type": "text/html" } }),
    () => new Response("no", { status: 400 }),
    () => new Response(null, { status: 406 }),
    () => json({ jsonrpc: "2.0", error: { code: -32601, message: "no" } }, {}, 501),
    () => json({}),
    () => new Response(null, { status: 204 }),
    () => new Response(null, { status: 307, headers: { location: "http://other.example/" } }),
  ];
  for (const refusal of refusals) {
    await serving(
      refusal,
      async ({ transport, of, errors }) => {
        await handshake(transport);
        const ear = listen(transport);
        const second = listen(transport);
        await until(() => ear.lost.length > 0);
        await call(transport, 2);
        await call(transport, 3);
        assert.equal(of("GET").length, 1);
        assert.deepEqual([...ear.lost, ...second.lost].map(({ reason }) => reason), ["not_mcp", "not_mcp"]);
        assert.match(ear.lost[0]?.message ?? "", /^GET /);
        if (refusal === refusals[0]) assert.match(ear.lost[0]?.message ?? "", /\(status 405\): .*option sessions of a server/);
        assert.deepEqual(errors, []);
      },
      {},
      false,
    );
  }
});

Deno.test("listen() passes on what a server wants for authorization, and does not come back (B021)", async () => {
  await serving(
    () => new Response(null, { status: 401, headers: { "www-authenticate": 'Bearer scope="a"' } }),
    async ({ transport, of }) => {
      await handshake(transport);
      const ear = listen(transport);
      await until(() => ear.lost.length === 1);
      const { kind, reason } = ear.lost[0] as unknown as { kind: string; reason: string };
      assert.deepEqual([kind, reason], ["authorization", "unauthorized"]);
      await call(transport, 2);
      assert.equal(of("GET").length, 1);
    },
  );
});

Deno.test("listen() says that the session is lost for a 404 that answers its id, and calls find out for themselves", async () => {
  await serving(
    (_, count) => count === 0 ? stream(event(note(1), "a")) : new Response(null, { status: 404 }),
    async ({ transport, of }) => {
      await handshake(transport);
      const ear = listen(transport);
      await until(() => ear.lost.length === 1);
      assert.equal(ear.lost[0]?.reason, "session_lost");
      assert.equal(of("GET").length, 2);
      assert.equal((await call(transport, 2)).length, 1);
    },
  );
});

Deno.test("the GET stream is resumed after its last event, without a gap, and tells nothing twice (L-SSE-004, L-HTTP-025)", async () => {
  await serving(
    (_, count) => {
      if (count === 0) return stream(`id: g/0\ndata:\n\n${event(note(1), "g/1")}`, "break");
      if (count === 1) return new Response(null, { status: 503 });
      if (count === 2) return stream(event(note(1), "g/1") + event(note(2), "g/2"));
      return stream("", "open");
    },
    async ({ transport, of, incoming, errors }) => {
      await handshake(transport);
      const ear = listen(transport);
      await until(() => of("GET").length === 4);
      assert.deepEqual(of("GET").map(({ headers }) => headers.get("last-event-id")), [null, "g/1", "g/1", "g/2"]);
      assert.deepEqual(incoming, [note(1), note(2)]);
      assert.deepEqual([ear.gaps, ear.lost, errors], [0, [], []]);
    },
  );
});

Deno.test("the GET stream opened anew without an event id, or with a forgotten one, is a gap", async () => {
  await serving(
    (_, count) => {
      if (count === 0) return stream(event(note(1)), "break");
      if (count === 1) return stream(event(note(2), "x"));
      if (count === 2) return new Response("no such event", { status: 400 });
      return stream("", "open");
    },
    async ({ transport, of, incoming }) => {
      await handshake(transport);
      const ear = listen(transport);
      await until(() => ear.gaps === 2);
      assert.deepEqual(of("GET").map(({ headers }) => headers.get("last-event-id")), [null, null, "x", null]);
      assert.deepEqual(incoming, [note(1), note(2)]);
      assert.deepEqual(ear.lost, []);
    },
  );
});

Deno.test("the GET stream of a server that ends it at once is given up within a budget, which only messages fill", async () => {
  await serving(
    (_, count) => count === 2 ? stream(event(note(1))) : stream(`retry: 20\nid: p${count}\ndata:\n\ndata: {\n\n`),
    async ({ transport, of, incoming, errors }) => {
      await handshake(transport);
      const ear = listen(transport);
      await until(() => ear.lost.length === 1);
      // Two in vain, the one with a message, and then the whole budget of five.
      assert.equal(of("GET").length, 3 + 5);
      assert.equal(incoming.length, 1);
      assert.equal(ear.lost[0]?.reason, "closed");
      assert.match(ear.lost[0]?.message ?? "", /5 attempts .*limit streamRetries/);
      assert.equal(errors.length, 7);
      assert.equal((await call(transport, 2)).length, 1);
    },
    { streamRetries: 5 },
  );
  await serving(() => new Response(null, { status: 502 }), async ({ transport, of }) => {
    await handshake(transport);
    const ear = listen(transport);
    await until(() => ear.lost.length === 1);
    assert.equal(of("GET").length, 4);
  }, { streamRetries: 3 });
});

Deno.test("the GET stream of a server that cannot be reached is tried again within the budget (limit streamRetries)", async () => {
  let gone = true;
  let tries = 0;
  const decorated: typeof fetch = (input, init) => {
    if (init?.method !== "GET" || !gone) return fetch(input, init);
    tries++;
    return Promise.reject(new TypeError("gone"));
  };
  await scripted(
    ({ method, body }) => method === "GET" ? stream("", "open") : json(result(body.id)),
    async ({ transport, of }) => {
      await handshake(transport);
      const ear = listen(transport);
      await until(() => ear.lost.length === 1);
      assert.equal(tries, 4);
      gone = false;
      const again = listen(transport);
      await until(() => of("GET").length === 1 && ear.gaps === 1);
      assert.deepEqual(again.lost, []);
    },
    { fetch: decorated, change: { streamRetries: 3 } },
  );
});

Deno.test("the GET stream moves to a new session, one stream at a time, and says that something may be missed", async () => {
  let open = 0;
  let most = 0;
  await serving(
    () => {
      most = Math.max(most, ++open);
      return stream(event(note(1), "old"), "open", () => void open--);
    },
    async ({ transport, of, incoming }) => {
      await handshake(transport, 1);
      const ear = listen(transport);
      await until(() => incoming.length === 1);
      await handshake(transport, 2);
      await until(() => incoming.length === 2);
      assert.deepEqual(of("GET").map(({ headers }) => [headers.get(SESSION), headers.get("last-event-id")]), [
        ["s1", null],
        ["s2", null],
      ]);
      assert.deepEqual([ear.gaps, ear.lost], [1, []]);
      await until(() => open === 1);
      assert.ok(most <= 2);
    },
  );
});

Deno.test("the GET stream of a lost session is opened again in the next one for whoever still listens", async () => {
  await serving(
    ({ headers }) => headers.get(SESSION) === "s1" ? new Response(null, { status: 404 }) : stream("", "open"),
    async ({ transport, of }) => {
      await handshake(transport, 1);
      const stays = listen(transport);
      const goes = listen(transport);
      await until(() => stays.lost.length + goes.lost.length === 2);
      goes.abort.abort();
      await handshake(transport, 2);
      await until(() => stays.gaps === 1);
      assert.equal(goes.gaps, 0);
      assert.deepEqual(of("GET").map(({ headers }) => headers.get(SESSION)), ["s1", "s2"]);
      assert.equal(stays.lost.length, 1);
    },
  );
});

Deno.test("the GET stream is read no faster than its messages are taken", async () => {
  const all = Array.from({ length: 40 }, (_, n) => event(note(n), `${n}`)).join("");
  await scripted(({ method, body }) => method === "GET" ? stream(all, "open") : json(result(body.id)), async ({ transport }) => {
    await handshake(transport);
    listen(transport);
    const queue = transport.incoming as unknown as { readonly size: number };
    await until(() => queue.size > 0);
    await call(transport, 2);
    assert.equal(queue.size, 3);
    const seen: unknown[] = [];
    for await (const message of transport.incoming) {
      seen.push(message);
      if (seen.length === 10) break;
    }
    assert.deepEqual(seen, Array.from({ length: 10 }, (_, n) => note(n)));
  }, { change: { subscriptionBuffer: 3 } });
});

Deno.test("an event that is too long ends the GET stream with the limit's name", async () => {
  await serving(() => stream(event(notification("x".repeat(500)), "a")), async ({ transport, of, incoming }) => {
    await handshake(transport);
    const ear = listen(transport);
    await until(() => ear.lost.length === 1);
    assert.equal((ear.lost[0]?.data as { limit: string }).limit, "sseEvent");
    assert.deepEqual([of("GET").length, incoming.length], [1, 0]);
  }, { sseEvent: 200 });
});

Deno.test("abort and close() end the GET stream in every state, and leave no timer and no listener (B089)", async () => {
  const states: readonly (() => Response | Promise<Response>)[] = [
    () => stream(event(note(1)), "open"),
    () => stream("retry: 1000000\n\n"),
    () => new Promise((resolve) => setTimeout(() => resolve(new Response()), 30)),
  ];
  for (const state of states) {
    for (const end of ["abort", "close"] as const) {
      await serving(state, async ({ transport, of }) => {
        await handshake(transport);
        const abort = new AbortController();
        let listeners = 0;
        const { addEventListener, removeEventListener } = abort.signal;
        abort.signal.addEventListener = (
          ...args: unknown[]
        ) => (listeners++, Reflect.apply(addEventListener, abort.signal, args));
        abort.signal.removeEventListener = (
          ...args: unknown[]
        ) => (listeners--, Reflect.apply(removeEventListener, abort.signal, args));
        const lost: unknown[] = [];
        transport.listen?.({ signal: abort.signal, onLost: (error) => lost.push(error) });
        await until(() => of("GET").length === 1);
        if (end === "abort") abort.abort();
        else await transport.close();
        assert.equal(listeners, 0);
        assert.deepEqual(lost, []);
        assert.equal(of("GET").length, 1);
      }, { streamRetryDelay: 1_000_000 });
    }
  }
});

Deno.test("listen() on a closed carrier is lost at once, and faults of listeners are reported", async () => {
  const fault = new Error("mine");
  await serving(
    (_, count) => count < 2 ? stream("") : new Response(null, { status: 405 }),
    async ({ transport, errors }) => {
      await handshake(transport);
      const throwing = () => {
        throw fault;
      };
      transport.listen?.({ signal: new AbortController().signal, onGap: throwing, onLost: throwing });
      await until(() => errors.length === 2);
      assert.deepEqual(errors, [fault, fault]);
      await transport.close();
      const ear = listen(transport);
      assert.equal(ear.lost[0]?.reason, "closed");
      assert.equal((await rejection(call(transport, 2))).reason, "closed");
    },
  );
});
