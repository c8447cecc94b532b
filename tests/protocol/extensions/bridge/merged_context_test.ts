import assert from "node:assert/strict";
import { mergedContext } from "../../../../protocol/extensions/bridge/merged_context.ts";
import { contextFault } from "../../../../protocol/extensions/bridge/context_fault.ts";
import { styleVariables } from "../../../../protocol/extensions/bridge/style_variables.ts";

Deno.test("apps 14 a change is merged member by member, not deeper, and unknown members are kept", () => {
  const context = { theme: "light", locale: "en", styles: { variables: { "--font-sans": "a" } }, "x-own": { a: 1 } } as const;
  const merged = mergedContext(context, { theme: "dark", locale: undefined, styles: { css: { fonts: "b" } }, "x-new": 2 });
  assert.deepEqual(merged, { theme: "dark", locale: "en", styles: { css: { fonts: "b" } }, "x-own": { a: 1 }, "x-new": 2 });
  assert.equal(context.theme, "light");
  const hostile = mergedContext({}, JSON.parse('{"__proto__":{"theme":"dark"}}'));
  assert.equal(hostile.theme, undefined);
});

Deno.test("apps 14 a context is open: unknown members pass, known ones of the wrong shape do not", () => {
  assert.equal(contextFault({ anything: [1], displayMode: "pip", safeAreaInsets: { top: 1 } }, "c"), undefined);
  const wrong = [
    { theme: "blue" },
    { displayMode: "window" },
    { availableDisplayModes: "inline" },
    { styles: { variables: { "--font-sans": 1 } } },
    { containerDimensions: { height: -1 } },
    { platform: "tv" },
    { toolInfo: {} },
    { deviceCapabilities: { touch: "yes" } },
  ];
  for (const context of wrong) {
    assert.match(contextFault(context, "c") ?? "", /^c\.\w+ has the wrong shape$/, JSON.stringify(context));
  }
});

Deno.test("apps 14 there are 76 style variables", () => {
  const names = styleVariables();
  assert.equal(names.size, 76);
  for (const name of ["--color-text-ghost", "--font-heading-3xl-line-height", "--border-radius-full", "--shadow-hairline"]) {
    assert.ok(names.has(name));
  }
  assert.ok(!names.has("--color-ring-ghost"));
});
