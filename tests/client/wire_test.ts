/** Tests of `client/wire.ts`. */
import assert from "node:assert/strict";
import type { Transport } from "../../client/mod.ts";
import { Wire } from "../../client/wire.ts";
import { deferred } from "./scripted.ts";

function carrier(closed: string[], name: string): Transport {
  return {
    exchange: () => {
      throw new Error("nothing is sent");
    },
    send: () => Promise.resolve(),
    incoming: (async function* () {})(),
    close: () => {
      closed.push(name);
      return Promise.resolve();
    },
  };
}

function wireOf(transport: Transport, reopen: () => Promise<Transport>): Wire {
  return new Wire({
    transport,
    reopen,
    stray: () => undefined,
    report: (error) => assert.fail(String(error)),
  });
}

Deno.test("Wire ends a second carrier that is there only after the end", async () => {
  const closed: string[] = [];
  const second = deferred<Transport>();
  const wire = wireOf(carrier(closed, "first"), () => second.promise);
  const restarting = wire.restart();
  await wire.close(new Error("closed"));
  second.resolve(carrier(closed, "second"));
  await assert.rejects(restarting, { message: "closed" });
  assert.deepEqual(closed, ["first", "first", "second"]);
});

Deno.test("Wire opens no second carrier after the end, and one at most before", async () => {
  const closed: string[] = [];
  let opened = 0;
  const open = () => Promise.resolve(carrier(closed, `reopened ${++opened}`));
  const ended = wireOf(carrier(closed, "first"), open);
  await ended.close(new Error("closed"));
  await assert.rejects(ended.restart(), { message: "closed" });
  assert.equal(opened, 0);
  const wire = wireOf(carrier(closed, "other"), open);
  await wire.restart();
  await wire.restart();
  assert.equal(opened, 1);
  await wire.close(new Error("closed"));
  assert.deepEqual(closed, ["first", "other", "reopened 1"]);
});
