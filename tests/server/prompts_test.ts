/** Tests of `server/prompts.ts`. */
import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../protocol/types.ts";
import { prompt } from "../../server/components/prompt.ts";
import { errorOf, request, resultOf, serverOf } from "./calls.ts";

const server = () =>
  serverOf({
    prompts: [
      prompt({
        name: "review",
        description: "Reviews",
        arguments: { code: { required: true }, focus: {} },
        render: (args) => JSON.stringify(args),
      }),
      prompt({ name: "constructor", render: () => "own" }),
      prompt({ name: "hidden", visible: () => false, render: () => "x" }),
      prompt({ name: "fails", render: () => Promise.reject(new Error("SECRET")) }),
    ],
  });

function text(result: JsonObject): unknown {
  return ((result.messages as JsonObject[])[0]?.content as JsonObject).text;
}

Deno.test("prompts/get renders with the arguments given", async () => {
  const result = await resultOf(server(), request("prompts/get", { name: "review", arguments: { code: "x", focus: "y" } }));
  assert.deepEqual([result.description, text(result)], ["Reviews", '{"code":"x","focus":"y"}']);
  assert.equal(text(await resultOf(server(), request("prompts/get", { name: "constructor" }))), "own");
});

Deno.test("prompts/get refuses unknown names, and arguments that are missing, unknown or no text (M-PROMPT-017, M-PROMPT-018, M-PROMPT-020, M-PROMPT-024)", async () => {
  const faults: readonly (readonly [JsonObject, RegExp])[] = [
    [{ name: "nope" }, /Unknown prompt: nope/],
    [{ name: "toString" }, /Unknown prompt/],
    [{ name: "__proto__" }, /Unknown prompt/],
    [{ name: "hidden" }, /Unknown prompt/],
    [{}, /name must be a string/],
    [{ name: 7 }, /name must be a string/],
    [{ name: "review" }, /argument code is required/],
    [{ name: "review", arguments: { focus: "y" } }, /argument code is required/],
    [{ name: "review", arguments: { code: 7 } }, /argument code must be a string/],
    [{ name: "review", arguments: { code: "x", other: "y" } }, /unknown argument other/],
    [{ name: "review", arguments: { code: "x", ["__proto__"]: "y" } }, /unknown argument __proto__/],
  ];
  for (const [params, expected] of faults) {
    const error = await errorOf(server(), request("prompts/get", params));
    assert.equal(error.code, -32602, JSON.stringify(params));
    assert.match(error.message, expected);
  }
  for (const args of [null, [], "x"] as JsonValue[]) {
    assert.equal((await errorOf(server(), request("prompts/get", { name: "review", arguments: args }))).code, -32602);
  }
});

Deno.test("prompts/get masks what render throws, and what is no message (M-PROMPT-019)", async () => {
  const error = await errorOf(server(), request("prompts/get", { name: "fails" }));
  assert.deepEqual([error.code, error.message], [-32603, "Internal error"]);
});

Deno.test("prompts/list shows what the caller may use (M-PROMPT-002)", async () => {
  const { prompts } = await resultOf(server(), request("prompts/list"));
  assert.deepEqual((prompts as JsonObject[]).map(({ name }) => name), ["review", "constructor", "fails"]);
});
