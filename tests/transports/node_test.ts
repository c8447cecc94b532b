/** Both ends of stdio under Node. */
import assert from "node:assert/strict";

const SOURCE = (path: string): string => JSON.stringify(new URL(`../../transports/${path}`, import.meta.url).href);

function hasNode(): boolean {
  try {
    return new Deno.Command("node", { args: ["-e", "process.exit(process.getBuiltinModule ? 0 : 1)"] }).outputSync().success;
  } catch {
    return false;
  }
}

Deno.test({
  name: "connectStdio() and serveStandardStreams() work under Node, and leave no process behind (M-STDIO-006, M-STDIO-018)",
  ignore: Deno.build.os !== "linux" || !hasNode(),
  async fn() {
    const folder = await Deno.makeTempDir();
    await Deno.writeTextFile(
      `${folder}/entry.ts`,
      `export { connectStdio } from ${SOURCE("stdio_client.ts")};
       export { serveStandardStreams } from ${SOURCE("stdio_server.ts")};
       export { resolveLimits } from ${SOURCE("../protocol/limits.ts")};`,
    );
    const bundle = `${folder}/bundle.mjs`;
    const bundled = await new Deno.Command(Deno.execPath(), { args: ["bundle", "--quiet", "-o", bundle, `${folder}/entry.ts`] })
      .output();
    assert.equal(bundled.code, 0, new TextDecoder().decode(bundled.stderr));
    const program = new URL("./programs/node_client.mjs", import.meta.url).pathname;
    const { stdout, stderr } = await new Deno.Command("node", { args: [program, bundle] }).output();
    await Deno.remove(folder, { recursive: true });
    const text = new TextDecoder().decode(stdout);
    assert.equal(new TextDecoder().decode(stderr), "");
    const noise = ["noise", "raw noise"];
    assert.deepEqual(text.trimEnd().split("\n").map((one) => JSON.parse(one)), [
      {
        end: "close",
        echoed: 300_000,
        ends: ["closed", "closed"],
        lines: [...noise, "gone", "gone", "served"],
        faults: 0,
        left: 0,
      },
      { end: "kill", echoed: 300_000, ends: ["server_exited", "server_exited"], lines: noise, faults: 0, left: 0 },
    ]);
  },
});
