/** Tests of the door `transports/mod.ts`. */
import assert from "node:assert/strict";
import * as door from "../../transports/mod.ts";

Deno.test("transports/mod.ts gives the carriers and nothing of processes", async () => {
  for (const name of ["connectChannel", "connectInMemory", "connectStreamableHttp", "lines", "serveChannel"]) {
    assert.equal(typeof (door as Record<string, unknown>)[name], "function", name);
  }
  const info = await new Deno.Command(Deno.execPath(), {
    args: ["info", "--json", new URL("../../transports/mod.ts", import.meta.url).pathname],
  }).output();
  const modules: { specifier: string }[] = JSON.parse(new TextDecoder().decode(info.stdout)).modules;
  assert.ok(modules.length > 5);
  assert.deepEqual(modules.filter((one) => /process\.ts|stdio_|node_pipe|^node:/.test(one.specifier)), []);
});
