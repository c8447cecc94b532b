import assert from "node:assert/strict";
import { bridgeMethods } from "../../../../protocol/extensions/bridge/bridge_methods.ts";
import { readBridgeMessage } from "../../../../protocol/extensions/bridge/read_bridge_message.ts";
import type { BridgeSide } from "../../../../protocol/extensions/bridge/bridge_types.ts";
import { createRandom, type Random } from "../../random.ts";
import { everyMessage, RESULTS, SPECIMENS } from "./bridge_specimens.ts";

const other = (side: BridgeSide): BridgeSide => side === "view" ? "host" : "view";

Deno.test("apps 09 every message of the bridge is read as it was sent, and there is a specimen of each", () => {
  for (const { from, kind, message } of everyMessage()) {
    const read = readBridgeMessage(structuredClone(message), from);
    const { jsonrpc: _, ...rest } = message;
    assert.deepEqual(read, { ok: true, message: { kind, ...rest } }, `${from} ${message.method}`);
  }
  for (const from of ["view", "host"] as const) {
    for (const kind of ["request", "notification"] as const) {
      assert.deepEqual(bridgeMethods(from, kind).toSorted(), Object.keys(SPECIMENS[from][kind]).toSorted());
    }
  }
});

Deno.test("apps 09 answers are read by the method of their request", () => {
  for (const from of ["view", "host"] as const) {
    for (const [method, result] of Object.entries(RESULTS[from])) {
      const asked = new Map([[3, method]]);
      const read = readBridgeMessage({ jsonrpc: "2.0", id: 3, result }, from, { asked });
      assert.deepEqual(read, { ok: true, message: { kind: "response", id: 3, method, result } });
      const error = { code: -32000, message: "Denied", data: { why: 1 } };
      const failed = readBridgeMessage({ jsonrpc: "2.0", id: 3, error }, from, { asked });
      assert.deepEqual(failed, { ok: true, message: { kind: "response", id: 3, method, error } });
    }
  }
  const { hostContext: _, ...incomplete } = RESULTS.host["ui/initialize"] as Record<string, never>;
  const read = readBridgeMessage({ jsonrpc: "2.0", id: 3, result: incomplete }, "host", {
    asked: new Map([[3, "ui/initialize"]]),
  });
  assert.ok(read.ok && read.message.kind === "response" && "error" in read.message);
  assert.match(read.message.error.message, /hostContext is missing/);
});

Deno.test("apps 09 an answer to nothing is refused, and answered by nobody", () => {
  for (const id of [3, "3", "__proto__", "constructor"]) {
    const read = readBridgeMessage({ jsonrpc: "2.0", id, result: {} }, "view", { asked: new Map([[4, "ping"]]) });
    assert.ok(!read.ok && read.id === undefined);
  }
});

Deno.test("apps 09 a message in the wrong direction is refused", () => {
  for (const { from, kind, message } of everyMessage()) {
    const method = message.method as string;
    if (bridgeMethods(other(from), kind).includes(method)) continue;
    const read = readBridgeMessage(message, other(from));
    assert.ok(!read.ok, method);
    assert.equal(read.error.code, -32601);
    assert.equal(read.id, kind === "request" ? 1 : undefined);
  }
});

Deno.test("apps 09 a request sent as a notification, and the other way round, is refused", () => {
  for (const { from, kind, message: { id: _, ...message } } of everyMessage()) {
    const read = readBridgeMessage(kind === "request" ? message : { ...message, id: 1 }, from);
    assert.ok(!read.ok, message.method as string);
  }
});

Deno.test("apps 09 messages of a proxy never come from a view", () => {
  for (
    const method of [
      "ui/notifications/sandbox-proxy-ready",
      "ui/notifications/sandbox-resource-ready",
      "ui/notifications/sandbox-x",
    ]
  ) {
    for (const from of ["view", "host"] as const) {
      assert.equal(readBridgeMessage({ jsonrpc: "2.0", method, params: { html: "" } }, from).ok, false);
    }
  }
});

Deno.test("apps 09 ui/message takes one block and a list, and gives a list", () => {
  const block = { type: "text", text: "Hi" };
  for (const content of [block, [block]]) {
    const read = readBridgeMessage({ jsonrpc: "2.0", id: 1, method: "ui/message", params: { role: "user", content } }, "view");
    assert.deepEqual(read.ok && read.message.kind === "request" && read.message.params, { role: "user", content: [block] });
  }
});

