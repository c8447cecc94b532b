/** Tests of tools, templates, lists and progress, through every door. */
import assert from "node:assert/strict";
import { fields } from "../../protocol/schema.ts";
import { resource } from "../../server/components/resource.ts";
import type { Server } from "../../server/server_types.ts";
import { tool } from "../../server/components/tool.ts";
import { serverOf } from "../server/calls.ts";
import { atEach, DOORS } from "./doors.ts";
import type { Came, Door, Json } from "./doors.ts";

/** Arguments that do not fit are a result for the model, or an error in the oldest revision. */
function misfit({ response }: Came, { version }: Door, named: RegExp): void {
  const shown = JSON.stringify(response);
  if (version === "2025-06-18") assert.equal(response.error?.code, -32602, shown);
  else assert.equal(response.result?.isError, true, shown);
  assert.match(shown, named);
}

Deno.test("a call without arguments is one with none, and arguments that are no object are refused (B061)", async (t) => {
  const seen: unknown[] = [];
  const handler = (args: unknown): string => {
    seen.push(args);
    return "ran";
  };
  const inputs = {
    open: { type: "object" },
    closed: { type: "object", additionalProperties: false },
    optional: { type: "object", properties: { a: { type: "string" } } },
    required: { type: "object", properties: { city: { type: "string" } }, required: ["city"] },
  } as const;
  const make = (): Server =>
    serverOf({
      tools: Object.entries(inputs).map(([name, input]) => tool({ name, input: input as Json, handler: handler as Json })),
    }, { sessions: true });
  await atEach(t, DOORS, make, async (entry, door) => {
    seen.length = 0;
    for (const name of ["open", "closed", "optional"]) {
      for (const args of [undefined, {}]) {
        const { response } = await entry.call("tools/call", args === undefined ? { name } : { name, arguments: args });
        assert.equal(response.result?.content[0].text, "ran", JSON.stringify(response));
      }
    }
    assert.deepEqual(seen, Array.from({ length: 6 }, () => ({})));
    for (const args of [undefined, {}]) {
      misfit(
        await entry.call("tools/call", args === undefined ? { name: "required" } : { name: "required", arguments: args }),
        door,
        /city/,
      );
    }
    for (const name of Object.keys(inputs)) {
      for (const args of [[], "x", 5, true]) {
        const { response } = await entry.call("tools/call", { name, arguments: args as Json });
        assert.equal(response.error?.code, -32602, JSON.stringify(response));
      }
      const { response } = await entry.call("tools/call", { name, arguments: null as Json });
      assert.notEqual(response.error?.code, -32603);
    }
    assert.equal(seen.filter((args) => JSON.stringify(args) !== "{}").length, 0);
  });
});

Deno.test("what is enforced is what was published, and nothing is bent to fit (B062)", async (t) => {
  const properties = {
    limit: { type: "integer" },
    o: { type: "object", properties: { k: { type: "string" } }, additionalProperties: false },
  } as const;
  const seen: unknown[] = [];
  const handler = (args: unknown): string => {
    seen.push(args);
    return "ran";
  };
  const make = (): Server =>
    serverOf({
      tools: [
        tool({ name: "closed", input: { type: "object", properties, additionalProperties: false }, handler }),
        tool({ name: "open", input: { type: "object", properties }, handler }),
      ],
    }, { sessions: true });
  await atEach(t, DOORS, make, async (entry, door) => {
    seen.length = 0;
    const { tools } = (await entry.call("tools/list")).response.result;
    assert.deepEqual(tools.map((one: Json) => one.inputSchema.additionalProperties), [false, undefined]);
    const call = (name: string, args: Json) => entry.call("tools/call", { name, arguments: args });
    misfit(await call("closed", { limt: 5 }), door, /limt/);
    misfit(await call("closed", { limit: "5" }), door, /limit/);
    misfit(await call("closed", { o: { kk: "x" } }), door, /kk/);
    assert.deepEqual(seen, []);
    const whole = entry.text("tools/call", { name: "closed", arguments: { limit: 1 } }).replace('"limit":1', '"limit":1.0');
    assert.equal((await entry.send(whole)).response.result?.content[0].text, "ran");
    assert.equal((await call("open", { extra: true })).response.result?.content[0].text, "ran");
    assert.deepEqual(seen, [{ limit: 1 }, { extra: true }]);
    assert.equal((await call("none", {})).response.error?.code, -32602);
  });
});

