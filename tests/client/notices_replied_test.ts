/** Tests of what servers reply to notifications over real connections, which must be read or dropped, so that they are used again. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";

const SEND = 200;

const chunked = (): Response =>
  new Response(
    new ReadableStream({
      async start(controller) {
        await Promise.resolve();
        controller.close();
      },
    }),
    { status: 202 },
  );

const REPLIES: readonly (() => Response)[] = [
  () => new Response("Accepted", { status: 202, headers: { "content-type": "text/plain" } }),
  chunked,
  () => new Response(null, { status: 204 }),
  () => new Response(null, { status: 200, headers: { "content-length": "0" } }),
  () => new Response("null", { headers: { "content-type": "application/json" } }),
  () => new Response("<p>ok</p>".repeat(10_000), { headers: { "content-type": "text/html" } }),
];

for (const protocol of ["2025-06-18", "2025-11-25"] as const) {
  Deno.test(`${protocol}: ${SEND} notifications with replies of all kinds resolve, share few connections, and a refusal rejects (B018)`, async () => {
    const peers = new Set<string>();
    let at = 0;
    let refuse = 0;
    const http = Deno.serve({ port: 0, hostname: "127.0.0.1", onListen: () => undefined }, async (raw, info) => {
      if (raw.method !== "POST") return new Response(null, { status: raw.method === "DELETE" ? 200 : 405 });
      peers.add(`${(info.remoteAddr as Deno.NetAddr).port}`);
      const { id, method } = await raw.json();
      if (id === undefined) {
        return refuse > 0 ? new Response("no", { status: refuse }) : (REPLIES[at++ % REPLIES.length] as () => Response)();
      }
      const hello = { protocolVersion: protocol, capabilities: {}, serverInfo: { name: "s", version: "1" } };
      return Response.json({ jsonrpc: "2.0", id, result: method === "initialize" ? hello : { content: [] } });
    });
    const pool = Deno.createHttpClient({ poolMaxIdlePerHost: 1 });
    const client = await connect(`http://127.0.0.1:${http.addr.port}/mcp`, {
      protocol,
      fetch: (input, init) => fetch(input, { ...init, client: pool } as unknown as RequestInit),
    });
    try {
      for (let sent = 0; sent < SEND; sent++) await client.notify("notifications/own", { sent });
      assert.equal(at, SEND + 1, "the first one says that the client is ready");
      // A reply that is dropped may take its connection along; one that is not read at all always would.
      assert.ok(peers.size <= SEND / REPLIES.length + 2, `${peers.size} connections`);
      for (refuse of [400, 500]) await assert.rejects(client.notify("notifications/own"), { kind: "transport" });
      refuse = 0;
      assert.deepEqual((await client.callTool("x" as never)).content, []);
    } finally {
      await client.close();
      pool.close();
      await http.shutdown();
    }
  });
}
