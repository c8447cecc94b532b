/** Tests of `visible`: what a caller may not see is not there for it, whatever it asks. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../../protocol/types.ts";
import { prompt } from "../../../server/components/prompt.ts";
import { resource } from "../../../server/components/resource.ts";
import { tool } from "../../../server/components/tool.ts";
import { isVisible } from "../../../server/access/is_visible.ts";
import { errorOf, request, resultOf, serverOf } from "../calls.ts";
import { onEveryWay } from "../eras.ts";
import type { Json } from "../handshake_client.ts";

const visible = () => false;
const ran: string[] = [];
const run = (name: string): string => {
  ran.push(name);
  return name;
};

const server = () =>
  serverOf({
    tools: [
      tool({ name: "open", handler: () => run("open") }),
      tool({ name: "hidden", visible, handler: () => run("hidden") }),
    ],
    resources: [
      resource({ uri: "x:open", name: "open", read: () => run("open") }),
      resource({ uri: "x:hidden", name: "hidden", visible, read: () => run("hidden") }),
      resource({
        uri: "y:{v}",
        name: "hidden_template",
        visible,
        list: () => [{ uri: "y:1", name: "one" }],
        complete: { v: () => [run("one")] },
        read: () => run("y"),
      }),
    ],
    prompts: [
      prompt({ name: "open", render: () => run("open") }),
      prompt({ name: "hidden", visible, arguments: { a: {} }, complete: { a: () => [run("a")] }, render: () => run("hidden") }),
    ],
  });

onEveryWay("visible hides a component from every list, call, completion and subscription", server, async (way) => {
  ran.length = 0;
  const names = async (method: string, member: string): Promise<string[]> =>
    ((await way.call(method)).result[member] as Json[]).map(({ name }) => name);
  assert.deepEqual(await names("tools/list", "tools"), ["open"]);
  assert.deepEqual(await names("prompts/list", "prompts"), ["open"]);
  assert.deepEqual(await names("resources/list", "resources"), ["open"]);
  assert.deepEqual(await names("resources/templates/list", "resourceTemplates"), []);
  const asked = (ref: JsonObject, name: string): JsonObject => ({ ref, argument: { name, value: "" } });
  const pairs: readonly (readonly [string, JsonObject, JsonObject])[] = [
    ["tools/call", { name: "hidden" }, { name: "nobody" }],
    ["prompts/get", { name: "hidden" }, { name: "nobody" }],
    ["resources/read", { uri: "x:hidden" }, { uri: "x:nobody" }],
    ["resources/read", { uri: "y:1" }, { uri: "z:1" }],
    [
      "completion/complete",
      asked({ type: "ref/prompt", name: "hidden" }, "a"),
      asked({ type: "ref/prompt", name: "nobody" }, "a"),
    ],
    [
      "completion/complete",
      asked({ type: "ref/resource", uri: "y:{v}" }, "v"),
      asked({ type: "ref/resource", uri: "z:{v}" }, "v"),
    ],
  ];
  for (const [method, hidden, unknown] of pairs) {
    const [found, expected] = [(await way.call(method, hidden)).error, (await way.call(method, unknown)).error];
    const anonymous = (error: Json): string => JSON.stringify(error).replaceAll(/hidden|nobody|y:1|z:1/g, "_");
    assert.equal(anonymous(found), anonymous(expected), method);
  }
  assert.deepEqual(ran, []);
});

Deno.test("isVisible takes nothing for a yes but true", () => {
  for (const answer of [undefined, 1, "yes", Promise.resolve(true), null]) {
    assert.equal(isVisible({ visible: () => answer as never }, () => ({}) as never), false);
  }
  assert.equal(isVisible({ visible: () => true }, () => ({}) as never), true);
  assert.equal(isVisible({}, () => assert.fail("nobody asks")), true);
});

Deno.test("a list of one request writes no other page than the one that is asked for", async () => {
  const looked = new Map<string, number>();
  const items = ["a", "b", "c", "d"].map((name) =>
    Object.defineProperty({ uri: `x:${name}` }, "name", {
      enumerable: true,
      get() {
        looked.set(name, (looked.get(name) ?? 0) + 1);
        return name;
      },
    }) as { readonly uri: string; readonly name: string }
  );
  const listed = serverOf(
    { resources: [resource({ uri: "x:{v}", name: "x", list: () => items, read: () => "" })] },
    { pageSize: 2 },
  );
  const first = await resultOf(listed, request("resources/list"));
  const once = looked.get("d");
  assert.equal(looked.get("a"), once, "each is looked at when the list is checked, and none is written yet");
  const second = await resultOf(listed, request("resources/list", { cursor: first.nextCursor }));
  assert.deepEqual([second.nextCursor, (second.resources as Json[]).map(({ uri }) => uri)], [undefined, ["x:c", "x:d"]]);
  assert.equal((await errorOf(listed, request("resources/list", { cursor: `${first.nextCursor}0` }))).code, -32602);
});
