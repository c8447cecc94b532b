/** Tests of a client's bounds at their edge, over every carrier: the last that passes, the first that does not, and the next call. */
import assert from "node:assert/strict";
import type { Limits } from "../../protocol/limits.ts";
import type { Client, JsonObject } from "../../client/mod.ts";
import type { JsonRpcMessage, JsonRpcRequest } from "../../protocol/types.ts";
import { failure, handPeer, overEach, WAYS } from "./hand_peers.ts";
import type { HandPeer, Json, Way } from "./hand_peers.ts";

/** A bound of what comes or goes, and how much of it a call makes. */
interface Row {
  readonly limit: keyof Limits;
  readonly value: number;
  /** Where it applies. */
  readonly at: (way: Way) => boolean;
  /** Makes a call of so much over the bound: 0 keeps it, 1 passes it. */
  readonly call: (client: Client, peer: HandPeer, over: 0 | 1) => Promise<unknown>;
}

const overHttp = ({ over }: Way): boolean => over === "http";
const overStdio = ({ over }: Way): boolean => over === "stdio";
const overBytes = ({ over }: Way): boolean => over !== "memory";

/** The result of a size that makes its whole message as large as is asked. */
function sized({ id, params }: JsonRpcRequest): JsonRpcMessage {
  const { bytes, nested, elements } = params?.arguments as { bytes?: number; nested?: number; elements?: number };
  const message = (members: JsonObject): JsonRpcMessage => ({
    jsonrpc: "2.0",
    id,
    result: { resultType: "complete", content: [], ...members },
  });
  if (bytes !== undefined) {
    const pad = bytes - JSON.stringify(message({ pad: "" })).length;
    return message({ pad: "a".repeat(pad) });
  }
  if (nested !== undefined) {
    let deep: JsonObject = {};
    for (let level = 0; level < nested - 3; level++) deep = { a: deep };
    return message({ deep });
  }
  // The message has three members, its result three with the list.
  return message({ list: Array.from({ length: (elements ?? 6) - 6 }, () => 0) });
}

/** A peer whose answers are as large as is asked, as one answer or, for the tool "steps", after a report of progress. */
function peerOf(): HandPeer {
  return handPeer((request) => {
    const message = sized(request);
    if (request.params?.name !== "steps") return (message as { readonly result: JsonObject }).result;
    return (async function* () {
      const { progressToken } = request.params?._meta as { progressToken: string };
      yield { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress: 1 } } as JsonRpcMessage;
      yield message;
    })();
  });
}

/** How large the last message of a call was, with this many characters in its arguments. */
async function sentBytes(client: Client, peer: HandPeer): Promise<number> {
  await client.callTool("small", { pad: "" });
  const sent = peer.received.findLast((message) => "method" in message && message.method === "tools/call");
  return new TextEncoder().encode(JSON.stringify(sent)).length;
}

async function sendBytes(client: Client, peer: HandPeer, bytes: number): Promise<unknown> {
  const usual = await sentBytes(client, peer);
  return await client.callTool("small", { pad: "a".repeat(bytes - usual) });
}

const ROWS: readonly Row[] = [
  { limit: "requestBody", value: 2000, at: overHttp, call: (client, peer, over) => sendBytes(client, peer, 2000 + over) },
  { limit: "frame", value: 2000, at: overStdio, call: (client, peer, over) => sendBytes(client, peer, 2000 + over) },
  {
    limit: "responseBody",
    value: 2000,
    at: overHttp,
    call: (client, _peer, over) => client.callTool("x", { bytes: 2000 + over }),
  },
  {
    limit: "sseEvent",
    value: 2000,
    at: overHttp,
    // An event's bytes are those of its lines: "data: " and the line end besides the message.
    call: async (client, _peer, over) => await client.callTool("steps", { bytes: over === 0 ? 2000 - 8 : 2001 }),
  },
  { limit: "frame", value: 2000, at: overStdio, call: (client, _peer, over) => client.callTool("x", { bytes: 2000 + over }) },
  { limit: "jsonDepth", value: 12, at: overBytes, call: (client, _peer, over) => client.callTool("x", { nested: 12 + over }) },
  {
    limit: "jsonElements",
    value: 300,
    at: overBytes,
    call: (client, _peer, over) => client.callTool("x", { elements: 300 + over }),
  },
];

for (const { limit, value, at, call } of ROWS) {
  Deno.test(`client, limit ${limit}: what keeps it passes, one more rejects by name, and the next call is answered`, async (t) => {
    await overEach(
      t,
      peerOf,
      async (client, peer) => {
        await call(client, peer, 0);
        const error = await failure(call(client, peer, 1));
        assert.deepEqual(
          [error.kind, error.reason, error.data?.limit, error.data?.value],
          ["transport", "limit", limit, value],
          String(error),
        );
        assert.match(error.message, new RegExp(`\\b${limit}\\b`));
        assert.match(error.message, new RegExp(`\\b${value}\\b`));
        assert.deepEqual((await client.callTool("x", {})).content, []);
      },
      { limits: { [limit]: value }, onError: () => undefined },
      WAYS.filter(at),
    );
  });
}

