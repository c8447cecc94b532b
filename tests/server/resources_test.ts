/** Tests of `server/resources.ts`. */
import assert from "node:assert/strict";
import { ProtocolError } from "../../protocol/errors.ts";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { resource } from "../../server/components/resource.ts";
import type { Server } from "../../server/server_types.ts";
import { errorOf, request, resultOf, serverOf } from "./calls.ts";

/** A server whose template shows its variables. */
function templateServer(uri: string): Server {
  return serverOf({ resources: [resource({ uri, name: "r", read: (variables) => ({ ...variables }) })] });
}

/** The variables with which a URI is read, or the code of the error. */
async function read(server: Server, uri: JsonValue): Promise<unknown> {
  const answer = request("resources/read", { uri });
  try {
    const result = await resultOf(server, answer);
    return JSON.parse(((result.contents as JsonObject[])[0] as JsonObject).text as string);
  } catch {
    return (await errorOf(server, answer)).code;
  }
}

Deno.test("resources/read reads an exact URI before templates, and templates in their order", async () => {
  const named = (uri: string, name: string) => resource({ uri, name, read: () => ({ name }) });
  const server = serverOf({ resources: [named("x://{a}", "first"), named("x://{b}", "second"), named("x://one", "exact")] });
  assert.deepEqual([await read(server, "x://one"), await read(server, "x://two")], [{ name: "exact" }, { name: "first" }]);
});

Deno.test("resources/read answers an absent resource with -32602 and its URI (M-RES-017, M-RES-020, M-ERR-012)", async () => {
  const server = serverOf({ resources: [resource({ uri: "x://{a}", name: "r", read: () => undefined })] });
  for (const uri of ["x://gone", "y://other"]) {
    assert.deepEqual(await errorOf(server, request("resources/read", { uri })), {
      code: -32602,
      message: "Resource not found",
      data: { uri },
    });
  }
  for (const uri of [undefined, null, 7, {}] as JsonValue[]) {
    assert.equal((await errorOf(server, request("resources/read", { uri }))).code, -32602);
  }
});

Deno.test("resources/read masks what a resource throws, and passes a ProtocolError (M-RES-018)", async () => {
  const fails = (error: unknown) =>
    serverOf({
      resources: [resource({
        uri: "x://a",
        name: "r",
        read: () => {
          throw error;
        },
      })],
    });
  assert.equal(
    (await errorOf(fails(new Error("SECRET")), request("resources/read", { uri: "x://a" }))).message,
    "Internal error",
  );
  assert.equal((await errorOf(fails(new ProtocolError(7, "own")), request("resources/read", { uri: "x://a" }))).code, 7);
});

Deno.test("resources/read matches query variables in any order, some absent (B067)", async () => {
  const server = templateServer("shop://i/{id}{?page,limit}");
  const expected: readonly (readonly [string, unknown])[] = [
    ["shop://i/1", { id: "1" }],
    ["shop://i/1?page=2", { id: "1", page: "2" }],
    ["shop://i/1?limit=5", { id: "1", limit: "5" }],
    ["shop://i/1?limit=5&page=2", { id: "1", page: "2", limit: "5" }],
    ["shop://i/1?page=", { id: "1", page: "" }],
    ["shop://i/1/x?page=2", -32602],
  ];
  for (const [uri, variables] of expected) assert.deepEqual(await read(server, uri), variables, uri);
  for (const uri of ["shop://i/1?page=2&other=9", "shop://i/1?PAGE=2"]) {
    assert.equal((await read(server, uri) as JsonObject).id, "1", uri);
  }
});

Deno.test("resources/read decodes variables once, and reads a template whose literals are escaped (B068)", async () => {
  const server = templateServer("file:///lib/año/{n}");
  for (const uri of ["file:///lib/a%C3%B1o/x", "file:///lib/año/x"]) assert.deepEqual(await read(server, uri), { n: "x" }, uri);
  const any = templateServer("file:///{path}");
  assert.deepEqual(await read(any, "file:///a%20b"), { path: "a b" });
  assert.deepEqual(await read(any, "file:///%2541"), { path: "%41" });
});

Deno.test("resources/read finds nothing for broken escapes, and never fails inside (B068)", async () => {
  const server = templateServer("file:///{path}");
  for (const uri of ["file:///%ZZ", "file:///%E0%A4%A", "file:///%", "file:///%FF"]) {
    const found = await read(server, uri);
    assert.ok(found === -32602 || typeof found === "object", `${uri}: ${JSON.stringify(found)}`);
  }
});

Deno.test("resources/read takes the literals of a template literally (B070)", async () => {
  const server = templateServer("file://a.b/search?q={q}");
  assert.deepEqual(await read(server, "file://a.b/search?q=1"), { q: "1" });
  for (const uri of ["file://aXb/search?q=1", "file://a.b/searcq=1"]) assert.equal(await read(server, uri), -32602, uri);
});

