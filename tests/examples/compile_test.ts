/** The example over stdio as one executable. */
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { connect, textOf } from "@causeway/mcp/client";
import { plainText, ROOT, runDeno } from "../../scripts/command.ts";

/** The runtime that `deno compile` builds on, where there is one: it is a download of its own, which not every machine can make. */
async function runtime(): Promise<string | undefined> {
  const given = Deno.env.get("DENORT_BIN");
  if (given !== undefined) return given;
  const { output } = await runDeno(["info", "--json"]);
  const { denoDir } = JSON.parse(output) as { denoDir: string };
  const kept = join(denoDir, "dl", "release", `v${Deno.version.deno}`, `denort-${Deno.build.target}.zip`);
  return existsSync(kept) ? "" : undefined;
}

/** Compiles the example into a folder of its own, and hands over the file and what was printed. */
async function compiled(
  denort: string,
  use: (file: string, output: string, folder: string) => void | Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir({ prefix: "causeway-compiled-" });
  try {
    const file = join(folder, "packages");
    const args = ["compile", "--no-check", "--exclude-unused-npm", "--output", file, `${ROOT}/examples/stdio_server.ts`];
    const { code, output } = await runDeno(args, denort === "" ? {} : { env: { DENORT_BIN: denort } });
    assert.equal(code, 0, output);
    await use(file, plainText(output), folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("deno compile takes with the example what it loads at its first use, and no package that it does not use", async () => {
  // Deno itself stands in for the runtime: such a file does not run, but holds what the other one holds.
  await compiled(await runtime() || Deno.execPath(), (_file, output) => {
    for (const part of ["ajv/", "@cfworker/json-schema/", "zod/", "stdio_server.ts", "packages.ts"]) {
      assert.ok(output.includes(part), `${part} is not in it:\n${output}`);
    }
    for (const part of ["express/", "@modelcontextprotocol", "jose/", "oauth4webapi/"]) {
      assert.ok(!output.includes(part), `${part} is in it:\n${output}`);
    }
  });
});

const denort = await runtime();

Deno.test({
  name: "the compiled example serves every revision without a permission, where the runtime of deno compile is at hand",
  ignore: denort === undefined,
  fn: async () => {
    await compiled(denort ?? "", async (command, _output, cwd) => {
      for (const protocol of ["2026-07-28", "2025-11-25", "2025-06-18"] as const) {
        const client = await connect({ command, cwd }, { protocol });
        assert.ok((await client.listTools()).length > 0);
        const wrong = await client.callTool("search", { query: "" }).catch((error) => error);
        assert.match(wrong instanceof Error ? wrong.message : textOf(wrong), /\/query must have at least 1 character/);
        await client.close();
      }
    });
  },
});
