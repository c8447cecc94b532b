/** Runs the suite of `tests/runtimes/` in headless Chromium: a page of one origin, a server of another, and no code generation. */

import { readFile } from "node:fs/promises";
import { inBrowser } from "../tests/system/browser.ts";
import { runDeno, startCommand } from "./command.ts";
import type { Consumer } from "./npm/consumer.ts";
import { nodeProgram } from "./npm/tools.ts";

/** What came of one case. */
export interface Outcome {
  /** The case. */
  readonly name: string;
  /** What went wrong; absent when it passed. */
  readonly error?: string;
}

const PAGE = `<!doctype html><meta charset="utf-8"><title>Suite</title><script type="module" src="/browser_bundle.mjs"></script>`;
/** Scripts of the page's own origin only, and none made from text. */
const POLICY = "default-src 'none'; script-src 'self'; connect-src http://127.0.0.1:*";
const PATIENCE = 120_000;

/** Bundles the suite, serves it to a browser, and gives what came of its cases. */
export async function runInBrowser(consumer: Consumer): Promise<readonly Outcome[]> {
  const args = ["bundle", "--quiet", "--platform", "browser", "-o", "browser_bundle.mjs", "browser.mjs"];
  const bundled = await runDeno(args, { cwd: consumer.folder });
  if (bundled.code !== 0) return [{ name: "it bundles", error: bundled.output }];
  const script = await readFile(`${consumer.folder}/browser_bundle.mjs`, "utf8");
  const site = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (request) => {
    const isScript = new URL(request.url).pathname === "/browser_bundle.mjs";
    const type = isScript ? "text/javascript" : "text/html";
    return new Response(isScript ? script : PAGE, { headers: { "content-type": type, "content-security-policy": POLICY } });
  });
  // Origins of this machine are let in by default; the page comes from one that has to be named.
  const origin = `http://pages.example:${site.addr.port}`;
  const flags = ["--host-resolver-rules=MAP pages.example 127.0.0.1", `--unsafely-treat-insecure-origin-as-secure=${origin}`];
  const server = startCommand([await nodeProgram("node20"), "serve.mjs", origin], { cwd: consumer.folder });
  try {
    const url = await announced(server.output, /"url":"([^"]+)"/);
    if (url === undefined) return [{ name: "it listens", error: server.output() }];
    return await inBrowser(async (page) => {
      page.setDefaultTimeout(PATIENCE);
      await page.goto(`${origin}/#${url}`);
      await page.waitForFunction(() => "outcomes" in globalThis);
      return await page.evaluate(() => (globalThis as unknown as { readonly outcomes: Promise<Outcome[]> }).outcomes);
    }, flags);
  } finally {
    server.stop();
    await server.result;
    await site.shutdown();
  }
}

/** What a program says that it listens on: the first group of the pattern; undefined when it says nothing in half a minute. */
export async function announced(output: () => string, pattern: RegExp): Promise<string | undefined> {
  for (let waited = 0; waited < 30_000; waited += 50) {
    const found = pattern.exec(output())?.[1];
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return undefined;
}
