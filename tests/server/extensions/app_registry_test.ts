import assert from "node:assert/strict";
import { z } from "zod";
import { connect } from "../../../client/connect.ts";
import type { ReadResourceResult } from "../../../protocol/types.ts";
import { appRegistry } from "../../../server/extensions/apps.ts";
import { defineServer } from "../../../server/server.ts";

Deno.test("appRegistry takes shapes, schemas and nothing as input, and calls back in the official form", async () => {
  const registry = appRegistry();
  const answer = (...seen: readonly unknown[]): object => ({
    content: [{
      type: "text",
      text: JSON.stringify(seen.map((one) => one !== null && typeof one === "object" && "signal" in one ? "ctx" : one)),
    }],
  });
  const shape = { city: z.string().min(2), days: z.number().default(3), note: z.string().optional() };
  registry.registerTool("shape", { inputSchema: shape, title: "Shape" }, answer);
  registry.registerTool("schema", { inputSchema: z.object({ city: z.string() }) }, answer);
  registry.registerTool("nothing", {}, answer);
  registry.registerTool("empty", { inputSchema: {} }, answer);
  registry.registerTool("async", { inputSchema: { at: z.string().refine((text) => Promise.resolve(text === "x")) } }, answer);
  registry.registerTool(
    "output",
    { outputSchema: { degrees: z.number(), unit: z.string().default("C") } },
    () => ({ content: [{ type: "text", text: "21" }], structuredContent: { degrees: 21, unit: "C" } }),
  );
  const server = defineServer({ name: "x", version: "1.0.0", tools: registry.tools, resources: registry.resources });
  const client = await connect(server);
  const listed = new Map((await client.listTools()).map((tool) => [tool.name, tool]));
  assert.equal(listed.get("shape")?.title, "Shape");
  assert.deepEqual(listed.get("shape")?.inputSchema.required, ["city"]);
  assert.deepEqual(Object.keys(listed.get("shape")?.inputSchema.properties as object), ["city", "days", "note"]);
  assert.deepEqual((listed.get("output")?.outputSchema as { required?: unknown }).required, ["degrees"]);
  const call = async (name: string, args?: object): Promise<unknown> => {
    const result = await client.callTool(name, args);
    return result.isError === true ? "refused" : JSON.parse((result.content[0] as { text: string }).text);
  };
  assert.deepEqual(await call("shape", { city: "Bern", other: 1 }), [{ city: "Bern", days: 3 }, "ctx"]);
  assert.equal(await call("shape", { city: "B" }), "refused");
  assert.equal(await call("shape", {}), "refused");
  assert.deepEqual(await call("schema", { city: "Bern" }), [{ city: "Bern" }, "ctx"]);
  assert.deepEqual(await call("nothing"), ["ctx"]);
  assert.deepEqual(await call("empty"), [{}, "ctx"]);
  assert.deepEqual(await call("async", { at: "x" }), [{ at: "x" }, "ctx"]);
  assert.equal(await call("async", { at: "y" }), "refused");
  assert.deepEqual((await client.callTool("output")).structuredContent, { degrees: 21, unit: "C" });
  await client.close();
  await server.close();
});

Deno.test("appRegistry takes resources of every type, checks views, and refuses what it can not keep", async () => {
  const registry = appRegistry();
  const seen: unknown[] = [];
  registry.registerResource("plain", "x://plain", { mimeType: "text/plain", size: 3 }, (uri: URL) => {
    seen.push(uri);
    return { contents: [{ uri: uri.href, text: "abc" }] };
  });
  const server = defineServer({ name: "x", version: "1.0.0", resources: registry.resources });
  const client = await connect(server);
  const read = await client.readResource("x://plain") as ReadResourceResult;
  assert.deepEqual(read.contents, [{ uri: "x://plain", text: "abc" }]);
  assert.ok(seen[0] instanceof URL);
  assert.equal((await client.listResources())[0]?.size, 3);
  await client.close();
  await server.close();
  const none = (): object => ({ contents: [] });
  assert.throws(
    () => registry.registerResource("v", "x://v", { mimeType: "text/html;profile=mcp-app" }, none),
    /begins with ui:/,
  );
  assert.throws(() => registry.registerResource("v", {}, {}, none), /resources\.v\.uri: Expected a string/);
  assert.throws(() => registry.registerResource("v", "x://v", { list: 1 }, none), /resources\.v\.list: Unknown member/);
  assert.throws(() => registry.registerTool("t", { _meta: { ui: { csp: {} } } }, none), /tools\.t\.meta\.ui\.csp: It belongs/);
  assert.throws(() => registry.registerTool("t", { handler: none }, none), /tools\.t\.handler: Unknown member/);
  assert.throws(() => registry.registerTool("t", {}, undefined), /tools\.t: Expected a function/);
  assert.throws(() => registry.registerTool("t", undefined, none), /tools\.t: Expected its configuration/);
  assert.equal(registry.tools.length, 0);
});
