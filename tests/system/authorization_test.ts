import assert from "node:assert/strict";
import type { Page } from "puppeteer-core";
import { oauth } from "../../client/auth/mod.ts";
import type { OAuthOptions } from "../../client/auth/mod.ts";
import { AuthorizationError, connect, textOf } from "../../client/mod.ts";
import type { Client } from "../../client/mod.ts";
import { inWorld } from "../e2e/authorization_world.ts";
import { inBrowser } from "./browser.ts";

/** Presses the button of the page that says this, and waits for what comes of it. */
async function press(page: Page, label: string): Promise<void> {
  const buttons = await page.$$("button");
  const labels = await Promise.all(buttons.map((button) => button.evaluate(({ textContent }) => textContent)));
  const button = buttons[labels.indexOf(label)];
  assert.ok(button !== undefined, `There is no ${label} among ${labels}`);
  await Promise.all([page.waitForNavigation(), button.click()]);
}

async function title(page: Page): Promise<string | null> {
  return await page.$eval("h1", (element) => element.textContent);
}

async function signIn(page: Page): Promise<void> {
  assert.equal(await title(page), "Sign in");
  await page.type("input[name=account]", "ada");
  await page.type("input[name=password]", "engine");
  await Promise.all([page.waitForNavigation(), page.keyboard.press("Enter")]);
}

/** The browser that `oauth` opens: what a person does there goes on beside the client, which listens for the redirect. */
function opener(page: Page, visits: readonly ((page: Page) => Promise<void>)[]) {
  const left = [...visits];
  let last: Promise<void> = Promise.resolve();
  const open: OAuthOptions["open"] = (url) => {
    const visit = left.shift();
    assert.ok(visit !== undefined, "The browser is opened once too often");
    last = last.then(() => page.goto(url.href)).then(() => visit(page));
    last.catch(() => undefined); // told when it is asked for
    // Nothing is given back: the redirect has to come from the browser itself.
  };
  return { open, left, done: () => last };
}

/** Connects by way of the browser; what went wrong there says more than the client's waiting in vain. */
async function authorize(url: string, { open, done }: ReturnType<typeof opener>): Promise<Client> {
  const auth = oauth({ clientName: "Note taker", open, timeout: 30_000, allowInsecureLoopback: true });
  try {
    return await connect(url, { auth });
  } catch (error) {
    await done();
    throw error;
  }
}

Deno.test("a person goes through sign-in and consent in Chromium, by keys and clicks, and the client's call gets in; step-up asks for consent alone (M-AUTH-066, M-AUTH-106, M-AUTH-117, M-AUTH-124)", async () => {
  await inWorld(async ({ url, count }) => {
    await inBrowser(async (page) => {
      const logged: string[] = [];
      page.on("console", (message) => void logged.push(message.text()));
      const ended: string[] = [];
      const finish = async (): Promise<void> => {
        assert.equal(await title(page), "Allow access?");
        const items = await page.$$eval("li", (all) => all.map((one) => one.textContent));
        ended.push(items.join(", "));
        await press(page, "Allow");
        ended.push(await page.$eval("body", (body) => body.textContent ?? ""));
      };
      const browser = opener(page, [async () => {
        await signIn(page);
        await finish();
      }, finish]);
      await using client = await authorize(url, browser);
      assert.equal(textOf(await client.callTool("list_notes")), "no notes");
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 1]);
      assert.equal(textOf(await client.callTool("add_note", { text: "Mind the gap" })), "kept");
      assert.equal(textOf(await client.callTool("list_notes")), "Mind the gap");
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 1]);
      await browser.done();
      assert.deepEqual(browser.left, []);
      const over = "You can close this window and go back to the application.";
      assert.deepEqual(ended, [
        "Read your notes, Stay signed in until you take it back",
        over,
        "Read your notes, Stay signed in until you take it back, Write notes for you",
        over,
      ]);
      // Violations of the pages' own policy would be told here, and a favicon that is not there is none of them.
      assert.deepEqual(logged.filter((text) => !text.includes("404")), []);
    });
  });
});

Deno.test("a person who mistypes sees why, and one who denies ends the client's wait with an error that says so", async () => {
  await inWorld(async ({ url, count }) => {
    await inBrowser(async (page) => {
      const browser = opener(page, [async () => {
        await page.type("input[name=account]", "ada");
        await page.type("input[name=password]", "motor");
        await press(page, "Sign in");
        assert.match(await page.$eval("[role=alert]", (element) => element.textContent ?? ""), /password is wrong/);
        await signIn(page);
        await press(page, "Deny");
      }]);
      await assert.rejects(authorize(url, browser), (error) => {
        assert.ok(error instanceof AuthorizationError);
        assert.equal(error.reason, "denied");
        return /access_denied \(The person said no\)/.test(error.message);
      });
      await browser.done();
      assert.deepEqual(["GET /auth", "POST /token"].map(count), [1, 0]);
    });
  });
});

Deno.test("a page that is opened in another browser is of no use there", async () => {
  await inWorld(async ({ url }) => {
    await inBrowser(async (page, browser) => {
      const opened = opener(page, [async () => {
        const other = await (await browser.createBrowserContext()).newPage();
        await other.goto(page.url());
        assert.equal(await title(other), "That did not work");
        await signIn(page);
        await press(page, "Allow");
      }]);
      await using client = await authorize(url, opened);
      assert.equal(textOf(await client.callTool("list_notes")), "no notes");
      await opened.done();
    });
  });
});
