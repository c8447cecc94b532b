import assert from "node:assert/strict";
import { connect } from "../../../client/mod.ts";
import { appHost, apps } from "../../../client/extensions/apps.ts";
import type { JsonObject } from "../../../protocol/types.ts";
import { everyMessage } from "../../protocol/extensions/bridge/bridge_specimens.ts";
import { createRandom } from "../../protocol/random.ts";
import { until } from "../../until.ts";
import { hosted, outline, weatherServer } from "./hosted.ts";

const EMPTY = { resultType: "complete", content: [], structuredContent: undefined } as const;
const codeOf = ({ error }: JsonObject): unknown => (error as JsonObject | undefined)?.code;

Deno.test("appHost answers ui/initialize with what it really offers and where the view is shown", async () => {
  const options = { handlers: { openLink: () => true, log: () => {} }, context: { theme: "dark", "x-own": 1 } } as const;
  await hosted(options, async ({ begin, host }) => {
    const result = await begin({ availableDisplayModes: ["inline"] });
    assert.equal(result.protocolVersion, "2026-01-26");
    assert.deepEqual(result.hostInfo, { name: "test-host", version: "1.0.0" });
    assert.deepEqual(result.hostCapabilities, { serverTools: {}, serverResources: {}, openLinks: {}, logging: {}, sandbox: {} });
    const { toolInfo, ...context } = result.hostContext as { toolInfo: { tool: { name: string } } };
    assert.deepEqual(context, { theme: "dark", "x-own": 1 });
    assert.equal(toolInfo.tool.name, "weather");
    assert.equal(host.view?.appInfo.name, "card");
  });
});

Deno.test("apps 10 nothing goes to the view before it is initialized but answers", async () => {
  await hosted({}, async ({ host, posted, say, ask }) => {
    for (
      const send of [
        () => host.toolInput({}),
        () => host.toolInputPartial({}),
        () => host.toolCancelled(),
        () => host.listChanged("tools"),
      ]
    ) {
      assert.throws(send, /cannot do that while the bridge is created/);
    }
    host.setContext({ theme: "dark" });
    assert.deepEqual(posted, []);
    assert.equal(codeOf(await ask("tools/call", { name: "weather" })), -32600);
    const { result } = await ask("ui/initialize", {
      appInfo: { name: "card", version: "1" },
      appCapabilities: {},
      protocolVersion: "1999-01-01",
    });
    assert.equal((result as JsonObject).protocolVersion, "2026-01-26");
    assert.equal(((result as JsonObject).hostContext as JsonObject).theme, "dark");
    host.setContext({ locale: "nb" });
    assert.throws(() => host.toolInput({}), TypeError);
    assert.equal(codeOf(await ask("resources/read", { uri: "log://today" })), -32600);
    assert.deepEqual((await ask("ping")).result, {});
    const before = posted.length;
    say({ method: "ui/notifications/initialized" });
    assert.deepEqual(posted.slice(before), [
      { jsonrpc: "2.0", method: "ui/notifications/host-context-changed", params: { locale: "nb" } },
    ]);
    assert.equal(
      codeOf(await ask("ui/initialize", { appInfo: { name: "a", version: "1" }, appCapabilities: {}, protocolVersion: "" })),
      -32600,
    );
  });
});

Deno.test("apps 10 partial input, input once, then one result or the news that there is none", async () => {
  await hosted({}, async ({ host, posted, begin, client }) => {
    await begin();
    posted.length = 0;
    host.toolInputPartial({ city: "Os" });
    assert.throws(() => host.toolResult(EMPTY), /while the bridge is ready/);
    host.toolInput({ city: "Oslo", days: undefined });
    assert.throws(() => host.toolInput({ city: "Oslo" }), /while the bridge is input/);
    assert.throws(() => host.toolInputPartial({}), TypeError);
    for (const resultType of ["input_required", "task"]) {
      assert.throws(() => host.toolResult({ resultType, content: [] } as never), /result of a call that has ended/);
    }
    host.toolResult(await client.callTool("weather", { city: "Oslo" }));
    assert.throws(() => host.toolCancelled(), TypeError);
    assert.throws(() => host.toolResult(EMPTY), TypeError);
    assert.deepEqual(outline(posted), [
      "ui/notifications/tool-input-partial",
      "ui/notifications/tool-input",
      "ui/notifications/tool-result",
    ]);
    assert.deepEqual(posted[1]?.params, { arguments: { city: "Oslo" } });
    const { structuredContent, _meta } = posted[2]?.params as JsonObject;
    assert.deepEqual(structuredContent, { city: "Oslo", degrees: 12, server: "mast" });
    assert.equal((_meta as JsonObject)["example.com/source"], "mast");
  });
  await hosted({}, async ({ host, begin, posted }) => {
    await begin();
    host.toolCancelled("stopped");
    assert.throws(() => host.toolInput({}), /while the bridge is settled/);
    assert.deepEqual(posted.at(-1)?.params, { reason: "stopped" });
  });
});

