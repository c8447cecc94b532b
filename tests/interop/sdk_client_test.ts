/** The client of version 1 of the official package against this package's server, over HTTP with sessions and stdio. */
import assert from "node:assert/strict";
import { causewayServer } from "./peers/causeway_server.ts";
import { peerCommand, runClient, type Seen } from "./peers/children.ts";

/** What one whole run of the client showed. */
interface Run {
  readonly seen: ReadonlyMap<string, Seen>;
  readonly stderr: string;
  readonly code: number;
  readonly cancelled: number;
}

for (const carrier of ["HTTP", "stdio"] as const) {
  // One run serves all tests of a carrier; whichever test comes first makes it.
  let run: Promise<Run> | undefined;
  const result = (): Promise<Run> => run ??= carrier === "HTTP" ? overHttp() : overStdio();

  Deno.test(`Server shakes hands with a client of version 1 over ${carrier} (L-LIFE-003, L-LIFE-009, L-PING-001)`, async () => {
    const { seen } = await result();
    const { session, revision, version, capabilities, instructions } = value(seen, "connect");
    assert.equal(revision, carrier === "HTTP" ? "2025-11-25" : undefined);
    if (carrier === "HTTP") assert.match(session, /^[!-~]+$/);
    assert.deepEqual(version, { name: "causeway", version: "1.2.3", title: "Causeway peer" });
    assert.equal(instructions, "Ask anything.");
    assert.deepEqual(Object.keys(capabilities).sort(), ["completions", "logging", "prompts", "resources", "tools"]);
    assert.deepEqual(capabilities.resources, { subscribe: true, listChanged: true });
    assert.deepEqual(value(seen, "ping"), {});
  });

  Deno.test(`Server lists and calls tools for a client of version 1 over ${carrier}`, async () => {
    const { seen } = await result();
    const tools = value(seen, "tools") as { name: string; inputSchema: { type: string; required?: string[] } }[];
    assert.deepEqual(tools.map(({ name }) => name), ["echo", "sum", "fail", "steps", "touch", "confirm", "wait"]);
    assert.deepEqual(value(seen, "echo").content, [{ type: "text", text: "grüße 🌍" }]);
    assert.deepEqual(value(seen, "sum").structuredContent, { total: 6.5 });
    assert.equal(value(seen, "fail").isError, true);
    assert.equal(value(seen, "wrong").isError, true);
    assert.equal(seen.get("unknown")?.error?.code, -32602);
  });

  Deno.test(`Server sends progress and logs to a client of version 1 over ${carrier} (L-LOG-002)`, async () => {
    const { seen, logs, content } = value((await result()).seen, "progress");
    const all = [1, 2, 3].map((progress) => ({ progress, total: 3, message: `step ${progress}` }));
    // This client drops progress that it reads in one piece with the result.
    assert.deepEqual(seen, carrier === "stdio" ? all.slice(0, seen.length) : all);
    assert.deepEqual(logs, [{ level: "info", data: { finished: 3 } }]);
    assert.deepEqual(content, [{ type: "text", text: "3 steps" }]);
  });

  Deno.test(`Server offers resources, prompts and completion to a client of version 1 over ${carrier} (L-RES-003)`, async () => {
    const { seen } = await result();
    assert.deepEqual(value(seen, "resources").map(({ uri }: { uri: string }) => uri), ["config://app"]);
    assert.deepEqual(value(seen, "templates").map(({ uriTemplate }: { uriTemplate: string }) => uriTemplate), [
      "users://{userId}/profile",
    ]);
    assert.equal(value(seen, "read").contents[0].text, '{"theme":"dark"}');
    assert.equal(value(seen, "readTemplate").contents[0].text, "profile of 17");
    assert.equal(seen.get("readUnknown")?.error?.code, -32002);
    assert.deepEqual(value(seen, "prompts").map(({ name }: { name: string }) => name), ["review"]);
    assert.equal(value(seen, "prompt").messages[0].content.text, "Review this rust for style.");
    assert.deepEqual(value(seen, "completePrompt").completion.values, ["typescript"]);
    assert.deepEqual(value(seen, "completeTemplate").completion.values, ["17", "18"]);
  });

  Deno.test(`Server asks a client of version 1 by requests over ${carrier} (L-ELIC-002, L-SAMP-002)`, async () => {
    const { seen } = await result();
    const form = seen.get("elicitation")?.params as { message: string; requestedSchema: { properties: object } };
    assert.equal(form.message, "Really deploy?");
    assert.deepEqual(form.requestedSchema.properties, { confirm: { type: "boolean" } });
    const answers = JSON.parse(value(seen, "confirm").content[0].text);
    assert.deepEqual(answers.sampled.content, { type: "text", text: "Ada" });
    assert.deepEqual(answers.roots, [{ uri: "file:///work", name: "work" }]);
  });

  Deno.test(`Server stops a call that a client of version 1 cancels over ${carrier}`, async () => {
    const { seen, cancelled, stderr } = await result();
    assert.match(seen.get("cancel")?.error?.message ?? "", /enough/);
    assert.equal(cancelled, 1, stderr);
  });

  Deno.test(`Server tells a client of version 1 of changes over ${carrier} (L-RES-001, L-TOOL-010)`, async () => {
    assert.deepEqual(value((await result()).seen, "changes").seen, [{ changed: "tools" }, { updated: "config://app" }]);
  });

  Deno.test(`Server is left by a client of version 1 in order over ${carrier}`, async () => {
    const { seen, code, stderr } = await result();
    assert.deepEqual(seen.get("rootsChanged"), { step: "rootsChanged" });
    assert.deepEqual(value(seen, "terminate"), {});
    assert.deepEqual(seen.get("close"), { step: "close" });
    assert.equal(code, 0, stderr);
  });
}

