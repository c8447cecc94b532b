/** Draws the outcome of the bench: requests per second, one bar for each server. */
import { middle, type Samples } from "./report.ts";

/** A bar: its label, its contender, and whether it is this package's. */
interface Bar {
  readonly label: string;
  readonly name: string;
  readonly ours?: boolean;
}

const GROUPS: readonly { readonly title: string; readonly bars: readonly Bar[] }[] = [
  {
    title: "1 tool",
    bars: [
      { label: "a handler without any check", name: "bare handler" },
      { label: "Causeway", name: "ours, tools: 1", ours: true },
      { label: "mcp-lite", name: "mcp-lite, tools: 1" },
      { label: "official SDK", name: "official, tools: 1" },
    ],
  },
  {
    title: "50 tools",
    bars: [
      { label: "Causeway", name: "ours, tools: 50", ours: true },
      { label: "official SDK", name: "official, tools: 50" },
      { label: "official SDK, schemas made once", name: "official with shared schemas, tools: 50" },
    ],
  },
  {
    title: "1,000 tools",
    bars: [
      { label: "Causeway", name: "ours, tools: 1000", ours: true },
      { label: "official SDK", name: "official, tools: 1000" },
      { label: "official SDK, schemas made once", name: "official with shared schemas, tools: 1000" },
    ],
  },
];

const WIDTH = 760;
/** Where bars begin, and how long the longest is. */
const [LEFT, LONGEST] = [248, 424];
const [BAR, STEP, HEAD] = [16, 24, 34];

const STYLE = `text { font: 13px system-ui, sans-serif; fill: #1f2328 } .title { font-size: 15px; font-weight: 600 }
.quiet { fill: #59636e } .group { font-weight: 600 } .bar { fill: #a3adb8 } .ours { fill: #0b7285 }
@media (prefers-color-scheme: dark) { text { fill: #e6edf3 } .quiet { fill: #9198a1 } .bar { fill: #596673 } .ours { fill: #3bc9db } }`;

/**
 * Draws the requests per second of the echo over HTTP as an SVG text. Its scale is logarithmic: the figures span four powers of ten.
 *
 * @param samples The rounds of each contender.
 * @param note A line below the bars: what was measured where.
 * @throws {Error} When a contender is missing.
 */
export function drawRates(samples: Samples, note: string): string {
  const rates = new Map(GROUPS.flatMap(({ bars }) => bars).map(({ name }) => [name, middle(samples, name, "rate")]));
  const most = Math.max(...rates.values());
  const lines: string[] = [];
  let y = 30;
  lines.push(text(16, y, "tools/call over HTTP: requests per second", "title"));
  lines.push(text(16, y += 20, "Longer is better. Each step of the same length is ten times as many.", "quiet"));
  for (const { title, bars } of GROUPS) {
    lines.push(text(16, y += HEAD, title, "group"));
    for (const { label, name, ours } of bars) {
      y += STEP;
      const rate = rates.get(name) as number;
      const length = Math.max(2, LONGEST * Math.log10(Math.max(rate, 1)) / Math.log10(most));
      lines.push(text(16, y, label, ours === true ? "group" : "quiet"));
      const style = ours === true ? "bar ours" : "bar";
      lines.push(`<rect class="${style}" x="${LEFT}" y="${y - 13}" width="${length.toFixed(1)}" height="${BAR}" rx="3"/>`);
      lines.push(text(LEFT + length + 8, y, shown(rate), ours === true ? "group" : ""));
    }
  }
  lines.push(text(16, y += HEAD, note, "quiet"));
  const height = y + 18;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" role="img">`,
    "<title>Requests per second of tools/call over HTTP</title>",
    `<style>${STYLE}</style>`,
    ...lines,
    "</svg>",
    "",
  ].join("\n");
}

/** Whether a run had every contender that is drawn. */
export function canDraw(samples: Samples): boolean {
  return GROUPS.every(({ bars }) => bars.every(({ name }) => samples.has(name)));
}

function text(x: number, y: number, content: string, style: string): string {
  const name = style === "" ? "" : ` class="${style}"`;
  return `<text x="${x.toFixed(1)}" y="${y}"${name}>${content.replaceAll("&", "&amp;").replaceAll("<", "&lt;")}</text>`;
}

function shown(rate: number): string {
  return rate >= 100 ? Math.round(rate).toLocaleString("en") : rate.toFixed(1);
}