Deno.test("apps 10 a view that does not begin in time is given up", async () => {
  await hosted({ limits: { initialize: 5 } }, async ({ host, posted, ask: _, say }) => {
    await assert.rejects(host.ready, { name: "TransportError", reason: "timeout" });
    assert.equal(host.state, "closed");
    say({ id: 1, method: "ping" });
    assert.deepEqual(posted, []);
  });
});

Deno.test("appHost relays tool calls, reads, lists and pings, results unchanged", async () => {
  await hosted({}, async ({ ask, begin, client, ran }) => {
    await begin();
    const direct = await client.callTool("weather", { city: "Rome" });
    assert.deepEqual((await ask("tools/call", { name: "weather", arguments: { city: "Rome" } })).result, direct as unknown);
    const refreshed = (await ask("tools/call", { name: "refresh" })).result as JsonObject;
    assert.deepEqual(refreshed.content, [{ type: "text", text: "3" }]);
    const read = (await ask("resources/read", { uri: "log://today" })).result as { contents: { text: string }[] };
    assert.equal(read.contents[0]?.text, "calm");
    const list = (await ask("resources/list")).result as { resources: { uri: string }[] };
    assert.deepEqual(list.resources.map(({ uri }) => uri).toSorted(), ["log://today", "ui://weather/card"]);
    assert.deepEqual((await ask("ping")).result, {});
    assert.ok(ran.includes("refresh"));
  });
});

Deno.test("appHost relays errors of the server: code, message and data", async () => {
  await hosted({}, async ({ ask, begin }) => {
    await begin();
    const { error } = await ask("tools/call", { name: "failing" });
    assert.deepEqual(error, { code: -31_999, message: "The mast fell", data: { mast: 7 } });
    const missing = await ask("resources/read", { uri: "log://never" });
    assert.equal(codeOf(missing), -32602);
    assert.deepEqual((missing.error as JsonObject).data, { uri: "log://never" });
    const result = (await ask("tools/call", { name: "weather", arguments: {} })).result as JsonObject;
    assert.equal(result.isError, true);
  });
});

Deno.test("appHost refuses a tool that is not for views, and one that is not listed, before the server sees the call", async () => {
  await hosted({}, async ({ ask, begin, ran }) => {
    await begin();
    for (const name of ["forecast", "nothing", "__proto__", "constructor"]) {
      assert.equal(codeOf(await ask("tools/call", { name })), -32602, name);
    }
    assert.deepEqual(ran, []);
  });
});

Deno.test("appHost reaches the server of its own connection, also where another one has a tool of the same name", async () => {
  await hosted({}, async ({ ask, begin }) => {
    const ranElsewhere: string[] = [];
    await using other = await connect(weatherServer("elsewhere", ranElsewhere), { extensions: [apps] });
    assert.ok(other);
    await begin();
    const { result } = await ask("tools/call", { name: "weather", arguments: { city: "Oslo" } });
    assert.equal(((result as JsonObject).structuredContent as JsonObject).server, "mast");
    assert.deepEqual(ranElsewhere, []);
  });
});

Deno.test("appHost cancels a call that the view gives up, answers it no more, and relays progress until then", async () => {
  await hosted({}, async ({ begin, say, posted, ran }) => {
    await begin();
    posted.length = 0;
    say({ id: "s", method: "tools/call", params: { name: "slow", _meta: { progressToken: "p" } } });
    await until(() => posted.length > 0);
    assert.deepEqual(posted[0]?.params, { progressToken: "p", progress: 1, total: 2, message: "half" });
    say({ method: "notifications/cancelled", params: { requestId: "s" } });
    await until(() => ran.includes("stopped"));
    assert.equal(posted.length, 1);
  });
});

