/** Tests of `protocol/shown.ts`. */
import assert from "node:assert/strict";
import { CAUSE_LENGTH } from "../../protocol/limits.ts";
import { unreachableCause } from "../../protocol/shown.ts";

function because(message: string, cause?: unknown): TypeError {
  return new TypeError(message, cause === undefined ? undefined : { cause });
}

Deno.test("unreachableCause tells what fetch rejects with, and what lies beneath", () => {
  const denied = Object.assign(new Error('Requires net access to "a.example:443", run again with the --allow-net flag'), {
    name: "NotCapable",
  });
  assert.equal(unreachableCause(denied), ` (${denied.message})`);
  assert.equal(unreachableCause(because("Failed to fetch")), " (Failed to fetch)");
  const beneath = new Error("connect ECONNREFUSED 127.0.0.1:9");
  assert.equal(unreachableCause(because("fetch failed", beneath)), " (fetch failed: connect ECONNREFUSED 127.0.0.1:9)");
  const several = Object.assign(new AggregateError([]), { code: "ECONNREFUSED" });
  assert.equal(unreachableCause(because("fetch failed", several)), " (fetch failed: ECONNREFUSED)");
  assert.equal(unreachableCause(because("all: x", new Error("x"))), " (all: x)");
});

Deno.test("unreachableCause tells nothing of other errors, which may quote a request", () => {
  for (const other of [new Error("token abc"), "token abc", undefined, { name: "TypeError", message: "x" }, because("")]) {
    assert.equal(unreachableCause(other), "");
  }
});

Deno.test("unreachableCause shows no address, no word of the headers, no control characters, and no long text", () => {
  const deno = because("fetch failed", new Error("error sending request for url (http://a:secret@h/x?k=(secret)): client error"));
  assert.equal(unreachableCause(deno), " (fetch failed: error sending request: client error)");
  const node = because("Request cannot be constructed from a URL that includes credentials: https://a:secret@h/?k=secret#secret");
  assert.doesNotMatch(unreachableCause(node), /secret|@/);
  assert.equal(unreachableCause(because("Bad value Bearer secret-token"), ["Bearer secret-token"]), " (Bad value Bearer …)");
  assert.equal(unreachableCause(because("a\u001b[31m\nb\u202e")), " (a b)");
  assert.ok(unreachableCause(because("x".repeat(100_000))).length <= CAUSE_LENGTH + 4);
});
