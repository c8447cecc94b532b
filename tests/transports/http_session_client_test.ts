/** Tests of `transports/http_session_client.ts` through the carrier, against real HTTP servers. */
import assert from "node:assert/strict";
import type { ProtocolError, TransportError } from "../../protocol/errors.ts";
import { SESSION_ID_LENGTH } from "../../protocol/limits.ts";
import type { Transport } from "../../transports/transport.ts";
import { until } from "../until.ts";
import { event, handshake, json, notification, result, scripted, stream, VERSION_HEADERS } from "./http_support.ts";
import { collect, rejection, request } from "./support.ts";

const SESSION = "mcp-session-id";
const VERSION = "mcp-protocol-version";
const note = { jsonrpc: "2.0", method: "notifications/x" } as const;
const call = (transport: Transport, id: number) => collect(transport.exchange(request(id), { headers: VERSION_HEADERS }));

Deno.test("a carrier names the session that a handshake opened with every later POST, GET and DELETE (L-SES-006, L-HDR-001, L-SES-011)", async () => {
  await scripted(
    ({ method, body }) => {
      if (method === "GET") return stream("", "open");
      if (body.id === undefined) return new Response(null, { status: 202 });
      return body.id === 1 ? json(result(1), { [SESSION]: "one" }) : json(result(body.id), { [SESSION]: "another" });
    },
    async ({ transport, seen }) => {
      assert.equal(transport.sessionId, undefined);
      await handshake(transport);
      assert.equal(transport.sessionId, "one");
      await transport.send(note);
      await call(transport, 2);
      const abort = new AbortController();
      transport.listen?.({ signal: abort.signal });
      await until(() => seen.length === 4);
      await transport.close();
      await transport.close();
      assert.deepEqual(
        seen.map(({ method, headers }) => [method, headers.get(SESSION), headers.get(VERSION)]),
        [
          ["POST", null, null],
          ["POST", "one", "2025-11-25"],
          ["POST", "one", "2025-11-25"],
          ["GET", "one", "2025-11-25"],
          ["DELETE", "one", "2025-11-25"],
        ],
      );
      assert.equal(seen[4]?.headers.get("content-type"), null);
    },
  );
});

Deno.test("a carrier without a handshake sends POSTs alone, without a session, whatever a server says (B021)", async () => {
  await scripted(({ body }) => json(result(body.id), { [SESSION]: "x" }), async ({ transport, seen }) => {
    const abort = new AbortController();
    transport.listen?.({ signal: abort.signal });
    await call(transport, 1);
    await call(transport, 2);
    abort.abort();
    await transport.close();
    assert.deepEqual(seen.map(({ method, headers }) => [method, headers.get(SESSION)]), [["POST", null], ["POST", null]]);
  });
});

Deno.test("a carrier has no session when the handshake's answer names none, or is an error status", async () => {
  await scripted(({ body }) => {
    if (body.id === 3) return json({ jsonrpc: "2.0", id: 3, error: { code: -32600, message: "no" } }, { [SESSION]: "x" }, 400);
    return json(result(body.id), body.id === 1 ? { [SESSION]: "one" } : body.id === 4 ? { [SESSION]: "" } : {});
  }, async ({ transport, of }) => {
    await handshake(transport, 1);
    await handshake(transport, 2);
    assert.equal(transport.sessionId, undefined);
    await collect(transport.exchange(request(3, "initialize"), { opensSession: true }));
    assert.equal(transport.sessionId, undefined);
    await handshake(transport, 4);
    assert.equal(transport.sessionId, undefined);
    await transport.close();
    assert.equal(of("DELETE").length, 0);
  });
});

