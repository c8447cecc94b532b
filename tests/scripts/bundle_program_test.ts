/** Tests of `scripts/bundle_program.ts`: a bundled server is served by a real process. */
import assert from "node:assert/strict";
import { connect } from "@causeway/mcp/client";
import { bundleProgram } from "../../scripts/bundle_program.ts";
import { ROOT } from "../../scripts/command.ts";
import { denoServe } from "../deno_serve.ts";

Deno.test("a bundled server of three revisions lists, calls and checks as its sources do, without a permission", async () => {
  const folder = await Deno.makeTempDir({ prefix: "causeway-bundled-" });
  const program = await bundleProgram(`${ROOT}/examples/deploy.ts`, folder);
  const check = async (url: string): Promise<void> => {
    for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
      await using client = await connect(new URL("/mcp", url), { protocol });
      assert.deepEqual((await client.listTools()).map(({ name }) => name), ["convert", "where"]);
      const { structuredContent } = await client.callTool("convert", { degrees: 100, to: "fahrenheit" });
      assert.deepEqual(structuredContent, { degrees: 212 });
      const told = await client.callTool("convert", { degrees: 100, to: "kelvin" }).then(
        ({ content }) => content,
        (error) => error.message,
      );
      assert.match(JSON.stringify(told), /one of \\"celsius\\", \\"fahrenheit\\"/);
    }
  };
  try {
    await denoServe(program, check, { args: ["--no-lock", "--no-config"], cwd: folder });
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
