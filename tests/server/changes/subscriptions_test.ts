/** Tests of `server/changes/subscriptions.ts`. */
import assert from "node:assert/strict";
import { ANSWER_BACKLOG, SUBSCRIBED_LENGTH } from "../../../protocol/limits.ts";
import type { JsonObject, JsonRpcMessage, JsonRpcNotification, JsonValue } from "../../../protocol/types.ts";
import { extension } from "../../../protocol/extensions/extension.ts";
import { resource } from "../../../server/components/resource.ts";
import { memoryBus } from "../../../server/stores/memory.ts";
import { tool } from "../../../server/components/tool.ts";
import type { Server } from "../../../server/server_types.ts";
import { errorOf, infoOf, request, serverOf, toolCall } from "../calls.ts";
import { pipeTo } from "../pipe.ts";

const PARTS = {
  tools: [tool({ name: "t", handler: () => "" })],
  resources: [resource({ uri: "file:///{a}", name: "r", read: () => "" })],
};

/** An open change stream. */
async function listen(server: Server, notifications: JsonObject, id: string | number = 1) {
  const answer = await server.handle(request("subscriptions/listen", { notifications }, id), infoOf());
  if (answer === undefined || !(Symbol.asyncIterator in answer)) {
    throw new Error(`Expected a stream, found ${JSON.stringify(answer)}`);
  }
  const stream = answer[Symbol.asyncIterator]();
  return {
    async next(): Promise<JsonObject> {
      const { value } = await stream.next();
      return value as unknown as JsonObject;
    },
    leave: () => stream.return?.(),
  };
}

/** The method and params of a notification, and under which subscription it came. */
function seen(message: JsonObject): unknown[] {
  const { _meta, ...params } = message.params as JsonObject;
  return [message.method, params, (_meta as JsonObject)["io.modelcontextprotocol/subscriptionId"]];
}

/** A bus that counts its listeners. */
function countedBus() {
  const bus = memoryBus();
  const counted = { listeners: 0, topics: new Set<string>() };
  return {
    counted,
    bus: {
      publish: bus.publish,
      subscribe(topic: string, listener: (event: unknown) => void): () => void {
        counted.listeners++;
        counted.topics.add(topic);
        const stop = bus.subscribe(topic, listener);
        return () => {
          counted.listeners--;
          stop();
        };
      },
    },
  };
}

Deno.test("a stream begins with the acknowledgement of what is honoured, tagged with its id (B082, M-SUB-003, M-SUB-006, M-SUB-008, M-SUB-009)", async () => {
  const server = serverOf(PARTS);
  const wanted = {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: false,
    resourceSubscriptions: ["file:///a"],
  };
  for (const id of [0, "", 1, "1"]) {
    const stream = await listen(server, wanted, id);
    assert.deepEqual(seen(await stream.next()), [
      "notifications/subscriptions/acknowledged",
      { notifications: { toolsListChanged: true, resourceSubscriptions: ["file:///a"] } },
      id,
    ]);
    await stream.leave();
  }
});

Deno.test("a change that is published while the stream opens does not overtake the acknowledgement (B082, M-SUB-004)", async () => {
  const server = serverOf(PARTS);
  const opening = listen(server, { toolsListChanged: true });
  server.notify.toolsChanged();
  const stream = await opening;
  server.notify.toolsChanged();
  assert.equal((await stream.next()).method, "notifications/subscriptions/acknowledged");
  assert.equal((await stream.next()).method, "notifications/tools/list_changed");
  await stream.leave();
});

Deno.test("only what was asked for comes: other kinds and other URIs do not (B082, M-SUB-001, M-SUB-002, M-RES-012, M-TOOL-013)", async () => {
  const server = serverOf(PARTS);
  const stream = await listen(server, { toolsListChanged: true, resourceSubscriptions: ["file:///a", "file:///a"] });
  await stream.next();
  await server.notify.resourcesChanged();
  await server.notify.promptsChanged();
  await server.notify.resourceUpdated("file:///b");
  await server.notify.resourceUpdated(new URL("file:///a"));
  await server.notify.toolsChanged();
  assert.deepEqual(seen(await stream.next()), ["notifications/resources/updated", { uri: "file:///a" }, 1]);
  assert.deepEqual(seen(await stream.next()), ["notifications/tools/list_changed", {}, 1]);
  await stream.leave();
});

Deno.test("empty filters are acknowledged as empty (B082)", async () => {
  const server = serverOf({ tools: [] });
  for (const filter of [{}, { resourcesListChanged: true }, { resourceSubscriptions: [] }, { toolsListChanged: false }]) {
    const stream = await listen(server, filter as JsonObject);
    assert.deepEqual(seen(await stream.next())[1], { notifications: {} });
    await stream.leave();
  }
});

