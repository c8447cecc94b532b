/** Runs the suite in a page: over HTTP against the server whose address is the fragment of the page's, and inside the page itself. */
import { connect } from "@causeway/mcp/client";
import { INSIDE, outcome, runAlone, runCases } from "./suite.mjs";

async function run(url) {
  const outcomes = [await outcome("the page has another origin than the server", () => foreign(url))];
  for await (const one of runAlone()) outcomes.push(one);
  for await (const one of runCases({ ...INSIDE, "HTTP": (options) => connect(url, options) })) outcomes.push(one);
  return outcomes;
}

function foreign(url) {
  if (new URL(url).origin === location.origin) throw new Error(`Both are ${location.origin}`);
}

globalThis.outcomes = run(location.hash.slice(1));
