import assert from "node:assert/strict";
import { plainCopy } from "../../../../protocol/extensions/bridge/plain_copy.ts";
import { createRandom, type Random } from "../../random.ts";

const WIDE = { messageBytes: 1_000_000, jsonDepth: 64, jsonElements: 100_000 };

Deno.test("plainCopy counts the bytes of the JSON text exactly, seeded", () => {
  const random = createRandom(5);
  for (let i = 0; i < 3000; i++) {
    const value = anyValue(random, 4);
    const bytes = new TextEncoder().encode(JSON.stringify(value)).length;
    assert.ok(plainCopy(value, { ...WIDE, messageBytes: bytes }).ok, `${bytes} bytes: ${JSON.stringify(value)}`);
    assert.equal(plainCopy(value, { ...WIDE, messageBytes: bytes - 1 }).ok, false, JSON.stringify(value));
  }
});

Deno.test("plainCopy gives what JSON would, and keeps hostile names as names", () => {
  const hostile: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":1,"toString":null}');
  const copy = plainCopy(hostile, WIDE);
  assert.ok(copy.ok);
  assert.equal(JSON.stringify(copy.value), JSON.stringify(hostile));
  assert.equal(Object.getPrototypeOf(copy.value), Object.prototype);
  assert.equal((copy.value as { polluted?: unknown }).polluted, undefined);
});

function anyValue(random: Random, depth: number): unknown {
  switch (random.below(depth === 0 ? 5 : 7)) {
    case 0:
      return random.text(12);
    case 1:
      return random.pick([0, -0, 1.5, -1e21, 5e-324, 123456789]);
    case 2:
      return random.below(2) === 0;
    case 3:
      return null;
    case 4:
      return random.pick([
        "\ud800",
        "\udc00x",
        "a\ud83d",
        "\ud83e\udd8a",
        "\u0000\u0007\b\t\n\f\r\u001f",
        '"\\/',
        "\u007f\u0080\u07ff\u0800",
      ]);
    case 5:
      return Array.from({ length: random.below(4) }, () => random.below(8) === 0 ? undefined : anyValue(random, depth - 1));
    default:
      return Object.fromEntries(
        Array.from(
          { length: random.below(4) },
          () => [random.text(5), random.below(8) === 0 ? undefined : anyValue(random, depth - 1)],
        ),
      );
  }
}
