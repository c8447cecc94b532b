import assert from "node:assert/strict";
import { areRelated, cacheSubject, cacheTerms, isSound, isStaleBy, readCacheChange } from "../../../client/cache/cache_rules.ts";
import type { JsonObject } from "../../../client/mod.ts";

Deno.test("cacheSubject knows six methods and no other (M-CACHE-002)", () => {
  assert.deepEqual(cacheSubject("tools/list", {}), { method: "tools/list", uri: undefined, page: "first" });
  assert.deepEqual(cacheSubject("prompts/list", { cursor: "" }), { method: "prompts/list", uri: undefined, page: "later" });
  assert.equal(cacheSubject("resources/list", { cursor: "x" })?.page, "later");
  assert.equal(cacheSubject("resources/templates/list", {})?.page, "first");
  assert.deepEqual(cacheSubject("server/discover", {}), { method: "server/discover", uri: undefined, page: undefined });
  assert.deepEqual(cacheSubject("resources/read", { uri: "a:b" }), { method: "resources/read", uri: "a:b", page: undefined });
  for (const method of ["tools/call", "prompts/get", "completion/complete", "own/list", "constructor", ""]) {
    assert.equal(cacheSubject(method, {}), undefined, method);
  }
});

Deno.test("cacheTerms caps the time, and takes an unknown scope for private (M-CACHE-007, M-CACHE-008, B084)", () => {
  const terms = (hint: JsonObject): unknown => cacheTerms("tools/list", { tools: [], ...hint }, 1000);
  assert.deepEqual(terms({ ttlMs: 1, cacheScope: "public" }), { ttlMs: 1, isPublic: true });
  assert.deepEqual(terms({ ttlMs: 1001, cacheScope: "private" }), { ttlMs: 1000, isPublic: false });
  for (const cacheScope of [undefined, "shared", "PUBLIC", null, 1]) {
    assert.deepEqual(terms({ ttlMs: 5, cacheScope: cacheScope as string }), { ttlMs: 5, isPublic: false });
  }
  for (const ttlMs of [undefined, 0, -0, -5, 0.5, 1.5, "60000", null, NaN, 1e400, -1e400, 2 ** 53, true, [5]]) {
    assert.equal(terms({ ttlMs: ttlMs as number }), undefined, String(ttlMs));
  }
});

Deno.test("isSound demands the list that an answer must have, and a cursor that is a string", () => {
  for (const member of ["supportedVersions", "tools", "prompts", "resources", "resourceTemplates", "contents"]) {
    const method = {
      supportedVersions: "server/discover",
      resourceTemplates: "resources/templates/list",
      contents: "resources/read",
    }[member] ?? `${member}/list`;
    assert.equal(isSound(method, { [member]: [] }), true, method);
    assert.equal(isSound(method, { [member]: {} }), false, method);
    assert.equal(isSound(method, {}), false, method);
  }
  assert.equal(isSound("tools/list", { tools: [], nextCursor: "" }), true);
  assert.equal(isSound("tools/list", { tools: [], nextCursor: null }), true);
  assert.equal(isSound("tools/list", { tools: [], nextCursor: 5 }), false);
  assert.equal(isSound("unknown", { "": [] }), true);
});

Deno.test("a change of a list concerns that list; resources and templates change together (M-CACHE-020)", () => {
  const methods = [
    "tools/list",
    "prompts/list",
    "resources/list",
    "resources/templates/list",
    "resources/read",
    "server/discover",
  ];
  const concerned = (method: string, params?: JsonObject): string[] => {
    const change = readCacheChange({
      jsonrpc: "2.0",
      method: `notifications/${method}`,
      ...(params === undefined ? {} : { params }),
    });
    if (change === undefined) return [];
    return methods.filter((method) =>
      isStaleBy(change, { method, uri: method === "resources/read" ? "a:b" : undefined, page: undefined })
    );
  };
  assert.deepEqual(concerned("tools/list_changed"), ["tools/list"]);
  assert.deepEqual(concerned("prompts/list_changed"), ["prompts/list"]);
  assert.deepEqual(concerned("resources/list_changed"), ["resources/list", "resources/templates/list"]);
  assert.deepEqual(concerned("resources/updated", { uri: "a:b" }), ["resources/read"]);
  assert.deepEqual(concerned("resources/updated", { uri: 5 }), []);
  assert.deepEqual(concerned("resources/updated"), []);
  assert.deepEqual(concerned("message"), []);
});

Deno.test("areRelated sees borders of URIs, both ways", () => {
  const pairs: readonly (readonly [string, string, boolean])[] = [
    ["f:///a", "f:///a", true],
    ["f:///a", "f:///a/b", true],
    ["f:///a/", "f:///a/b", true],
    ["f:///a", "f:///a?x", true],
    ["f:///a", "f:///a#x", true],
    ["f:///a", "f:///ab", false],
    ["f:///a", "f:///b", false],
    ["f:///", "f:///a", true],
    ["", "f:///a", false],
    ["", "", true],
  ];
  for (const [one, other, related] of pairs) {
    assert.equal(areRelated(one, other), related, `${one} ${other}`);
    assert.equal(areRelated(other, one), related, `${other} ${one}`);
  }
});
