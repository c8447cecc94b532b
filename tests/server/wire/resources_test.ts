/** Tests of the wire: resources and caching hints (areas RES and CACHE). */
import assert from "node:assert/strict";
import { defineServer, isSafePathValue, prompt, resource, text, tool } from "../../../server/mod.ts";
import type { Server, ServerResource } from "../../../server/mod.ts";
import { call, metaWith, refused } from "../wire.ts";
import type { Json, Reply } from "../wire.ts";

function serverWith(...resources: ServerResource[]): Server {
  return defineServer({ name: "resources", version: "1", resources }) as Server;
}

const make = (more: Json): Json => resource({ uri: "a:b", name: "b", read: () => "x", ...more });
const read = (server: Server, uri: unknown): Promise<Reply> => call(server, "resources/read", { uri });
const contents = async (value: unknown, more: Json = {}): Promise<Json> =>
  (await read(serverWith(make({ read: () => value, ...more })), "a:b")).result.contents;

Deno.test("server.fetch() lists the resources that are there now for the caller (M-RES-003)", async () => {
  const server = serverWith(
    make({}),
    make({ uri: "a:hidden", name: "h", visible: ({ meta }: Json) => meta["com.example/admin"] === true }),
  );
  const uris = async (meta: Json): Promise<string[]> =>
    (await call(server, "resources/list", {}, meta)).result.resources.map(({ uri }: Json) => uri);
  assert.deepEqual(await uris(metaWith()), ["a:b"]);
  assert.deepEqual(await uris(metaWith({ "com.example/admin": true })), ["a:b", "a:hidden"]);
  refused(await read(server, "a:hidden"), -32602, 200);
});

Deno.test("server.fetch() lists an empty list when there are templates only (M-RES-003)", async () => {
  const server = serverWith(make({ uri: "a://{id}" }));
  assert.deepEqual((await call(server, "resources/list")).result.resources, []);
  assert.equal((await call(server, "resources/templates/list")).result.resourceTemplates[0].uriTemplate, "a://{id}");
});

Deno.test("resource() refuses URIs without a scheme, with blanks or control characters (M-RES-016)", () => {
  for (const uri of ["", "file", "/a/b", "1a:b", ":b", "a b:c", "a:b c", "a:\n", "://a", "ä:b"]) {
    assert.throws(() => make({ uri }), /^TypeError: resources\.b\.uri: /, uri);
  }
  for (const uri of ["a:b", "custom+x.1-y:z", "file:///a%20b", "urn:isbn:0"]) assert.doesNotThrow(() => make({ uri }));
});

Deno.test("server.fetch() answers an absent resource with -32602 and names its URI (M-RES-017, M-RES-020, M-ERR-012)", async () => {
  const { error } = await read(serverWith(make({})), "a:none");
  assert.deepEqual([error.code, error.data], [-32602, { uri: "a:none" }]);
});

Deno.test("server.fetch() answers a read that finds nothing with -32602, not with empty contents (M-RES-017, M-RES-020)", async () => {
  const server = serverWith(
    make({ uri: "a://{id}", read: ({ id }: Json) => id === "1" ? "one" : undefined }),
    make({ read: () => undefined }),
  );
  assert.equal((await read(server, "a://1")).result.contents[0].text, "one");
  for (const uri of ["a://2", "a:b"]) refused(await read(server, uri), -32602, 200);
});

Deno.test("server.fetch() answers URIs that are none with -32602 and reads nothing (M-RES-021)", async () => {
  let ran = 0;
  const server = serverWith(make({ uri: "a://{id}", read: () => String(++ran) }));
  for (const uri of ["", "no uri", "a:/x", "a://%zz", "__proto__"]) refused(await read(server, uri), -32602, 200);
  const info = { connection: { transport: "stdio" }, onDisconnect: () => () => undefined } as const;
  for (const uri of [1, null, {}, ["a://1"], undefined]) {
    const params = { uri, _meta: metaWith() } as Json;
    const reply = await server.handle({ jsonrpc: "2.0", id: 1, method: "resources/read", params }, info) as Json;
    assert.equal(reply.error.code, -32602);
  }
  assert.equal(ran, 0);
});

Deno.test("server.fetch() encodes bytes as a Base64 blob, and text as text (M-RES-023, M-RES-029, M-RES-030)", async () => {
  assert.deepEqual(await contents(new Uint8Array([0, 255, 16, 128])), [{ uri: "a:b", blob: "AP8QgA==" }]);
  assert.deepEqual(await contents("é", { mimeType: "text/plain" }), [{ uri: "a:b", mimeType: "text/plain", text: "é" }]);
  assert.deepEqual(await contents({ contents: [{ uri: "a:c", blob: new Uint8Array([1]) }] }), [{ uri: "a:c", blob: "AQ==" }]);
  assert.deepEqual(await contents(new TextEncoder().encode("plain text")), [{ uri: "a:b", blob: "cGxhaW4gdGV4dA==" }]);
});

Deno.test("server.fetch() gives every content its URI, and refuses contents with neither text nor blob (M-RES-029)", async () => {
  for (const item of [{ uri: "a:b", text: 7 }, { uri: "a:b", blob: [1] }]) {
    refused(await read(serverWith(make({ read: () => ({ contents: [item] }) })), "a:b"), -32603, 200);
  }
  for (const [value, text] of [[{ a: 1 }, '{"a":1}'], [7, "7"], [null, "null"]]) {
    assert.deepEqual(await contents(value), [{ uri: "a:b", mimeType: "application/json", text }]);
  }
});

