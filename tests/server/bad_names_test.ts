/** Tests of names and keys that look like something else, over HTTP and over a byte pipe. */
import assert from "node:assert/strict";
import type { JsonObject } from "../../protocol/types.ts";
import { tool } from "../../server/components/tool.ts";
import { assertError, badInputServer, callText, META_TEXT } from "./bad_input.ts";
import { headersFor, serverOf, toolCall } from "./calls.ts";
import { pipeTo } from "./pipe.ts";
import { bodyText, listen, Wire } from "./socket.ts";

Deno.test("a __proto__ key in arguments is a key like any other, and reaches no prototype (B038)", async () => {
  for (const carrier of ["HTTP", "stdio"] as const) {
    const result = await over(
      carrier,
      callText("1", '{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}'),
    );
    assert.deepEqual((result.result as JsonObject).structuredContent, { keys: ["__proto__", "constructor"], polluted: false });
    assert.equal("polluted" in {}, false);
  }
});

Deno.test("a tool named constructor is called when it is defined, and unknown names of Object's members get -32602 (B038)", async () => {
  for (const carrier of ["HTTP", "stdio"] as const) {
    const defined = await over(carrier, JSON.stringify(toolCall("constructor")), "constructor");
    assert.deepEqual((defined.result as JsonObject).content, [{ type: "text", text: "constructed" }]);
    for (const name of ["__proto__", "toString", "hasOwnProperty", "valueOf"]) {
      const unknown = await over(carrier, JSON.stringify(toolCall(name, undefined, "x")), name);
      assert.deepEqual([unknown.id, (unknown.error as JsonObject).code], ["x", -32602], name);
    }
  }
  const bare = serverOf({ tools: [tool({ name: "echo", handler: () => "" })] });
  const pipe = pipeTo(bare);
  await pipe.send(toolCall("constructor", undefined, 2));
  assert.equal(((await pipe.next() as unknown as JsonObject).error as JsonObject).code, -32602);
  await pipe.end();
});

/** Sends a text over a fresh connection, and reads what comes back. */
async function over(carrier: "HTTP" | "stdio", text: string, name = "echo"): Promise<JsonObject> {
  const server = badInputServer([]);
  if (carrier === "stdio") {
    const pipe = pipeTo(server);
    await pipe.write(`${text}\n`);
    const answer = await pipe.next();
    await pipe.end();
    return answer as unknown as JsonObject;
  }
  const http = listen(server);
  const wire = await Wire.open(http.port);
  await wire.write(bodyText(text, headersFor(toolCall(name))));
  const { status, body } = await wire.answer();
  assert.equal(status, 200);
  wire.hangUp();
  await http.close();
  return JSON.parse(body);
}

Deno.test("HTTP: keys that look alike change nothing (B037)", async () => {
  const text =
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","Method":"tools/list","method\\u0000":"x","param\u017f":{"name":"rm"},` +
    `"params":{"name":"echo","Name":"constructor","_meta":${META_TEXT}}}`;
  const answer = await over("HTTP", text);
  assert.deepEqual((answer.result as JsonObject).structuredContent, { keys: [], polluted: false });
});

Deno.test("HTTP: of a doubled key the header check sees the value that is executed (B037)", async () => {
  const calls: string[] = [];
  const http = listen(badInputServer(calls));
  const wire = await Wire.open(http.port);
  const text =
    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"constructor","name":"echo","_meta":${META_TEXT}}}`;
  await wire.write(bodyText(text, headersFor(toolCall("constructor"))));
  assertError(await wire.answer(), { status: 400, code: -32020, id: 1 });
  assert.deepEqual(calls, []);
  wire.hangUp();
  await http.close();
});
