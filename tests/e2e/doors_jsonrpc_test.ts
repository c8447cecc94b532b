/** Tests of JSON-RPC as a server reads it, through every door. */
import assert from "node:assert/strict";
import { prompt } from "../../server/components/prompt.ts";
import { resource } from "../../server/components/resource.ts";
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/components/tool.ts";
import { serverOf } from "../server/calls.ts";
import { atEach, DOORS, HTTP_DOORS } from "./doors.ts";
import type { Came, Json } from "./doors.ts";

/** What ran. */
const make = (ran: unknown[] = []): Server =>
  serverOf({
    tools: [
      tool({
        name: "echo",
        input: { type: "object" },
        handler: (args: Json) => {
          ran.push(args);
          return { structured: args, content: JSON.stringify(args) };
        },
      }),
      tool({ name: "__proto__", handler: () => "proto" }),
      tool({ name: "constructor", handler: () => "constructed" }),
    ],
    prompts: [prompt({ name: "p", render: () => "p" })],
    resources: [resource({ uri: "x://{constructor}", name: "r", read: ({ constructor }) => String(constructor) })],
  }, { sessions: true });

function refused({ response, status }: Came, code: number, id: unknown, because: string): void {
  assert.deepEqual([response?.error?.code, response?.id], [code, id], `${because}: ${JSON.stringify(response)}`);
  if (status !== undefined) assert.equal(status, 400, because);
}

const served = ({ response }: Came): Json =>
  response?.result ?? assert.fail(`Expected a result, found ${JSON.stringify(response)}`);

Deno.test("what is no JSON and what is no message are refused by their own codes, with the readable id (B032)", async (t) => {
  const refusals: readonly (readonly [text: string, code: number, id?: unknown])[] = [
    ["{", -32700],
    ['{"jsonrpc":"2.0","id":4,"method":7}', -32600, 4],
    ['{"jsonrpc":"1.0","id":4,"method":"tools/list"}', -32600, 4],
    ['{"id":4,"method":"tools/list"}', -32600, 4],
    ['{"jsonrpc":"2.0","id":"a","method":"tools/list","params":[]}', -32600, "a"],
  ];
  await atEach(t, DOORS, make, async (entry) => {
    for (const [text, code, id] of refusals) refused(await entry.send(text), code, id, text);
    assert.equal(served(await entry.call("tools/list")).tools.length, 3);
  });
});

Deno.test("ids come back as they were sent, and what is no id is refused and runs nothing (B033, B034)", async (t) => {
  const ran: unknown[] = [];
  await atEach(t, DOORS, () => make(ran), async (entry) => {
    for (const id of ["1", "01", "", 0, -3, 1, "漢🦊", Number.MAX_SAFE_INTEGER]) {
      const { response } = await entry.call("tools/list", {}, id);
      assert.ok(Object.is(response.id, id) && "result" in response, JSON.stringify(response));
    }
    for (const id of ["null", "true", "1.5", "{}", "[]", "9007199254740993"]) {
      const text = entry.text("tools/call", { name: "echo" }, "ID").replace('"ID"', id);
      refused(await entry.send(text), -32600, undefined, text);
    }
    assert.deepEqual(ran, []);
  });
});

Deno.test("a batch of any shape gets one error and runs nothing (B035)", async (t) => {
  const ran: unknown[] = [];
  await atEach(t, DOORS, () => make(ran), async (entry) => {
    const call = entry.text("tools/call", { name: "echo" });
    for (const text of [`[${call},${call}]`, "[]", "[[]]", `[${call}]`]) refused(await entry.send(text), -32600, undefined, text);
    assert.deepEqual(ran, []);
    served(await entry.call("tools/call", { name: "echo" }));
    assert.equal(ran.length, 1);
    ran.length = 0;
  });
});

Deno.test("notifications are never answered, those with the name of a request and unknown ones included (B036)", async (t) => {
  const ran: unknown[] = [];
  for (const door of DOORS) {
    await t.step(door.name, async () => {
      const entry = await door.open(make(ran));
      for (const method of ["notifications/nope", "tools/list", "tools/call", "notifications/cancelled", "ping"]) {
        await entry.notify(method, { name: "echo" });
      }
      served(await entry.call("tools/list"));
      assert.deepEqual(await entry.close(), []);
      assert.deepEqual(ran, []);
    });
  }
});

Deno.test("a response that nobody waits for is no request, and harms nothing (B036)", async (t) => {
  await atEach(t, DOORS, make, async (entry, { http }) => {
    for (
      const body of [
        '{"jsonrpc":"2.0","id":999,"result":{}}',
        '{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"x"}}',
      ]
    ) {
      if (!http) continue;
      const { response, status } = await entry.send(body);
      assert.ok(status === 202 ? response === undefined : status !== undefined && status < 500, `${body}: ${status}`);
    }
    served(await entry.call("tools/list"));
  });
});