Deno.test("appHost bounds open requests, and drops a second request with an open id", async () => {
  await hosted({ limits: { openRequests: 2 } }, async ({ begin, say, posted, ran }) => {
    await begin();
    posted.length = 0;
    for (const id of [1, 2, 2, 3]) say({ id, method: "tools/call", params: { name: "slow" } });
    await until(() => posted.length > 0 && ran.length === 2);
    assert.deepEqual(posted.map(({ id, error }) => [id, (error as JsonObject).code]), [[3, -32000]]);
  });
});

Deno.test("appHost counts requests that were given up until their handlers have ended", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let begun = 0;
  const message = () => {
    begun++;
    return promise;
  };
  await hosted({ limits: { openRequests: 2 }, handlers: { message } }, async ({ begin, say, posted }) => {
    await begin();
    posted.length = 0;
    const params = { role: "user", content: { type: "text", text: "Hi" } };
    for (let id = 1; id <= 50; id++) {
      say({ id, method: "ui/message", params });
      say({ method: "notifications/cancelled", params: { requestId: id } });
    }
    await until(() => posted.length === 48);
    assert.equal(begun, 2);
    assert.ok(posted.every(({ error }) => (error as JsonObject).code === -32000));
    resolve();
    await promise;
    await new Promise((done) => setTimeout(done));
    say({ id: 51, method: "ui/message", params });
    await until(() => posted.length === 49);
    assert.deepEqual(posted.at(-1)?.result, {});
  });
});

Deno.test("appHost opens links by the policy first, and by the handler", async () => {
  const asked: string[] = [];
  const handlers = { openLink: (url: string) => void asked.push(url) };
  await hosted({ handlers, openLinkSchemes: ["mailto"] }, async ({ ask, begin }) => {
    await begin();
    assert.deepEqual((await ask("ui/open-link", { url: "https://example.com/a" })).result, {});
    assert.deepEqual((await ask("ui/open-link", { url: "mailto:a@example.com" })).result, {});
    for (
      const url of [
        "http://example.com/",
        "javascript:alert(1)",
        "https:example.com",
        "https://u@example.com/",
        "/a",
        " https://a.b/",
      ]
    ) {
      const answer = await ask("ui/open-link", { url });
      assert.equal(codeOf(answer), -32602, url);
      assert.deepEqual((answer.error as JsonObject).data, { reason: "invalid_bridge_params" });
    }
    assert.deepEqual(asked, ["https://example.com/a", "mailto:a@example.com"]);
  });
});

Deno.test("appHost declines for its handlers with -32000, hides what they throw, and refuses what it has no handler for", async () => {
  const message = { role: "user", content: { type: "text", text: "Hi" } };
  const handlers = {
    message: () => false,
    updateModelContext() {
      throw new Error("the password is 1234");
    },
  };
  await hosted({ handlers }, async ({ ask, begin, reports }) => {
    await begin();
    assert.equal(codeOf(await ask("ui/message", message)), -32000);
    const failed = await ask("ui/update-model-context", {});
    assert.equal(codeOf(failed), -32603);
    assert.doesNotMatch(JSON.stringify(failed), /1234/);
    assert.match(String(reports[0]), /1234/);
    assert.equal(codeOf(await ask("ui/open-link", { url: "https://example.com/" })), -32601);
    assert.equal(codeOf(await ask("sampling/createMessage", { messages: [], maxTokens: 1 })), -32601);
    assert.equal(codeOf(await ask("completion/complete")), -32601);
  });
});

Deno.test("appHost hands over messages as a list and context as it is", async () => {
  const seen: unknown[] = [];
  const handlers = {
    message: (params: unknown) => void seen.push(params),
    updateModelContext: (context: unknown) => void seen.push(context),
  };
  await hosted({ handlers }, async ({ ask, begin }) => {
    await begin();
    await ask("ui/message", { role: "user", content: { type: "text", text: "Hi" } });
    await ask("ui/update-model-context", { structuredContent: { at: 1 } });
    assert.deepEqual(seen[0], { role: "user", content: [{ type: "text", text: "Hi" }] });
    assert.deepEqual((seen[1] as JsonObject).structuredContent, { at: 1 });
  });
});

