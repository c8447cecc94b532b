/** Tests of `transports/byte_tail.ts`. */
import assert from "node:assert/strict";
import { createByteTail } from "../../transports/byte_tail.ts";
import { createRandom } from "../protocol/random.ts";

Deno.test("createByteTail() keeps the last bytes, whatever the size of the chunks", () => {
  const random = createRandom(4);
  for (let round = 0; round < 300; round++) {
    const limit = random.below(3000);
    const tail = createByteTail(limit);
    let all = "";
    for (let chunks = random.below(40); chunks > 0; chunks--) {
      const text = String.fromCharCode(97 + random.below(26)).repeat(random.below(chunks % 7 === 0 ? 4000 : 50));
      all += text;
      tail.add(new TextEncoder().encode(text));
    }
    assert.equal(tail.text(), limit === 0 ? "" : all.slice(-limit));
  }
});

Deno.test("createByteTail() joins characters over the seam, replaces cut ones, and copies what it is given", () => {
  const tail = createByteTail(6);
  const chunk = new TextEncoder().encode("aé→");
  for (const byte of chunk) tail.add(Uint8Array.of(byte));
  assert.equal(tail.text(), "aé→");
  tail.add(new TextEncoder().encode("z"));
  assert.equal(tail.text(), "é→z");
  tail.add(new TextEncoder().encode("z"));
  assert.equal(tail.text(), "\uFFFD→zz");
  const reused = new TextEncoder().encode("b");
  tail.add(reused);
  reused.fill(120);
  assert.ok(tail.text().endsWith("zzb"));
});
