/** What the tests of bad input share: a server, requests as text, and errors as they must come. */
import assert from "node:assert/strict";
import { tool } from "../../server/components/tool.ts";
import type { Server } from "../../server/server_types.ts";
import { serverOf, toolCall } from "./calls.ts";
import type { RawAnswer } from "./socket.ts";

/** A server with a tool that shows its arguments, and one whose name is also a member of every object. */
export function badInputServer(calls: string[], limits: { readonly requestBody?: number } = {}): Server {
  return serverOf({
    tools: [
      tool({
        name: "echo",
        input: { type: "object" },
        handler: (args) => {
          calls.push("echo");
          return { keys: Object.keys(args), polluted: "polluted" in args };
        },
      }),
      tool({ name: "constructor", handler: () => "constructed" }),
    ],
  }, { limits });
}

/** A request that is served. */
export const GOOD = toolCall("echo", {}, "good");

/** The `_meta` of a request, as text. */
export const META_TEXT = JSON.stringify(toolCall("echo").params?._meta);

/** A call with an id and arguments that are written out. */
export function callText(id: string, args: string): string {
  return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"echo","arguments":${args},"_meta":${META_TEXT}}}`;
}

/** Fails unless an HTTP answer is this error. */
export function assertError(
  answer: RawAnswer,
  expected: { status: number; code: number; id?: string | number | undefined },
): void {
  assert.equal(answer.status, expected.status);
  assert.equal(answer.headers.get("content-type"), "application/json");
  const body = JSON.parse(answer.body);
  assert.equal(body.jsonrpc, "2.0");
  assert.equal(body.error.code, expected.code);
  assert.equal(typeof body.error.message, "string");
  assert.deepEqual(body.id, expected.id);
}
