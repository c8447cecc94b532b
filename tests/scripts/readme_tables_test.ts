import assert from "node:assert/strict";
import { ROOT } from "../../scripts/command.ts";
import { keepFigures, type LegFigures, readFigures } from "../../scripts/conformance/figures.ts";
import { type BenchFile, conformanceTable, isWhole, speedTable, withPart } from "../../scripts/readme_tables.ts";

const SERVER: LegFigures = {
  leg: "server",
  wire: "2026-07-28",
  scored: { passed: 36, of: 37 },
  unscored: { passed: 0, of: 0 },
  left: ["one"],
};
const CLIENT: LegFigures = { ...SERVER, leg: "client", wire: "2025-11-25" };

Deno.test("conformanceTable has a row for each leg, servers first and the newest revision first", () => {
  const rows = conformanceTable([CLIENT, { ...SERVER, wire: "2025-11-25" }, SERVER]).split("\n").slice(2);
  assert.deepEqual(rows, [
    "| server | 2026-07-28 | 36 of 37 | none |",
    "| server | 2025-11-25 | 36 of 37 | none |",
    "| client | 2025-11-25 | 36 of 37 | none |",
  ]);
});

Deno.test("keepFigures puts new figures in place of older ones of the same leg and wire", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = `${folder}/dist/conformance.json`;
    assert.deepEqual(await readFigures(path), []);
    await keepFigures(path, [SERVER, CLIENT]);
    await keepFigures(path, [{ ...SERVER, scored: { passed: 37, of: 37 } }]);
    assert.deepEqual((await readFigures(path)).map(({ leg, scored }) => [leg, scored.passed]), [["server", 37], ["client", 36]]);
    await keepFigures(path, []);
    assert.equal((await readFigures(path)).length, 2);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});

Deno.test("speedTable shows the medians of the rounds", () => {
  const names = [
    "ours, tools: 1",
    "ours, tools: 50",
    "ours, tools: 1000",
    "ours, tools: 1 (beside bare handler)",
    "ours, list of 50 (beside prepared list of 50)",
    "ours in process",
    "ours over stdio",
  ];
  const beside = [
    "official, tools: 1",
    "official, tools: 50",
    "official, tools: 1000",
    "official with shared schemas, tools: 50",
  ];
  const others = [
    "bare handler (beside ours, tools: 1)",
    "prepared list of 50 (beside ours, list of 50)",
    "official in process",
    "official over stdio",
  ];
  const rounds = [{ cpu: 10, rate: 900 }, { cpu: 30.04, rate: 20_000 }, { cpu: 90, rate: 30_000 }];
  const samples = Object.fromEntries([...names, ...beside, ...others].map((name) => [name, rounds]));
  const rows = ["ours", "official"].flatMap((whose) =>
    ["first tools/list", "first tools/call", "bundled, first tools/call"].map((what) => ({
      what: `fresh process, ${whose}, ${what}: more than an empty program`,
      value: whose === "ours" ? 40 : 150,
    }))
  );
  for (const name of ["server", "client"]) {
    for (const [part, value] of [["loaded at the start", 50], ["all of it", 80]] as const) {
      rows.push({ what: `door ./${name}, ${part}, minified, gzip`, value });
      rows.push({ what: `official ${name}, ${part}, minified, gzip`, value: value + 40 });
    }
  }
  const bench: BenchFile = { deno: "2.9.6", cores: 2, rounds: 3, samples, rows };
  assert.equal(isWhole(bench), true);
  const table = speedTable(bench);
  assert.match(table, /^Medians of 3 interleaved rounds on 2 shared cores, Deno 2\.9\.6\./);
  assert.match(table, /processor time \| 30\.0 µs \| bare handler 30\.0 µs \|/);
  assert.match(table, /with 1,000 tools: requests per second \| 20,000 \| official 20,000 \|/);
  assert.match(table, /in process \| 50\.0 µs \| official 50\.0 µs \|/);
  assert.match(table, /a fresh process to its first `tools\/list` \| 40\.0 ms \| official 150 ms \|/);
  assert.match(table, /with the client: what it loads at its start, gzip \| 50\.0 kB \| official 90\.0 kB \|/);
  assert.match(table, /the same: all of it, gzip \| 80\.0 kB \| official 120 kB \|/);
  assert.equal(isWhole({ ...bench, rows: rows.slice(1) }), false);
  const { "bare handler (beside ours, tools: 1)": _bare, ...rest } = samples;
  assert.equal(isWhole({ ...bench, samples: rest }), false);
});

Deno.test("withPart changes what stands between the comments alone, and README has both places", async () => {
  const text = "a\n<!-- x: begin (how) -->\nold\n<!-- x: end -->\nb\n";
  assert.equal(withPart(text, "x", "new"), "a\n<!-- x: begin (how) -->\n\nnew\n\n<!-- x: end -->\nb\n");
  assert.throws(() => withPart(text, "y", "new"), /README has no place named y/);
  const readme = await Deno.readTextFile(`${ROOT}/README.md`);
  for (const name of ["conformance", "speed"]) assert.match(withPart(readme, name, "new"), /\n\nnew\n\n<!--/);
});
