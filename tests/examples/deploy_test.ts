/** The example for Deno Deploy in its shape: no permission, no code generation, several isolates. */
import assert from "node:assert/strict";
import { connect, textOf } from "@causeway/mcp/client";
import { ROOT } from "../../scripts/command.ts";
import { denoServe } from "../deno_serve.ts";

const FORBIDDING = "--v8-flags=--disallow-code-generation-from-strings";

/** Starts the example with `deno serve` and nothing granted, hands its URL to `use`, and ends it. */
async function deployed(use: (url: string) => Promise<void>): Promise<void> {
  const options = { args: ["--parallel", FORBIDDING], env: { DENO_JOBS: "2" } };
  const text = await denoServe(`${ROOT}/examples/deploy.ts`, use, options);
  assert.doesNotMatch(text, /Uncaught|NotCapable/);
}

Deno.test("examples/deploy.ts answers every revision without a permission and without generating code", async () => {
  await deployed(async (url) => {
    for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
      const client = await connect(url, { protocol });
      const { structuredContent } = await client.callTool("convert", { degrees: 100, to: "fahrenheit" });
      assert.deepEqual(structuredContent, { degrees: 212 });
      const wrong = await client.callTool("convert", { degrees: 100, to: "kelvin" }).then(textOf, String);
      assert.match(wrong, /to/);
      const { contents: [found] } = await client.readResource("formula://celsius");
      assert.deepEqual(found, { uri: "formula://celsius", text: "°F = °C × 1.8 + 32" });
      await client.close();
    }
  });
});

Deno.test("examples/deploy.ts answers from several isolates that share nothing", async () => {
  await deployed(async (url) => {
    const seen = new Set<string>();
    // A connection stays with its isolate; each of these is a new one.
    for (let attempt = 0; attempt < 200 && seen.size < 2; attempt++) {
      const own = Deno.createHttpClient({});
      const fetch = (input: string | URL | Request, init?: RequestInit) => globalThis.fetch(input, { ...init, client: own });
      const client = await connect(url, { fetch });
      seen.add(textOf(await client.callTool("where")));
      assert.deepEqual((await client.callTool("convert", { degrees: 32, to: "celsius" })).structuredContent, { degrees: 0 });
      await client.close();
      own.close();
    }
    assert.equal(seen.size, 2);
  });
});
