/** Tests of `server/components/catalogue.ts`. */
import assert from "node:assert/strict";
import { createCatalogue } from "../../../server/components/catalogue.ts";
import { prompt } from "../../../server/components/prompt.ts";
import { resource } from "../../../server/components/resource.ts";
import { tool } from "../../../server/components/tool.ts";

const a = tool({ name: "a", handler: () => "" });
const exact = resource({ uri: "x://one", name: "one", read: () => "" });
const template = resource({ uri: "x://{id}", name: "any", read: () => "" });
const greet = prompt({ name: "greet", render: () => "" });

/** What a catalogue of these is refused with. */
function fault(given: object): string {
  try {
    createCatalogue({ tools: undefined, resources: undefined, prompts: undefined, ...given } as never);
  } catch (error) {
    assert.ok(error instanceof TypeError, String(error));
    return error.message;
  }
  throw new Error("Expected a refusal");
}

Deno.test("createCatalogue finds components by name and URI, and keeps templates in order", () => {
  const other = resource({ uri: "y://{id}", name: "other", read: () => "" });
  const catalogue = createCatalogue({ tools: [a], resources: [template, exact, other], prompts: [greet] });
  assert.deepEqual([...catalogue.toolsByName.keys()], ["a"]);
  assert.deepEqual([...catalogue.resourcesByUri.keys()], ["x://one"]);
  assert.deepEqual(catalogue.templates.map(({ key }) => key), ["x://{id}", "y://{id}"]);
  assert.deepEqual([...catalogue.promptsByName.keys()], ["greet"]);
  assert.ok(Object.isFrozen(catalogue));
});

Deno.test("createCatalogue names both places of what is taken twice (M-TOOL-027)", () => {
  const b = tool({ name: "b", handler: () => "" });
  assert.equal(fault({ tools: [b, a, b] }), 'tools[2]: "b" is taken by tools[0] already');
  assert.equal(fault({ resources: [exact, exact] }), 'resources[1]: "x://one" is taken by resources[0] already');
  assert.equal(fault({ resources: [template, template] }), 'resources[1]: "x://{id}" is taken by resources[0] already');
  assert.equal(fault({ prompts: [greet, greet] }), 'prompts[1]: "greet" is taken by prompts[0] already');
});

Deno.test("createCatalogue keeps names apart that differ by case, and names of Object's members (M-TOOL-024, B038)", () => {
  const names = ["a", "A", "__proto__", "constructor"];
  const { toolsByName } = createCatalogue({
    tools: names.map((name) => tool({ name, handler: () => "" })),
    resources: undefined,
    prompts: undefined,
  });
  assert.deepEqual([...toolsByName.keys()], names);
});

Deno.test("createCatalogue refuses what is no component of its kind, naming the place", () => {
  assert.equal(fault({ tools: [a, greet] }), "tools[1]: Expected what tool() returns");
  assert.equal(fault({ prompts: [a] }), "prompts[0]: Expected what prompt() returns");
  assert.equal(fault({ resources: ["x://one"] }), "resources[0]: Expected what resource() returns");
  for (const item of [null, undefined, {}, { ...a }]) {
    assert.equal(fault({ tools: [item] }), "tools[0]: Expected what tool() returns");
  }
  assert.equal(fault({ tools: { a } }), "tools: Expected a list");
});

Deno.test("createCatalogue knows whether anything completes", () => {
  const completes = (given: object): boolean =>
    createCatalogue({ tools: undefined, resources: undefined, prompts: undefined, ...given }).completes;
  assert.equal(completes({ prompts: [greet], resources: [template] }), false);
  assert.equal(
    completes({ prompts: [prompt({ name: "p", arguments: { a: {} }, complete: { a: () => [] }, render: () => "" })] }),
    true,
  );
  assert.equal(
    completes({ resources: [resource({ uri: "x://{id}", name: "r", complete: { id: () => [] }, read: () => "" })] }),
    true,
  );
});
