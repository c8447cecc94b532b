import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import { SUPPORTED_VERSIONS } from "../../protocol/mod.ts";
import { defineServer, tool } from "../../server/mod.ts";
import type { ProtocolVersion } from "../../protocol/types.ts";

const server = defineServer({
  name: "values",
  version: "1.0.0",
  tools: [
    tool({ name: "list", output: { type: "array", items: { type: "integer" } }, handler: () => [1, 2, 3] }),
    tool({ name: "either", output: { anyOf: [{ type: "object" }, { type: "string" }] }, handler: () => ({ result: "own" }) }),
    tool({ name: "bare", handler: () => ({ structured: null }) }),
    tool({ name: "object", output: { type: "object" }, handler: () => ({ result: 1 }) }),
  ],
});

Deno.test("callTool gives structured content as the handler did, in every revision, whether tools were listed or not (L-TOOL-001, L-TOOL-002)", async () => {
  for (const protocol of SUPPORTED_VERSIONS as readonly ProtocolVersion[]) {
    for (const listed of [false, true]) {
      await using client = await connect(server, { protocol });
      if (listed) await client.listTools();
      const structured = async (name: "list" | "either" | "bare" | "object"): Promise<unknown> =>
        (await client.callTool(name)).structuredContent;
      assert.deepEqual(await structured("list"), [1, 2, 3]);
      assert.deepEqual(await structured("either"), { result: "own" });
      assert.equal(await structured("bare"), null);
      assert.deepEqual(await structured("object"), { result: 1 });
    }
  }
});
