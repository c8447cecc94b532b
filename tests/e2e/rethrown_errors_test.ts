/** Errors of one server that another one throws on to its own callers. */
import assert from "node:assert/strict";
import { connect, defineServer, ProtocolError, resource, tool } from "../../mod.ts";

const VERSIONS = ["2026-07-28", "2025-11-25", "2025-06-18"] as const;

const upstream = defineServer({
  name: "upstream",
  version: "1.0.0",
  resources: [resource({ uri: "notes://{day}", name: "note", read: () => undefined })],
  tools: [
    tool({
      name: "own",
      handler: () => {
        throw new ProtocolError(4001, "Closed on Mondays", { data: { open: "Tuesday" } });
      },
    }),
    tool({
      name: "other",
      handler: () => {
        throw new ProtocolError(-32002, "secret of the upstream");
      },
    }),
  ],
});

for (const theirs of VERSIONS) {
  for (const ours of VERSIONS) {
    Deno.test(`"Resource not found" of a server in ${theirs} is told in the words of ${ours}, other errors as they are`, async () => {
      const behind = await connect(upstream, { protocol: theirs });
      const told: unknown[] = [];
      const relay = defineServer({
        name: "relay",
        version: "1.0.0",
        onError: (error) => told.push(error),
        resources: [resource({ uri: "notes://{day}", name: "note", read: (_day, { uri }) => behind.readResource(uri) as never })],
        tools: [
          tool({ name: "read", handler: async () => void await behind.readResource("notes://1") }),
          tool({ name: "own", handler: async () => void await behind.callTool("own") }),
          tool({ name: "other", handler: async () => void await behind.callTool("other") }),
        ],
      });
      const client = await connect(relay, { protocol: ours });
      // A stateless server has no code of its own for it, so there is nothing to translate.
      const code = theirs === "2026-07-28" || ours === "2026-07-28" ? -32602 : -32002;
      const missing = { kind: "protocol", code, message: "Resource not found", data: { uri: "notes://1" } };
      await assert.rejects(client.readResource("notes://1"), missing);
      await assert.rejects(client.callTool("read"), missing);
      await assert.rejects(client.callTool("own"), { code: 4001, message: "Closed on Mondays", data: { open: "Tuesday" } });
      assert.deepEqual(told, []);
      const other: unknown = await client.callTool("other").catch((error: unknown) => error);
      // A code that a revision reserves is masked in it, on whichever way it comes.
      const masked = theirs === "2026-07-28" || ours === "2026-07-28";
      assert.equal((other as ProtocolError).message, masked ? "Internal error" : "secret of the upstream");
      await client.close();
      await behind.close();
    });
  }
}
