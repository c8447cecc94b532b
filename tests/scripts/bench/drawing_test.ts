/** The drawing of the bench. */
import assert from "node:assert/strict";
import { canDraw, drawRates } from "../../../scripts/bench/drawing.ts";
import type { Sample, Samples } from "../../../scripts/bench/report.ts";

const RATES: Readonly<Record<string, number>> = {
  "bare handler": 40_000,
  "ours, tools: 1": 20_000,
  "ours, tools: 50": 19_500,
  "ours, tools: 1000": 19_000,
  "mcp-lite, tools: 1": 22_000,
  "official, tools: 1": 1_500,
  "official, tools: 50": 130,
  "official, tools: 1000": 5.5,
  "official with shared schemas, tools: 50": 900,
  "official with shared schemas, tools: 1000": 95,
};
const samples: Samples = new Map(
  Object.entries(RATES).map((
    [name, rate],
  ): [string, Sample[]] => [name, [{ cpu: 1, rate }, { cpu: 1, rate: rate * 3 }, { cpu: 1, rate }]]),
);

Deno.test("drawRates shows the median of every contender, and a longer bar for the faster one", () => {
  const drawn = drawRates(samples, "Deno 2 < 3 & so on");
  for (const rate of ["40,000", "20,000", "130", "5.5", "95.0"]) assert.ok(drawn.includes(`>${rate}</text>`), rate);
  assert.ok(drawn.includes("Deno 2 &lt; 3 &amp; so on"));
  const widths = [...drawn.matchAll(/<rect [^>]*width="([\d.]+)"/g)].map(([, width]) => Number(width));
  assert.equal(widths.length, 10);
  assert.deepEqual(widths.slice(0, 4).toSorted((a, b) => b - a), [widths[0], widths[2], widths[1], widths[3]]);
  assert.equal(drawn.split("<text").length, drawn.split("</text>").length);
});

Deno.test("drawRates needs every contender", () => {
  assert.ok(canDraw(samples));
  const some: Samples = new Map([...samples].slice(1));
  assert.ok(!canDraw(some));
  assert.throws(() => drawRates(some, ""), /no measurement of bare handler/);
});