Deno.test("an error of a tool passes as it is, and a result of the wrong shape is the server's fault (B063)", async (t) => {
  const output = { type: "object", properties: { rows: { type: "array" } }, required: ["rows"] } as const;
  const results: Record<string, () => unknown> = {
    text: () => ({ isError: true, content: [{ type: "text", text: "gone" }] }),
    structured: () => ({ isError: true, structured: { why: "gone" } }),
    none: () => "no rows",
    wrong: () => ({ rows: 5 }),
    good: () => ({ rows: [] }),
    error: () => {
      throw new Error("secret boom");
    },
    word: () => {
      throw "secret word";
    },
    nothing: () => {
      throw null;
    },
  };
  const make = (): Server =>
    serverOf({
      tools: Object.entries(results).map(([name, handler]) => tool({ name, output, handler: handler as Json })),
    }, { sessions: true, onError: () => undefined });
  await atEach(t, DOORS, make, async (entry) => {
    for (
      const [name, members] of [["text", { isError: true }], ["structured", { structuredContent: { why: "gone" } }]] as const
    ) {
      const { result } = (await entry.call("tools/call", { name })).response;
      assert.equal(result?.isError, true, name);
      if ("structuredContent" in members) assert.deepEqual(result.structuredContent, members.structuredContent);
      else assert.equal(result.content[0].text, "gone");
    }
    for (const name of ["none", "wrong"]) {
      const { response } = await entry.call("tools/call", { name });
      assert.ok(response.error?.code === -32603 || response.result?.isError === true, JSON.stringify(response));
    }
    const good = (await entry.call("tools/call", { name: "good" })).response.result;
    assert.deepEqual(good.structuredContent, { rows: [] });
    assert.ok(Array.isArray(good.content));
    for (const name of ["error", "word", "nothing"]) {
      const { response } = await entry.call("tools/call", { name });
      assert.ok(response.error !== undefined || response.result.isError === true);
      assert.doesNotMatch(JSON.stringify(response), /secret|boom|\.ts/);
    }
  });
});

Deno.test("lists take cursors that they gave, and refuse all others (B066)", async (t) => {
  const make = (): Server =>
    serverOf({ tools: ["a", "b", "c"].map((name) => tool({ name, handler: () => "" })) }, { sessions: true, pageSize: 2 });
  await atEach(t, DOORS, make, async (entry) => {
    const first = (await entry.call("tools/list")).response.result;
    const second = (await entry.call("tools/list", { cursor: first.nextCursor })).response.result;
    assert.deepEqual([...first.tools, ...second.tools].map(({ name }: Json) => name), ["a", "b", "c"]);
    assert.equal("nextCursor" in second, false);
    for (const cursor of ["", "%zz", "x".repeat(1_000_000), 5, null, {}]) {
      const { response } = await entry.call("tools/list", { cursor: cursor as Json });
      assert.equal(response.error?.code, -32602, JSON.stringify(response).slice(0, 300));
      assert.ok(response.error.message.length < 500);
    }
  });
});

