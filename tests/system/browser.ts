/** Starts headless Chromium for a test and ends it, whatever the test did. */

import { type Browser, launch, type Page } from "puppeteer-core";

const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

/**
 * Opens an empty page, hands it to `use`, and ends the browser and removes its profile when `use` has settled.
 *
 * @param use Works with the page.
 * @param flags More flags for the browser.
 */
export async function inBrowser<Result>(
  use: (page: Page, browser: Browser) => Promise<Result>,
  flags: readonly string[] = [],
): Promise<Result> {
  const profile = await Deno.makeTempDir({ prefix: "chromium-" });
  const browser = await launch({
    executablePath: Deno.env.get("CHROMIUM") ?? "/usr/bin/chromium",
    headless: true,
    args: [...FLAGS, ...flags],
    userDataDir: profile,
    pipe: true,
  });
  try {
    return await use(await browser.newPage(), browser);
  } finally {
    await browser.close();
    await Deno.remove(profile, { recursive: true });
  }
}
