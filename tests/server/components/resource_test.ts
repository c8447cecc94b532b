/** Tests of `server/components/resource.ts`. */
import assert from "node:assert/strict";
import { resource, resourceParts } from "../../../server/components/resource.ts";

const READ = () => "text";

/** What a definition is refused with. */
function fault(options: object): string {
  try {
    resource({ uri: "a:b", name: "r", read: READ, ...options } as never);
  } catch (error) {
    assert.ok(error instanceof TypeError, String(error));
    return error.message;
  }
  throw new Error(`Expected a refusal of ${JSON.stringify(options)}`);
}

Deno.test("resource lists an exact URI with everything that was given (M-RES-026)", () => {
  const { definition, uri, kind } = resource({
    uri: "note://one",
    name: "one",
    title: "One",
    description: "The first",
    mimeType: "text/plain",
    size: 4,
    annotations: { priority: 0.5 },
    meta: { own: 1 },
    read: READ,
  });
  assert.deepEqual([kind, uri], ["resource", "note://one"]);
  assert.deepEqual({ ...definition }, {
    uri: "note://one",
    name: "one",
    title: "One",
    description: "The first",
    mimeType: "text/plain",
    size: 4,
    annotations: { priority: 0.5 },
    _meta: { own: 1 },
  });
});

Deno.test("resource lists a template as uriTemplate (M-RES-027)", () => {
  const { definition } = resource({ uri: "note://{id}", name: "note", size: 4, read: READ });
  assert.deepEqual({ ...definition }, { uriTemplate: "note://{id}", name: "note" });
});

Deno.test("resource refuses URIs without a scheme, and blanks (M-RES-016)", () => {
  for (const uri of ["", "note", "/a/b", "1a:b", ":a", "a b:c", "note://a b", "note://a\n"]) {
    assert.match(fault({ uri }), /^resources\.r\.uri: Expected /, uri);
  }
  assert.equal(fault({ name: undefined }), "resources.a:b.name: Expected a string");
  assert.equal(fault({ name: undefined, uri: 7 }), "resource.name: Expected a string");
  assert.match(fault({ uri: 7 }), /^resources\.r\.uri: Expected a string/);
  for (const uri of ["urn:isbn:1", "x+y-z.1:a", "https://example.com/"]) {
    assert.equal(resource({ uri, name: "r", read: READ }).uri, uri);
  }
});

Deno.test("resource refuses templates that can not be matched, with the reason (B070)", () => {
  for (const uri of ["x://{", "x://{}", "x://{=x}", "x://{a}{b}", "x://{a", "x://{a*}{b*}", "x://{a b}"]) {
    assert.match(fault({ uri }), /^resources\.r\.uri: /, uri);
  }
});

Deno.test("resource names the path and the rule of a faulty option", () => {
  assert.equal(fault({ name: "" }), "resources.a:b.name: Expected a non-empty string");
  assert.equal(fault({ read: "text" }), "resources.r.read: Expected a function");
  assert.equal(fault({ mime: "text/plain" }), "resources.r.mime: Unknown option, perhaps mimeType");
  assert.equal(fault({ list: () => [] }), "resources.r.list: Expected only beside a template");
  assert.match(fault({ ttlMs: -1 }), /^resources\.r\.ttlMs: Expected an integer of at least 0/);
  assert.match(fault({ ttlMs: 1.5 }), /^resources\.r\.ttlMs: /);
  assert.match(fault({ cacheScope: "shared" }), /^resources\.r\.cacheScope: Expected "public" or "private"/);
  assert.match(fault({ annotations: { priority: 2 } }), /^resources\.r\.annotations\.priority: /);
  assert.match(fault({ icons: [{ src: "a.png" }] }), /^resources\.r\.icons\[0\]\.src: /);
});

Deno.test("resource refuses a completer of no variable, also beside an exact URI", () => {
  const template = { uri: "x://{id}{?page}" };
  assert.match(fault({ ...template, complete: { other: () => [] } }), /^resources\.r\.complete\.other: .*which has id, page/);
  assert.match(fault({ ...template, complete: { id: [] } }), /^resources\.r\.complete\.id: Expected a function/);
  assert.match(fault({ complete: { id: () => [] } }), /^resources\.r\.complete: Expected only beside a template/);
});

Deno.test("resource takes any template when matches decides", () => {
  const value = resource({ uri: "x://{a}{b}", name: "r", matches: (uri) => uri === "x://ab", read: READ });
  assert.equal(resourceParts(value)?.template, undefined);
  assert.match(fault({ uri: "x://{a}", matches: true }), /^resources\.r\.matches: Expected a function/);
  assert.match(fault({ uri: "x://{a}", list: [] }), /^resources\.r\.list: Expected a function/);
});

Deno.test("resourceParts knows what resource made, and nothing else", () => {
  const value = resource({ uri: "a:b", name: "r", read: READ });
  assert.ok(Object.isFrozen(value));
  assert.ok(resourceParts(value));
  assert.deepEqual([resourceParts({ ...value }), resourceParts(undefined)], [undefined, undefined]);
});
