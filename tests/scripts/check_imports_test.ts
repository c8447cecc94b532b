import assert from "node:assert/strict";
import { checkSources, findCycles } from "../../scripts/check_imports.ts";
import { readTokens } from "../../scripts/source_tokens.ts";

/** The problems of one file with this body. */
function problems(path: string, body: string): string[] {
  return checkSources(new Map([[path, `/** What it is. */\n${body}\n`]]), "@causeway/mcp").problems;
}

/** Asserts that exactly one problem is found, and that it says `sentence`. */
function assertFires(path: string, body: string, sentence: RegExp): void {
  const found = problems(path, body);
  assert.equal(found.length, 1, `${path}: ${body}: ${found.join("; ")}`);
  assert.match(found[0] ?? "", sentence);
}

function assertPasses(path: string, body: string): void {
  assert.deepEqual(problems(path, body), []);
}

Deno.test("checkSources holds each folder to its row", () => {
  const rows: [path: string, imports: string, allowed: boolean][] = [
    ["protocol/framing/sse_reader.ts", "eventsource-parser", true],
    ["protocol/framing/sse.ts", "eventsource-parser", false],
    ["protocol/framing/lines.ts", "eventsource-parser", false],
    ["protocol/framing/lines.ts", "../json.ts", false],
    ["protocol/auth/scopes.ts", "../json.ts", true],
    ["protocol/auth/scopes.ts", "../errors.ts", false],
    ["protocol/validators/ajv.ts", "ajv/dist/2020.js", true],
    ["protocol/validators/ajv.ts", "@cfworker/json-schema", false],
    ["protocol/validators/interpreter.ts", "@cfworker/json-schema", true],
    ["protocol/json_schema.ts", "ajv", false],
    ["protocol/headers.ts", "../transports/transport.ts", false],
    ["transports/peer.ts", "../protocol/json_rpc.ts", true],
    ["transports/peer.ts", "../client/client.ts", false],
    ["transports/node_http.ts", "srvx", true],
    ["transports/peer.ts", "srvx", false],
    ["client/auth/pkce.ts", "oauth4webapi", true],
    ["client/auth/pkce.ts", "../client.ts", false],
    ["client/extensions/tasks.ts", "../client.ts", true],
    ["client/extensions/tasks.ts", "../auth/mod.ts", false],
    ["protocol/extensions/skill_frontmatter.ts", "yaml", true],
    ["client/extensions/skills.ts", "yaml", false],
    ["client/connect.ts", "../transports/stdio_client.ts", true],
    ["client/client.ts", "../transports/transport.ts", true],
    ["client/client.ts", "../transports/stdio_client.ts", false],
    ["client/client.ts", "../server/server.ts", false],
    ["client/client.ts", "./auth/mod.ts", false],
    ["server/server.ts", "../transports/streamable_http_server.ts", true],
    ["server/server.ts", "./stores/memory.ts", true],
    ["server/server.ts", "./stores/redis.ts", false],
    ["server/server.ts", "./auth/mod.ts", false],
    ["server/server.ts", "../client/client.ts", false],
    ["server/auth/jwt.ts", "jose", true],
    ["server/auth/dpop.ts", "jose", true],
    ["server/http/fetch.ts", "jose", false],
    ["server/stores/redis.ts", "./store.ts", true],
    ["server/stores/redis.ts", "../server.ts", false],
    ["server/extensions/tasks.ts", "../stores/tasks.ts", true],
    ["testing.ts", "./client/mod.ts", true],
    ["testing.ts", "./testing/faulty.ts", true],
    ["testing/test_client.ts", "../client/connect.ts", true],
    ["testing/test_client.ts", "../testing.ts", false],
    ["client/client.ts", "../testing/faulty.ts", false],
    ["mod.ts", "./server/mod.ts", true],
    ["mod.ts", "./server/server.ts", false],
    ["examples/demo.ts", "@causeway/mcp/client", true],
    ["examples/demo.ts", "../client/mod.ts", false],
    ["server/server.ts", "../tests/tool.ts", false],
    ["server/server.ts", "@causeway/mcp/client", false],
    ["tests/server/tools_test.ts", "../../server/tools.ts", true],
    ["server/server.ts", "npm:ajv", false],
    ["elsewhere/x.ts", "./y.ts", false],
  ];
  for (const [path, specifier, allowed] of rows) {
    for (const body of [`import { x } from "${specifier}";`, `export * from "${specifier}";`, `await import("${specifier}");`]) {
      const found = problems(path, body);
      assert.equal(found.length, allowed ? 0 : 1, `${path}: ${body}: ${found.join("; ")}`);
    }
  }
  assertFires(
    "client/client.ts",
    'import type { A } from "../server/server.ts";',
    /:2: Imports server\/server\.ts: client\/ may not$/,
  );
  assertFires("protocol/json.ts", 'import "./../mod.ts";', /Imports mod\.ts/);
});

Deno.test("checkSources finds import cycles, types included", () => {
  const files = new Map([
    ["protocol/a.ts", '/** A. */\nimport type { B } from "./b.ts";'],
    ["protocol/b.ts", '/** B. */\nexport { C } from "./c.ts";'],
    ["protocol/c.ts", '/** C. */\nimport { A } from "./a.ts";'],
  ]);
  const { problems } = checkSources(files, "x");
  assert.deepEqual(problems, ["protocol/a.ts:1: Imports itself: protocol/a.ts → protocol/b.ts → protocol/c.ts → protocol/a.ts"]);
  assert.deepEqual(findCycles(new Map([["a", ["b", "c"]], ["b", ["c"]], ["c", []]])), []);
});

