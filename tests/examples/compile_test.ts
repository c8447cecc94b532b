/** The example over stdio as one executable. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { plainText, ROOT, runDeno } from "../../scripts/command.ts";

Deno.test("deno compile takes with the example what it loads at its first use, and no package that it does not use", async () => {
  const folder = await Deno.makeTempDir({ prefix: "causeway-compiled-" });
  try {
    const args = ["compile", "--no-check", "--exclude-unused-npm", "--output", join(folder, "packages")];
    // Deno itself stands in for the runtime, which is a download of its own: such a file does not run, but holds the same.
    const env = { DENORT_BIN: Deno.execPath() };
    const { code, output } = await runDeno([...args, `${ROOT}/examples/stdio_server.ts`], { env });
    assert.equal(code, 0, output);
    const parts = plainText(output);
    for (const part of ["ajv/", "@cfworker/json-schema/", "zod/", "stdio_server.ts", "packages.ts"]) {
      assert.ok(parts.includes(part), `${part} is not in it:\n${parts}`);
    }
    for (const part of ["express/", "@modelcontextprotocol", "jose/", "oauth4webapi/"]) {
      assert.ok(!parts.includes(part), `${part} is in it:\n${parts}`);
    }
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