Deno.test("filters that are none get -32602 (M-SUB-020)", async () => {
  const server = serverOf(PARTS);
  const filters: (JsonValue | undefined)[] = [
    undefined,
    null,
    [],
    "all",
    { toolsListChanged: 1 },
    { promptsListChanged: "yes" },
    { resourceSubscriptions: "file:///a" },
    { resourceSubscriptions: [7] },
  ];
  for (const notifications of filters) {
    assert.equal(
      (await errorOf(server, request("subscriptions/listen", { notifications }))).code,
      -32602,
      JSON.stringify(notifications),
    );
  }
});

Deno.test("a closing server ends each stream with its result (M-SUB-013, M-SUB-014)", async () => {
  const server = serverOf(PARTS);
  const stream = await listen(server, { toolsListChanged: true }, "s");
  await stream.next();
  await server.close();
  const end = await stream.next();
  assert.deepEqual([end.id, (end.result as JsonObject).resultType], ["s", "complete"]);
  assert.equal(((end.result as JsonObject)._meta as JsonObject)["io.modelcontextprotocol/subscriptionId"], "s");
  assert.equal(await stream.next(), undefined);
});

Deno.test("changes that nobody reads are merged beyond the buffer, and none of them is lost", async () => {
  const subscriptionBuffer = 10;
  const server = serverOf(PARTS, { limits: { subscriptionBuffer } });
  const stream = await listen(server, { toolsListChanged: true, resourceSubscriptions: ["file:///a"] });
  for (let change = 0; change < 5000; change++) await server.notify.toolsChanged();
  await server.notify.resourceUpdated("file:///a");
  const closing = server.close();
  const messages: JsonObject[] = [];
  do messages.push(await stream.next()); while (!Object.hasOwn(messages.at(-1) as JsonObject, "result"));
  await closing;
  assert.ok(messages.length <= ANSWER_BACKLOG + subscriptionBuffer + 5, `${messages.length} messages wait`);
  const last = messages.slice(-3, -1).map(seen);
  assert.deepEqual(last, [
    ["notifications/tools/list_changed", {}, 1],
    ["notifications/resources/updated", { uri: "file:///a" }, 1],
  ]);
});

Deno.test("the server listens on its bus only while a stream is open, whoever ends it (B082, M-SUB-017)", async () => {
  const { bus, counted } = countedBus();
  const server = serverOf(PARTS, { bus });
  const first = await listen(server, { toolsListChanged: true }, 1);
  const second = await listen(server, { toolsListChanged: true }, 2);
  assert.deepEqual([counted.listeners, counted.topics.size], [1, 1]);
  await first.leave();
  assert.equal(counted.listeners, 1);
  await second.leave();
  assert.equal(counted.listeners, 0);
  await listen(server, { toolsListChanged: true }, 3);
  await server.close();
  assert.equal(counted.listeners, 0);
});

Deno.test("two servers on one bus tell each other's listeners", async () => {
  const bus = memoryBus();
  const [one, two] = [serverOf(PARTS, { bus }), serverOf(PARTS, { bus })];
  const stream = await listen(one, { toolsListChanged: true });
  await stream.next();
  await two.notify.toolsChanged();
  assert.equal((await stream.next()).method, "notifications/tools/list_changed");
  await stream.leave();
});

Deno.test("events on the bus that are no changes reach nobody", async () => {
  const { bus, counted } = countedBus();
  const server = serverOf(PARTS, { bus });
  const stream = await listen(server, { toolsListChanged: true });
  await stream.next();
  const [topic = ""] = counted.topics;
  for (const event of [undefined, null, 7, {}, { type: "constructor" }, { type: "toString" }, { type: "resourceUpdated" }]) {
    await bus.publish(topic, event);
  }
  await server.notify.toolsChanged();
  assert.equal((await stream.next()).method, "notifications/tools/list_changed");
  await stream.leave();
});

Deno.test('stdio: two streams with the ids 1 and "1" beside calls, each cancelled by itself (B082, B033, M-SUB-009)', async () => {
  const server = serverOf(PARTS);
  const pipe = pipeTo(server);
  for (const id of [1, "1"]) {
    await pipe.send(request("subscriptions/listen", { notifications: { toolsListChanged: true } }, id));
    assert.equal(seen(await pipe.next() as unknown as JsonObject)[2], id);
  }
  await pipe.send(toolCall("t", undefined, 2));
  assert.equal((await pipe.next() as unknown as JsonObject).id, 2);
  await pipe.send({ jsonrpc: "2.0", method: "notifications/cancelled", params: { requestId: 1 } });
  await pipe.send(toolCall("t", undefined, 3));
  assert.equal((await pipe.next() as unknown as JsonObject).id, 3);
  await server.notify.toolsChanged();
  assert.equal(seen(await pipe.next() as unknown as JsonObject)[2], "1");
  assert.deepEqual(await pipe.end(), [] as JsonRpcMessage[]);
});