Deno.test("apps 13 the answer to a display mode states the mode in force", async () => {
  const switched: string[] = [];
  let agree = true;
  const options = {
    handlers: { displayMode: (mode: string) => agree ? void switched.push(mode) : false },
    context: { displayMode: "inline", availableDisplayModes: ["inline", "fullscreen", "pip"] },
  } as const;
  await hosted(options, async ({ ask, begin, host, posted }) => {
    await begin({ availableDisplayModes: ["inline", "fullscreen"] });
    const mode = async (wanted: string): Promise<unknown> =>
      ((await ask("ui/request-display-mode", { mode: wanted })).result as JsonObject).mode;
    assert.equal(await mode("pip"), "inline");
    assert.equal(await mode("fullscreen"), "fullscreen");
    assert.deepEqual(posted.at(-2)?.params, { displayMode: "fullscreen" });
    agree = false;
    assert.equal(await mode("inline"), "fullscreen");
    assert.deepEqual(switched, ["fullscreen"]);
    assert.throws(() => host.setContext({ displayMode: "pip" }), /did not announce the display mode "pip"/);
    assert.equal(codeOf(await ask("ui/request-display-mode", { mode: "window" })), -32602);
  });
});

Deno.test("apps 14 the view is told of members that really changed, and the host keeps unknown ones", async () => {
  await hosted({ context: { theme: "light", "x-own": { a: 1 } } }, async ({ begin, host, posted }) => {
    await begin();
    posted.length = 0;
    host.setContext({ theme: "dark", "x-own": { a: 1 }, locale: undefined });
    host.setContext({ theme: "dark" });
    assert.deepEqual(posted, [{ jsonrpc: "2.0", method: "ui/notifications/host-context-changed", params: { theme: "dark" } }]);
    assert.deepEqual(host.context["x-own"], { a: 1 });
    assert.throws(() => host.setContext({ theme: "blue" } as never), /context\.theme has the wrong shape/);
    assert.throws(() => host.setContext({ styles: { variables: { "--evil": "1" } as never } }), /none of the agreed names/);
    assert.throws(() => host.setContext({ own: () => 1 }), TypeError);
  });
});

Deno.test("apps 11 teardown resolves when the view answers, be it with an error", async () => {
  for (const answer of [{ result: {} }, { error: { code: -32000, message: "Not saved" } }]) {
    await hosted({}, async ({ begin, host, posted, say }) => {
      await begin();
      const ended = host.teardown({ reason: "the user closed it" });
      const request = posted.at(-1) as JsonObject;
      assert.deepEqual([request.method, request.params], ["ui/resource-teardown", { reason: "the user closed it" }]);
      assert.equal(host.state, "closing");
      assert.equal(host.teardown(), ended);
      say({ id: request.id, ...answer });
      assert.equal(await ended, "answered");
      assert.equal(host.state, "closed");
      assert.throws(() => host.toolInput({}), /closed/);
    });
  }
});

Deno.test("apps 11 teardown resolves when the time is over; a view that never began is not asked", async () => {
  await hosted({}, async ({ begin, host, say, posted, ran }) => {
    await begin();
    say({ id: 1, method: "tools/call", params: { name: "slow" } });
    await until(() => ran.includes("slow"));
    assert.equal(await host.teardown({ timeout: 5 }), "timeout");
    await until(() => ran.includes("stopped"));
    const before = posted.length;
    say({ id: 2, method: "ping" });
    assert.equal(posted.length, before);
  });
  await hosted({}, async ({ host, posted }) => {
    assert.equal(await host.teardown(), "closed");
    assert.deepEqual(posted, []);
    await assert.rejects(host.ready, { reason: "closed" });
  });
});

Deno.test("appHost thins out sizes and log lines; the last size always arrives", async () => {
  const sizes: unknown[] = [];
  const lines: unknown[] = [];
  const handlers = {
    sizeChanged: ({ height }: { height?: number }) => sizes.push(height),
    log: (line: unknown) => lines.push(line),
  };
  await hosted({ handlers, limits: { perSecond: 5 } }, async ({ begin, say, reports }) => {
    await begin();
    for (let height = 1; height <= 100; height++) {
      say({ method: "ui/notifications/size-changed", params: { height } });
      say({ method: "notifications/message", params: { level: "info", data: height } });
    }
    await until(() => sizes.at(-1) === 100);
    assert.ok(sizes.length <= 7, `${sizes.length} sizes`);
    assert.ok(lines.length >= 5 && lines.length <= 6, `${lines.length} lines`);
    assert.ok(reports.length > 0 && reports.length < 30, `${reports.length} reports`);
  });
});

