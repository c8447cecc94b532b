/** Tests of bounds on change streams, sessions, resources and sealed state at their edge, over every carrier where they apply. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import type { ConnectOptions, Subscription } from "../../client/mod.ts";
import type { Limits } from "../../protocol/limits.ts";
import type { JsonObject, JsonRpcMessage } from "../../protocol/types.ts";
import { resource } from "../../server/components/resource.ts";
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/components/tool.ts";
import { serveChannel } from "../../transports/serve_channel.ts";
import type { Channel } from "../../transports/transport.ts";
import { serverOf } from "../server/calls.ts";
import { helloOf } from "../server/handshake_client.ts";
import { DOORS } from "./doors.ts";
import type { Entry } from "./doors.ts";

const NEWEST = "2026-07-28";

/** A server whose state can be made as large as is asked, and whose resources can be subscribed to. */
function make(limits: Limits): Server {
  return serverOf({
    resources: [resource({ uri: "r://{name}", name: "all", read: ({ name }) => name })],
    tools: [
      tool({ name: "any", handler: () => "ran" }),
      tool({
        name: "keep",
        args: { size: { type: "integer", required: true } },
        async handler({ size }, ctx) {
          await ctx.once("pad", () => "a".repeat(size));
          return (await ctx.elicit("Go on?", {})).action;
        },
      }),
    ],
  }, { sessions: true, limits, onError: () => undefined });
}

async function serves(entry: Entry): Promise<void> {
  assert.equal((await entry.call("tools/call", { name: "any" })).response.result?.content[0].text, "ran");
}

Deno.test("server, limit requestState: what keeps it is sealed, more is refused by name, and the next request is served", async (t) => {
  const capable = { _meta: { "io.modelcontextprotocol/clientCapabilities": { elicitation: { form: {} } } } };
  for (const door of DOORS.filter(({ version }) => version === NEWEST)) {
    await t.step(door.name, async () => {
      const entry = await door.open(make({ requestState: 2000 }));
      const keep = async (size: number) =>
        (await entry.call("tools/call", { name: "keep", arguments: { size }, ...capable }, 7)).response;
      let size = 0;
      for (let step = 1024; step >= 1; step /= 2) if ((await keep(size + step)).result !== undefined) size += step;
      const { result } = await keep(size);
      assert.equal(result.resultType, "input_required");
      // Base64 has four characters for three bytes.
      assert.ok(result.requestState.length <= 2000 && result.requestState.length > 1990, String(result.requestState.length));
      const { error, id } = await keep(size + 1);
      assert.deepEqual([id, error?.code, error?.data], [7, -32603, { reason: "request_state", limit: 2000 }]);
      assert.match(error.message, /\b2000 bytes \(limit requestState\)$/);
      await serves(entry);
      await entry.close();
    });
  }
});

Deno.test("server, limit subscriptionUris: so many resources are taken, one more is refused by name, and the next request is served", async (t) => {
  const uris = (many: number): string[] => Array.from({ length: many }, (_, at) => `r://${at}`);
  for (const door of DOORS) {
    await t.step(door.name, async () => {
      const entry = await door.open(make({ subscriptionUris: 2 }));
      let refused: JsonObject;
      if (door.session) {
        for (const uri of uris(2)) assert.deepEqual((await entry.call("resources/subscribe", { uri })).response.result, {});
        refused = (await entry.call("resources/subscribe", { uri: "r://2" })).response.error;
      } else {
        const listen = (many: number): JsonObject => ({ notifications: { resourceSubscriptions: uris(many) } });
        refused = (await entry.call("subscriptions/listen", listen(3), 7)).response.error;
        if (entry.fetch !== undefined) {
          const open = new AbortController();
          const headers = {
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "mcp-method": "subscriptions/listen",
          };
          const body = entry.text("subscriptions/listen", listen(2), 8);
          const stream = await entry.fetch({ method: "POST", body, signal: open.signal }, headers);
          assert.match(new TextDecoder().decode((await stream.body?.getReader().read())?.value), /acknowledged/);
          open.abort();
        } else {
          const { messages } = await entry.send(
            `${entry.text("subscriptions/listen", listen(2), 8)}\n${entry.text("tools/list", {}, 9)}`,
          );
          assert.equal(messages[0].method, "notifications/subscriptions/acknowledged");
        }
      }
      assert.deepEqual([refused.code, refused.data], [-32602, { limit: 2, seen: 3 }]);
      assert.match(String(refused.message), /at most 2 \(limit subscriptionUris\)|limit subscriptionUris/);
      await serves(entry);
      await entry.close();
    });
  }
});

/** The ways of a client to a server in this process. */
type Reach = (
  server: Server,
  options?: ConnectOptions & { readonly auth?: never },
  principal?: string,
) => Promise<Awaited<ReturnType<typeof connect>>>;

const caller = (principal: string) => ({ principal, scopes: [], claims: {} });

