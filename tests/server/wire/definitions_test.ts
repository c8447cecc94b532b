/** Tests of what a server and its components must be defined with, and of what is listed for them (area BASE). */
import assert from "node:assert/strict";
import { defineServer, prompt, resource, tool } from "../../../server/mod.ts";
import type { Server } from "../../../server/mod.ts";
import { call } from "../wire.ts";
import type { Json } from "../wire.ts";

const components: [string, (more: Json) => unknown][] = [
  ["tool()", (more) => tool({ name: "a", handler: () => "x", ...more })],
  ["resource()", (more) => resource({ uri: "a:b", name: "a", read: () => "x", ...more })],
  ["prompt()", (more) => prompt({ name: "a", render: () => "x", ...more })],
  ["defineServer()", (more) => defineServer({ name: "a", version: "1", ...more })],
];

for (const [what, make] of components) {
  Deno.test(`${what} refuses icons without a src that is an https or data URI (M-BASE-037)`, () => {
    for (
      const src of [
        undefined,
        "",
        "a.png",
        "/a.png",
        "http://example.com/a.png",
        "javascript:alert(1)",
        "ftp://a/b",
        "https://",
        7,
      ]
    ) {
      assert.throws(() => make({ icons: [{ src }] }), /icons\[0\]\.src: Expected an absolute https or data URI/, String(src));
    }
    for (const src of ["https://example.com/a.png", "data:image/png;base64,AA=="]) {
      assert.doesNotThrow(() => make({ icons: [{ src }] }));
    }
  });

  Deno.test(`${what} refuses icons with another theme or odd sizes, and needs neither (M-BASE-037)`, () => {
    const src = "https://example.com/a.png";
    for (const theme of ["Dark", "", null]) {
      assert.throws(() => make({ icons: [{ src, theme }] }), /theme: Expected "light" or "dark"/);
    }
    for (const sizes of ["48x48", ["big"], ["48"], [48]]) {
      assert.throws(() => make({ icons: [{ src, sizes }] }), /sizes: Expected a list/);
    }
    assert.doesNotThrow(() => make({ icons: [{ src, theme: "light", sizes: ["48x48", "any"], mimeType: "image/png" }] }));
  });
}

for (const [what, make] of components) {
  Deno.test(`${what} refuses what has no name (M-BASE-038)`, () => {
    for (const name of [undefined, "", 7, null]) assert.throws(() => make({ name }), TypeError);
  });
}

Deno.test("server.fetch() lists names always and titles where they are given (M-BASE-038, M-RES-026, M-RES-027)", async () => {
  const server = defineServer({
    name: "names",
    version: "1",
    tools: [tool({ name: "plain", handler: () => "x" }), tool({ name: "titled", title: "Titled", handler: () => "x" })],
    resources: [
      resource({ uri: "a:b", name: "r", read: () => "x" }),
      resource({ uri: "a://{x}", name: "t", title: "T", read: () => "x" }),
    ],
    prompts: [prompt({ name: "p", title: "P", arguments: { a: { title: "A" } }, render: () => "x" })],
  }) as Server;
  const list = async (method: string, member: string): Promise<Json> =>
    (await call(server, method)).result[member].map(({ name, title }: Json) => [name, title]);
  assert.deepEqual(await list("tools/list", "tools"), [["plain", undefined], ["titled", "Titled"]]);
  assert.deepEqual(await list("resources/list", "resources"), [["r", undefined]]);
  assert.deepEqual(await list("resources/templates/list", "resourceTemplates"), [["t", "T"]]);
  assert.deepEqual(await list("prompts/list", "prompts"), [["p", "P"]]);
  assert.deepEqual((await call(server, "prompts/list")).result.prompts[0].arguments, [{ name: "a", title: "A" }]);
});

Deno.test("defineServer() wants a name and a version, and nothing else (M-BASE-039)", async () => {
  for (
    const options of [{}, { name: "a" }, { version: "1" }, { name: "", version: "1" }, { name: "a", version: "" }, {
      name: 1,
      version: "1",
    }]
  ) {
    assert.throws(() => defineServer(options as Json), /^TypeError: (name|version): Expected a non-empty string/);
  }
  const { result } = await call(defineServer({ name: "a", version: "1" }), "server/discover");
  assert.deepEqual(result._meta["io.modelcontextprotocol/serverInfo"], { name: "a", version: "1" });
});

Deno.test("defineServer() refuses two components under one name, naming both places", () => {
  const twice = [tool({ name: "a", handler: () => "x" }), tool({ name: "a", handler: () => "y" })];
  assert.throws(() => defineServer({ name: "a", version: "1", tools: twice }), /tools\[1\]: "a" is taken by tools\[0\] already/);
});
