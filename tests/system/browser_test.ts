import assert from "node:assert/strict";
import { inBrowser } from "./browser.ts";

Deno.test("inBrowser shows a page of a local server", async () => {
  const server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen: () => {} },
    () => new Response("<h1>Hello</h1>", { headers: { "content-type": "text/html" } }),
  );
  try {
    const text = await inBrowser(async (page) => {
      await page.goto(`http://127.0.0.1:${server.addr.port}/`);
      return await page.$eval("h1", (element) => element.textContent);
    });
    assert.equal(text, "Hello");
  } finally {
    await server.shutdown();
  }
});
