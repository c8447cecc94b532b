/** Serving over HTTP under Node, with real sockets. */
import assert from "node:assert/strict";
import { ROOT, runCommand, runDeno } from "../../scripts/command.ts";

const SOURCE = (path: string): string => JSON.stringify(`${ROOT}/${path}`);

interface Outcome {
  readonly name: string;
  readonly error?: string;
}

Deno.test({
  name:
    "serveNode() and toNodeHandler() answer, stream, hear a client go, keep back, heed the target's host and close under Node (M-CANC-005, M-HTTP-026)",
  ignore: (await runCommand(["node", "-e", "process.exit(process.getBuiltinModule ? 0 : 1)"])).code !== 0,
  async fn(t) {
    const folder = await Deno.makeTempDir();
    const bundle = `${folder}/bundle.mjs`;
    await Deno.writeTextFile(
      `${folder}/entry.ts`,
      `export { serveNode, toNodeHandler } from ${SOURCE("transports/node_http.ts")};
       export { connect } from ${SOURCE("client/mod.ts")};
       export { defineServer, tool } from ${SOURCE("server/mod.ts")};`,
    );
    const bundled = await runDeno(["bundle", "--quiet", "--config", `${ROOT}/deno.json`, "-o", bundle, `${folder}/entry.ts`]);
    assert.equal(bundled.code, 0, bundled.output);
    const program = `${ROOT}/tests/transports/programs/node_http.mjs`;
    const { code, output } = await runCommand(["node", "--no-warnings", program, bundle], { timeout: 120_000 });
    await Deno.remove(folder, { recursive: true });
    assert.equal(code, 0, output);
    const outcomes = output.trimEnd().split("\n").map((line) => JSON.parse(line) as Outcome);
    assert.equal(outcomes.length, 16);
    for (const { name, error } of outcomes) await t.step(name, () => assert.equal(error, undefined));
  },
});