Deno.test("a carrier refuses a session id that is no visible ASCII or too long, without its text", async () => {
  const ids = ["secret one", "s\u00e9cret", "x".repeat(SESSION_ID_LENGTH + 1)];
  let next = "";
  await scripted(({ body }) => json(result(body.id), { [SESSION]: next }), async ({ transport, of }) => {
    for (next of ids) {
      const error = await rejection(handshake(transport));
      assert.equal(error.reason, "not_mcp", next.slice(0, 10));
      assert.doesNotMatch(error.message, /secret|xxx/);
      assert.equal(transport.sessionId, undefined);
    }
    next = "~".repeat(SESSION_ID_LENGTH);
    await handshake(transport);
    assert.equal(transport.sessionId, next);
    await transport.close();
    assert.equal(of("DELETE")[0]?.headers.get(SESSION), next);
  });
});

Deno.test("a carrier says that a session is lost for a 404 that answers its id, whatever the body (B023, L-ERR-002)", async () => {
  const bodies = [
    () => new Response(null, { status: 404 }),
    () => new Response("<p>gone</p>", { status: 404, headers: { "content-type": "text/html" } }),
    () => json({ jsonrpc: "2.0", error: { code: -32600, message: "unknown session" } }, {}, 404),
    () => json({ jsonrpc: "2.0", id: 2, error: { code: -32601, message: "unknown" } }, {}, 404),
  ];
  for (const body of bodies) {
    await scripted(
      (seen) => seen.body.method === "initialize" ? json(result(1), { [SESSION]: "one" }) : body(),
      async ({ transport, of }) => {
        await handshake(transport);
        for (const work of [call(transport, 2), transport.send(note)]) {
          const error = await rejection(work) as TransportError;
          assert.deepEqual([error.kind, error.reason], ["transport", "session_lost"]);
          assert.deepEqual(error.data, { status: 404, ran: false });
          assert.match(error.message, /never ran/);
          assert.doesNotMatch(error.message, /one/);
          assert.ok(error.cause instanceof Error);
          if (body === bodies[2]) assert.equal((error.cause as ProtocolError).code, -32600);
        }
        await transport.close();
        assert.equal(of("DELETE").length, 0, "a lost session needs no end");
      },
    );
  }
});

Deno.test("a carrier says that a session is lost for a late 404 of one that has been replaced, and keeps the new one (B023)", async () => {
  let release: (() => void) | undefined;
  let opened = 0;
  await scripted(async ({ body }) => {
    if (body.method === "initialize") return json(result(body.id), { [SESSION]: `s${++opened}` });
    if (body.id === 5) {
      await new Promise<void>((resolve) => release = resolve);
      return new Response(null, { status: 404 });
    }
    return json(result(body.id));
  }, async ({ transport, of }) => {
    await handshake(transport, 1);
    const late = rejection(call(transport, 5));
    await until(() => release !== undefined);
    await handshake(transport, 2);
    release?.();
    assert.equal((await late).reason, "session_lost");
    assert.equal(transport.sessionId, "s2");
    assert.equal((await call(transport, 6)).length, 1);
    await transport.close();
    assert.equal(of("DELETE")[0]?.headers.get(SESSION), "s2");
    assert.deepEqual(of("POST").map(({ headers }) => headers.get(SESSION)), [null, "s1", null, "s2"]);
  });
});

Deno.test("a carrier takes a 404 without a session for what it is (B020)", async () => {
  await scripted(({ body }) => {
    if (body.method === "initialize") return json(result(body.id));
    return body.id === 2
      ? json({ jsonrpc: "2.0", id: 2, error: { code: -32601, message: "no" } }, {}, 404)
      : new Response(null, { status: 404 });
  }, async ({ transport }) => {
    await handshake(transport);
    assert.deepEqual(await call(transport, 2), [{ jsonrpc: "2.0", id: 2, error: { code: -32601, message: "no" } }]);
    assert.equal((await rejection(call(transport, 3))).reason, "not_mcp");
  });
});

