/** Tests of `server/components/prompt.ts`. */
import assert from "node:assert/strict";
import { prompt, promptParts } from "../../../server/components/prompt.ts";

const RENDER = () => "text";

/** What a definition is refused with. */
function fault(options: object): string {
  try {
    prompt({ name: "p", render: RENDER, ...options } as never);
  } catch (error) {
    assert.ok(error instanceof TypeError, String(error));
    return error.message;
  }
  throw new Error(`Expected a refusal of ${JSON.stringify(options)}`);
}

Deno.test("prompt lists its arguments in their order", () => {
  const { definition, name, kind } = prompt({
    name: "review",
    title: "Review",
    arguments: { code: { required: true, description: "The code" }, focus: { title: "Focus" } },
    meta: { own: 1 },
    render: RENDER,
  });
  assert.deepEqual([kind, name], ["prompt", "review"]);
  assert.deepEqual({ ...definition }, {
    name: "review",
    title: "Review",
    arguments: [{ name: "code", required: true, description: "The code" }, { name: "focus", title: "Focus" }],
    _meta: { own: 1 },
  });
  assert.deepEqual({ ...prompt({ name: "p", render: RENDER }).definition }, { name: "p" });
});

Deno.test("prompt names the path and the rule of a faulty option", () => {
  assert.equal(fault({ name: "" }), "prompts..name: Expected a non-empty string");
  assert.match(fault({ name: 7 }), /^prompt\.name: Expected a string/);
  assert.equal(fault({ render: "text" }), "prompts.p.render: Expected a function");
  assert.equal(fault({ args: {} }), "prompts.p.args: Unknown option, perhaps arguments");
  assert.equal(fault({ arguments: [{ name: "a" }] }), "prompts.p.arguments: Expected an object by name");
  assert.equal(fault({ arguments: { a: null } }), "prompts.p.arguments.a: Expected an object");
  assert.equal(fault({ arguments: { a: { type: "string" } } }), "prompts.p.arguments.a.type: Unknown option");
  assert.equal(
    fault({ arguments: { a: {} }, complete: { b: () => [] } }),
    "prompts.p.complete.b: Expected an argument of the prompt",
  );
  assert.equal(fault({ arguments: { a: {} }, complete: { a: [] } }), "prompts.p.complete.a: Expected a function");
  assert.match(fault({ icons: [{ src: "a.png" }] }), /^prompts\.p\.icons\[0\]\.src: /);
  assert.match(fault({ meta: { "io.modelcontextprotocol/x": 1 } }), /^prompts\.p\.meta: /);
});

Deno.test("promptParts knows what prompt made, and nothing else", () => {
  const value = prompt({ name: "p", arguments: { __proto__x: {} }, render: RENDER });
  assert.ok(Object.isFrozen(value));
  assert.deepEqual([...promptParts(value)?.arguments.keys() ?? []], ["__proto__x"]);
  assert.deepEqual([promptParts({ ...value }), promptParts(null)], [undefined, undefined]);
});
