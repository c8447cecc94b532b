/** Tests of `around`: a middleware for one method, typed. */
import assert from "node:assert/strict";
import type { CallToolResult, JsonObject, Tool } from "../../../protocol/types.ts";
import { around } from "../../../server/middleware/around.ts";
import type { Call, Middleware, ResultOf } from "../../../server/middleware/middleware_types.ts";
import { tool } from "../../../server/components/tool.ts";
import { request, resultOf, serverOf, textOf, toolCall } from "../calls.ts";

Deno.test("around runs around its own method alone", async () => {
  const seen: string[] = [];
  const look = around("tools/call", (call, next) => {
    seen.push(call.params.name);
    return next();
  });
  const server = serverOf({ tools: [tool({ name: "a", handler: () => "done" })] }, { use: [look] });
  await resultOf(server, request("tools/list"));
  assert.equal(textOf(await resultOf(server, toolCall("a"))), "done");
  assert.deepEqual(seen, ["a"]);
});

Deno.test("around, called by hand around another method, goes on", async () => {
  const layer = around("tools/call", () => assert.fail("not its method"));
  const call = { method: "tools/list", params: {}, info: {} } as unknown as Call;
  assert.deepEqual(await layer(call, () => Promise.resolve({ tools: [] })), { tools: [] });
});

Deno.test("around refuses an unknown method and what is no function", () => {
  assert.throws(() => around("ping" as never, (_call, next) => next()), /^TypeError: around: Expected one of tools\/list, /);
  assert.throws(() => around("toString" as never, (_call, next) => next()), /^TypeError: around: Expected one of/);
  assert.throws(() => around("tools/call", {} as never), /^TypeError: around\.tools\/call: Expected a function/);
});

Deno.test("around types params and results by the method", () => {
  const layers: Middleware[] = [
    around("tools/list", async (call, next) => {
      const cursor: string | undefined = call.params.cursor;
      const result = await next();
      const tools: readonly Tool[] = result.tools.filter(({ name }) => name !== cursor);
      return { ...result, tools };
    }),
    around("tools/call", async (call, next) => {
      const args: JsonObject | undefined = call.params.arguments;
      const result = await next({ ...call, params: { name: "a", arguments: { ...args } } });
      if (result.resultType === "complete") result satisfies CallToolResult;
      return result;
    }),
    around("resources/read", (call, next) => next({ ...call, params: { uri: call.params.uri.toLowerCase() } })),
    around("prompts/get", (call, next) => {
      const who: string | undefined = call.params.arguments?.who;
      return who === undefined ? { resultType: "complete", messages: [] } : next();
    }),
    around("tools/call", () => ({ resultType: "complete", content: [{ type: "text", text: "not today" }] })),
    // @ts-expect-error a list of tools is no result of a call
    around("tools/call", () => ({ tools: [] })),
    // @ts-expect-error the params of another method
    around("tools/call", (call, next) => next({ ...call, params: { uri: "x:a" } })),
    // @ts-expect-error a misspelt member
    around("resources/read", (call, next) => call.params.url === "" ? next() : next()),
  ];
  assert.equal(layers.length, 8);
  const any = ((result: JsonObject) => result) satisfies (result: ResultOf<"x/own">) => JsonObject;
  assert.equal(typeof any, "function");
});