Deno.test("close() ends the session; 404 and 405 are fine, other failures are reported, and nothing holds it up (L-SES-011, L-SES-012, limit sessionEndTimeout)", async () => {
  const answers: readonly [() => Response | Promise<Response>, string | undefined][] = [
    [() => new Response(null, { status: 204 }), undefined],
    [() => new Response("ok", { status: 200 }), undefined],
    [() => new Response("no", { status: 405 }), undefined],
    [() => new Response(null, { status: 404 }), undefined],
    [() => new Response("bad", { status: 500 }), "not_mcp"],
    [() => new Response(null, { status: 401 }), "unauthorized"],
    [() => new Promise((resolve) => setTimeout(() => resolve(new Response(null)), 60)), "timeout"],
  ];
  for (const [answer, reason] of answers) {
    await scripted(
      ({ method, body }) => method === "DELETE" ? answer() : json(result(body.id), { [SESSION]: "one" }),
      async ({ transport, errors, of }) => {
        await handshake(transport);
        await transport.close();
        assert.equal(of("DELETE").length, 1);
        assert.deepEqual(errors.map((error) => (error as TransportError).reason), reason === undefined ? [] : [reason]);
        if (reason === "not_mcp") assert.match((errors[0] as Error).message, /^DELETE /);
        assert.equal((await rejection(call(transport, 9))).reason, "closed");
      },
      { change: { sessionEndTimeout: 20 } },
    );
  }
});

Deno.test("close() reports a server that has gone, and ends calls that are open (B086)", async () => {
  let gone = false;
  const decorated: typeof fetch = (...args) => gone ? Promise.reject(new TypeError("gone")) : fetch(...args);
  await scripted(({ body }) => {
    return body.id === 1 ? json(result(1), { [SESSION]: "one" }) : stream(event(notification("notifications/x")), "open");
  }, async ({ transport, errors, seen }) => {
    await handshake(transport);
    const open = rejection(call(transport, 2));
    await until(() => seen.length === 2);
    gone = true;
    await transport.close();
    assert.equal((await open).reason, "closed");
    assert.deepEqual(errors.map((error) => (error as TransportError).reason), ["unreachable"]);
  }, { fetch: decorated });
});

Deno.test("send() takes any success for a reply within a session (B018)", async () => {
  const replies = [
    () => new Response("Accepted", { status: 202, headers: { "content-type": "text/plain" } }),
    () => stream("", "end"),
    () => new Response(null, { status: 204 }),
    () => new Response("", { status: 200 }),
    () => json(null),
    () => new Response("<p>ok</p>", { headers: { "content-type": "text/html" } }),
    () => json([{ jsonrpc: "2.0", id: 9, result: {} }], { [SESSION]: "evil" }),
  ];
  let next = 0;
  await scripted(({ body, method }) => {
    if (method !== "POST" || body.method === "initialize") return json(result(body.id), { [SESSION]: "one" });
    return replies[next++ % replies.length]?.() ?? new Response();
  }, async ({ transport, errors }) => {
    await handshake(transport);
    for (let n = 0; n < 5 * replies.length; n++) {
      await transport.send(n % 2 === 0 ? note : { jsonrpc: "2.0", id: n, result: {} }, { headers: VERSION_HEADERS });
    }
    assert.equal(transport.sessionId, "one");
    assert.deepEqual(errors, []);
  });
});

Deno.test("a handshake that fails leaves a carrier with the session that it had lost, and the next one takes its place", async () => {
  const refusals: Record<number, () => Response> = {
    2: () => json({ jsonrpc: "2.0", id: 2, error: { code: -32600, message: "no" } }),
    3: () => stream(event({ jsonrpc: "2.0", id: 3, error: { code: -32600, message: "no" } })),
    4: () => new Response("<html>", { headers: { "content-type": "text/html" } }),
  };
  await scripted(
    ({ body }) => {
      if (body.id === undefined) return new Response(null, { status: 202 });
      return refusals[Number(body.id)]?.() ?? json(result(body.id), { [SESSION]: `s${body.id}` });
    },
    async ({ transport, seen }) => {
      await handshake(transport, 1);
      for (const id of [2, 3, 4]) {
        await collect(transport.exchange(request(id, "initialize"), { opensSession: true })).catch(() => undefined);
        assert.equal(transport.sessionId, "s1");
      }
      await call(transport, 5);
      assert.equal(seen.at(-1)?.headers.get(SESSION), "s1");
      await handshake(transport, 6);
      assert.equal(transport.sessionId, "s6");
    },
  );
});
