/** Tests of a server's bounds at their edge, through every door: the last that passes, the first that does not, and the next request. */
import assert from "node:assert/strict";
import type { Limits } from "../../protocol/limits.ts";
import type { JsonObject } from "../../protocol/types.ts";
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/components/tool.ts";
import { gate, serverOf } from "../server/calls.ts";
import type { Gate } from "../server/calls.ts";
import { until } from "../until.ts";
import { DOORS } from "./doors.ts";
import type { Came, Door, Entry, Json } from "./doors.ts";

/** A server with these bounds, and the gates that its slow calls wait for. */
function make(limits: Limits, gates: Gate[] = []): Server {
  return serverOf({
    tools: [
      tool({ name: "any", input: { type: "object" }, handler: () => "ran" }),
      tool({ name: "big", args: { size: { type: "integer", required: true } }, handler: ({ size }) => "a".repeat(size) }),
      tool({
        name: "big_steps",
        args: { size: { type: "integer", required: true } },
        async handler({ size }, ctx) {
          await ctx.progress(1);
          return "a".repeat(size);
        },
      }),
      tool({
        name: "wait",
        async handler() {
          const own = gate();
          gates.push(own);
          await own.passed;
          return "waited";
        },
      }),
    ],
  }, { sessions: true, limits, onError: () => undefined });
}

/** A bound: what passes at it, and what passes it. */
interface Row {
  /** The bound. */
  readonly limit: keyof Limits;
  /** Its value. */
  readonly value: number;
  /** Where it applies. */
  readonly at?: (door: Door) => boolean;
  /** A request of so much; 0 is the bound, 1 is one more. */
  readonly send: (entry: Entry, over: 0 | 1) => Promise<Came>;
  /** What the refusal is. */
  readonly refusal: { readonly status?: number; readonly code: number; readonly data?: Json };
  /** Does the refusal carry the id? */
  readonly id?: boolean;
}

const call = (name: string, args: JsonObject): JsonObject => ({ name, arguments: args });

/** A text of exactly so many bytes. */
function padded(entry: Entry, bytes: number): string {
  const text = (pad: string): string => entry.text("tools/call", call("any", { pad }), 7);
  return text("a".repeat(bytes - text("").length));
}

/** The size at which a response still fits. */
async function lastThatFits(entry: Entry, name: string, overhead: (came: Came) => number, value: number): Promise<number> {
  const one = await entry.call("tools/call", call(name, { size: 1 }), 7);
  return value - overhead(one) + 1;
}

const bytesOf = ({ response }: Came): number => JSON.stringify(response).length;

const ROWS: readonly Row[] = [
  {
    limit: "requestBody",
    value: 2000,
    at: ({ http }) => http,
    send: (entry, over) => entry.send(padded(entry, 2000 + over)),
    refusal: { status: 413, code: -32600 },
    id: false,
  },
  {
    limit: "frame",
    value: 2000,
    at: ({ http }) => !http,
    send: (entry, over) => entry.send(padded(entry, 2000 + over)),
    refusal: { code: -32600, data: { limit: "frame", value: 2000 } },
    id: false,
  },
  {
    limit: "jsonDepth",
    value: 12,
    // The message, its params and its arguments are three levels.
    send(entry, over) {
      const nested = (depth: number): JsonObject => depth === 0 ? {} : { a: nested(depth - 1) };
      return entry.call("tools/call", call("any", nested(9 + over)), 7);
    },
    refusal: { status: 400, code: -32600 },
  },
  {
    limit: "jsonElements",
    value: 100,
    send(entry, over) {
      const count = (value: unknown): number =>
        typeof value !== "object" || value === null ? 0 : Object.values(value).reduce((sum, one) => sum + 1 + count(one), 0);
      const text = (length: number): string =>
        entry.text("tools/call", call("any", { list: Array.from({ length }, () => 0) }), 7);
      return entry.send(text(100 - count(JSON.parse(text(0))) + over));
    },
    refusal: { status: 400, code: -32600 },
  },
  {
    limit: "responseBody",
    value: 1000,
    at: ({ http }) => http,
    async send(entry, over) {
      const size = await lastThatFits(entry, "big", bytesOf, 1000);
      return await entry.call("tools/call", call("big", { size: size + over }), 7);
    },
    refusal: { status: 500, code: -32603, data: { reason: "response_too_large", limit: 1000 } },
  },
  {
    limit: "sseEvent",
    value: 1000,
    at: ({ http }) => http,
    async send(entry, over) {
      const params = (size: number): JsonObject => ({ ...call("big_steps", { size }), _meta: { progressToken: 1 } });
      // An event is its lines; how they are framed is measured.
      let size = 0;
      for (let step = 512; step >= 1; step /= 2) {
        if ("result" in (await entry.call("tools/call", params(size + step), 7)).response) size += step;
      }
      assert.ok(size > 500 && size < 1000, String(size));
      return await entry.call("tools/call", params(size + over), 7);
    },
    refusal: { status: 200, code: -32603 },
  },
  {
    limit: "frame",
    value: 1000,
    at: ({ http }) => !http,
    async send(entry, over) {
      const size = await lastThatFits(entry, "big", bytesOf, 1000);
      return await entry.call("tools/call", call("big", { size: size + over }), 7);
    },
    refusal: { code: -32603 },
  },
];