Deno.test("a handler tells listeners through its context", async () => {
  const server = serverOf({
    tools: [tool({
      name: "t",
      handler: async (_args, ctx) => {
        await ctx.notify.toolsChanged();
        return "";
      },
    })],
  });
  const stream = await listen(server, { toolsListChanged: true });
  await stream.next();
  await server.handle(toolCall("t", undefined, 9), infoOf());
  assert.deepEqual(seen(await stream.next()), ["notifications/tools/list_changed", {}, 1]);
  await stream.leave();
});

Deno.test("a change stream does not tell of resources that the caller can not see", async () => {
  const secret = resource({ uri: "a://secret", name: "secret", visible: ({ auth }) => auth !== undefined, read: () => "x" });
  const server = serverOf({ resources: [secret, resource({ uri: "a://open", name: "open", read: () => "x" })] });
  const wanted = { notifications: { resourceSubscriptions: ["a://secret", "a://open", "b://other"] } };
  const accepted = async (
    principal?: { principal: string; scopes: string[]; claims: Record<string, unknown> },
  ): Promise<unknown> => {
    const answer = await server.handle(request("subscriptions/listen", wanted), infoOf({ principal }));
    for await (const message of answer as AsyncIterable<JsonRpcMessage>) {
      return ((message as JsonRpcNotification).params as { notifications: JsonObject }).notifications.resourceSubscriptions;
    }
  };
  assert.deepEqual(await accepted(), ["a://open", "b://other"]);
  assert.deepEqual(await accepted({ principal: "p", scopes: [], claims: {} }), ["a://secret", "a://open", "b://other"]);
  await server.close();
});

Deno.test("a change stream names at most so many resources (limit subscriptionUris)", async () => {
  const server = serverOf({ resources: [] }, { limits: { subscriptionUris: 2 } });
  const listen = (count: number) => {
    const resourceSubscriptions = Array.from({ length: count }, (_, at) => `a://${at}`);
    return server.handle(request("subscriptions/listen", { notifications: { resourceSubscriptions } }), infoOf());
  };
  const refused = await listen(3) as { error: { code: number; message: string } };
  assert.equal(refused.error.code, -32602);
  assert.match(refused.error.message, /3 resources, at most 2 \(limit subscriptionUris\)/);
  assert.ok(Symbol.asyncIterator in (await listen(2) as object));
  await server.close();
});

Deno.test("a change stream names resources of at most so many characters", async () => {
  const server = serverOf({ resources: [] });
  const listen = (length: number) => {
    const resourceSubscriptions = ["a://".padEnd(length - 4, "a"), "a://"];
    return server.handle(request("subscriptions/listen", { notifications: { resourceSubscriptions } }), infoOf());
  };
  const refused = await listen(SUBSCRIBED_LENGTH + 1) as { error: { code: number; data: unknown } };
  assert.deepEqual([refused.error.code, refused.error.data], [-32602, { limit: SUBSCRIBED_LENGTH, seen: SUBSCRIBED_LENGTH + 1 }]);
  assert.ok(Symbol.asyncIterator in (await listen(SUBSCRIBED_LENGTH) as object));
  await server.close();
});

Deno.test("a change that comes while an extension opens its part of the stream is told, and nobody is left on the bus", async () => {
  const described = extension({ id: "com.example/slow", listenKeys: { slow: {} } });
  const declared = { "io.modelcontextprotocol/clientCapabilities": { extensions: { "com.example/slow": {} } } };
  for (const fails of [false, true]) {
    const { bus, counted } = countedBus();
    const opened = Promise.withResolvers<boolean>();
    const asked = Promise.withResolvers<void>();
    const slow = described.serve({}, { slow: () => (asked.resolve(), opened.promise) });
    const server = serverOf(PARTS, { bus, extensions: [slow] });
    const wanted = { toolsListChanged: true, resourcesListChanged: true, slow: true };
    const answer = server.handle(request("subscriptions/listen", { notifications: wanted, _meta: declared }), infoOf());
    await asked.promise;
    await server.notify.toolsChanged();
    if (fails) opened.reject(new Error("gone"));
    else opened.resolve(true);
    const stream = await answer;
    if (fails) {
      assert.equal(counted.listeners, 0);
      continue;
    }
    assert.ok(stream !== undefined && Symbol.asyncIterator in stream);
    await server.notify.resourcesChanged();
    const messages = stream[Symbol.asyncIterator]();
    const methods: unknown[] = [];
    for (let time = 0; time < 2; time++) methods.push(((await messages.next()).value as JsonRpcNotification).method);
    assert.deepEqual(methods, ["notifications/subscriptions/acknowledged", "notifications/tools/list_changed"]);
    assert.equal(counted.listeners, 1);
    await messages.return?.();
    assert.equal(counted.listeners, 0);
  }
});
