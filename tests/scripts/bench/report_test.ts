/** How the bench turns rounds into rows and tables. */
import assert from "node:assert/strict";
import {
  compare,
  formatReport,
  jsonReport,
  median,
  middle,
  ratio,
  reached,
  type Samples,
} from "../../../scripts/bench/report.ts";

const samples: Samples = new Map([
  ["a", [{ cpu: 10, rate: 100 }, { cpu: 40, rate: 25 }, { cpu: 12, rate: 90 }]],
  ["b", [{ cpu: 5, rate: 200 }, { cpu: 20, rate: 50 }, { cpu: 4, rate: 270 }]],
]);

Deno.test("median takes the middle value, and the mean of two in the middle", () => {
  assert.equal(median([9, 1, 5]), 5);
  assert.equal(median([9, 1, 5, 7]), 6);
  assert.ok(Number.isNaN(median([])));
});

Deno.test("ratio compares round by round, so that a slow round does not count", () => {
  assert.equal(ratio(samples, "a", "b", "cpu"), 2);
  assert.equal(ratio(samples, "b", "a", "rate"), 2);
  assert.equal(middle(samples, "a", "cpu"), 12);
  assert.throws(() => ratio(samples, "a", "c", "cpu"), /no measurement of c/);
});

Deno.test("compare leaves out what did not take part", () => {
  const rows = compare(samples, [
    { what: "both", a: "a", b: "b", of: "cpu", target: { at: "most", value: 2 } },
    { what: "one", a: "a", b: "c", of: "cpu" },
  ]);
  assert.deepEqual(rows, [{ what: "both: CPU", value: 2, unit: "×", target: { at: "most", value: 2 } }]);
});

Deno.test("reached knows targets from above and from below", () => {
  const row = { what: "x", value: 2, unit: "×" };
  assert.equal(reached(row), undefined);
  assert.equal(reached({ ...row, target: { at: "most", value: 2 } }), true);
  assert.equal(reached({ ...row, target: { at: "most", value: 1.9 } }), false);
  assert.equal(reached({ ...row, target: { at: "least", value: 2 } }), true);
  assert.equal(reached({ ...row, target: { at: "least", value: 2.1 } }), false);
});

Deno.test("formatReport and jsonReport show contenders, rows and targets", () => {
  const results = [{ samples, rows: [{ what: "x", value: 1.234, unit: "×", target: { at: "least" as const, value: 2 } }] }];
  const text = formatReport(results);
  assert.match(text, /^a +12\.0 +90\.0$/m);
  assert.match(text, /^x +1\.23 × +≥ 2 +NOT REACHED$/m);
  const json = JSON.parse(jsonReport(results, { rounds: 3 }));
  assert.equal(json.rounds, 3);
  assert.equal(json.rows[0].reached, false);
  assert.deepEqual(json.samples.a[0], { cpu: 10, rate: 100 });
});
