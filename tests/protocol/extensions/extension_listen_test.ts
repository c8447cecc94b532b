/** Tests of what extensions add to change streams, when they do it wrongly. */
import assert from "node:assert/strict";
import { extension } from "../../../protocol/extensions/extension.ts";
import type { ListenStream } from "../../../protocol/extensions/extension_types.ts";
import type { JsonRpcNotification, JsonValue } from "../../../protocol/types.ts";
import { infoOf, request, serverOf } from "../../server/calls.ts";

const ID = "com.example/x";
const NEWS = "notifications/com.example/news";
const described = extension({ id: ID, listenKeys: { xs: {} }, notifications: { [NEWS]: { type: "object" } } });
const DECLARED = { "io.modelcontextprotocol/clientCapabilities": { extensions: { [ID]: {} } } };

/** Opens a stream of a server whose extension does this with it. */
async function listen(open: (stream: ListenStream) => unknown) {
  const errors: string[] = [];
  const served = described.serve({}, { xs: (_wanted, stream) => open(stream) as JsonValue });
  const onError = (error: unknown) => void errors.push((error as Error).message);
  const server = serverOf({ tools: [] }, { extensions: [served], onError });
  const asked = request("subscriptions/listen", { notifications: { xs: true }, _meta: DECLARED });
  return { answer: await server.handle(asked, infoOf()), errors, server };
}

Deno.test("what JSON can not carry is refused where an extension gives it, and does not break the stream", async () => {
  const { answer, errors } = await listen(() => 1n);
  assert.equal((answer as unknown as { error: { code: number } }).error.code, -32603);
  assert.match(errors[0] as string, /BigInt/);
});

Deno.test("a notification that can not be sent is reported, ends no process, and holds no later one back", async () => {
  const { answer, errors, server } = await listen((stream) => {
    // Nobody waits for these: an unhandled rejection would fail this test.
    stream.notify("notifications/other", {});
    stream.notify(NEWS, { size: 1n as never });
    stream.notify(NEWS, { size: 2 });
    return true;
  });
  assert.ok(answer !== undefined && Symbol.asyncIterator in answer);
  const messages = answer[Symbol.asyncIterator]();
  await messages.next();
  const { method, params } = (await messages.next()).value as JsonRpcNotification;
  assert.deepEqual([method, params?.size], [NEWS, 2]);
  assert.equal(errors.length, 2);
  assert.equal(errors[0], `${ID}: It has no notification notifications/other`);
  await messages.return?.();
  await server.close();
});

Deno.test("a listener that throws at the end of a stream is reported, and those after it hear of the end", async () => {
  const heard: string[] = [];
  const { answer, errors, server } = await listen((stream) => {
    stream.onEnd(() => {
      throw new Error("Cleaning failed");
    });
    stream.onEnd(() => heard.push("second"));
    return true;
  });
  assert.ok(answer !== undefined && Symbol.asyncIterator in answer);
  const messages = answer[Symbol.asyncIterator]();
  await messages.next();
  await messages.return?.();
  assert.deepEqual([errors, heard], [["Cleaning failed"], ["second"]]);
  await server.close();
});