Deno.test("checkSources keeps runtimes to their files", () => {
  assertFires("client/client.ts", "Deno.exit(1);", /Names Deno/);
  assertFires("client/client.ts", 'process.getBuiltinModule("fs");', /Names getBuiltinModule/);
  assertFires("client/client.ts", 'load("node:fs");', /Names the built-in module node:fs/);
  assertPasses("transports/process.ts", 'Deno.exit(1); process.getBuiltinModule("node:fs");');
  assertFires("transports/process.ts", 'import { spawn } from "node:child_process";', /Imports node:child_process/);
  assertPasses("client/client.ts", '// Deno.exit\n/* node:fs */ const text = "Deno.exit";');
});

Deno.test("checkSources keeps protocol/ pure", () => {
  for (
    const body of [
      "fetch(url);",
      "crypto.subtle;",
      "new Date();",
      "setTimeout(f, 1);",
      "Math.random();",
      "globalThis.fetch(url);",
    ]
  ) {
    assertFires("protocol/json.ts", body, /protocol\/ is pure/);
    assertPasses("client/client.ts", body);
  }
  assertPasses("protocol/json.ts", "options.fetch(url); interface O { fetch?: F; Date: string }");
});

Deno.test("checkSources keeps console to the files that redirect it", () => {
  assertFires("server/server.ts", "console.log(1);", /Names console/);
  assertPasses("server/stdio.ts", "console.log = f;");
  assertPasses("server/server.ts", "options.console.log(1);");
});

Deno.test("checkSources keeps revisions to the dialects", () => {
  assertFires("server/server.ts", 'const a = "2026-07-28";', /Names the revision/);
  assertFires("server/server.ts", "const a = `v ${b} 2026-07-28`;", /Names the revision/);
  assertPasses("protocol/dialects/2026-07-28.ts", 'const a = "2026-07-28";');
  assertPasses("protocol/types.ts", '/** "2026-07-28" */ export type ProtocolVersion = "2026-07-28" | "2025-11-25";');
  assertFires("protocol/types.ts", 'export type ProtocolVersion = string; const a = "2026-07-28";', /Names the revision/);
  assertFires("server/server.ts", 'if (dialect.era === "modern") f();', /Compares era/);
  assertFires("server/server.ts", 'if ("modern" !== a.dialect?.era) f();', /Compares era/);
  assertFires("server/server.ts", "switch (client.server.era) {}", /Compares era/);
  assertFires("server/server.ts", 'if (a.protocolVersion == "x") f();', /Compares protocolVersion/);
  assertPasses(
    "server/server.ts",
    'const a = { era: dialect.era, b: x === "y" }; if (a.protocolVersion === b.protocolVersion) f();',
  );
});

Deno.test("checkSources holds files to the habits of the house", () => {
  assertFires("server/server.ts", "export default 1;", /Exports a default/);
  assertFires("client/client.ts", "await import(name);", /Imports a computed name/);
  assertFires("client/client.ts", "await import(`./${name}`);", /Imports a computed name/);
  assertFires("client/client.ts", "await using x = f();", /Uses `using`/);
  assertFires("protocol/json.ts", "class A {}", /Declares a class/);
  assertPasses("protocol/errors.ts", "export class A extends Error {}");
  assertFires("client/index.ts", "", /Is called index\.ts/);
  const { problems } = checkSources(new Map([["client/client.ts", "const a = 1;"]]), "x");
  assert.deepEqual(problems, ["client/client.ts:1: Does not open with a sentence that says what the file is"]);
});

Deno.test("checkSources warns of long files and functions", () => {
  const long = "  g();\n".repeat(60);
  const warnings = (body: string): string[] => checkSources(new Map([["client/a.ts", `/** A. */\n${body}`]]), "x").warnings;
  assert.equal(warnings("// x\n".repeat(299)).length, 0);
  assert.equal(warnings("// x\n".repeat(300)).length, 1);
  for (
    const head of [
      "function f()",
      "function f(): { a: string }",
      "const f = (): void =>",
      "const f = async () =>",
      "class A { b(c: D): Promise<E>",
    ]
  ) {
    assert.equal(warnings(`${head} {\n${long}}`).length, 1, head);
  }
  for (const head of ["if (f())", "for (const a of b())", "class A", "const a =", "interface A"]) {
    assert.equal(warnings(`${head} {\n${long}}`).length, 0, head);
  }
});

Deno.test("readTokens tells code from comments, strings, templates and regular expressions", () => {
  const source = "a // b\n/* c */ 'd\\'e' `f${{ g: `h` }.g}i` = /j[/]k/g ; x / y";
  assert.deepEqual(
    readTokens(source).map(({ kind, text }) => `${kind} ${text}`),
    [
      "word a",
      "string d\\'e",
      "template f",
      "punct {",
      "word g",
      "punct :",
      "template h",
      "punct }",
      "punct .",
      "word g",
      "template i",
      "punct =",
      "regex /j[/]k/g",
      "punct ;",
      "word x",
      "punct /",
      "word y",
    ],
  );
});