const MALFORMED: [method: string, params: unknown, why: RegExp][] = [
  ["ui/initialize", {}, /appInfo is missing/],
  ["ui/initialize", { ...SPECIMENS.view.request["ui/initialize"], appInfo: { name: "a" } }, /appInfo\.version is missing/],
  [
    "ui/initialize",
    { ...SPECIMENS.view.request["ui/initialize"], appCapabilities: { tools: 1 } },
    /appCapabilities\.tools is not an object/,
  ],
  [
    "ui/initialize",
    { ...SPECIMENS.view.request["ui/initialize"], appCapabilities: { availableDisplayModes: [1] } },
    /availableDisplayModes holds/,
  ],
  ["ui/open-link", {}, /url is missing/],
  ["ui/open-link", { url: 1 }, /url is not a string/],
  ["ui/message", { role: "assistant", content: [] }, /role is not "user"/],
  ["ui/message", { role: "user", content: "text" }, /content is not a list/],
  ["ui/message", { role: "user", content: [{ type: "video" }] }, /content\[0\] has a type/],
  ["ui/message", { role: "user", content: [{ type: "__proto__" }] }, /content\[0\] has a type/],
  ["ui/message", { role: "user", content: [{ type: "image", data: "" }] }, /content\[0\] has no mimeType/],
  ["ui/request-display-mode", { mode: "window" }, /mode is not a display mode/],
  ["ui/update-model-context", { structuredContent: [] }, /structuredContent is not an object/],
  ["ui/download-file", { contents: [{ type: "text", text: "" }] }, /contents\[0\] has a type/],
  ["ui/download-file", { contents: [{ type: "resource", resource: { uri: "a:b", text: "", blob: "" } }] }, /exactly one/],
  ["tools/call", { arguments: {} }, /name is missing/],
  ["tools/call", { name: "a", arguments: [] }, /arguments is not an object/],
  ["resources/read", { uri: null }, /uri is not a string/],
  ["ui/notifications/size-changed", { width: -1 }, /width is not a number of pixels/],
  ["notifications/message", { level: "loud", data: 1 }, /level is none/],
  ["notifications/message", { level: "info" }, /data is missing/],
  ["notifications/cancelled", { requestId: 1.5 }, /requestId is not a string or an integer/],
];

Deno.test("apps 09 params of the wrong shape are refused as invalid_bridge_params", () => {
  for (const [method, params, why] of MALFORMED) {
    const isNotice = method.includes("notifications/");
    const read = readBridgeMessage({ jsonrpc: "2.0", method, params, ...(isNotice ? {} : { id: "a" }) }, "view");
    assert.ok(!read.ok, method);
    assert.equal(read.error.code, -32602);
    assert.deepEqual(read.error.data, { reason: "invalid_bridge_params" });
    assert.match(read.error.message, why);
    assert.equal(read.id, isNotice ? undefined : "a");
  }
});

Deno.test("apps 09 inherited members count for nothing", () => {
  const params: unknown = Object.create({ url: "https://example.com/" });
  const read = readBridgeMessage({ jsonrpc: "2.0", id: 1, method: "ui/open-link", params }, "view");
  assert.equal(read.ok, false);
});

Deno.test("apps 09 a second request with an open id is dropped: an error would answer the first one", () => {
  const open = new Set<string | number>([1]);
  const ping = { jsonrpc: "2.0", method: "ping" };
  assert.deepEqual(idOf(readBridgeMessage({ ...ping, id: 1 }, "view", { open })), undefined);
  assert.equal(readBridgeMessage({ ...ping, id: "1" }, "view", { open }).ok, true, '1 and "1" are two ids');
  const broken = { jsonrpc: "2.0", id: 1, method: "ping", params: { at: new Date() } };
  assert.equal(idOf(readBridgeMessage(broken, "view", { open })), undefined);
  assert.equal(idOf(readBridgeMessage({ ...broken, id: 2 }, "view", { open })), 2);
});

