/** Tests of `server/lists/completion.ts`. */
import assert from "node:assert/strict";
import type { JsonObject, JsonValue } from "../../../protocol/types.ts";
import { prompt } from "../../../server/components/prompt.ts";
import { resource } from "../../../server/components/resource.ts";
import type { Complete } from "../../../server/components/resource.ts";
import { errorOf, request, resultOf, serverOf } from "../calls.ts";

const REF = { type: "ref/prompt", name: "p" };

/** A server whose prompt and template complete `a`. */
function completing(complete: Complete<string>) {
  return serverOf({
    prompts: [prompt({ name: "p", arguments: { a: {}, b: {} }, complete: { a: complete }, render: () => "" })],
    resources: [
      resource({ uri: "x://{a}/{b}", name: "t", complete: { a: complete }, read: () => "" }),
      resource({ uri: "x://exact", name: "e", read: () => "" }),
    ],
  });
}

async function values(complete: Complete<string>, params: JsonObject = {}): Promise<JsonObject> {
  const own = { ref: REF, argument: { name: "a", value: "" }, ...params };
  return (await resultOf(completing(complete), request("completion/complete", own))).completion as JsonObject;
}

Deno.test("completion/complete asks the completer with the prefix and the other values (M-COMP-002)", async () => {
  const seen: unknown[] = [];
  const complete: Complete<string> = (prefix, others, { method }) => {
    seen.push([prefix, { ...others }, method]);
    return ["one"];
  };
  const argument = { name: "a", value: "o" };
  const context = { arguments: { b: "chosen" } };
  for (const ref of [REF, { type: "ref/resource", uri: "x://{a}/{b}" }]) {
    assert.deepEqual(await values(complete, { ref, argument, context }), { values: ["one"], total: 1, hasMore: false });
  }
  assert.deepEqual(seen, [["o", { b: "chosen" }, "completion/complete"], ["o", { b: "chosen" }, "completion/complete"]]);
});

Deno.test("completion/complete gives at most 100 values and says that there are more (M-COMP-004)", async () => {
  const many = (count: number) => Array.from({ length: count }, (_, at) => `v${at}`);
  const hundred = await values(() => many(100));
  assert.deepEqual([(hundred.values as unknown[]).length, hundred.total, hundred.hasMore], [100, 100, false]);
  const more = await values(() => many(101));
  assert.deepEqual([(more.values as unknown[]).length, more.total, more.hasMore], [100, 101, true]);
  assert.deepEqual(await values(() => ({ values: ["a"], total: 7 })), { values: ["a"], total: 7, hasMore: true });
  assert.deepEqual(await values(() => ({ values: ["a"], hasMore: true })), { values: ["a"], total: 1, hasMore: true });
});

Deno.test("completion/complete has no values for arguments without a completer, and for exact resources", async () => {
  const none = { values: [], total: 0, hasMore: false };
  const complete = () => ["x"];
  assert.deepEqual(await values(complete, { argument: { name: "b", value: "" } }), none);
  assert.deepEqual(await values(complete, { ref: { type: "ref/resource", uri: "x://exact" } }), none);
});

Deno.test("completion/complete refuses unknown references and arguments with -32602 (B038, M-COMP-006, M-COMP-007, M-COMP-015)", async () => {
  const argument = { name: "a", value: "" };
  const faults: JsonObject[] = [
    { ref: { type: "ref/prompt", name: "nope" }, argument },
    { ref: { type: "ref/prompt", name: "constructor" }, argument },
    { ref: { type: "ref/resource", uri: "y://{a}" }, argument },
    { ref: { type: "ref/tool", name: "p" }, argument },
    { ref: "p", argument },
    { argument },
    { ref: REF },
    { ref: REF, argument: "a" },
    { ref: REF, argument: { name: "a" } },
    { ref: REF, argument: { name: "a", value: 7 } },
    { ref: REF, argument: { name: "nope", value: "" } },
    { ref: REF, argument: { name: "__proto__", value: "" } },
    { ref: { type: "ref/resource", uri: "x://{a}/{b}" }, argument: { name: "constructor", value: "" } },
    { ref: REF, argument, context: { arguments: { b: 7 } } },
    ...[null, 5, "x", []].map((context) => ({ ref: REF, argument, context })),
    { ref: REF, argument, context: { arguments: ["b"] as JsonValue } },
  ];
  for (const params of faults) {
    assert.equal(
      (await errorOf(completing(() => []), request("completion/complete", params))).code,
      -32602,
      JSON.stringify(params),
    );
  }
});

Deno.test("completion/complete masks a completer that throws or gives no list of strings (M-COMP-008)", async () => {
  for (const found of ["text", [7], { values: "x" }, undefined, null]) {
    const server = completing((() => found) as never);
    const error = await errorOf(server, request("completion/complete", { ref: REF, argument: { name: "a", value: "" } }));
    assert.deepEqual([error.code, error.message], [-32603, "Internal error"], JSON.stringify(found));
  }
});

Deno.test("completion/complete is unknown when nothing completes (M-COMP-005)", async () => {
  const server = serverOf({ prompts: [prompt({ name: "p", render: () => "" })] });
  assert.equal((await errorOf(server, request("completion/complete", { ref: REF }))).code, -32601);
});

Deno.test("completion of something that the caller does not see is refused as if it were unknown (M-COMP-018)", async () => {
  const complete = { a: () => ["SECRET"] };
  const server = serverOf({
    prompts: [prompt({ name: "p", arguments: { a: {} }, complete, visible: () => false, render: () => "" })],
    resources: [resource({ uri: "x://{a}", name: "t", complete, visible: () => false, read: () => "" })],
  });
  for (const ref of [REF, { type: "ref/resource", uri: "x://{a}" }]) {
    assert.equal(
      (await errorOf(server, request("completion/complete", { ref, argument: { name: "a", value: "" } }))).code,
      -32602,
    );
  }
});