Deno.test("Server without sessions gives a client of version 1 what a single exchange can give (L-HTTP-021, L-SES-012)", async () => {
  const { seen, code, stderr } = await overHttp(false);
  assert.equal(code, 0, stderr);
  const { session, revision, capabilities } = value(seen, "connect");
  assert.deepEqual([session, revision], [undefined, "2025-11-25"]);
  assert.equal(capabilities.resources.subscribe, undefined);
  assert.equal(capabilities.tools.listChanged, undefined);
  assert.deepEqual(value(seen, "ping"), {});
  assert.equal(value(seen, "tools").length, 7);
  assert.deepEqual(value(seen, "sum").structuredContent, { total: 6.5 });
  assert.equal(value(seen, "progress").seen.length, 3);
  assert.equal(value(seen, "readTemplate").contents[0].text, "profile of 17");
  assert.equal(value(seen, "prompt").messages[0].content.text, "Review this rust for style.");
  assert.match(seen.get("confirm")?.error?.message ?? "", /session/);
  assert.equal(seen.get("changes")?.error?.code, -32601);
});

async function overHttp(sessions = true): Promise<Run> {
  let cancelled = 0;
  const server = causewayServer(() => void cancelled++, sessions);
  const http = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, server.fetch);
  try {
    const run = await runClient(peerCommand("sdk_client.ts", `http://127.0.0.1:${http.addr.port}/mcp`));
    return { ...run, cancelled };
  } finally {
    await server.close();
    await http.shutdown();
  }
}

async function overStdio(): Promise<Run> {
  const { command, args } = peerCommand("causeway_server_stdio.ts");
  const run = await runClient(peerCommand("sdk_client.ts", command, ...args));
  return { ...run, cancelled: run.stderr.split("wait was cancelled").length - 1 };
}

/** The value of a step that went well. Loosely typed: it comes as JSON and is looked at in many ways. */
// deno-lint-ignore no-explicit-any -- assertions on JSON of many shapes; a wrong shape fails the test
function value(seen: ReadonlyMap<string, Seen>, step: string): any {
  const found = seen.get(step);
  assert.ok(found !== undefined && found.error === undefined, `${step}: ${JSON.stringify(found)}`);
  return found.value;
}
