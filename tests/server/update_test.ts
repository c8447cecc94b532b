/** Tests of `server.update`. */
import assert from "node:assert/strict";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import type { AnyTool, Catalogue } from "../../server/components/component_types.ts";
import { prompt } from "../../server/components/prompt.ts";
import { resource } from "../../server/components/resource.ts";
import { memoryBus } from "../../server/stores/memory.ts";
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/components/tool.ts";
import { until } from "../until.ts";
import { answerOf, errorOf, gate, request, resultOf, serverOf, textOf, toolCall } from "./calls.ts";
import { onEveryWay } from "./eras.ts";
import { HANDSHAKE_VERSIONS, type Json, shakeHands } from "./handshake_client.ts";

const a = tool({ name: "a", handler: () => "from a" });
const b = tool({ name: "b", handler: () => "from b" });
const r = resource({ uri: "x:r", name: "r", read: () => "r" });
const t = resource({ uri: "x:{v}", name: "t", read: () => "t" });
const p = prompt({ name: "p", render: () => "p" });

const server = (): Server => serverOf({ tools: [a], resources: [r], prompts: [p] });

const names = async (one: Server, method: string, member: string): Promise<string[]> =>
  ((await resultOf(one, request(method)))[member] as Json[]).map(({ name }) => name);

let current: Server;
onEveryWay(
  "update swaps what is listed and called; fetch and handle stay the same functions",
  () => current = server(),
  async (way) => {
    const { fetch, handle } = current;
    await current.update(({ tools }) => ({ tools: [...tools, b] }));
    assert.deepEqual((await way.call("tools/list")).result.tools.map(({ name }: Json) => name), ["a", "b"]);
    assert.equal(textOf((await way.call("tools/call", { name: "b" })).result), "from b");
    await current.update({ tools: [b] });
    assert.ok((await way.call("tools/call", { name: "a" })).error !== undefined);
    assert.deepEqual((await way.call("prompts/list")).result.prompts.map(({ name }: Json) => name), ["p"]);
    assert.deepEqual([current.fetch, current.handle], [fetch, handle]);
  },
);

/** Counts what is told on a bus. */
function listening(): { readonly bus: ReturnType<typeof memoryBus>; readonly told: string[] } {
  const bus = memoryBus();
  const told: string[] = [];
  return {
    bus: {
      ...bus,
      publish: (topic, event) => {
        told.push((event as { readonly type: string }).type);
        return bus.publish(topic, event);
      },
      subscribe: (topic, listener) => bus.subscribe(topic, listener),
    },
    told,
  };
}

Deno.test("update tells of the lists that are others now, and of no other list", async () => {
  const { bus, told } = listening();
  const one = serverOf({ tools: [a, b], resources: [r, t], prompts: [p] }, { bus });
  const after = async (change: Parameters<Server["update"]>[0]): Promise<string[]> => {
    told.length = 0;
    await one.update(change);
    return [...told];
  };
  assert.deepEqual(await after({}), []);
  assert.deepEqual(await after({ tools: [a, b], resources: [r, t], prompts: [p] }), []);
  assert.deepEqual(await after({ tools: [tool({ name: "a", handler: () => "another handler" }), b] }), []);
  assert.equal(textOf(await resultOf(one, toolCall("a"))), "another handler");
  assert.deepEqual(await after({ tools: [b, a] }), ["toolsListChanged"]);
  assert.deepEqual(await after({ tools: [b] }), ["toolsListChanged"]);
  assert.deepEqual(await after({ tools: [tool({ name: "b", title: "B", handler: () => "" })] }), ["toolsListChanged"]);
  assert.deepEqual(await after({ tools: [tool({ name: "b", title: "B", visible: () => true, handler: () => "" })] }), [
    "toolsListChanged",
  ]);
  assert.deepEqual(await after({ resources: [r] }), ["resourcesListChanged"]);
  assert.deepEqual(await after({ resources: [], prompts: [] }), ["resourcesListChanged", "promptsListChanged"]);
});

Deno.test("update reaches change streams and sessions (M-TOOL-011)", async () => {
  const one = server();
  const stream = answerOf(one, request("subscriptions/listen", { notifications: { toolsListChanged: true } }, "s"));
  const clients = await Promise.all(HANDSHAKE_VERSIONS.map((version) => shakeHands(one, version)));
  await one.update({ tools: [a, b] });
  for (const client of clients) {
    await client.incoming("notifications/tools/list_changed");
    await client.close();
  }
  await one.close({ drain: 100 });
  const { notifications } = await stream;
  assert.deepEqual(notifications.map(({ method }) => method), [
    "notifications/subscriptions/acknowledged",
    "notifications/tools/list_changed",
  ]);
});

