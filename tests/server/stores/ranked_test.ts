/** Tests of `server/stores/ranked.ts`. */
import assert from "node:assert/strict";
import { Ranked } from "../../../server/stores/ranked.ts";

Deno.test("Ranked gives the value of the lowest rank, whatever was added and taken out before", () => {
  const ranked = new Ranked<{ readonly rank: number }>(({ rank }) => rank);
  const model: { readonly rank: number }[] = [];
  let seed = 7;
  const next = (below: number): number => (seed = (seed * 48271) % 2147483647) % below;
  for (let turn = 0; turn < 3000; turn++) {
    if (next(5) < 3) {
      const value = { rank: next(200) };
      ranked.add(value);
      model.push(value);
    } else if (model.length > 0) {
      const [gone] = model.splice(next(model.length), 1);
      ranked.delete(gone as { readonly rank: number });
    }
    assert.equal(ranked.first?.rank, model.length === 0 ? undefined : Math.min(...model.map(({ rank }) => rank)));
  }
  ranked.delete({ rank: 0 });
  for (const value of model.sort((a, b) => a.rank - b.rank)) {
    assert.equal(ranked.first?.rank, value.rank);
    ranked.delete(ranked.first as { readonly rank: number });
  }
  assert.equal(ranked.first, undefined);
});
