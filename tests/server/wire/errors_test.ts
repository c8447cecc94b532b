/** Tests of the wire: which code and status each failure gets (area ERR). */
import assert from "node:assert/strict";
import { defineServer, prompt, ProtocolError, resource, tool } from "../../../server/mod.ts";
import { call, callTool, post, refused, request } from "../wire.ts";

const bare = defineServer({ name: "bare", version: "1" });

/** A server whose tools fail as their names say. */
function createServer() {
  const run = (name: string, handler: () => unknown) => tool({ name, args: {}, handler: () => handler() as string });
  const server = defineServer({
    name: "errors",
    version: "1",
    tools: [
      run("throw", () => {
        throw new Error("secret /etc/passwd");
      }),
      run("own_code", () => {
        throw new ProtocolError(-31000, "Out of paper", { data: { tray: 2 } });
      }),
      ...[-32000, -32001, -32002, -32019, -32042, -32050, -32099].map((code) =>
        run(`code${code}`, () => {
          throw new ProtocolError(code, "Reserved");
        })
      ),
      ...[-32020, -32021, -32022].map((code) =>
        run(`foreign${code}`, () => {
          throw Object.assign(new Error("of another library"), { code, data: {} });
        })
      ),
    ],
    resources: [resource({ uri: "a:b", name: "b", read: () => "x" })],
    prompts: [prompt({ name: "p", arguments: { a: {} }, complete: { a: () => ["1"] }, render: () => "x" })],
  });
  return { server };
}

Deno.test("server.fetch() answers a text that is no JSON with -32700 and 400 (M-ERR-001, B032)", async () => {
  for (const text of ["{", "", "undefined", '{"jsonrpc":"2.0","id":1,}']) refused(await post(bare, text), -32700, 400, null);
});

Deno.test("server.fetch() answers JSON that is no request with -32600 and 400 (M-ERR-002)", async () => {
  for (const value of [{}, { jsonrpc: "2.0", id: 1 }, { jsonrpc: "2.0", id: 1, method: null }]) {
    refused(await post(bare, value), -32600, 400, "id" in value ? 1 : null);
  }
  for (const text of ["7", "null", '"tools/list"']) refused(await post(bare, text), -32600, 400, null);
});

Deno.test("server.fetch() answers unknown methods with -32601 and 404, names of built-ins included (M-ERR-003, M-HTTP-029, B038)", async () => {
  const { server } = createServer();
  for (
    const method of [
      "x/y",
      "__proto__",
      "constructor",
      "ping",
      "logging/setLevel",
      "resources/subscribe",
      "initialize",
      "tools/List",
    ]
  ) {
    refused(await call(server, method), -32601, 404);
  }
});

Deno.test("server.fetch() answers methods of features that it did not declare with -32601 (M-ERR-004, M-BASE-031)", async () => {
  const tools = defineServer({ name: "t", version: "1", tools: [] });
  const { capabilities } = (await call(tools, "server/discover")).result;
  assert.deepEqual([
    "tools" in capabilities,
    "prompts" in capabilities,
    "resources" in capabilities,
    "completions" in capabilities,
  ], [
    true,
    false,
    false,
    false,
  ]);
  assert.equal((await call(tools, "tools/list")).status, 200);
  for (
    const method of [
      "prompts/list",
      "prompts/get",
      "resources/list",
      "resources/read",
      "resources/templates/list",
      "completion/complete",
    ]
  ) {
    const params = { name: "a", uri: "a:b" };
    refused(await post(tools, request(method, params), { "mcp-name": method === "resources/read" ? "a:b" : "a" }), -32601, 404);
  }
});

Deno.test("server.fetch() answers invalid params with -32602 (M-ERR-005)", async () => {
  const { server } = createServer();
  refused(await call(server, "tools/call", { name: "nope" }), -32602, 200);
  refused(await call(server, "tools/list", { cursor: 7 }), -32602, 200);
  refused(await call(server, "completion/complete", { ref: 1, argument: { name: "a", value: "" } }), -32602, 200);
});

Deno.test("server.fetch() answers an unexpected failure with -32603 and none of its words (M-ERR-006)", async () => {
  const reply = await callTool(createServer().server, "throw");
  assert.equal(refused(reply, -32603, 200).message, "Internal error");
  assert.equal(reply.text.includes("secret"), false);
});

Deno.test("server.fetch() sends a handler's own code and data as they are (M-ERR-007)", async () => {
  const error = refused(await callTool(createServer().server, "own_code"), -31000, 200);
  assert.deepEqual([error.message, error.data], ["Out of paper", { tray: 2 }]);
});

Deno.test("server.fetch() never sends reserved codes that the revision does not define, whatever a handler throws (M-ERR-007, M-ERR-010, M-ERR-012, M-ERR-013)", async () => {
  const { server } = createServer();
  for (const code of [-32000, -32001, -32002, -32019, -32042, -32050, -32099]) {
    refused(await callTool(server, `code${code}`), -32603, 200);
  }
});

Deno.test("server.fetch() does not take the codes of foreign errors for the protocol's (M-ERR-011)", async () => {
  const { server } = createServer();
  for (const code of [-32020, -32021, -32022]) refused(await callTool(server, `foreign${code}`), -32603, 200);
});