Deno.test("update: a fault leaves everything as it is, and tells nobody", async () => {
  const { bus, told } = listening();
  const one = serverOf({ tools: [a], resources: [r] }, { bus });
  const faults: readonly (readonly [unknown, RegExp])[] = [
    [{ tools: [a, a] }, /^TypeError: tools\[1\]: "a" is taken by tools\[0\] already/],
    [{ tools: [b], resources: [r, r] }, /^TypeError: resources\[1\]/],
    [{ tools: [{ name: "b" }] }, /^TypeError: tools\[0\]: Expected what tool\(\) returns/],
    [{ tools: "ab" }, /^TypeError: tools: Expected a list/],
    [{ tool: [] }, /^TypeError: update\.tool: Unknown option, perhaps tools/],
    [{ tools: [b], prompts: [p] }, /^TypeError: update\.prompts: The server was defined without prompts/],
    [null, /^TypeError: update: Expected an object/],
    [() => Promise.resolve({ tools: [b] }), /^TypeError: update: Expected an object/],
    [() => {
      throw new RangeError("mine");
    }, /^RangeError: mine/],
  ];
  for (const [change, sentence] of faults) {
    await assert.rejects(one.update(change as never), (error) => sentence.test(String(error)));
    assert.deepEqual(await names(one, "tools/list", "tools"), ["a"]);
    assert.deepEqual(await names(one, "resources/list", "resources"), ["r"]);
  }
  assert.deepEqual(told, []);
});

Deno.test("update: a call that runs ends with what it began with, and new ones get the new catalogue", async () => {
  const [released, entered] = [gate(), gate()];
  const slow = tool({
    name: "slow",
    output: { type: "object", properties: { v: { type: "number" } } },
    async handler() {
      entered.open();
      await released.passed;
      return { v: 1 };
    },
  });
  const one = serverOf({ tools: [slow] });
  const running = resultOf(one, toolCall("slow"));
  await entered.passed;
  await one.update({ tools: [tool({ name: "slow", handler: () => "quick" })] });
  assert.equal(textOf(await resultOf(one, toolCall("slow", {}, 2))), "quick");
  released.open();
  assert.deepEqual((await running).structuredContent, { v: 1 });
});

Deno.test("update: a function sees what there is, and two updates at once are one after the other", async () => {
  const one = server();
  const seen: Catalogue[] = [];
  const add = (name: string) =>
    one.update((now) => {
      seen.push(now);
      return { tools: [...now.tools, tool({ name, handler: () => name })] };
    });
  await Promise.all([add("x"), add("y")]);
  assert.deepEqual(await names(one, "tools/list", "tools"), ["a", "x", "y"]);
  assert.deepEqual(seen.map(({ tools }) => tools.length), [1, 2]);
  assert.deepEqual([seen[0]?.resources, seen[0]?.prompts], [[r], [p]]);
  assert.throws(() => (seen[0] as { tools: unknown }).tools = [], TypeError);
});

Deno.test("update: what becomes of a given list later does not reach the server", async () => {
  const one = server();
  const tools: AnyTool[] = [a];
  await one.update({ tools });
  tools.push(b);
  await one.update({ prompts: [] });
  assert.deepEqual(await names(one, "tools/list", "tools"), ["a"]);
});

Deno.test("update: pages of the old list lead nowhere in the new one", async () => {
  const one = serverOf({ tools: [a, b] }, { pageSize: 1 });
  const { nextCursor } = await resultOf(one, request("tools/list"));
  await one.update({ tools: [b, a] });
  assert.equal((await errorOf(one, request("tools/list", { cursor: nextCursor }))).code, -32602);
});

Deno.test("update: completion is declared from the first component on that completes, and stays declared", async () => {
  const one = serverOf({ prompts: [p] });
  const declared = async () => ((await resultOf(one, request("server/discover"))).capabilities as Json).completions;
  const ask = request("completion/complete", { ref: { type: "ref/prompt", name: "p" }, argument: { name: "x", value: "" } });
  assert.equal(await declared(), undefined);
  assert.equal((await errorOf(one, ask)).code, -32601);
  await one.update({ prompts: [prompt({ name: "p", arguments: { x: {} }, complete: { x: () => ["v"] }, render: () => "" })] });
  assert.deepEqual(await declared(), {});
  assert.deepEqual(((await resultOf(one, ask)).completion as Json).values, ["v"]);
  await one.update({ prompts: [prompt({ name: "p", arguments: { x: {} }, render: () => "" })] });
  assert.deepEqual(await declared(), {});
  assert.deepEqual(((await resultOf(one, ask)).completion as Json).values, []);
});

Deno.test("update rejects when the bus does not take the news; the catalogue is the new one", async () => {
  const bus = { ...memoryBus(), publish: () => Promise.reject(new Error("bus down")), subscribe: () => () => undefined };
  const one = serverOf({ tools: [a] }, { bus });
  await assert.rejects(one.update({ tools: [b] }), /bus down/);
  assert.deepEqual(await names(one, "tools/list", "tools"), ["b"]);
});

Deno.test("update and with: the other server has the components of its making", async () => {
  const one = server();
  await one.update({ tools: [b] });
  const other = one.with({ name: "other" });
  await one.update({ tools: [] });
  assert.deepEqual(await names(other, "tools/list", "tools"), ["b"]);
});

Deno.test("update from a handler of the server that is updated", async () => {
  const own: Server = serverOf({
    tools: [tool({
      name: "grow",
      async handler() {
        await own.update((now) => ({ tools: [...now.tools, b] }));
        return "grown";
      },
    })],
  });
  const heard: JsonRpcMessage[] = [];
  const client = await shakeHands(own);
  heard.push(await client.tool("grow"), await client.incoming("notifications/tools/list_changed"));
  await until(() => heard.length === 2);
  assert.equal(textOf((await client.tool("b")).result), "from b");
  await client.close();
});
