import assert from "node:assert/strict";
import * as z from "zod";
import { extension } from "../../../protocol/extensions/extension.ts";

const METHODS = {
  "a/b": { params: { type: "object" }, result: { type: "object", required: ["x"] } },
  "a/c": { params: { type: "object" }, result: z.object({ n: z.number().transform((n) => n + 1) }), header: "id" },
} as const;

Deno.test("extension refuses identifiers without a prefix and keys of the protocol's own filter", () => {
  for (const id of ["audit", "", "mcp.dev/x/", "com.modelcontextprotocol/x"]) {
    assert.throws(() => extension({ id }), /^TypeError: extension.id: The identifier/);
  }
  assert.equal(extension({ id: "io.modelcontextprotocol/ui" }).id, "io.modelcontextprotocol/ui");
  assert.throws(
    () => extension({ id: "com.example/x", listenKeys: { resourceSubscriptions: {} } }),
    /listenKeys.resourceSubscriptions: The key is the protocol's own/,
  );
});

Deno.test("serve wants a function for every method, and keys that were described", () => {
  const described = extension({ id: "com.example/x", methods: METHODS, listenKeys: { xs: { type: "array" } } });
  assert.throws(() => described.serve({ "a/b": () => ({}) } as never), /Expected a function for a\/c/);
  const handlers = { "a/b": () => ({}), "a/c": () => ({ n: 1 }) };
  assert.throws(() => described.serve(handlers, { ys: () => true }), /ys is none of its listenKeys/);
  const served = described.serve(handlers, { xs: (wanted) => wanted });
  assert.deepEqual(Object.keys(served.methods), ["a/b", "a/c"]);
  assert.deepEqual(Object.keys(served.listen), ["xs"]);
  assert.deepEqual(described.headers, { "a/c": "id" });
});

Deno.test("on checks results by their schemas, gives what the library made of them, and knows no other method", async () => {
  const described = extension({ id: "com.example/x", methods: METHODS });
  const answers = new Map<string, object>([["a/b", {}], ["a/c", { n: 1 }]]);
  const client = { request: (method: string) => Promise.resolve(answers.get(method) as never) };
  await assert.rejects(described.on(client).request("a/b", {}), { kind: "transport", reason: "not_mcp" });
  assert.deepEqual(await described.on(client).request("a/c", {}), { n: 2 });
  await assert.rejects(described.on(client).request("toString" as never, {} as never), /has no method "toString"/);
});

Deno.test("extension() refuses settings that JSON can not carry", () => {
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  for (const settings of [{ size: 1n }, cycle, 5, null]) {
    assert.throws(
      () => extension({ id: "com.example/x", settings: settings as never }),
      /^TypeError: extension\.settings: Expected/,
    );
  }
});