Deno.test("keys are compared exactly, and the last of two equal ones is the one that runs (B037)", async (t) => {
  const ran: unknown[] = [];
  await atEach(t, DOORS, () => make(ran), async (entry, { http, session }) => {
    const list = entry.text("tools/list").replace(
      '"method":',
      '"Method":"tools/call","method\\u0000":"x","param\\u017f":{"name":"echo"},"method":',
    );
    assert.equal(served(await entry.send(list)).tools.length, 3);
    const call = entry.text("tools/call", { name: "constructor" }).replace('"name":', '"Name":"echo","name":');
    assert.equal(served(await entry.send(call)).content[0].text, "constructed");
    const doubled = entry.text("tools/call", { name: "constructor" }).replace('"name":', '"name":"echo","name":');
    assert.equal(served(await entry.send(doubled)).content[0].text, "constructed");
    assert.deepEqual(ran, []);
    if (http && !session) refused(await entry.send(doubled, { "mcp-name": "echo" }), -32020, 1, "the header names the first");
  });
});

Deno.test("names of the members of all objects are names like others (B038)", async (t) => {
  await atEach(t, DOORS, make, async (entry, { http, session, version }) => {
    for (const name of ["toString", "hasOwnProperty", "valueOf", "__defineGetter__"]) {
      for (const [method, params] of [["tools/call", { name }], ["prompts/get", { name }]] as const) {
        const { response } = await entry.call(method, params);
        assert.equal(response.error?.code, -32602, `${method} ${name}`);
      }
    }
    assert.equal(served(await entry.call("tools/call", { name: "__proto__" })).content[0].text, "proto");
    assert.equal(served(await entry.call("tools/call", { name: "constructor" })).content[0].text, "constructed");
    for (const method of ["__proto__", "constructor"]) {
      const { response, status } = await entry.call(method);
      assert.equal(response.error?.code, -32601, method);
      if (http && !session) assert.equal(status, 404);
    }
    const read = await entry.call("resources/read", { uri: "x://value" });
    assert.equal(served(read).contents[0].text, "value");
    const missing = (await entry.call("resources/read", { uri: "__proto__:constructor" })).response.error?.code;
    assert.equal(missing, version === DOORS[0]?.version ? -32602 : -32002);
    const polluted = entry.text("tools/call", { name: "echo" }).replace('"name":', '"arguments":{"__proto__":{"x":1}},"name":');
    assert.match(JSON.stringify(served(await entry.send(polluted))), /__proto__/);
    assert.equal(({} as Json).x, undefined);
  });
});

Deno.test("nesting that no stack takes gets an error of its own, and the next call is served (B040)", async (t) => {
  await atEach(t, DOORS, make, async (entry) => {
    for (const [open, close] of [['{"a":', "}"], ["[", "]"]] as const) {
      const deep = `${open.repeat(100_000)}1${close.repeat(100_000)}`;
      const text = entry.text("tools/call", { name: "echo", arguments: { a: "DEEP" } }, 7).replace('"DEEP"', deep);
      refused(await entry.send(text), -32600, 7, "deep");
      served(await entry.call("tools/call", { name: "echo" }, 8));
    }
  });
});

Deno.test("numbers beyond the range of JSON reach no handler, and lone surrogates come back as escapes (B041)", async (t) => {
  const ran: unknown[] = [];
  await atEach(t, DOORS, () => make(ran), async (entry) => {
    const infinite = entry.text("tools/call", { name: "echo", arguments: { n: "N" } }).replace('"N"', "1e400");
    const { response } = await entry.send(infinite);
    assert.ok(response.error !== undefined || response.result.isError === true);
    assert.deepEqual(ran, []);
    const result = served(await entry.call("tools/call", { name: "echo", arguments: { text: "x\uD83Dy", zero: 0 } }));
    assert.equal(JSON.parse(result.content[0].text).text, "x\uD83Dy");
    ran.length = 0;
  });
});

Deno.test("text is read and written code point for code point, wherever bytes are cut (B001)", async (t) => {
  const text = "é→漢字🦊\u2028\u2029\u0085\u0000\u007f";
  await atEach(t, HTTP_DOORS, make, async (entry) => {
    const bytes = new TextEncoder().encode(entry.text("tools/call", { name: "echo", arguments: { text } }));
    const drops = new ReadableStream<Uint8Array>({
      async start(controller) {
        for (const byte of bytes) {
          controller.enqueue(new Uint8Array([byte]));
          await undefined;
        }
        controller.close();
      },
    });
    const headers = {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
      "mcp-method": "tools/call",
      "mcp-name": "echo",
    };
    const response = await (entry.fetch as NonNullable<typeof entry.fetch>)({ method: "POST", body: drops }, headers);
    const body = await response.text();
    const { result } = JSON.parse(body.includes("data: ") ? body.slice(body.indexOf("data: ") + 6) : body);
    assert.equal(JSON.parse(result.content[0].text).text, text);
  });
});