const REACHES: readonly (readonly [name: string, reach: Reach])[] = [
  [
    "in process",
    (server, options, principal) =>
      connect(server, { ...options, ...principal === undefined ? {} : { auth: caller(principal) } }) as never,
  ],
  ["over HTTP", (server, options, principal) =>
    connect("http://localhost/mcp", {
      ...options,
      fetch: (input, init) =>
        Promise.resolve(server.respond(new Request(input, init), principal === undefined ? {} : { auth: caller(principal) })),
    }) as never],
  ["over a channel", (server, options) => {
    const [up, down] = [new TransformStream<JsonRpcMessage>(), new TransformStream<JsonRpcMessage>()];
    void serveChannel(server, { readable: up.readable, writable: down.writable } as Channel);
    return connect({ readable: down.readable, writable: up.writable } as Channel, options) as never;
  }],
];

Deno.test("server, limit subscriptionsPerPrincipal: one stream more of one caller is refused by name, others have theirs", async (t) => {
  for (const [name, reach] of REACHES.filter(([name]) => name !== "over a channel")) {
    await t.step(name, async () => {
      const server = make({ subscriptionsPerPrincipal: 2 });
      const [anna, ben] = [await reach(server, { protocol: NEWEST }, "anna"), await reach(server, { protocol: NEWEST }, "ben")];
      const filter = { resourceSubscriptions: ["r://a"] };
      const open: Subscription[] = [await anna.listen(filter), await anna.listen(filter)];
      const error = await anna.listen(filter).then(() => undefined, (error) => error);
      assert.deepEqual([error.code, error.data], [-32603, {
        reason: "capacity_reached",
        limit: "subscriptionsPerPrincipal",
        value: 2,
      }]);
      open.push(await ben.listen(filter));
      await open.shift()?.close();
      // The server hears of it a moment later.
      while (open.length < 3) await anna.listen(filter).then((again) => open.push(again), () => undefined);
      assert.deepEqual((await anna.callTool("any" as never)).content, [{ type: "text", text: "ran" }]);
      for (const one of open) await one.close();
      await anna.close();
      await ben.close();
      await server.close();
    });
  }
});

Deno.test("server, limit sessionsPerPrincipal: one session more of one caller is refused by name, others have theirs", async (t) => {
  for (const { version } of DOORS.filter(({ http, session }) => http && session)) {
    await t.step(`${version} over HTTP`, async () => {
      const server = make({ sessionsPerPrincipal: 1 });
      const hello = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params: helloOf(version, {}) });
      const open = (principal: string, body = hello, session: Record<string, string> = {}) =>
        server.respond(
          new Request("http://localhost/mcp", {
            method: "POST",
            body,
            headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...session },
          }),
          { auth: caller(principal) },
        );
      const first = await open("anna");
      const id = first.headers.get("mcp-session-id") ?? "";
      assert.notEqual(id, "");
      const refused = await open("anna");
      assert.equal(refused.status, 503);
      assert.deepEqual((await refused.json()).error.data, { reason: "capacity_reached", sessionsPerPrincipal: 1 });
      assert.equal((await open("ben")).status, 200);
      const ping = JSON.stringify({ jsonrpc: "2.0", id: 2, method: "ping" });
      assert.deepEqual((await (await open("anna", ping, { "mcp-session-id": id })).json()).result, {});
      await server.close();
    });
  }
});

Deno.test("client, limit subscriptionBuffer: so many events wait, one more ends the stream by name, and the next call is answered", async (t) => {
  const uris = Array.from({ length: 4 }, (_, at) => `r://${at}`);
  for (const protocol of [NEWEST, "2025-11-25"] as const) {
    for (const [name, reach] of REACHES.filter(([name]) => protocol === NEWEST || name !== "over HTTP")) {
      await t.step(`${protocol} ${name}`, async () => {
        const server = make({});
        const client = await reach(server, { protocol, limits: { subscriptionBuffer: 3 } });
        const watch = client.watch({ resourceSubscriptions: uris }, { overflow: "close" });
        await watch.open();
        for (const uri of uris.slice(0, 3)) await server.notify.resourceUpdated(uri);
        const seen = [await watch.next(), await watch.next(), await watch.next()].map(({ value }) => value?.type);
        assert.deepEqual(seen, ["resourceUpdated", "resourceUpdated", "resourceUpdated"]);
        for (const uri of uris) await server.notify.resourceUpdated(uri);
        const reason = await watch.closed;
        assert.ok(reason.by === "fault");
        assert.match(reason.error.message, /more than 3 events wait \(limit subscriptionBuffer\)$/);
        assert.deepEqual((reason.error as { data?: unknown }).data, { limit: "subscriptionBuffer", value: 3, seen: 4 });
        assert.equal((await client.callTool("any" as never)).isError, undefined);
        await client.close();
        await server.close();
      });
    }
  }
});