Deno.test("client, limit requestTimeout: silence ends a call by name, and the next one is answered", async (t) => {
  const peer = (): HandPeer => handPeer(({ params }) => params?.name === "silent" ? undefined : { content: [] });
  await overEach(t, peer, async (client) => {
    const error = await failure(client.callTool("silent"));
    assert.deepEqual([error.kind, error.reason, error.code], ["transport", "timeout", -32001], String(error));
    assert.match(error.message, /\b40 ms \(limit requestTimeout\)/);
    assert.deepEqual((await client.callTool("x", {}, { timeout: 5000 })).content, []);
  }, { limits: { requestTimeout: 40 } });
});

Deno.test("client, limit requestTotalTimeout: progress without end ends a call by name, and the next one is answered", async (t) => {
  let over = false;
  const peer = (): HandPeer =>
    handPeer((request) => {
      if (request.params?.name !== "loud") return { content: [] };
      return (async function* () {
        const { progressToken } = request.params?._meta as { progressToken: string };
        for (let progress = 1; !over; progress++) {
          yield { jsonrpc: "2.0", method: "notifications/progress", params: { progressToken, progress } } as JsonRpcMessage;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      })();
    });
  await overEach(t, peer, async (client) => {
    over = false;
    const error = await failure(client.callTool("loud"));
    over = true;
    assert.deepEqual([error.kind, error.reason, error.code], ["transport", "timeout", -32001], String(error));
    assert.match(error.message, /\b100 ms .*limit requestTotalTimeout/);
    assert.deepEqual((await client.callTool("x")).content, []);
    // The peer's last pause ends.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }, { limits: { requestTimeout: 100, requestTotalTimeout: 100 } });
});

Deno.test("client, limit pages: so many pages are walked, one more rejects by name, and the next walk is answered (B066)", async (t) => {
  let pages = 3;
  const peer = (): HandPeer =>
    handPeer(({ params }) => {
      const page = Number(params?.cursor ?? 0) + 1;
      const tools = [{ name: `t${page}`, inputSchema: { type: "object" } }];
      return { tools, ttlMs: 0, cacheScope: "private", ...page < pages ? { nextCursor: String(page) } : {} } as Json;
    });
  await overEach(t, peer, async (client) => {
    pages = 3;
    assert.equal((await client.listTools()).length, 3);
    pages = 4;
    const error = await failure(client.listTools());
    assert.match(String(error), /\b3\b.*\(limit pages\)|limit pages.*\b3\b/);
    pages = 1;
    assert.equal((await client.listTools()).length, 1);
  }, { limits: { pages: 3 } });
});

Deno.test("client, limit listLength: pages of so many characters are collected, one more rejects by name, and the next walk is answered", async (t) => {
  let pad = 0;
  const lists: Record<string, [member: string, item: Json]> = {
    "tools/list": ["tools", { name: "t", inputSchema: { type: "object" } }],
    "resources/list": ["resources", { uri: "a://b", name: "t" }],
    "resources/templates/list": ["resourceTemplates", { uriTemplate: "a://b", name: "t" }],
    "prompts/list": ["prompts", { name: "t" }],
  };
  const most = 400;
  const peer = (): HandPeer =>
    handPeer(({ method, params }) => {
      const [member, item] = lists[method] ?? ["tools", {}];
      const last = params?.cursor !== undefined;
      const own = JSON.stringify([{ ...item as object, title: "" }]).length;
      const title = "x".repeat(most / 2 - own + (last ? pad : 0));
      const items = [{ ...item as object, title }];
      return { [member]: items, ttlMs: 0, cacheScope: "private", ...last ? {} : { nextCursor: "2" } } as Json;
    });
  await overEach(t, peer, async (client) => {
    const all = [client.listTools, client.listResources, client.listResourceTemplates, client.listPrompts];
    // In a handshake the peer declares tools alone.
    const calls = client.server.era === "legacy" ? all.slice(0, 1) : all;
    for (const list of calls.map((call) => call.bind(client) as () => Promise<readonly unknown[]>)) {
      pad = 0;
      assert.equal((await list()).length, 2);
      pad = 1;
      const error = await failure(list());
      assert.match(String(error), /\b400\b.*\(limit listLength\)/);
      pad = 0;
      assert.equal((await list()).length, 2);
    }
  }, { limits: { listLength: most } });
});

Deno.test("client, limit inputRounds: so many rounds are answered, one more rejects by name, and the next call is answered (B085)", async (t) => {
  let rounds = 2;
  const peer = (): HandPeer =>
    handPeer(({ params }) => {
      const round = Number(params?.requestState ?? 0);
      if (params?.name === "quick" || round >= rounds) return { content: [] };
      return { resultType: "input_required", requestState: String(round + 1) } as Json;
    });
  const ways = WAYS.filter(({ version }) => version === WAYS[0]?.version);
  await overEach(
    t,
    peer,
    async (client) => {
      rounds = 2;
      assert.deepEqual((await client.callTool("ask")).content, []);
      rounds = 3;
      const error = await failure(client.callTool("ask"));
      assert.deepEqual([error.kind, error.reason], ["input_required", "rounds"], String(error));
      assert.match(error.message, /\b2\b.*limit inputRounds|limit inputRounds.*\b2\b/);
      assert.deepEqual((await client.callTool("quick")).content, []);
    },
    { limits: { inputRounds: 2 } },
    ways,
  );
});
