/** Tests of faults that servers were found to have, where no other file holds them. */
import assert from "node:assert/strict";
import * as z from "zod";
import type { JsonObject } from "../../protocol/types.ts";
import { isSafePathValue } from "../../protocol/uri_template.ts";
import { prompt } from "../../server/components/prompt.ts";
import { resource } from "../../server/components/resource.ts";
import { tool } from "../../server/components/tool.ts";
import { answerOf, errorOf, headersFor, httpRequest, request, resultOf, serverOf, textOf, toolCall } from "./calls.ts";
import { pipeTo } from "./pipe.ts";

Deno.test("in process: arguments that nest deeper than any stack get some reply, and the next call works (B040)", async () => {
  let deep: JsonObject = {};
  for (let level = 0; level < 100_000; level++) deep = { a: deep };
  for (const input of [{ type: "object" }, { type: "object", properties: { a: { $ref: "#" } } }]) {
    const server = serverOf({ tools: [tool({ name: "t", input, handler: () => "ran" })] });
    assert.ok((await answerOf(server, toolCall("t", deep, 7))).response !== undefined);
    assert.equal(textOf(await resultOf(server, toolCall("t", {}, 8))), "ran");
  }
});

Deno.test("a tool that gives back what nests deeper than any stack fails alone, on every carrier (B040)", async () => {
  let deep: unknown = 1;
  for (let level = 0; level < 20_000; level++) deep = { a: deep };
  const server = serverOf({
    tools: [
      tool({ name: "deep", handler: () => ({ structured: deep, content: "short" }) }),
      tool({ name: "good", handler: () => "ran" }),
    ],
  });
  assert.equal((await errorOf(server, toolCall("deep"))).code, -32603);
  const response = await server.fetch(httpRequest(toolCall("deep")));
  assert.equal((await response.json()).error.code, -32603);
  const pipe = pipeTo(server);
  await pipe.send(toolCall("deep", undefined, 1));
  assert.ok("error" in await pipe.next());
  await pipe.send(toolCall("good", undefined, 2));
  assert.ok("result" in await pipe.next());
  await pipe.end();
});

Deno.test("a number that JSON text can not hold never reaches a handler as Infinity (B041)", async () => {
  const schemas = [
    { type: "object", properties: { n: { type: "number" } } },
    { type: "object", properties: { n: { type: "integer" } } },
    z.object({ n: z.number().optional() }),
  ] as const;
  for (const input of schemas) {
    const seen: unknown[] = [];
    const server = serverOf({
      tools: [tool({
        name: "t",
        input,
        handler: (args) => {
          seen.push(args);
          return "ran";
        },
      })],
    });
    const text = JSON.stringify(toolCall("t", { n: 0 })).replace('"n":0', '"n":1e400');
    const response = await server.fetch(
      new Request("http://localhost/", { method: "POST", headers: headersFor(toolCall("t")), body: text }),
    );
    const body = await response.json();
    assert.ok(body.error !== undefined || body.result.isError === true, JSON.stringify(body));
    assert.deepEqual(seen, []);
  }
});

Deno.test("Mcp-Name is decoded before it is compared, exactly and with the right member (B080, M-HDR-032, M-HDR-034, M-HDR-051, M-HDR-052)", async () => {
  const server = serverOf({
    prompts: [prompt({ name: "ツール", render: () => "" }), prompt({ name: " x", render: () => "" })],
    resources: [resource({ uri: "a:b", name: "x", read: () => "" })],
    tools: [],
  });
  const status = async (method: string, params: JsonObject, headers: { readonly [name: string]: string }) => {
    const message = request(method, params, "own");
    const own = headersFor({ ...message, params: {} }, headers);
    const response = await server.fetch(
      new Request("http://localhost/", { method: "POST", headers: own, body: JSON.stringify(message) }),
    );
    const body = await response.json();
    return [response.status, body.error?.code ?? "served", body.id];
  };
  const [served, refused] = [[200, "served", "own"], [400, -32020, "own"]];
  const name = { name: "ツール" };
  assert.deepEqual(await status("prompts/get", name, { "mcp-name": "=?base64?44OE44O844Or?=" }), served);
  assert.deepEqual(await status("prompts/get", name, { "MCP-NAME": "=?base64?44OE44O844Or?=" }), served);
  assert.deepEqual(await status("prompts/get", { name: " x" }, { "mcp-name": "=?base64?IHg=?=" }), served);
  assert.deepEqual(await status("resources/read", { uri: "a:b", name: "x" }, { "mcp-name": "a:b" }), served);
  assert.deepEqual(await status("prompts/get", name, { "mcp-name": "=?BASE64?44OE44O844Or?=" }), refused);
  assert.deepEqual(await status("prompts/get", name, { "mcp-name": "=?base64?44OE44O844O!?=" }), refused);
  assert.deepEqual(await status("prompts/get", { name: " x" }, { "mcp-name": "x" }), refused);
  assert.deepEqual(await status("resources/read", { uri: "a:b", name: "x" }, { "mcp-name": "x" }), refused);
  assert.deepEqual(await status("prompts/list", {}, { "mcp-method": "Prompts/List" }), refused);
});

Deno.test("a variable with a .. segment matches nothing, escaped or not; other slashes come decoded once (B068, M-RES-025)", async () => {
  const seen: string[] = [];
  const read = (slug: string) => {
    seen.push(slug);
    return isSafePathValue(slug) ? "page" : undefined;
  };
  const server = serverOf({
    resources: [
      resource({ uri: "kb://pages/{slug}", name: "page", read: ({ slug }) => read(slug) }),
      resource({ uri: "kb://files/{+slug}", name: "file", read: ({ slug }) => read(slug) }),
    ],
  });
  for (
    const path of ["pages/..%2F..%2Fkeys", "pages/..", "pages/%2e%2e", "files/../keys", "files/a/..%5Ckeys", "files/a%2F%2e./b"]
  ) {
    assert.equal((await errorOf(server, request("resources/read", { uri: `kb://${path}` }))).code, -32602, path);
  }
  assert.deepEqual(seen, []);
  for (const path of ["pages/a%2Fb", "files/a/b", "files/a%252Fb"]) {
    await resultOf(server, request("resources/read", { uri: `kb://${path}` }));
  }
  assert.deepEqual(seen, ["a/b", "a/b", "a%2Fb"]);
});

Deno.test("of a query name that is given twice one value is taken, always the same (B067)", async () => {
  const server = serverOf({
    resources: [resource({ uri: "shop://i/{id}{?page}", name: "r", read: (variables) => ({ ...variables }) })],
  });
  const read = () => resultOf(server, request("resources/read", { uri: "shop://i/1?page=2&page=3" }));
  const text = ((await read()).contents as JsonObject[])[0]?.text;
  assert.match(String(text), /^\{"id":"1","page":"[23]"\}$/);
  assert.equal(((await read()).contents as JsonObject[])[0]?.text, text);
});