for (const { limit, value, at = () => true, send, refusal, id = true } of ROWS) {
  Deno.test(`server, limit ${limit}: what keeps it is served, one more is refused by name, and the next request is served (${refusal.code})`, async (t) => {
    for (const door of DOORS.filter(at)) {
      await t.step(door.name, async () => {
        const limits = { [limit]: value };
        const entry = await door.open(make(limits), limits);
        const kept = await send(entry, 0);
        assert.ok("result" in kept.response, JSON.stringify(kept.response));
        const passed = await send(entry, 1);
        const { error } = passed.response;
        assert.equal(error?.code, refusal.code, JSON.stringify(passed.response).slice(0, 300));
        assert.match(error.message, new RegExp(`\\b${value}\\b.*\\(limit ${limit}\\)`));
        if (refusal.data !== undefined) assert.deepEqual(error.data, refusal.data);
        if (door.http && refusal.status !== undefined) assert.equal(passed.status, refusal.status);
        if (id) assert.equal(passed.response.id, 7);
        assert.equal((await entry.call("tools/call", call("any", {}))).response.result?.content[0].text, "ran");
        await entry.close();
      });
    }
  });
}

Deno.test("server, limit handlers, limit handlerQueue: so many run, so many wait, the next is refused over HTTP and held back on a channel, and later ones run", async (t) => {
  for (const door of DOORS.filter(({ http }) => http)) {
    await t.step(door.name, async () => {
      const gates: Gate[] = [];
      const entry = await door.open(make({ handlers: 2, handlerQueue: 1 }, gates));
      const calls = [1, 2, 3].map((id) => entry.call("tools/call", { name: "wait" }, id));
      await until(() => gates.length === 2);
      let refused: Came;
      do refused = await entry.call("tools/call", { name: "wait" }, 4); while (refused.response.error === undefined);
      assert.deepEqual(refused.response.error.data, { reason: "capacity_reached", handlers: 2, handlerQueue: 1 });
      assert.deepEqual([refused.status, refused.response.error.code], [503, -32603]);
      for (let at = 0; at < 3; at++) {
        await until(() => gates.length > at);
        gates[at]?.open();
      }
      for (const came of await Promise.all(calls)) assert.equal(came.response.result?.content[0].text, "waited");
      assert.equal((await entry.call("tools/call", { name: "any" })).response.result?.content[0].text, "ran");
      await entry.close();
    });
  }
  for (const door of DOORS.filter(({ http }) => !http)) {
    await t.step(door.name, async () => {
      const gates: Gate[] = [];
      const entry = await door.open(make({ handlers: 1, handlerQueue: 0 }, gates));
      const one = (name: string, id: number): string => entry.text("tools/call", { name }, id);
      // The channel is read no further while there is no room: the second call waits, and is not refused.
      const answered = entry.send(`${one("wait", 1)}\n${one("any", 2)}`);
      await until(() => gates.length === 1);
      gates[0]?.open();
      const first = await answered;
      assert.deepEqual([first.response.id, first.response.result?.content[0].text], [1, "waited"]);
      // The slot is free a moment after the answer; lines come one behind.
      let id = 3;
      while ((await entry.send(one("any", id))).response.result?.content[0].text !== "ran") id++;
      await entry.close();
    });
  }
});

Deno.test("server, limit handlerDeadline: a call that takes longer gets an error with the time, and the next is served", async (t) => {
  for (const door of DOORS) {
    await t.step(door.name, async () => {
      const gates: Gate[] = [];
      const entry = await door.open(make({ handlerDeadline: 20, handlers: 1, handlerQueue: 0 }, gates));
      const { error, id } = (await entry.call("tools/call", { name: "wait" }, 7)).response;
      assert.deepEqual([id, error?.code, error?.data], [7, -32603, { reason: "timeout", limit: 20 }]);
      assert.match(error.message, /\b20 ms \(limit handlerDeadline\)/);
      assert.equal((await entry.call("tools/call", { name: "any" })).response.result?.content[0].text, "ran");
      for (const own of gates) own.open();
      await entry.close();
    });
  }
});