Deno.test("templates match by the address alone, escaped or not, and no escape leads out of a directory (B067, B068, B070)", async (t) => {
  const make = (): Server =>
    serverOf({
      resources: [
        resource({ uri: "shop://i/{id}{?page,limit}", name: "shop", read: (variables) => ({ ...variables }) }),
        resource({ uri: "file:///lib/año/{n}", name: "lib", read: ({ n }) => String(n) }),
        resource({ uri: "kb://pages/{slug}", name: "kb", read: ({ slug }) => String(slug) }),
        resource({ uri: "file://a.b/search?q={q}", name: "search", read: ({ q }) => String(q) }),
      ],
    }, { sessions: true });
  await atEach(t, DOORS, make, async (entry, { version }) => {
    const missing = version === "2026-07-28" ? -32602 : -32002;
    const read = async (uri: string): Promise<Json> => {
      const { response } = await entry.call("resources/read", { uri });
      return response.error?.code ?? response.result.contents[0].text;
    };
    for (
      const query of ["", "?page=2", "?limit=5", "?limit=5&page=2", "?page=", "?page=2&other=9", "?page=2&page=3", "?PAGE=2"]
    ) {
      assert.equal(JSON.parse(await read(`shop://i/1${query}`)).id, "1", query);
    }
    assert.deepEqual(JSON.parse(await read("shop://i/1?limit=5&page=2")), { id: "1", page: "2", limit: "5" });
    assert.equal(await read("shop://i/1/x?page=2"), missing);
    for (const uri of ["file:///lib/a%C3%B1o/x", "file:///lib/año/x"]) assert.equal(await read(uri), "x", uri);
    for (const uri of ["file:///lib/año/%ZZ", "file:///lib/año/%E0%A4%A", "file:///lib/año/%", "kb://pages/..%2F..%2Fkeys"]) {
      assert.equal(await read(uri), missing, uri);
    }
    assert.equal(await read("file://aXb/search?q=1"), missing);
    assert.equal(await read("file://a.b/searcq=1"), missing);
    assert.equal(await read("file://a.b/search?q=1"), "1");
    for (const uri of [`kb://pages/${"/a".repeat(3000)}\n`, `shop://i/${"a,".repeat(3000)}!`]) await read(uri);
  });
});

Deno.test("progress goes under the token of its request, value and type, grows, and ends with the answer (B072, B073)", async (t) => {
  let late: (() => Promise<void>) | undefined;
  const make = (): Server =>
    serverOf({
      tools: [tool({
        name: "steps",
        async handler(_args, ctx) {
          for (const step of [1, 2, 2, 1, 3]) await ctx.progress(step, 3);
          late = () => ctx.progress(4, 4);
          return "done";
        },
      })],
    }, { sessions: true });
  for (const door of DOORS) {
    await t.step(door.name, async () => {
      const entry = await door.open(make());
      for (const token of ["tok-9", 7, "7", 0, ""]) {
        const { messages } = await entry.call("tools/call", { name: "steps", _meta: { progressToken: token } });
        assert.deepEqual(messages.slice(0, -1).map(({ params }) => [params.progressToken, params.progress]), [
          [token, 1],
          [token, 2],
          [token, 3],
        ]);
        assert.equal(messages.at(-1).result?.content[0].text, "done");
        await late?.();
      }
      const { messages } = await entry.call("tools/call", { name: "steps" });
      assert.equal(messages.length, 1);
      assert.deepEqual(await entry.close(), []);
    });
  }
});

Deno.test("parallel calls with the tokens 7 and the text 7 stay apart (B073)", async (t) => {
  const make = (): Server =>
    serverOf({
      tools: [tool({
        name: "step",
        input: fields({ text: { type: "string", required: true } }),
        async handler({ text }, ctx) {
          await ctx.progress(1, 1, text);
          return text;
        },
      })],
    }, { sessions: true });
  await atEach(t, DOORS.filter(({ http }) => http), make, async (entry) => {
    const answers = await Promise.all([7, "7"].map(async (token) => {
      const { messages } = await entry.call(
        "tools/call",
        { name: "step", arguments: { text: typeof token }, _meta: { progressToken: token } },
        token,
      );
      return messages.map((message) => message.params?.progressToken ?? message.result?.content[0].text);
    }));
    assert.deepEqual(answers, [[7, "number"], ["7", "string"]]);
  });
});
