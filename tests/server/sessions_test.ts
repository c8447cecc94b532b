/** Tests of `server/sessions.ts`. */
import assert from "node:assert/strict";
import { DIALECTS } from "../loaded_dialects.ts";
import { resolveLimits } from "../../protocol/limits.ts";
import type { JsonRpcMessage } from "../../protocol/types.ts";
import { createNotify } from "../../server/changes/changes.ts";
import { Sessions } from "../../server/sessions.ts";
import { memoryBus } from "../../server/stores/memory.ts";
import { createSession } from "../../transports/session.ts";
import type { HandshakeState } from "../../transports/transport.ts";

const CAPABILITIES = { tools: { listChanged: true }, resources: { listChanged: true, subscribe: true } };

const VERSIONS = DIALECTS.filter(({ handshake }) => handshake !== undefined).map(({ version }) => version);

function stateOf(changes: Partial<HandshakeState> = {}): HandshakeState {
  return {
    version: VERSIONS[0] as string,
    clientInfo: { name: "c", version: "1" },
    clientCapabilities: {},
    initialized: true,
    subscriptions: [],
    ...changes,
  };
}

function setUp(buffer = 100) {
  const bus = memoryBus();
  let listening = 0;
  const counted = {
    publish: bus.publish,
    subscribe(topic: string, listener: (event: unknown) => void): () => void {
      listening++;
      const stop = bus.subscribe(topic, listener);
      return () => {
        listening--;
        stop();
      };
    },
  };
  const limits = resolveLimits({ subscriptionBuffer: buffer });
  const sessions = new Sessions({ bus: counted, limits, dialects: DIALECTS, capabilities: CAPABILITIES });
  const join = (state: HandshakeState | undefined, send?: (message: JsonRpcMessage) => Promise<void>) => {
    const got: JsonRpcMessage[] = [];
    const session = createSession({ state, send: send ?? ((message) => void got.push(message)) });
    sessions.join(session);
    return { session, got };
  };
  return { sessions, join, notify: createNotify(bus), listening: () => listening };
}

const methodsOf = (messages: readonly JsonRpcMessage[]) => messages.map((one) => "method" in one ? one.method : "response");

Deno.test("Sessions tells every ready session that a list has changed, in each handshake revision", async () => {
  const { join, notify } = setUp();
  const all = VERSIONS.map((version) => join(stateOf({ version })));
  const early = join(stateOf({ initialized: false }));
  const unopened = join(undefined);
  await notify.toolsChanged();
  await notify.resourcesChanged();
  await notify.promptsChanged();
  assert.ok(all.length >= 2);
  for (const { got } of all) {
    assert.deepEqual(
      got,
      [
        { jsonrpc: "2.0", method: "notifications/tools/list_changed" },
        { jsonrpc: "2.0", method: "notifications/resources/list_changed" },
      ].map((one, at) => ({ ...one, ...("params" in (got[at] ?? {}) ? { params: {} } : {}) })),
    );
  }
  assert.deepEqual([early.got, unopened.got], [[], []]);
});

Deno.test("Sessions tells of a resource only who subscribed to it, and follows the subscriptions (L-RES-002)", async () => {
  const { join, notify } = setUp();
  const one = join(stateOf({ subscriptions: ["a:"] }));
  const other = join(stateOf());
  await notify.resourceUpdated("a:");
  await notify.resourceUpdated("b:");
  assert.deepEqual(methodsOf(one.got), ["notifications/resources/updated"]);
  assert.deepEqual((one.got[0] as { params: unknown }).params, { uri: "a:" });
  one.session.update(stateOf({ subscriptions: ["b:"] }));
  other.session.update(stateOf({ subscriptions: ["a:"] }));
  await notify.resourceUpdated("a:");
  assert.deepEqual([one.got.length, other.got.length], [1, 1]);
});

Deno.test("Sessions listens on the bus once, and not at all when the last session has ended", () => {
  const { sessions, join, listening } = setUp();
  assert.equal(listening(), 0);
  const all = [join(stateOf()), join(stateOf()), join(stateOf())];
  for (const { session } of all) sessions.join(session);
  assert.deepEqual([listening(), sessions.size], [1, 3]);
  for (const { session } of all) session.end();
  assert.deepEqual([listening(), sessions.size], [0, 0]);
  const late = join(stateOf());
  assert.equal(listening(), 1);
  late.session.end();
});

Deno.test("Sessions merges changes for a client that takes nothing", async () => {
  const { join, notify } = setUp(2);
  const waiting: (() => void)[] = [];
  const got: JsonRpcMessage[] = [];
  const { session } = join(stateOf({ subscriptions: ["a:"] }), (message) => {
    got.push(message);
    return new Promise((resolve) => waiting.push(resolve));
  });
  for (let turn = 0; turn < 100; turn++) {
    await notify.toolsChanged();
    await notify.resourceUpdated("a:");
  }
  assert.equal(got.length, 2);
  while (waiting.length > 0) {
    waiting.shift()?.();
    for (let turn = 0; turn < 5; turn++) await Promise.resolve();
  }
  assert.equal(got.length, 4);
  session.end();
});

Deno.test("Sessions that were closed tell nobody anything, and take nobody", async () => {
  const { sessions, join, notify, listening } = setUp();
  const { got } = join(stateOf());
  sessions.close();
  join(stateOf());
  await notify.toolsChanged();
  assert.deepEqual([got.length, listening(), sessions.size], [0, 0, 0]);
});