Deno.test("server, limit pageSize: a page holds so many, and the next one the rest", async (t) => {
  for (const door of DOORS) {
    await t.step(door.name, async () => {
      for (const [pageSize, pages] of [[4, [4]], [3, [3, 1]], [1, [1, 1, 1, 1]]] as const) {
        const entry = await door.open(make({ pageSize }));
        const found: number[] = [];
        let cursor: string | undefined;
        do {
          const { result } = (await entry.call("tools/list", cursor === undefined ? {} : { cursor })).response;
          found.push(result.tools.length);
          cursor = result.nextCursor;
        } while (cursor !== undefined);
        assert.deepEqual(found, pages);
        await entry.close();
      }
    });
  }
});

Deno.test("server, limit progressPerSecond: reports over it are left out, and the last one goes", async (t) => {
  for (const door of DOORS) {
    await t.step(door.name, async () => {
      const server = serverOf({
        tools: [tool({
          name: "count",
          async handler(_args, ctx) {
            for (let step = 1; step <= 30; step++) await ctx.progress(step, 30);
            return "counted";
          },
        })],
      }, { sessions: true, limits: { progressPerSecond: 3 } });
      const entry = await door.open(server);
      const { messages } = await entry.call("tools/call", { name: "count", _meta: { progressToken: 1 } });
      const values = messages.slice(0, -1).map(({ params }) => params.progress);
      assert.ok(values.length >= 3 && values.length < 20, values.join(", "));
      assert.equal(values.at(-1), 30);
      await entry.close();
    });
  }
});

Deno.test("server, limit sessions, limit sessionsPerPrincipal: one session more is refused by name, the open ones go on, and an ended one makes room", async (t) => {
  for (const door of DOORS.filter(({ http, session }) => http && session)) {
    await t.step(door.name, async () => {
      const server = make({ sessions: 2 });
      const first = await door.open(server);
      const second = await door.open(server);
      const hello = second.text("initialize", {
        protocolVersion: door.version,
        capabilities: {},
        clientInfo: { name: "c", version: "1" },
      }, "third");
      const outside = { "mcp-session-id": undefined, "mcp-protocol-version": undefined };
      const { status, response } = await second.send(hello, outside);
      assert.equal(status, 503);
      assert.deepEqual(response.error?.data, { reason: "capacity_reached", sessions: 2 });
      for (const entry of [first, second]) assert.equal((await entry.call("tools/list")).status, 200);
      await (await first.fetch?.({ method: "DELETE" }))?.body?.cancel();
      assert.equal((await second.send(hello, outside)).status, 200);
      await first.close();
      await second.close();
    });
  }
});

Deno.test("server, limit subscriptions: one stream more is refused by name, an ended one makes room, and calls are served", async (t) => {
  const listen = { notifications: { toolsListChanged: true } };
  const refused = { reason: "capacity_reached", limit: "subscriptions", value: 1 };
  for (const door of DOORS.filter(({ session }) => !session)) {
    await t.step(door.name, async () => {
      const entry = await door.open(make({ subscriptions: 1 }));
      if (entry.fetch === undefined) {
        const text = (id: number): string => entry.text("subscriptions/listen", listen, id);
        const { messages, response } = await entry.send(`${text(1)}\n${text(2)}`);
        assert.equal(messages[0].method, "notifications/subscriptions/acknowledged");
        assert.deepEqual([response.id, response.error?.data], [2, refused]);
        await entry.notify("notifications/cancelled", { requestId: 1 });
        const { messages: again } = await entry.send(`${text(3)}\n${entry.text("tools/list", {}, 4)}`);
        assert.equal(again.find((message) => message.method !== undefined)?.method, "notifications/subscriptions/acknowledged");
      } else {
        const open = new AbortController();
        const headers = {
          "content-type": "application/json",
          accept: "application/json, text/event-stream",
          "mcp-method": "subscriptions/listen",
        };
        const body = entry.text("subscriptions/listen", listen, 1);
        const stream = await entry.fetch({ method: "POST", body, signal: open.signal }, headers);
        await stream.body?.getReader().read();
        const { response, status } = await entry.call("subscriptions/listen", listen, 2);
        assert.equal(status, 503);
        assert.deepEqual([response.id, response.error?.data], [2, refused]);
        open.abort();
        // The server hears of it a moment later.
        let first = "";
        while (!first.includes("acknowledged")) {
          const last = new AbortController();
          const again = await entry.fetch({ method: "POST", body, signal: last.signal }, headers);
          first = new TextDecoder().decode((await again.body?.getReader().read())?.value);
          last.abort();
        }
      }
      assert.ok("result" in (await entry.call("tools/call", call("any", {}))).response);
      await entry.close();
    });
  }
});
