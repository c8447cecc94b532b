import assert from "node:assert/strict";
import { appTools, modelTools, toolUiUri, toolVisibility, visibilityFault } from "../../../protocol/extensions/app_tool.ts";
import { APP_LIMITS } from "../../../protocol/limits.ts";
import type { JsonObject } from "../../../protocol/types.ts";

const FLAT = "ui/resourceUri";

function tool(name: string, _meta?: JsonObject): { readonly name: string; readonly _meta?: JsonObject } {
  return _meta === undefined ? { name } : { name, _meta };
}

Deno.test("apps 02 toolUiUri reads the nested key, then the flat one, and nothing else", () => {
  assert.equal(toolUiUri(tool("a")), undefined);
  assert.equal(toolUiUri(tool("a", {})), undefined);
  assert.equal(toolUiUri(tool("a", { ui: {} })), undefined);
  assert.equal(toolUiUri(tool("a", { ui: { resourceUri: "ui://a/x" } })), "ui://a/x");
  assert.equal(toolUiUri(tool("a", { [FLAT]: "ui://a/flat" })), "ui://a/flat");
  assert.equal(toolUiUri(tool("a", { ui: { visibility: ["app"] }, [FLAT]: "ui://a/flat" })), "ui://a/flat");
  assert.equal(toolUiUri(tool("a", { ui: { resourceUri: "ui://a/x" }, [FLAT]: "ui://a/flat" })), "ui://a/x");
  assert.equal(toolUiUri(tool("a", Object.create({ ui: { resourceUri: "ui://a/x" } }))), undefined);
});

Deno.test("apps 02 toolUiUri throws for a value that is no ui:// URI, also beside one that is", () => {
  for (
    const uri of [
      "https://a",
      "UI://a",
      "ui:a",
      "ui:/a",
      "ui://",
      " ui://a",
      "ui://a b",
      "ui://a\n",
      "ui://ä",
      "",
      null,
      7,
      {},
      `ui://${"a".repeat(APP_LIMITS.uriLength)}`,
    ]
  ) {
    assert.throws(() => toolUiUri(tool("a", { ui: { resourceUri: uri }, [FLAT]: "ui://a" })), TypeError, String(uri));
    assert.throws(() => toolUiUri(tool("a", { [FLAT]: uri })), TypeError, String(uri));
  }
});

Deno.test("apps 05 a tool without visibility is for both, and one with an empty or unknown one for nobody", () => {
  const cases: readonly (readonly [meta: JsonObject | undefined, expected: readonly string[]])[] = [
    [undefined, ["model", "app"]],
    [{ ui: {} }, ["model", "app"]],
    [{ ui: { visibility: ["model", "app"] } }, ["model", "app"]],
    [{ ui: { visibility: ["app"] } }, ["app"]],
    [{ ui: { visibility: ["model"] } }, ["model"]],
    [{ ui: { visibility: [] } }, []],
    [{ ui: { visibility: ["model", "everyone"] } }, []],
    [{ ui: { visibility: ["App"] } }, []],
    [{ ui: { visibility: "model" } }, []],
    [{ ui: { visibility: null } }, []],
    [{ ui: "model" }, []],
  ];
  for (const [meta, expected] of cases) assert.deepEqual(toolVisibility(tool("a", meta)), expected, JSON.stringify(meta));
  const tools = cases.map(([meta], at) => tool(`t${at}`, meta));
  assert.deepEqual(modelTools(tools).map(({ name }) => name), ["t0", "t1", "t2", "t4"]);
  assert.deepEqual(appTools(tools).map(({ name }) => name), ["t0", "t1", "t2", "t3"]);
});

Deno.test("apps 05 visibilityFault names the entry that is wrong", () => {
  assert.equal(visibilityFault(["app"], "v"), undefined);
  assert.equal(visibilityFault([], "v"), 'v: Expected a list with "model", "app" or both');
  assert.equal(visibilityFault(["app", "x"], "v"), 'v[1]: Expected "model" or "app"');
});