Deno.test("apps 09 bounds: depth, elements, bytes, length of ids", () => {
  const call = (args: unknown, id: string | number = 1) => ({
    jsonrpc: "2.0",
    id,
    method: "tools/call",
    params: { name: "a", arguments: args },
  });
  let deep: unknown = {};
  for (let i = 0; i < 10_000; i++) deep = { deep };
  const cycle: Record<string, unknown> = {};
  cycle.self = cycle;
  let doubling: unknown = {};
  for (let i = 0; i < 40; i++) doubling = [doubling, doubling];
  const cases: [unknown, RegExp][] = [
    [call(deep), /nested deeper than 64 levels/],
    [call(cycle), /nested deeper than 64 levels/],
    [call(doubling), /more than 200000 JSON elements/],
    [call({ list: new Array(4_000_000_000) }), /more than 200000 JSON elements/],
    [call({ text: "é".repeat(2 ** 21) }), /more than 4194304 bytes/],
    [call({ date: new Date() }), /no plain one/],
    [call({ map: new Map() }), /no plain one/],
    [call({ big: 1n }), /a bigint/],
    [call({ not: NaN }), /no text for/],
  ];
  for (const [message, why] of cases) {
    const read = readBridgeMessage(message, "view");
    assert.ok(!read.ok);
    assert.match(read.error.message, why);
    assert.equal(read.id, 1);
  }
  assert.equal(idOf(readBridgeMessage(call({}, "x".repeat(257)), "view")), undefined);
  assert.equal(readBridgeMessage(call({}, "x".repeat(256)), "view").ok, true);
});

Deno.test("apps 09 undefined members vanish as in JSON, and what was read shares nothing with what came", () => {
  const args = { city: "Oslo", days: undefined, list: [undefined, 1] };
  const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: { name: "a", arguments: args, _meta: undefined } };
  const read = readBridgeMessage(message, "view");
  args.city = "Rome";
  assert.deepEqual(read.ok && read.message.kind === "request" && read.message.params, {
    name: "a",
    arguments: { city: "Oslo", list: [null, 1] },
  });
});

Deno.test("apps 09 what is no message never throws", () => {
  const trap = new Proxy({}, {
    get() {
      throw new Error("trap");
    },
    ownKeys() {
      throw new Error("trap");
    },
  });
  for (const value of [undefined, null, 1, "{}", [], {}, () => 1, Symbol("a"), trap, { jsonrpc: "1.0" }, { jsonrpc: "2.0" }]) {
    assert.equal(readBridgeMessage(value, "view").ok, false);
    assert.equal(readBridgeMessage(value, "host").ok, false);
  }
});

Deno.test("apps 09 hostile messages, seeded: each is read or refused, and what is read is plain JSON", () => {
  const random = createRandom(20260126);
  const sound = everyMessage();
  let read = 0;
  for (let i = 0; i < 8000; i++) {
    const { from, message } = random.pick(sound);
    const hostile = mutated(random, structuredClone(message), 4);
    const answer = readBridgeMessage(hostile, random.below(4) === 0 ? other(from) : from, {
      open: new Set([random.below(3)]),
      asked: new Map([[random.below(3), random.pick(["ping", "ui/initialize", "tools/call"])]]),
    });
    if (answer.ok) {
      read++;
      assert.deepEqual(JSON.parse(JSON.stringify(answer.message)), answer.message);
    } else {
      assert.ok(Number.isInteger(answer.error.code) && answer.error.message.length < 1000);
    }
  }
  assert.ok(read > 800 && read < 7200, `${read} of 8000 were sound`);
});

function idOf(read: ReturnType<typeof readBridgeMessage>): string | number | undefined {
  assert.ok(!read.ok);
  return read.id;
}

/** Changes something somewhere in a value. */
function mutated(random: Random, value: unknown, depth: number): unknown {
  const change = random.below(12);
  if (typeof value !== "object" || value === null || depth === 0 || change === 0) {
    return change > 8 ? value : random.pick<unknown>(
      [undefined, null, -1, 1.5, NaN, true, "", random.text(8), "__proto__", [], {}, [{}], new Date(0), 10n, { text: "a" }],
    );
  }
  const entries = Object.entries(value);
  const at = random.below(entries.length + 1);
  if (at === entries.length) {
    Object.defineProperty(value, random.pick(["__proto__", "id", "result", "toJSON", random.text(5)]), {
      value: random.pick<unknown>([1, "a", {}, null, () => "x"]),
      enumerable: true,
      configurable: true,
      writable: true,
    });
    return value;
  }
  const [key, member] = entries[at] as [string, unknown];
  if (change === 1) delete (value as Record<string, unknown>)[key];
  else (value as Record<string, unknown>)[key] = mutated(random, member, depth - 1);
  return value;
}
