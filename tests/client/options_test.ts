/** Tests of options that nobody reads, and of what a pinned client learns about its server. */
import assert from "node:assert/strict";
import { connect } from "../../client/mod.ts";
import { defineServer, prompt, rateLimit, resource, tool } from "../../server/mod.ts";
import { serveStdio } from "../../server/stdio.ts";
import { serveNode } from "../../transports/node_http.ts";

const server = defineServer({
  name: "shop",
  version: "1.2.3",
  instructions: "Ask for prices",
  tools: [tool({ name: "x", handler: () => "ran" })],
});

const unknown = (name: string): { name: string; message: string } => ({ name: "TypeError", message: name });

Deno.test("connect refuses options that nobody reads, and names the one that was meant", async () => {
  await assert.rejects(connect(server, { limit: {} } as never), unknown("connect.limit: Unknown option, perhaps limits"));
  await assert.rejects(connect(server, { elicit: 1 } as never), unknown("connect.elicit: Unknown option"));
  const inputs = { forms: () => ({ action: "cancel" }) };
  await assert.rejects(connect(server, { inputs } as never), unknown("connect.inputs.forms: Unknown option, perhaps form"));
});

Deno.test("calls, lists, streams and filters refuse what nobody reads", async () => {
  const client = await connect(server);
  const odd = { timeOut: 5 } as never;
  const told = unknown("options.timeOut: Unknown option, perhaps timeout");
  await assert.rejects(client.callTool("x", {}, odd), told);
  await assert.rejects(client.listTools(odd), told);
  await assert.rejects(client.request("tools/list", {}, odd), told);
  await assert.rejects(client.listen({ toolsListChanged: true }, odd), told);
  assert.throws(() => client.watch({}, odd), told);
  const filter = unknown("client.watch: toolListChanged: Unknown option, perhaps toolsListChanged");
  assert.throws(() => client.watch({ toolListChanged: true }), filter);
  client.watch({ own: 1 });
  await client.close();
});

Deno.test("servers and how they are served refuse what nobody reads", async () => {
  const define = (options: object) => () => defineServer({ name: "a", version: "1", ...options } as never);
  assert.throws(define({ toolz: [] }), /^TypeError: toolz: Unknown option/);
  assert.throws(define({ cache: { tools: { ttl: 5 } } }), /^TypeError: cache\.tools\.ttl: Unknown option/);
  assert.throws(() => rateLimit({ perMinutes: 5 } as never), unknown("rateLimit.perMinutes: Unknown option, perhaps perMinute"));
  await assert.rejects(
    serveStdio(server, { signals: 1 } as never),
    unknown("serveStdio.signals: Unknown option, perhaps signal"),
  );
  await assert.rejects(serveNode(server, { prt: 1 } as never), unknown("serveNode.prt: Unknown option"));
});

Deno.test("components say what they are when they are defined with nothing", () => {
  for (const [kind, make] of [["tool", tool], ["resource", resource], ["prompt", prompt]] as const) {
    const define = make as (options?: unknown) => unknown;
    assert.throws(() => define(), unknown(`${kind}: Expected an object of options, received undefined`));
    assert.throws(() => define(null), unknown(`${kind}: Expected an object of options, received null`));
    assert.throws(() => define({}), unknown(`${kind}.name: Expected a string, received undefined`));
    assert.throws(() => define({ name: 5 }), unknown(`${kind}.name: Expected a string, received number`));
  }
});

Deno.test("a client that is pinned learns its server's name from the first answer, and the rest from discover()", async () => {
  const client = await connect(server, { protocol: "2026-07-28" });
  assert.deepEqual([client.server.info, client.server.capabilities, client.server.instructions], [undefined, {}, undefined]);
  await client.callTool("x");
  assert.deepEqual(client.server.info, { name: "shop", version: "1.2.3" });
  assert.deepEqual(client.server.capabilities, {});
  await client.discover();
  assert.equal(client.server.instructions, "Ask for prices");
  assert.ok(client.server.capabilities.tools !== undefined);
  assert.equal(client.server.protocolVersion, "2026-07-28");
  await client.close();
});

Deno.test("rateLimit says its reason to clients", async () => {
  for (const protocol of ["2026-07-28", "2025-11-25"] as const) {
    const limited = defineServer({
      name: "limited",
      version: "1",
      use: [rateLimit({ perMinute: 1 })],
      tools: [tool({ name: "x", handler: () => "" })],
    });
    const client = await connect(limited, { protocol });
    const errors: { code: number; data: { reason: string } }[] = [];
    for (let at = 0; at < 4; at++) await client.callTool("x").catch((error) => errors.push(error));
    assert.ok(errors.length >= 3);
    for (const { code, data } of errors) assert.deepEqual([code, data.reason], [-32603, "rate_limited"]);
    await client.close();
  }
});
