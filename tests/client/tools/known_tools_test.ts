import assert from "node:assert/strict";
import { inexactArgument, KnownTools } from "../../../client/tools/known_tools.ts";
import type { Tool } from "../../../client/mod.ts";

const tool = (name: string, header?: string): Tool => ({
  name,
  inputSchema: {
    type: "object",
    properties: { a: { type: "string", ...(header === undefined ? {} : { "x-mcp-header": header }) } },
  },
});

function known(overHttp: boolean, capacity = 10): { readonly tools: KnownTools; readonly reported: unknown[] } {
  const reported: unknown[] = [];
  return { reported, tools: new KnownTools({ mirrors: () => overHttp, capacity, report: (error) => void reported.push(error) }) };
}

Deno.test("KnownTools keeps every tool where there are no headers (M-HDR-027, B081)", () => {
  const { tools, reported } = known(false);
  assert.equal(tools.remember([tool("bad", "Foo Bar"), tool("good", "Region")], true).length, 2);
  assert.deepEqual(reported, []);
  assert.equal(tools.find("bad")?.fault, undefined);
  assert.deepEqual(tools.find("good")?.mirrored.map(({ header }) => header), ["mcp-param-region"]);
});

Deno.test("KnownTools warns of a fault once, and again when it changes (M-HDR-026)", () => {
  const { tools, reported } = known(true);
  for (const header of ["a b", "a b", "", "", "A"]) tools.remember([tool("x", header)], true);
  assert.equal(reported.length, 2);
  assert.equal(tools.find("x")?.fault, undefined);
});

Deno.test("KnownTools knows names by their letters and never by what objects inherit", () => {
  const { tools } = known(true);
  tools.remember([tool("getUser"), tool("__proto__")], true);
  assert.equal(tools.find("getuser"), undefined);
  assert.equal(tools.find("constructor"), undefined);
  assert.equal(tools.find("__proto__")?.name, "__proto__");
});

Deno.test("KnownTools is bounded: the oldest tools are forgotten first", () => {
  const { tools } = known(true, 3);
  for (const name of "abcd") tools.remember([tool(name)], false);
  tools.remember([tool("b")], false);
  tools.remember([tool("e")], false);
  assert.deepEqual(["a", "b", "c", "d", "e"].filter((name) => tools.find(name) !== undefined), ["b", "d", "e"]);
});

Deno.test("inexactArgument finds numbers that are not exact, at any depth (M-HDR-019)", () => {
  const mirrored = [{ header: "mcp-param-n", spelled: "N", path: ["a", "n"] }];
  assert.equal(inexactArgument(mirrored, { a: { n: 2 ** 53 } }), "a.n");
  assert.equal(inexactArgument(mirrored, { a: { n: -(2 ** 53 - 1) } }), undefined);
  assert.equal(inexactArgument(mirrored, { a: [] }), undefined);
  assert.equal(inexactArgument(mirrored, undefined), undefined);
});
