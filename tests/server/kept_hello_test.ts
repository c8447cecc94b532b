/** Tests of `server/kept_hello.ts`. */
import assert from "node:assert/strict";
import { HELLO_LENGTH, HELLO_TEXT_LENGTH } from "../../protocol/limits.ts";
import { keptHello } from "../../server/kept_hello.ts";

// deno-lint-ignore no-explicit-any
type Json = any;
const kept = (clientInfo: Json, clientCapabilities: Json = {}): Json => keptHello({ clientInfo, clientCapabilities });
const INFO = { name: "c", version: "1" };

Deno.test("keptHello keeps the names of a client, shortened, and nothing else of clientInfo", () => {
  const junk = Array.from({ length: 90_000 }, () => ({}));
  const info = {
    ...INFO,
    title: "t".repeat(250_000),
    description: 5,
    icons: [{ src: "data:," }],
    junk,
    websiteUrl: "https://a.example/",
  };
  assert.deepEqual(kept(info).clientInfo, { ...INFO, title: "t".repeat(HELLO_TEXT_LENGTH), websiteUrl: "https://a.example/" });
  assert.deepEqual(kept({ ...INFO, websiteUrl: "https://a.example/".padEnd(HELLO_TEXT_LENGTH + 1, "a") }).clientInfo, INFO);
  assert.deepEqual(kept(JSON.parse('{"name":"c","version":"1","__proto__":{"title":"x"}}')).clientInfo, INFO);
});

Deno.test("keptHello keeps the capabilities that mean something, without what else stands in them", () => {
  const big = { junk: "x".repeat(10_000) };
  const declared = {
    elicitation: { form: big, url: {}, ...big },
    sampling: { tools: big, context: true, other: {} },
    roots: { listChanged: true, ...big },
    unknown: big,
    extensions: { "com.example/a": { mimeTypes: ["text/html"] } },
    experimental: { own: { a: 1 } },
  };
  assert.deepEqual(kept(INFO, declared).clientCapabilities, {
    elicitation: { form: {}, url: {} },
    sampling: { tools: {}, context: true },
    roots: { listChanged: true },
    extensions: { "com.example/a": { mimeTypes: ["text/html"] } },
    experimental: { own: { a: 1 } },
  });
  assert.deepEqual(kept(INFO, { elicitation: true, roots: "x".repeat(9000) }).clientCapabilities, {
    elicitation: true,
    roots: null,
  });
});

Deno.test("keptHello refuses settings of extensions that make it too large", () => {
  for (const name of ["extensions", "experimental"]) {
    const fits = { [name]: { a: { text: "x".repeat(HELLO_LENGTH - 200) } } };
    assert.deepEqual(kept(INFO, fits).clientCapabilities, fits);
    assert.throws(() => kept(INFO, { [name]: { a: { list: Array(HELLO_LENGTH).fill({}) } } }), (error: Json) => {
      assert.deepEqual([error.code, error.data.limit], [-32602, HELLO_LENGTH]);
      return true;
    });
  }
});