Deno.test("resources/read keeps a variable named constructor apart from what objects have (B038)", async () => {
  assert.deepEqual(await read(templateServer("x://{constructor}"), "x://a"), { constructor: "a" });
});

Deno.test("resources/read asks matches where the shape can not be matched", async () => {
  const server = serverOf({
    resources: [resource({
      uri: "x://{a}{b}",
      name: "r",
      matches: (uri) => uri === "x://yes" || (uri.startsWith("x://v") ? { a: uri.slice(4) } : false),
      read: (variables) => ({ ...variables }),
    })],
  });
  assert.deepEqual([await read(server, "x://yes"), await read(server, "x://v1"), await read(server, "x://no")], [
    {},
    { a: "v1" },
    -32602,
  ]);
});

Deno.test("resources/read says for how long an answer may be kept: its own word, the resource's, the server's (M-CACHE-001)", async () => {
  const own = { contents: [{ uri: "x://own", text: "" }], ttlMs: 1, cacheScope: "public" };
  const server = serverOf({
    resources: [
      resource({ uri: "x://own", name: "own", ttlMs: 2, read: () => own }),
      resource({ uri: "x://resource", name: "resource", ttlMs: 2, cacheScope: "public", read: () => "" }),
      resource({ uri: "x://server", name: "server", read: () => "" }),
      resource({ uri: "x://some", name: "some", cacheScope: "public", visible: () => true, read: () => "" }),
    ],
  }, { cache: { read: { ttlMs: 3, cacheScope: "public" } } });
  const hint = async (name: string) => {
    const { ttlMs, cacheScope } = await resultOf(server, request("resources/read", { uri: `x://${name}` }));
    return [ttlMs, cacheScope];
  };
  assert.deepEqual(await hint("own"), [1, "public"]);
  assert.deepEqual(await hint("resource"), [2, "public"]);
  assert.deepEqual(await hint("server"), [3, "public"]);
  assert.deepEqual(await hint("some"), [3, "private"], "what only some callers see is private");
  const plain = templateServer("x://{a}");
  const { ttlMs, cacheScope } = await resultOf(plain, request("resources/read", { uri: "x://a" }));
  assert.deepEqual([ttlMs, cacheScope], [0, "private"]);
});

Deno.test("resources/read gives the URI as it was asked for", async () => {
  const server = serverOf({ resources: [resource({ uri: "x://{a}", name: "r", read: (_variables, { uri }) => ({ uri }) })] });
  assert.deepEqual(await read(server, "x://a%20b"), { uri: "x://a%20b" });
});

Deno.test("resources/list holds exact resources and what templates list; templates have their own list (M-RES-003, M-RES-034)", async () => {
  const server = serverOf({
    resources: [
      resource({ uri: "x://one", name: "one", read: () => "" }),
      resource({ uri: "x://{a}", name: "any", list: () => [{ uri: "x://two", name: "two" }], read: () => "" }),
      resource({
        uri: "y://{a}",
        name: "other",
        visible: () => false,
        list: () => [{ uri: "y://3", name: "3" }],
        read: () => "",
      }),
    ],
  });
  const listed = await resultOf(server, request("resources/list"));
  assert.deepEqual((listed.resources as JsonObject[]).map(({ uri }) => uri), ["x://one", "x://two"]);
  const templates = await resultOf(server, request("resources/templates/list"));
  assert.deepEqual((templates.resourceTemplates as JsonObject[]).map(({ uriTemplate }) => uriTemplate), ["x://{a}"]);
  assert.equal((await errorOf(server, request("resources/read", { uri: "y://3" }))).code, -32602);
});

Deno.test("resources/list masks a list that throws or is no JSON", async () => {
  for (const list of [() => [{ uri: "x://a", name: new Date() }], () => Promise.reject(new Error("SECRET"))]) {
    const server = serverOf({ resources: [resource({ uri: "x://{a}", name: "r", list, read: () => "" } as never)] });
    const error = await errorOf(server, request("resources/list"));
    assert.deepEqual([error.code, error.message], [-32603, "Internal error"]);
  }
});

Deno.test("resources/list is private when a template that lists is not shown to everybody", async () => {
  const scopeOf = async (visible?: () => boolean) => {
    const listed = resource({ uri: "x://{a}", name: "r", visible, list: () => [{ uri: "x://1", name: "one" }], read: () => "" });
    const server = serverOf({ resources: [listed] }, { cache: { resources: { ttlMs: 1000, cacheScope: "public" } } });
    return (await resultOf(server, request("resources/list"))).cacheScope;
  };
  assert.deepEqual([await scopeOf(), await scopeOf(() => false)], ["public", "private"]);
});
