import assert from "node:assert/strict";
import type { Frame, Page } from "puppeteer-core";
import { inBrowser } from "./browser.ts";

/** What the functions that run in the page use of it. The library of all that would change the types of other files. */
interface PageElement {
  textContent: string | null;
  readonly dataset: { readonly [name: string]: string | undefined };
  append(child: PageElement): void;
}

declare const document: {
  title: string;
  readonly body: PageElement;
  readonly documentElement: PageElement;
  querySelector(selector: string): PageElement | null;
  querySelectorAll(selector: string): Iterable<PageElement>;
  createElement(name: string): PageElement;
};
declare const parent: { readonly document: { readonly title: string } };
declare const top: typeof parent;
declare const origin: string;
declare function getComputedStyle(element: PageElement): { readonly colorScheme: string };

const PROGRAM = new URL("../../examples/apps/main.ts", import.meta.url);
const VIEW = new URL("../../examples/apps/weather.html", import.meta.url);

Deno.test("apps 18 the script of our view names no eval, no Function and no other way to run text", async () => {
  const html = await Deno.readTextFile(VIEW);
  const scripts = [...html.matchAll(/<script>([^]*?)<\/script>/g)].map(([, script = ""]) => script).join("\n");
  assert.ok(scripts.length > 1000);
  assert.doesNotMatch(scripts, /\beval\b|\bFunction\b|innerHTML|document\.write|import\(|set(?:Timeout|Interval)\(\s*["'`]/);
});

Deno.test("a page hosts our app and the official one: clicks in the views call tools, and the results are drawn", async () => {
  // The official app does not catch that a link was declined.
  await withPage(/open-link: the host or its user declined/, async (page) => {
    const card = await frameWith(page, "#cities button");
    await shows(card, "#city", "Oslo");
    const before = await card.$eval("#curve", (path) => path.getAttribute("d"));
    const nairobi = await card.waitForSelector("::-p-text(Nairobi)");
    await nairobi?.click();
    await shows(card, "#city", "Nairobi");
    await shows(card, "#sky", "Showers later");
    assert.notEqual(await card.$eval("#curve", (path) => path.getAttribute("d")), before);
    await shows(page, "article:nth-of-type(1) .log", "tools/call weather");
    await shows(page, "article:nth-of-type(1) .facts", "MCP 2026-07-28 · ui://weather/card");

    const clock = await frameWith(page, "#server-time");
    await shows(clock, "#server-time", "Z");
    const first = await textOf(clock, "#server-time");
    await (await clock.waitForSelector("#get-time-btn"))?.click();
    await clock.waitForFunction((old: string) => document.querySelector("#server-time")?.textContent !== old, {}, first);
    assert.ok(Date.parse(await textOf(clock, "#server-time")) > Date.parse(first));
    await (await clock.waitForSelector("#send-message-btn"))?.click();
    await page.waitForFunction(() =>
      [...document.querySelectorAll(".said")].some((said) => said.textContent === "This is message text.")
    );
    await (await clock.waitForSelector("#open-link-btn"))?.click();
    await page.waitForSelector("#link[open]");
    assert.equal(await textOf(page, "#link .url"), "https://modelcontextprotocol.io/");
    await page.click('#link [value="no"]');
    await page.waitForSelector("#link:not([open])");
    await shows(page, "article:nth-of-type(2) .log", "error -32000");

    await photograph(page, "light");
    await page.click('[data-theme="dark"]');
    await card.waitForFunction(() => getComputedStyle(document.documentElement).colorScheme === "dark");
    await clock.waitForFunction(() => document.documentElement.dataset.theme === "dark");
    await photograph(page, "dark");

    await page.click("article:nth-of-type(1) .end");
    await shows(page, "article:nth-of-type(1) .view", "The view has ended.");
    assert.equal(page.frames().includes(card), false);
  });
});

Deno.test("a view is in a sandbox: no origin of its own, no way to its parents, no network, no eval", async () => {
  await withPage(/Content Security Policy/, async (page) => {
    const card = await frameWith(page, "#cities button");
    await card.evaluate(() => {
      // What runs while the debugger calls may use eval, whatever the policy says; what runs later may not.
      setTimeout(() => {
        const script = document.createElement("script");
        script.textContent = 'try { new Function("")(); document.title = "ran"; } catch { document.title = "refused"; }';
        document.body.append(script);
      });
    });
    await card.waitForFunction(() => document.title !== "Weather");
    const found = await card.evaluate(async (host: string) => {
      const fails = async (attempt: () => unknown): Promise<boolean> => {
        try {
          await attempt();
          return false;
        } catch {
          return true;
        }
      };
      return {
        origin,
        title: document.title,
        parent: await fails(() => parent.document.title),
        top: await fails(() => top.document.title),
        network: await fails(() => fetch(`${host}config.json`, { mode: "no-cors" })),
        storage: await fails(() => localStorage.length),
      };
    }, page.url());
    assert.deepEqual(found, { origin: "null", title: "refused", parent: true, top: true, network: true, storage: true });
  });
});

/** Starts the example with the permissions that it names, opens its page, and ends both. Nothing may go wrong on the page but what is expected. */
async function withPage(expected: RegExp, use: (page: Page) => Promise<void>): Promise<void> {
  const source = await Deno.readTextFile(PROGRAM);
  const flags = /deno run (.*) examples\/apps\/main\.ts/.exec(source)?.[1]?.split(" ") ?? [];
  assert.ok(flags.includes("--allow-net=127.0.0.1") && !flags.includes("-A"));
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-prompt", ...flags, PROGRAM.pathname],
    cwd: new URL("../..", import.meta.url),
    stdin: "piped",
    stdout: "piped",
  }).spawn();
  try {
    const lines = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
    const { value: address = "" } = await lines.read();
    await lines.cancel();
    await inBrowser(async (page) => {
      const faults: unknown[] = [];
      page.on("pageerror", (error) => faults.push(error));
      page.on("console", (message) => {
        // The probe of the newest revision is answered with 400 by a server that does not speak it.
        if (message.type() === "error" && !/status of 400/.test(message.text())) faults.push(message.text());
      });
      await page.setViewport({ width: 1160, height: 1120 });
      await page.goto(address.trim());
      const outcome = await use(page).then(() => undefined, (error: unknown) => error);
      if (outcome !== undefined) throw faults.length === 0 ? outcome : new AggregateError([outcome, ...faults], String(outcome));
      assert.deepEqual(faults.filter((fault) => !expected.test(String(fault))), []);
    });
  } finally {
    await child.stdin.close();
    await child.status;
  }
}

async function frameWith(page: Page, selector: string): Promise<Frame> {
  for (;;) {
    for (const frame of page.frames()) if (await frame.$(selector).catch(() => null) !== null) return frame;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function shows(place: Page | Frame, selector: string, text: string): Promise<void> {
  await place.waitForFunction(
    (where: string, what: string) => document.querySelector(where)?.textContent?.includes(what) === true,
    {},
    selector,
    text,
  );
}

async function textOf(place: Page | Frame, selector: string): Promise<string> {
  return await place.$eval(selector, (element) => element.textContent ?? "");
}

/** Kept in the folder that APPS_SCREENSHOTS names, else in `dist/screenshots`; looked at for whether anything is on it. */
async function photograph(page: Page, name: string): Promise<void> {
  const folder = Deno.env.get("APPS_SCREENSHOTS") ?? new URL("../../dist/screenshots", import.meta.url).pathname;
  const picture = await page.screenshot();
  assert.ok(picture.length > 20_000, `${picture.length} bytes`);
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeFile(`${folder}/apps_${name}.png`, picture);
}
