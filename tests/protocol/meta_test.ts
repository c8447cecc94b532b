/** Tests of the keys of `_meta`. */
import assert from "node:assert/strict";
import { META, metaKeyFault, metaOf, traceparentFault } from "../../protocol/meta.ts";
import type { JsonObject } from "../../protocol/json.ts";

const accepts = (key: string): void => assert.equal(metaKeyFault(key), undefined, JSON.stringify(key));
const refuses = (key: string, fault: RegExp): void => assert.match(metaKeyFault(key) ?? "accepted", fault, JSON.stringify(key));

Deno.test("META spells the reserved keys as the specification does", () => {
  assert.equal(META.protocolVersion, "io.modelcontextprotocol/protocolVersion");
  assert.equal(META.clientInfo, "io.modelcontextprotocol/clientInfo");
  assert.equal(META.clientCapabilities, "io.modelcontextprotocol/clientCapabilities");
  assert.equal(META.logLevel, "io.modelcontextprotocol/logLevel");
  assert.equal(META.serverInfo, "io.modelcontextprotocol/serverInfo");
  assert.equal(META.subscriptionId, "io.modelcontextprotocol/subscriptionId");
});

Deno.test("metaOf reads the _meta of params", () => {
  assert.deepEqual(metaOf({ _meta: { a: 1 } }), { a: 1 });
});

Deno.test("metaOf gives an empty object for absent params, an absent _meta and one that is no object", () => {
  for (const params of [undefined, {}, { _meta: null }, { _meta: [] }, { _meta: "a" }]) {
    assert.deepEqual(metaOf(params as JsonObject | undefined), {});
  }
});

Deno.test("metaKeyFault accepts names without a prefix", () => {
  for (const key of ["a", "9", "progressToken", "a.b", "a_b-c.d", "A1"]) accepts(key);
});

Deno.test("metaKeyFault accepts a prefix of dot-separated labels closed by a slash (M-META-002)", () => {
  for (const key of ["com.example/x", "a/x", "com.example.deep.er/x", "x-1.y2/z"]) accepts(key);
});

Deno.test("metaKeyFault refuses a prefix with an empty label (M-META-002)", () => {
  for (const key of ["com..example/x", ".com/x", "com./x", "/x", "com.example//x"]) refuses(key, /prefix whose labels/);
});

Deno.test("metaKeyFault refuses labels that do not begin with a letter (M-META-003)", () => {
  for (const key of ["1a/x", "-a/x", "com.1a/x", "_a/x"]) refuses(key, /prefix whose labels/);
});

Deno.test("metaKeyFault refuses labels that do not end with a letter or digit (M-META-003)", () => {
  for (const key of ["a-/x", "com.example-/x", "a_/x"]) refuses(key, /prefix whose labels/);
});

Deno.test("metaKeyFault accepts hyphens and digits inside a label (M-META-003)", () => {
  for (const key of ["a-b/x", "a--b/x", "a1/x", "a-1/x"]) accepts(key);
});

Deno.test("metaKeyFault refuses characters in a label that are neither ASCII letters, digits nor hyphens (M-META-003)", () => {
  for (const key of ["a_b/x", "ä/x", "a b/x", "a\n/x"]) refuses(key, /prefix whose labels/);
});

Deno.test("metaKeyFault refuses prefixes whose second label is mcp or modelcontextprotocol (M-META-005)", () => {
  for (const key of ["com.mcp/x", "com.mcp.tools/x", "io.modelcontextprotocol/x", "dev.modelcontextprotocol.a/x"]) {
    refuses(key, /reserved for the protocol/);
  }
});

Deno.test("metaKeyFault accepts mcp and modelcontextprotocol as any other label (M-META-005)", () => {
  for (const key of ["com.example.mcp/x", "mcp/x", "mcp.dev/x", "modelcontextprotocol.io/x", "com.mcp2/x"]) accepts(key);
});

Deno.test("metaKeyFault accepts an empty name after a prefix (M-META-006)", () => {
  accepts("com.example/");
});

Deno.test("metaKeyFault refuses an empty name without a prefix (M-META-006)", () => {
  refuses("", /begin and end with a letter or digit/);
});

Deno.test("metaKeyFault refuses names that do not begin and end with an ASCII letter or digit (M-META-006)", () => {
  for (const name of ["-x", "x-", ".x", "x.", "_x", "x_", "-", "äx", "x y", "x\n"]) {
    refuses(`com.example/${name}`, /begin and end with a letter or digit/);
    refuses(name, /begin and end with a letter or digit/);
  }
});

Deno.test("traceparentFault accepts what W3C Trace Context gives as examples (M-META-020)", () => {
  for (
    const value of [
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00",
      "01-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00-later",
    ]
  ) assert.equal(traceparentFault(value), undefined);
});

Deno.test("traceparentFault refuses other shapes, zero ids, upper case and version ff (M-META-020)", () => {
  for (
    const value of [
      "",
      "00",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7",
      "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
      "00-00000000000000000000000000000000-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e4736-0000000000000000-01",
      "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
      "00-4bf92f3577b34da6a3ce929d0e0e473-00f067aa0ba902b7-01",
      1,
      null,
      {},
    ]
  ) assert.equal(traceparentFault(value), "is not a W3C traceparent");
});
