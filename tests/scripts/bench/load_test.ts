/** The bench's own load generator, against a real server in another process. */
import assert from "node:assert/strict";
import { cpuSeconds, startChild } from "../../../scripts/bench/child.ts";
import { echoRequest } from "../../../scripts/bench/request.ts";

Deno.test("load program counts whole answers", async () => {
  const child = startChild("bare", "bare.ts");
  try {
    const { port } = JSON.parse(await child.line()) as { port: number };
    const url = `http://127.0.0.1:${port}/mcp`;
    const before = cpuSeconds(child.pid);
    const good = await run({ url, ...echoRequest(), seconds: 0.3, connections: 4 });
    assert.ok(good.requests > 0);
    assert.equal(good.errors, 0);
    assert.ok(good.seconds >= 0.3);
    assert.ok(cpuSeconds(child.pid) > before);
  } finally {
    await child.stop();
  }
});

Deno.test("load program counts answers that are not 200 as failures", async () => {
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, () => new Response("no", { status: 500 }));
  const url = `http://127.0.0.1:${server.addr.port}/mcp`;
  const { requests, errors } = await run({ url, ...echoRequest(), seconds: 0.1, connections: 1 });
  assert.equal(errors, requests);
  assert.ok(errors > 0);
  await server.shutdown();
});

async function run(job: object): Promise<{ requests: number; errors: number; seconds: number }> {
  const program = new URL("../../../scripts/bench/programs/load.ts", import.meta.url).pathname;
  const args = ["run", "-A", "--cached-only", program, JSON.stringify(job)];
  const { stdout, success } = await new Deno.Command(Deno.execPath(), { args, stdout: "piped", stderr: "inherit" }).output();
  assert.ok(success);
  return JSON.parse(new TextDecoder().decode(stdout));
}