Deno.test("appHost bounds how often a view may ask to be ended, and what it gives up costs nothing", async () => {
  let asked = 0;
  await hosted({ handlers: { requestTeardown: () => asked++ }, limits: { perSecond: 3 } }, async ({ begin, say, reports }) => {
    await begin();
    for (let at = 0; at < 1000; at++) {
      say({ method: "ui/notifications/request-teardown", params: {} });
      say({ method: "notifications/cancelled", params: { requestId: at } });
      say({ method: "ui/notifications/initialized", params: {} });
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.ok(asked >= 3 && asked <= 5, `${asked} times`);
    assert.match(String(reports[0]), /to end: too many in one second|initialized/);
    assert.ok(reports.length < 40, `${reports.length} reports`);
  });
});

Deno.test("appHost bounds context updates per second", async () => {
  await hosted({ handlers: { updateModelContext: () => true }, limits: { perSecond: 3 } }, async ({ ask, begin }) => {
    await begin();
    const answers = await Promise.all(Array.from({ length: 10 }, () => ask("ui/update-model-context", {})));
    assert.deepEqual(answers.map(codeOf), [undefined, undefined, undefined, ...Array(7).fill(-32000)]);
  });
});

Deno.test("appHost bounds the bytes of messages both ways", async () => {
  await hosted({ limits: { messageBytes: 2000 } }, async ({ ask, begin, host }) => {
    await begin();
    assert.equal(codeOf(await ask("tools/call", { name: "weather", arguments: { city: "x".repeat(2000) } })), -32600);
    assert.throws(() => host.toolInput({ city: "x".repeat(2000) }), /more than 2000 bytes/);
    const answer = await ask("tools/call", { name: "weather", arguments: { city: "x".repeat(900) } });
    assert.equal(codeOf(answer), -32603);
  });
});

Deno.test("appHost asks the view for its tools, when it announced some", async () => {
  await hosted({}, async ({ begin, host, posted, say }) => {
    await begin({ tools: {} });
    const listing = host.request("tools/list");
    say({ id: posted.at(-1)?.id, result: { tools: [] } });
    assert.deepEqual(await listing, { tools: [] });
    const calling = host.request("tools/call", { name: "zoom" });
    say({ id: posted.at(-1)?.id, error: { code: -32602, message: "Unknown tool" } });
    await assert.rejects(calling, { name: "ProtocolError", code: -32602 });
    await assert.rejects(host.request("ping", {}, { timeout: 2 }), { reason: "timeout" });
    const broken = host.request("tools/list");
    say({ id: posted.at(-1)?.id, result: { tools: 1 } });
    await assert.rejects(broken, /tools is not a list/);
  });
  await hosted({}, async ({ begin, host }) => {
    await begin();
    await assert.rejects(host.request("tools/list"), /did not announce tools/);
  });
});

Deno.test("appHost survives a post, a handler and a report that throw", async () => {
  const client = await connect(weatherServer("mast"), { extensions: [apps] });
  const fail = (): never => {
    throw new Error("broken");
  };
  const [tool] = await client.listTools();
  assert.ok(tool);
  const host = appHost({ client, tool, post: fail, report: fail, info: { name: "a", version: "1" }, handlers: { log: fail } });
  host.receive({ jsonrpc: "2.0", id: 1, method: "ping" });
  host.receive(null);
  await host.teardown();
  await client.close();
});

Deno.test("appHost and hostile views, seeded: every request is answered at most once, and nothing throws", async () => {
  const random = createRandom(4);
  const sound = everyMessage().filter(({ from }) => from === "view");
  for (let run = 0; run < 20; run++) {
    await hosted(
      { handlers: { openLink: () => true, message: () => true, displayMode: () => true } },
      async ({ begin, host, posted, say }) => {
        if (random.below(2) === 0) await begin({ availableDisplayModes: ["pip"] });
        const asked = new Map<unknown, number>();
        for (let i = 0; i < 100; i++) {
          const { message } = random.pick(sound);
          const { id: _, ...rest } = message;
          const id = random.pick<unknown>([random.below(20), `${random.below(5)}`, null, {}, 1.5]);
          const hostile = random.below(2) === 0
            ? { ...rest, id }
            : { ...rest, params: random.pick<unknown>([1, [], { url: 1 }, undefined]), id };
          if ("id" in message) {
            asked.set(id, (asked.get(id) ?? 0) + 1);
            say(hostile);
          } else say(rest);
          if (random.below(10) === 0) await new Promise((resolve) => setTimeout(resolve, 0));
        }
        await host.teardown({ timeout: 1 });
        for (const [id, times] of asked) {
          assert.ok(posted.filter((message) => message.id === id && !("method" in message)).length <= times, `id ${id}`);
        }
      },
    );
  }
});
