/** Tests of `server/components/component.ts` and `server/components/annotations.ts`. */
import assert from "node:assert/strict";
import { checkAnnotations } from "../../../server/components/annotations.ts";
import { checkComponent, checkIcons, checkMeta, commonMembers, COMPONENT_KEYS } from "../../../server/components/component.ts";
import { defineServer } from "../../../server/server.ts";
import { resource } from "../../../server/components/resource.ts";
import { tool } from "../../../server/components/tool.ts";

const KNOWN = new Set(COMPONENT_KEYS);

Deno.test("checkComponent refuses unknown options and texts that are none, naming the path", () => {
  assert.throws(
    () => checkComponent({ titel: "x" } as never, KNOWN, "tools.a"),
    /^TypeError: tools\.a\.titel: Unknown option, perhaps title$/,
  );
  assert.throws(() => checkComponent({ title: 1 } as never, KNOWN, "tools.a"), /^TypeError: tools\.a\.title: Expected a string$/);
  assert.throws(() => checkComponent({ description: {} } as never, KNOWN, "p"), /^TypeError: p\.description: Expected a string$/);
  assert.throws(() => checkComponent({ visible: true } as never, KNOWN, "p"), /^TypeError: p\.visible: Expected a function$/);
  checkComponent({ title: "x", description: undefined, icons: [], meta: {}, visible: () => true }, KNOWN, "p");
});

Deno.test("checkComponent takes scopes that are some, each once", () => {
  checkComponent({ scopes: ["a", "b:c"] }, KNOWN, "tools.a");
  checkComponent({ scopes: undefined }, KNOWN, "tools.a");
  for (const scopes of ["a", ["a", "a"], ["a b"], [7]]) {
    assert.throws(() => checkComponent({ scopes } as never, KNOWN, "tools.a"), /^TypeError: tools\.a\.scopes: Expected a list/);
  }
});

Deno.test("checkIcons takes https and data URIs with known members alone (M-BASE-037)", () => {
  const src = "https://example.com/a.png";
  checkIcons(
    [{ src, mimeType: "image/png", sizes: ["48x48", "any"], theme: "light" }, { src: "data:image/png;base64,AA==" }],
    "p",
  );
  const faults: readonly [unknown, RegExp][] = [
    [{}, /p\.icons: Expected a list/],
    [[{ src: "http://example.com/a.png" }], /p\.icons\[0\]\.src: Expected an absolute https or data URI/],
    [[{ src: "/a.png" }], /p\.icons\[0\]\.src/],
    [[{ src: "javascript:alert(1)" }], /p\.icons\[0\]\.src/],
    [[{}], /p\.icons\[0\]\.src/],
    [[{ src }, { src, size: "48x48" }], /p\.icons\[1\]\.size: Unknown option, perhaps sizes/],
    [[{ src, theme: "blue" }], /p\.icons\[0\]\.theme: Expected "light" or "dark"/],
    [[{ src, sizes: "48x48" }], /p\.icons\[0\]\.sizes/],
    [[{ src, sizes: ["big"] }], /p\.icons\[0\]\.sizes/],
  ];
  for (const [icons, expected] of faults) assert.throws(() => checkIcons(icons as never, "p"), expected);
});

Deno.test("checkIcons refuses a list that holds no icons, with a sentence", () => {
  for (const icon of [null, "https://example.com/a.png", undefined]) {
    assert.throws(() => checkIcons([icon] as never, "p"), /^TypeError: p\.icons\[0\]/);
  }
});

Deno.test("checkMeta refuses reserved and malformed keys, and values that JSON can not carry", () => {
  checkMeta({ "example.com/a": 1, own: { b: [1] }, "a.b.c/": true }, "p");
  for (const key of ["io.modelcontextprotocol/x", "com.mcp/x", "modelcontextprotocol.io..x/y", "/x", "-a", "a/-", "1a/x"]) {
    assert.throws(() => checkMeta({ [key]: 1 }, "p"), /^TypeError: p\.meta: The key /, key);
  }
  assert.throws(() => checkMeta({ own: new Date() } as never, "p"), /^TypeError: p\.meta\.own: A Date/);
});

Deno.test("commonMembers leaves out what is absent", () => {
  assert.deepEqual(commonMembers({ title: undefined }), {});
  assert.deepEqual(commonMembers({ title: "T", description: "D", icons: [] }), { title: "T", description: "D", icons: [] });
});

Deno.test("checkAnnotations keeps the rules for priority, audience and lastModified (M-RES-031, M-RES-032, M-RES-033)", () => {
  checkAnnotations({ priority: 0, audience: ["user", "assistant"], lastModified: "2026-07-28T10:00:00Z" }, "p");
  checkAnnotations({ priority: 1, audience: [] }, "p");
  for (const priority of [-0.1, 1.1, NaN, "1"]) {
    assert.throws(() => checkAnnotations({ priority } as never, "p"), /^TypeError: p\.annotations\.priority: Expected a number/);
  }
  for (const audience of ["user", ["model"]]) {
    assert.throws(() => checkAnnotations({ audience } as never, "p"), /^TypeError: p\.annotations\.audience/);
  }
  for (const lastModified of ["yesterday", 7, "2026-1-1"]) {
    assert.throws(() => checkAnnotations({ lastModified } as never, "p"), /^TypeError: p\.annotations\.lastModified/);
  }
});

Deno.test("definitions refuse members of the wrong type, which would spoil their list for strict clients", () => {
  const cases: readonly [() => unknown, RegExp][] = [
    [() => tool({ name: "a", handler: () => "", annotations: null as never }), /^tools\.a\.annotations: Expected an object$/],
    [() => tool({ name: "a", handler: () => "", annotations: { title: 1 } as never }), /^tools\.a\.annotations\.title: /],
    [
      () => tool({ name: "a", handler: () => "", annotations: { readOnlyHint: "yes" } as never }),
      /^tools\.a\.annotations\.readOnlyHint: Expected true or false$/,
    ],
    [() => tool({ name: "a", handler: () => "", meta: 5 as never }), /^tools\.a\.meta: Expected an object$/],
    [() => resource({ uri: "a:b", name: "a", read: () => "", mimeType: 1 as never }), /^resources\.a\.mimeType: /],
    [() => resource({ uri: "a:b", name: "a", read: () => "", size: -1 }), /^resources\.a\.size: /],
    [() => resource({ uri: "a:b", name: "a", read: () => "", annotations: [] as never }), /^resources\.a\.annotations: Expected/],
  ];
  for (const [define, message] of cases) assert.throws(define, { name: "TypeError", message });
});

Deno.test("options that should be lists say so when they are one text", () => {
  for (const name of ["hosts", "origins", "stateKeys", "versions"]) {
    const options = { name: "a", version: "1", [name]: "example.com" } as never;
    assert.throws(() => defineServer(options), { name: "TypeError", message: `${name}: Expected a list` }, name);
  }
  for (const limits of [null, 5, [], true]) {
    const options = { name: "a", version: "1", limits } as never;
    assert.throws(() => defineServer(options), { name: "TypeError", message: /^limits: Expected/ });
  }
});
