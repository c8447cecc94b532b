/** Tests of `server/discover.ts`. */
import assert from "node:assert/strict";
import { SUPPORTED_VERSIONS } from "../../protocol/dialects/mod.ts";
import { prompt } from "../../server/components/prompt.ts";
import { resource } from "../../server/components/resource.ts";
import { tool } from "../../server/components/tool.ts";
import { errorOf, request, resultOf, serverOf } from "./calls.ts";

Deno.test("server/discover names versions, capabilities, instructions and the server (M-DISC-001, M-DISC-003, M-DISC-005, M-DISC-006)", async () => {
  const server = serverOf({ tools: [] }, {
    title: "Test",
    instructions: "Ask nicely",
    cache: { discover: { ttlMs: 7, cacheScope: "public" } },
  });
  assert.deepEqual({ ...await resultOf(server, request("server/discover")) }, {
    resultType: "complete",
    ttlMs: 7,
    cacheScope: "public",
    supportedVersions: SUPPORTED_VERSIONS,
    capabilities: { tools: { listChanged: true }, logging: {} },
    instructions: "Ask nicely",
    _meta: { "io.modelcontextprotocol/serverInfo": { name: "test", version: "1.0.0", title: "Test" } },
  });
});

Deno.test("server/discover declares what the server has, and nothing else (M-BASE-032, M-COMP-001, M-TOOL-005, M-RES-001, M-PROMPT-001, M-LOG-003)", async () => {
  const of = async (parts: object) => (await resultOf(serverOf(parts), request("server/discover"))).capabilities;
  assert.deepEqual(await of({}), { logging: {} });
  assert.deepEqual(await of({ resources: [] }), { resources: { subscribe: true, listChanged: true }, logging: {} });
  assert.deepEqual(await of({ prompts: [] }), { prompts: { listChanged: true }, logging: {} });
  const completing = prompt({ name: "p", arguments: { a: {} }, complete: { a: () => [] }, render: () => "" });
  assert.deepEqual(await of({ prompts: [completing] }), { prompts: { listChanged: true }, completions: {}, logging: {} });
});

Deno.test("what is not declared is an unknown method (M-ERR-004)", async () => {
  const server = serverOf({});
  const params = { name: "x", uri: "x:y" };
  const methods = [
    "tools/list",
    "tools/call",
    "prompts/list",
    "prompts/get",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "completion/complete",
    "subscriptions/listen",
  ];
  for (const method of methods) assert.equal((await errorOf(server, request(method, params))).code, -32601, method);
  const full = serverOf({
    tools: [tool({ name: "x", handler: () => "" })],
    resources: [resource({ uri: "x:y", name: "y", read: () => "" })],
  });
  for (const method of ["tools/call", "resources/read"]) assert.ok(await resultOf(full, request(method, params)));
});

Deno.test("server/discover names only the versions that are enabled, and is unknown to the others", async () => {
  const both = serverOf({}, { versions: ["2025-06-18", "2026-07-28"] });
  assert.deepEqual((await resultOf(both, request("server/discover"))).supportedVersions, ["2026-07-28", "2025-06-18"]);
  const old = serverOf({}, { versions: ["2025-06-18"] });
  const message = { jsonrpc: "2.0" as const, id: 1, method: "server/discover" };
  assert.equal((await errorOf(old, message, { connection: { transport: "http" } })).code, -32601);
});
