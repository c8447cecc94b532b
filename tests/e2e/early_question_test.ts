/** A server of a handshake revision that asks before it has answered `initialize`, when the client has not spoken it before. */
import assert from "node:assert/strict";
import { connect } from "../../client/connect.ts";
import { DIALECTS } from "../../protocol/dialects/mod.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { connectChannel } from "../../transports/connect_channel.ts";
import { channelPair } from "../testing/carriers.ts";

Deno.test("connect() answers what a server asks before the handshake is over, in a dialect that is being loaded", async () => {
  const older = DIALECTS[1] as { load?: () => Promise<void> };
  const load = older.load as () => Promise<void>;
  // What answers questions is there before the dialect.
  older.load = async () => {
    await import("../../client/input/server_requests.ts");
    await new Promise((resolve) => setTimeout(resolve, 20));
    await load();
  };
  const { near, far } = channelPair();
  const writer = far.writable.getWriter();
  const reader = far.readable.getReader();
  const read: JsonRpcMessage[] = [];
  const server = (async () => {
    await writer.write({ jsonrpc: "2.0", id: "early", method: "roots/list" });
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      read.push(value);
      if (!("method" in value) || value.method !== "initialize" || !("id" in value)) continue;
      await writer.write({ jsonrpc: "2.0", id: "later", method: "ping" });
      const result = { protocolVersion: "2025-06-18", capabilities: {}, serverInfo: { name: "s", version: "1" } };
      await writer.write({ jsonrpc: "2.0", id: value.id, result });
    }
  })();
  const client = await connect(connectChannel(near), { protocol: ["2025-11-25", "2025-06-18"] });
  assert.equal(client.server.protocolVersion, "2025-06-18");
  await client.close();
  await server;
  const answered = read.filter((message) => !("method" in message)).map((message) => (message as { id: unknown }).id);
  assert.deepEqual(answered.sort(), ["early", "later"]);
});
