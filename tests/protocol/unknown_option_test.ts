/** Tests of `protocol/unknown_option.ts`. */
import assert from "node:assert/strict";
import { checkOptionNames } from "../../protocol/unknown_option.ts";

const KNOWN = new Set(["timeout", "signal", "onProgress", "by"]);

function fault(options: unknown, open = false): string | undefined {
  try {
    checkOptionNames(options, KNOWN, "call.", open);
    return undefined;
  } catch (error) {
    assert.ok(error instanceof TypeError);
    return error.message;
  }
}

Deno.test("checkOptionNames names the option that nobody reads, and the one that was meant", () => {
  assert.equal(fault({ timeout: 1, signal: undefined }), undefined);
  assert.equal(fault({ timeOut: 1 }), "call.timeOut: Unknown option, perhaps timeout");
  assert.equal(fault({ onprogres: 1 }), "call.onprogres: Unknown option, perhaps onProgress");
  assert.equal(fault({ headers: {} }), "call.headers: Unknown option");
  assert.equal(fault({ xy: 1 }), "call.xy: Unknown option");
  assert.equal(fault(JSON.parse('{"__proto__":1}')), "call.__proto__: Unknown option");
  for (const nothing of [undefined, null, 5, "timeOut", []]) assert.equal(fault(nothing), "call: Expected an object");
});

Deno.test("checkOptionNames lets other names pass where there may be others, but for misspelt ones", () => {
  assert.equal(fault({ own: 1 }, true), undefined);
  assert.equal(fault({ Signal: 1 }, true), "call.Signal: Unknown option, perhaps signal");
});

Deno.test("checkOptionNames knows what other libraries call an option, where that option exists", () => {
  const habits = [
    ["execute", "handler"],
    ["run", "handler"],
    ["callback", "handler"],
    ["handler", "render"],
    ["load", "read"],
    ["canAccess", "visible"],
    ["callback", "read"],
    ["parameters", "input"],
    ["inputSchema", "input"],
    ["schema", "input"],
    ["schema", "arguments"],
    ["outputSchema", "output"],
    ["middleware", "use"],
    ["token", "auth"],
    ["allowedHosts", "hosts"],
    ["allowedOrigins", "origins"],
    ["cors", "origins"],
    ["requestInit", "headers"],
    ["elicitation", "form"],
  ] as const;
  for (const [name, meant] of habits) {
    const check = (known: string): void => checkOptionNames({ [name]: 1 }, new Set(["title", known]), "");
    assert.throws(() => check(meant), { name: "TypeError", message: `${name}: Unknown option, perhaps ${meant}` });
    assert.throws(() => check("x"), { name: "TypeError", message: `${name}: Unknown option` });
  }
});
