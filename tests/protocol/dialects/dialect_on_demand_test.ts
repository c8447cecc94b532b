import assert from "node:assert/strict";
import { dialectOnDemand } from "../../../protocol/dialects/dialect_on_demand.ts";
import { facts20250618 } from "../../../protocol/dialects/2025-06-18.ts";
import { words20250618 as wordsOf } from "../../../protocol/dialects/words_2025-06-18.ts";

const words20250618 = wordsOf(facts20250618);

Deno.test("dialectOnDemand() knows the facts at once, and the rest in the same objects when it is loaded", async () => {
  let loads = 0;
  const dialect = dialectOnDemand(facts20250618, { polls: true }, () => {
    loads++;
    return Promise.resolve(words20250618);
  });
  const { handshake } = dialect;
  assert.equal(dialect.version, "2025-06-18");
  assert.equal(dialect.hasRequest("ping", "client"), true);
  assert.equal(handshake.polls, true);
  assert.equal(dialect.readRequest, undefined);
  await Promise.all([dialect.load?.(), dialect.load?.()]);
  assert.equal(loads, 1);
  assert.equal(dialect.load, undefined);
  assert.equal(dialect.readRequest, words20250618.readRequest);
  assert.equal(dialect.handshake, handshake);
  assert.equal(handshake.polls, true);
  assert.equal(handshake.readHello, words20250618.handshake.readHello);
});

Deno.test("dialectOnDemand() tries again after it could not be loaded", async () => {
  let loads = 0;
  const dialect = dialectOnDemand(
    facts20250618,
    { polls: false },
    () => loads++ === 0 ? Promise.reject(new Error("gone")) : Promise.resolve(words20250618),
  );
  await assert.rejects(async () => await dialect.load?.(), /gone/);
  assert.notEqual(dialect.load, undefined);
  await dialect.load?.();
  assert.equal(dialect.load, undefined);
});