Deno.test("server.fetch() keeps traversal out of the variables of file templates, encoded or not (M-RES-025)", async () => {
  const seen: string[] = [];
  const server = serverWith(make({
    uri: "file:///docs/{name}",
    read: ({ name }: { name: string }) => {
      if (!isSafePathValue(name)) return undefined;
      seen.push(name);
      return "x";
    },
  }));
  for (
    const name of [
      "../../etc/passwd",
      "..%2F..%2Fetc%2Fpasswd",
      "%2e%2e%2fetc%2fpasswd",
      "..",
      "%2e%2e",
      "a%00",
      "..%5Cetc",
      "%2Fetc%2Fpasswd",
    ]
  ) {
    refused(await read(server, `file:///docs/${name}`), -32602, 200);
  }
  assert.equal((await read(server, "file:///docs/readme.md")).result.contents[0].text, "x");
  assert.deepEqual(seen, ["readme.md"]);
});

Deno.test("server.fetch() lists every resource with uri and name, and every template with uriTemplate and name (M-RES-026, M-RES-027)", async () => {
  const server = serverWith(make({ title: "B" }), make({ uri: "a://{id}", name: "t" }));
  const [listed] = (await call(server, "resources/list")).result.resources;
  const [template] = (await call(server, "resources/templates/list")).result.resourceTemplates;
  assert.deepEqual(listed, { uri: "a:b", name: "b", title: "B" });
  assert.deepEqual(template, { uriTemplate: "a://{id}", name: "t" });
});

Deno.test("resource() refuses what has no name (M-RES-026, M-BASE-038)", () => {
  for (const name of [undefined, "", 7]) assert.throws(() => make({ name }), /name: Expected a (non-empty )?string/);
});

Deno.test("resource() refuses templates that RFC 6570 does not allow (M-RES-027)", () => {
  for (const uri of ["a://{", "a://{}", "a://{x", "a://{!x}", "a://{x y}", "a://{x:0}", "a://{{x}}"]) {
    assert.throws(() => make({ uri }), /^TypeError: resources\.b\.uri: /, uri);
  }
});

Deno.test("resource() refuses a priority outside 0 to 1 (M-RES-031)", () => {
  for (const priority of [2, -0.1, 1.01, NaN, "1"]) assert.throws(() => make({ annotations: { priority } }), /from 0 to 1/);
  for (const priority of [0, 0.5, 1]) assert.doesNotThrow(() => make({ annotations: { priority } }));
});

Deno.test("resource() refuses an audience other than user and assistant (M-RES-032)", () => {
  for (const audience of [["system"], ["user", "tool"], "user", [null]]) {
    assert.throws(() => make({ annotations: { audience } }), /list of "user" and "assistant"/);
  }
  assert.doesNotThrow(() => make({ annotations: { audience: ["user", "assistant"] } }));
});

const CACHED: [string, Json][] = [
  ["server/discover", {}],
  ["tools/list", {}],
  ["prompts/list", {}],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "a:b" }],
];

function cached(options: Json = {}): Server {
  return defineServer({
    name: "cached",
    version: "1",
    tools: [
      tool({ name: "a", handler: () => [text("x")] }),
      tool({ name: "b", handler: () => "x" }),
      tool({ name: "c", handler: () => "x" }),
    ],
    resources: [make({})],
    prompts: [prompt({ name: "p", render: () => "x" })],
    ...options,
  }) as Server;
}

Deno.test("server.fetch() gives the six cacheable results a ttlMs and a cacheScope (M-CACHE-001, M-CACHE-009, M-DISC-005)", async () => {
  for (const [method, params] of CACHED) {
    const { ttlMs, cacheScope } = (await call(cached(), method, params)).result;
    assert.ok(Number.isInteger(ttlMs) && ttlMs >= 0, method);
    assert.ok(cacheScope === "public" || cacheScope === "private", method);
  }
});

Deno.test("server.fetch() gives the hints that it was defined with (M-CACHE-001)", async () => {
  const hint = { ttlMs: 5000, cacheScope: "public" };
  const cache = { discover: hint, tools: hint, prompts: hint, resources: hint, templates: hint, read: hint };
  for (const [method, params] of CACHED) {
    const { ttlMs, cacheScope } = (await call(cached({ cache }), method, params)).result;
    assert.deepEqual({ ttlMs, cacheScope }, hint, method);
  }
});

Deno.test("server.fetch() gives results of calls and prompts no caching hint (M-CACHE-001)", async () => {
  for (const [method, params] of [["tools/call", { name: "a" }], ["prompts/get", { name: "p" }]] as const) {
    const { result } = await call(cached(), method, params);
    assert.deepEqual(["ttlMs" in result, "cacheScope" in result], [false, false]);
  }
});

Deno.test("defineServer() and resource() refuse a ttlMs that is no integer of at least 0 (M-CACHE-009)", async () => {
  for (const ttlMs of [-1, 1.5, NaN, Infinity, "5", 2 ** 53]) {
    assert.throws(() => cached({ cache: { tools: { ttlMs } } }), /^TypeError: cache\.tools\.ttlMs/);
    assert.throws(() => make({ ttlMs }), /ttlMs: Expected an integer/);
    refused(await read(serverWith(make({ read: () => ({ contents: [{ uri: "a:b", text: "x" }], ttlMs }) })), "a:b"), -32603, 200);
  }
});

Deno.test("server.fetch() gives all pages of a list the same cacheScope (M-CACHE-025)", async () => {
  for (const cacheScope of ["public", "private"]) {
    const server = cached({ pageSize: 1, cache: { tools: { ttlMs: 1, cacheScope } } });
    const scopes: string[] = [];
    let cursor: string | undefined;
    do {
      const { result } = await call(server, "tools/list", cursor === undefined ? {} : { cursor });
      scopes.push(result.cacheScope);
      cursor = result.nextCursor;
    } while (cursor !== undefined);
    assert.deepEqual(scopes, [cacheScope, cacheScope, cacheScope]);
  }
});
